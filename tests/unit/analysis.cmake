# Measuring, adding up and inference. The command alone links these sources, with GSL.
portolan_test(test_inference SOURCES test_inference.c MODULES core gen store content world analysis LINK m)
target_include_directories(test_inference PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_precision SOURCES test_precision.c MODULES core gen store content world analysis LINK m)
portolan_test(test_comparison SOURCES test_comparison.c MODULES core gen store content world analysis LINK m)
target_include_directories(test_comparison PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_sweep SOURCES test_sweep.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
              MODULES core gen store content world analysis LINK m LABELS threads)
target_include_directories(test_sweep PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_relation SOURCES test_relation.c relation_scene.c ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
              ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
              MODULES core gen store content world analysis LINK m LABELS soakable)
target_include_directories(test_relation PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_sections SOURCES test_sections.c MODULES core gen store content world analysis LINK m)
set(cli ${PROJECT_SOURCE_DIR}/src/cli)
portolan_test(test_chart SOURCES test_chart.c ${cli}/chart.c ${cli}/numbers.c ${cli}/output.c
                  ${cli}/options.c ${cli}/progress.c ${cli}/prose.c ${cli}/stop.c ${cli}/terminal.c MODULES core)
foreach(name test_measure test_measure_distance test_tally test_sample)
    portolan_test(${name} SOURCES ${name}.c analysis_fixture.c
                  ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
                  ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c
                  ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
                  MODULES core gen store content world analysis LINK m LABELS soakable)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
portolan_test(test_advice SOURCES test_advice.c ${cli}/advice.c MODULES core)
