set(world_file ${PROJECT_SOURCE_DIR}/tests/support/world_file.c)
set(labels_test_generate threads)
set(labels_test_regenerate threads soakable)
set(labels_test_vtab_tile soakable)
foreach(name test_world test_world_features test_generate test_regenerate test_tiles test_world_seams test_try
        test_vtab_tile)
    portolan_test(${name} SOURCES ${name}.c ${world_file}
                  MODULES core gen store content world LABELS ${labels_${name}})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
foreach(name test_vtab_pack test_path_length test_unpacked)
    portolan_test(${name} SOURCES ${name}.c vtab_world.c ${world_file}
                  ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c
                  MODULES core gen store content world LABELS soakable)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
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
portolan_test(test_flips
              SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_flips.c
              ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c ${world_file}
              MODULES core gen store content world LABELS soakable)
target_include_directories(test_flips PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_repair SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_repair.c
              ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
              ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c ${world_file}
              MODULES core gen store content world LABELS soakable)
target_include_directories(test_repair PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_seed_maker SOURCES test_seed_maker.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_digest.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c ${world_file}
              MODULES core gen store content world LABELS threads)
target_include_directories(test_seed_maker PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_sweeps SOURCES test_sweeps.c ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c
              MODULES core gen store content)
portolan_test(test_sweeps_damage SOURCES test_sweeps_damage.c
              ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c
              MODULES core gen store content world)
