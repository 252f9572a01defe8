portolan_test(test_writers SOURCES test_writers.c MODULES core gen store content LABELS soakable)
set(labels_test_threads threads)
foreach(name test_journal test_threads)
    portolan_test(${name} SOURCES ${name}.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
                  MODULES core gen store content world LABELS ${labels_${name}})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
target_sources(test_journal PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/shim_vfs.c)
