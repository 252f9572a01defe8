set(world_file ${PROJECT_SOURCE_DIR}/tests/support/world_file.c)
foreach(name test_world test_generate)
    portolan_test(${name} SOURCES ${name}.c ${world_file}
                  MODULES core gen store content world)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
set_property(TEST test_generate PROPERTY LABELS threads)
