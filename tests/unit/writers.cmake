portolan_test(test_writers SOURCES store/test_writers.c MODULES ${with_store} LABELS soakable)
set(labels_test_threads threads)
foreach(test store/test_journal world/test_threads)
    get_filename_component(name ${test} NAME)
    portolan_test(${name} SOURCES ${test}.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
                  MODULES ${with_worlds} LABELS ${labels_${name}})
endforeach()
target_sources(test_journal PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/fault/shim_vfs.c)
