set(world_file ${PROJECT_SOURCE_DIR}/tests/support/world_file.c)
foreach(name test_world test_world_features test_generate test_world_seams)
    portolan_test(${name} SOURCES ${name}.c ${world_file}
                  MODULES core gen store content world)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
set_property(TEST test_generate PROPERTY LABELS threads)
portolan_test(test_seams_content
              SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_seams_content.c
              ${PROJECT_SOURCE_DIR}/tests/support/seam_run.c ${world_file}
              MODULES core gen store content world LABELS soakable)
target_include_directories(test_seams_content PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
