# Measuring, adding up and inference. The command alone links these sources, with GSL.
portolan_test(test_inference SOURCES analysis/test_inference.c MODULES ${with_worlds} analysis LINK m)
portolan_test(test_precision SOURCES analysis/test_precision.c MODULES ${with_worlds} analysis LINK m)
portolan_test(test_comparison SOURCES analysis/test_comparison.c MODULES ${with_worlds} analysis LINK m)
portolan_test(test_sweep SOURCES analysis/test_sweep.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
              MODULES ${with_worlds} analysis LINK m LABELS threads)
portolan_test(test_relation SOURCES analysis/test_relation.c analysis/relation_scene.c ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
              ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
              MODULES ${with_worlds} analysis LINK m LABELS soakable)
portolan_test(test_sections SOURCES analysis/test_sections.c MODULES ${with_worlds} analysis LINK m)
set(cli ${PROJECT_SOURCE_DIR}/src/cli)
portolan_test(test_chart SOURCES cli/test_chart.c ${cli}/pictures/chart.c ${cli}/line/numbers.c
              ${cli}/line/options.c ${cli}/line/stop.c ${cli}/line/output.c ${cli}/line/progress.c
              ${cli}/line/prose.c ${cli}/line/terminal.c
              MODULES core os)
foreach(name test_measure test_measure_distance test_tally test_sample)
    portolan_test(${name} SOURCES analysis/${name}.c analysis/analysis_fixture.c
                  ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
                  ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c
                  ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
                  MODULES ${with_worlds} analysis LINK m LABELS soakable)
endforeach()
portolan_test(test_advice SOURCES cli/test_advice.c ${cli}/session/advice.c MODULES core os)
