# What Portolan is built on, said once: for building, for portolan.pc and for the CMake package.
# portolan_dependencies is what the library links; portolan_pc_requires and
# portolan_package_checks are the same for those two files.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
set(portolan_dependencies ${CMAKE_THREAD_LIBS_INIT} m)
set(portolan_pc_requires "")
set(portolan_package_checks "")
set(portolan_package_found "TRUE")

# portolan_find(NAME MODULE VERSION PACKAGE WITHOUT): makes PkgConfig::PORTOLAN_NAME, or ends with
# what to install. The target is global, as whoever links the static library may do so in any
# folder, and its name is ours, as a parent project may look for the same library.
macro(portolan_find name module version package without)
    pkg_check_modules(PORTOLAN_${name} QUIET IMPORTED_TARGET GLOBAL ${module}>=${version})
    if(NOT PORTOLAN_${name}_FOUND)
        message(FATAL_ERROR
            "Portolan needs ${module} ${version} or newer, for development (Debian: ${package}). ${without}")
    endif()
endmacro()

# The same of the library's own.
macro(portolan_needs name module version package without)
    portolan_find(${name} ${module} ${version} ${package} "${without}")
    list(PREPEND portolan_dependencies PkgConfig::PORTOLAN_${name})
    list(APPEND portolan_pc_requires "${module} >= ${version}")
    string(APPEND portolan_package_checks
        "    pkg_check_modules(PORTOLAN_${name} QUIET IMPORTED_TARGET ${module}>=${version})\n")
    string(APPEND portolan_package_found " AND PORTOLAN_${name}_FOUND")
endmacro()

portolan_needs(SQLITE sqlite3 3.38 libsqlite3-dev "")
portolan_needs(JANSSON jansson 2.13 libjansson-dev "")
portolan_needs(ZSTD libzstd 1.5 libzstd-dev "")
portolan_needs(SODIUM libsodium 1.0.18 libsodium-dev "")
portolan_needs(ZLIB zlib 1.2.11 zlib1g-dev "")
if(PORTOLAN_LUA)
    portolan_needs(LUA lua5.4 5.4.4 liblua5.4-dev "PORTOLAN_LUA=OFF does without it, and makes no maps of scripts.")
endif()
if(PORTOLAN_RENDER)
    portolan_needs(PNG libpng 1.6 libpng-dev "PORTOLAN_RENDER=OFF does without it.")
endif()
if(PORTOLAN_COMMAND OR PORTOLAN_STATS)
    # Of src/clients/stats, which is no part of libportolan.
    set(portolan_gsl_version 2.7)
    portolan_find(GSL gsl ${portolan_gsl_version} libgsl-dev
                  "PORTOLAN_COMMAND=OFF with PORTOLAN_STATS=OFF does without it.")
endif()
if(PORTOLAN_COMMAND)
    # Of src/clients/tiled, which is a part of the command alone.
    portolan_find(EXPAT expat 2.5 libexpat1-dev "PORTOLAN_COMMAND=OFF does without it.")
endif()
if(PORTOLAN_COMMAND AND PORTOLAN_SERVE)
    # Of src/clients/server, which is a part of the command alone.
    portolan_find(MICROHTTPD libmicrohttpd 0.9.75 libmicrohttpd-dev "PORTOLAN_SERVE=OFF does without it.")
    find_path(PORTOLAN_LEAFLET leaflet.esm.min.js
              PATHS /usr/share/javascript/leaflet DOC "The folder of Leaflet's module and style")
    if(NOT PORTOLAN_LEAFLET)
        message(FATAL_ERROR "Portolan's page needs Leaflet (Debian: libjs-leaflet; elsewhere "
                "-DPORTOLAN_LEAFLET=its folder). PORTOLAN_SERVE=OFF does without it.")
    endif()
endif()
if(PORTOLAN_COMMAND AND PORTOLAN_VIEW)
    # Of src/clients/cli/view alone.
    portolan_find(NCURSES ncursesw 6.3 libncurses-dev "PORTOLAN_VIEW=OFF does without it.")
endif()
if(PORTOLAN_TESTS)
    portolan_find(CHECK check 0.15 check "PORTOLAN_TESTS=OFF does without it.")
endif()
list(JOIN portolan_pc_requires ", " portolan_pc_requires)
