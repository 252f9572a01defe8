set(world_file ${PROJECT_SOURCE_DIR}/tests/support/world_file.c)
foreach(name test_world test_world_features test_generate test_world_seams test_try)
    portolan_test(${name} SOURCES ${name}.c ${world_file}
                  MODULES core gen store content world)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
set_property(TEST test_generate PROPERTY LABELS threads)
portolan_test(test_seams_content
              SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_seams_content.c
              ${PROJECT_SOURCE_DIR}/tests/support/seam_run.c
              ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c ${world_file}
              MODULES core gen store content world LABELS soakable)
target_include_directories(test_seams_content PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_specials
              SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_specials.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_digest.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c
              ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
              ${PROJECT_SOURCE_DIR}/tests/support/golden.c
              ${PROJECT_SOURCE_DIR}/tests/support/growth_check.c ${world_file}
              MODULES core gen store content world LABELS soakable)
target_include_directories(test_specials PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_growth_content
              SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_growth_content.c
              ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
              ${PROJECT_SOURCE_DIR}/tests/support/growth_check.c ${world_file}
              MODULES core gen store content world LABELS soakable)
target_include_directories(test_growth_content PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
