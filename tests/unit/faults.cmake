# Faults. The test programs own malloc, or, under a sanitizer, the linker hands over the calls
# of our own objects; so it does with the calls for files.
set(fault_support fault_alloc.c fault_files.c fault_io.c fault_loop.c fault_place.c
    fault_scenes.c fault_scenes_care.c fault_scenes_columns.c fault_scenes_content.c fault_scenes_count.c
    fault_scenes_lists.c fault_scenes_past.c fault_scenes_pictures.c fault_scenes_sea.c
    fault_scenes_tiles.c fault_stop.c
    shim_vfs.c)
list(TRANSFORM fault_support PREPEND ${PROJECT_SOURCE_DIR}/tests/support/fault/)
add_library(portolan_faults OBJECT ${fault_support})
target_link_libraries(portolan_faults PUBLIC portolan_settings PkgConfig::PORTOLAN_CHECK
                      PkgConfig::PORTOLAN_SQLITE)
target_include_directories(portolan_faults PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_compile_options(portolan_faults PRIVATE -fno-builtin)
set(fault_wrapped fopen fread fwrite fclose rename remove unlink mkdir stat fstat fstatat opendir
    fdopendir readdir open openat read pread write pwrite ftruncate flock fsync dup lstat faccessat
    fchmod renameat renameat2 linkat unlinkat)
if(PORTOLAN_SANITIZE)
    target_compile_definitions(portolan_faults PRIVATE PORTOLAN_FAULT_WRAP)
    list(APPEND fault_wrapped malloc calloc realloc strdup)
endif()
foreach(name ${fault_wrapped})
    target_link_options(portolan_faults INTERFACE LINKER:--wrap=${name})
endforeach()
if(PORTOLAN_LUA)
    portolan_test(test_faults_lua
                  SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_faults_lua.c mapgen/script_fixture.c
                  ${PROJECT_SOURCE_DIR}/tests/support/older_file.c
                  MODULES ${with_migration} exchange shoals render atlas columns analysis stats LINK portolan_faults m)
endif()
foreach(name test_faults test_faults_inner test_faults_io test_faults_calls test_faults_stop)
    portolan_test(${name} SOURCES ${PROJECT_SOURCE_DIR}/tests/property/${name}.c
                  ${PROJECT_SOURCE_DIR}/tests/support/older_file.c
                  MODULES ${with_migration} exchange shoals render atlas columns analysis stats
                  LINK portolan_faults m LABELS soakable)
endforeach()
