# libportolan from the objects of all modules: shared (only PTL_API functions are visible) and
# static. The dependencies are private: the public headers include none of them.
get_property(portolan_modules GLOBAL PROPERTY PORTOLAN_MODULES)
set(portolan_objects "")
foreach(module IN LISTS portolan_modules)
    list(APPEND portolan_objects $<TARGET_OBJECTS:${module}>)
endforeach()

add_library(portolan SHARED ${portolan_objects})
target_link_libraries(portolan PRIVATE ${portolan_dependencies}
                      $<BUILD_INTERFACE:portolan_instrument> $<BUILD_INTERFACE:portolan_hardening>)
set_target_properties(portolan PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0)

add_library(portolan_static STATIC ${portolan_objects})
target_link_libraries(portolan_static PRIVATE ${portolan_dependencies}
                      $<BUILD_INTERFACE:portolan_instrument>)
set_target_properties(portolan_static PROPERTIES OUTPUT_NAME portolan)

# A static library shows its inner functions to the user's linker, where names such as error_set
# clash. So the finished library is made into one of a single object, whose inner names are local.
# With link-time optimisation that object is machine code, too: whoever links it needs neither
# the same compiler nor its flags. (Instrumented objects can't be joined like that.)
function(portolan_join_objects library)
    if(NOT CMAKE_OBJCOPY)
        message(STATUS "No objcopy: the inner names of ${library} can clash with its user's")
        return()
    elseif(PORTOLAN_SANITIZE OR PORTOLAN_COVERAGE OR PORTOLAN_FUZZ)
        return()
    endif()
    set(flags "${CMAKE_C_COMPILER_ARG1} ${CMAKE_C_FLAGS}")
    foreach(config IN LISTS CMAKE_BUILD_TYPE CMAKE_CONFIGURATION_TYPES)
        string(TOUPPER ${config} upper)
        string(APPEND flags " $<$<CONFIG:${config}>:${CMAKE_C_FLAGS_${upper}}>")
    endforeach()
    if(CMAKE_C_COMPILER_TARGET)
        string(PREPEND flags "${CMAKE_C_COMPILE_OPTIONS_TARGET}${CMAKE_C_COMPILER_TARGET} ")
    endif()
    if(CMAKE_C_COMPILER_ID STREQUAL GNU)
        string(APPEND flags " -flinker-output=nolto-rel")
    elseif(PORTOLAN_LTO)
        string(APPEND flags " -flto") # else clang's linker is not told how to read its objects
    endif()
    add_custom_command(TARGET ${library} POST_BUILD
        COMMAND ${CMAKE_COMMAND} -DARCHIVE=$<TARGET_FILE:${library}>
                -DCOMPILER=${CMAKE_C_COMPILER} "-DFLAGS=${flags}" -DOBJCOPY=${CMAKE_OBJCOPY}
                -DAR=${CMAKE_AR} -DRANLIB=${CMAKE_RANLIB}
                -P ${PROJECT_SOURCE_DIR}/tools/packaging/join_objects.cmake
        COMMENT "Making the inner names of ${library} local" VERBATIM)
endfunction()
portolan_join_objects(portolan_static)

foreach(library portolan portolan_static)
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    add_library(portolan::${library} ALIAS ${library})
endforeach()

if(PORTOLAN_STATS)
    include(${CMAKE_CURRENT_LIST_DIR}/stats.cmake)
endif()
