# What `cmake --install` gives: headers, libraries, .pc files, the CMake package and
# documents. (The command installs itself, its man page and its completion: src/clients/cli.) Nothing in
# it names the prefix: an installed tree may be moved.
include(CMakePackageConfigHelpers)

set(portolan_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/portolan)
set(left_out "")
if(NOT PORTOLAN_STATS)
    set(left_out PATTERN stats.h EXCLUDE)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/include/portolan TYPE INCLUDE
        FILES_MATCHING PATTERN "*.h" ${left_out})
# Two export sets, so that users of the shared library need none of our dependencies.
install(TARGETS portolan EXPORT portolanSharedTargets)
install(TARGETS portolan_static EXPORT portolanStaticTargets)
set(kinds Shared Static)
set(portolan_pc_files portolan)
set(portolan_package_stats FALSE)
if(PORTOLAN_STATS)
    install(TARGETS portolan_stats EXPORT portolanStatsSharedTargets)
    install(TARGETS portolan_stats_static EXPORT portolanStatsStaticTargets)
    list(APPEND kinds StatsShared StatsStatic)
    list(APPEND portolan_pc_files portolan-stats)
    set(portolan_package_stats TRUE)
endif()
foreach(kind IN LISTS kinds)
    install(EXPORT portolan${kind}Targets NAMESPACE portolan::
            DESTINATION ${portolan_cmake_dir})
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/portolanConfig.cmake.in
    ${PROJECT_BINARY_DIR}/portolanConfig.cmake INSTALL_DESTINATION ${portolan_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/portolanConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/portolanConfig.cmake
              ${PROJECT_BINARY_DIR}/portolanConfigVersion.cmake
        DESTINATION ${portolan_cmake_dir})

file(RELATIVE_PATH portolan_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(file IN LISTS portolan_pc_files)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/${file}.pc.in ${PROJECT_BINARY_DIR}/${file}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# Documents lie as they do in the source, so that the links between them hold; never among those
# of a project that this is a part of.
set(documents ${CMAKE_INSTALL_DOCDIR})
if(NOT PROJECT_IS_TOP_LEVEL)
    set(documents ${CMAKE_INSTALL_DATAROOTDIR}/doc/portolan)
endif()
foreach(document README.md CHANGELOG.md LICENSE tests/example/example.c tests/example/walk.c tests/format_reader.py)
    cmake_path(GET document PARENT_PATH folder)
    install(FILES ${PROJECT_SOURCE_DIR}/${document} DESTINATION ${documents}/${folder})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/schema DESTINATION ${documents})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/pictures DESTINATION ${documents}/data)
