# libportolan from the objects of all modules: shared (only PTL_API functions are visible) and
# static. The dependencies are private: the public headers include none of them.
get_property(portolan_modules GLOBAL PROPERTY PORTOLAN_MODULES)
set(portolan_objects "")
foreach(module IN LISTS portolan_modules)
    list(APPEND portolan_objects $<TARGET_OBJECTS:${module}>)
endforeach()
set(portolan_dependencies PkgConfig::SQLITE PkgConfig::JANSSON PkgConfig::ZSTD PkgConfig::PNG
    PkgConfig::SODIUM Threads::Threads m)

add_library(portolan SHARED ${portolan_objects})
target_link_libraries(portolan PRIVATE ${portolan_dependencies}
                      $<BUILD_INTERFACE:portolan_instrument>)
set_target_properties(portolan PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0)

# A static library shows its inner functions to the user's linker, where names such as error_set
# clash. So its objects become one whose hidden symbols are local. Instrumented objects and
# those for link-time optimisation can't be joined like that.
set(portolan_static_objects ${portolan_objects})
if(CMAKE_OBJCOPY AND NOT PORTOLAN_SANITIZE AND NOT PORTOLAN_COVERAGE AND NOT PORTOLAN_LTO)
    set(portolan_static_objects ${PROJECT_BINARY_DIR}/portolan_static.o)
    add_custom_command(OUTPUT ${portolan_static_objects}
        COMMAND ${CMAKE_LINKER} -r -o ${portolan_static_objects} ${portolan_objects}
        COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${portolan_static_objects}
        DEPENDS ${portolan_objects} COMMAND_EXPAND_LISTS VERBATIM
        COMMENT "Joining the objects of the static library")
endif()
add_library(portolan_static STATIC ${portolan_static_objects})
target_link_libraries(portolan_static PRIVATE ${portolan_dependencies}
                      $<BUILD_INTERFACE:portolan_instrument>)
set_target_properties(portolan_static PROPERTIES OUTPUT_NAME portolan)

foreach(library portolan portolan_static)
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    add_library(portolan::${library} ALIAS ${library})
endforeach()
