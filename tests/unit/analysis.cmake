# Measuring, adding up, sweeps and searches.
set(world_file ${PROJECT_SOURCE_DIR}/tests/support/world_file.c)
foreach(name test_coverage test_sweep test_search)
    portolan_test(${name} SOURCES analysis/${name}.c ${world_file}
                  MODULES ${with_worlds} analysis LINK m LABELS threads)
endforeach()
portolan_test(test_relation SOURCES analysis/test_relation.c analysis/relation_scene.c
              ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c ${world_file}
              MODULES ${with_worlds} analysis LINK m LABELS soakable)
foreach(name test_measure test_measure_distance test_tally test_sample)
    portolan_test(${name} SOURCES analysis/${name}.c analysis/analysis_fixture.c
                  ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
                  ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c ${world_file}
                  MODULES ${with_worlds} analysis LINK m LABELS soakable)
endforeach()
