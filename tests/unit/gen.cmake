set(land_catalogue ${PROJECT_SOURCE_DIR}/tests/support/land_catalogue.c
                   ${PROJECT_SOURCE_DIR}/tests/support/town_catalogue.c)
portolan_test(test_noise SOURCES gen/plan/test_noise.c MODULES ${with_gen})
target_sources(test_noise PRIVATE ${land_catalogue})
portolan_test(test_predecessors SOURCES model/test_predecessors.c MODULES core model catalogue)
portolan_test(test_id_pool SOURCES model/test_id_pool.c MODULES core model catalogue)
portolan_test(test_level SOURCES model/test_level.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_gradients SOURCES gen/plan/test_gradients.c ${land_catalogue} MODULES ${with_gen} LINK m)
portolan_test(test_plan SOURCES gen/plan/test_plan.c ${land_catalogue} MODULES ${with_gen} LINK m)
portolan_test(test_plan_highways SOURCES gen/plan/test_plan_highways.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_ocean_plan SOURCES gen/plan/test_ocean_plan.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_shores SOURCES gen/seams/test_shores.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_coast_heights SOURCES gen/coast/test_coast_heights.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_coast_water SOURCES gen/coast/test_coast_water.c ${land_catalogue} MODULES ${with_gen} LABELS soakable)
portolan_test(test_coast_works SOURCES gen/coast/test_coast_works.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_exits SOURCES gen/connect/test_exits.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_roads SOURCES gen/connect/test_roads.c gen/connect/test_roads_chunks.c gen/connect/road_scene.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_trails SOURCES gen/steps/test_trails.c gen/connect/road_scene.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_land SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_land.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c
              ${PROJECT_SOURCE_DIR}/tests/support/golden.c ${land_catalogue}
              MODULES ${with_gen} LABELS soakable)
portolan_test(test_coast SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_coast.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_islands SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_islands.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_curves SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_curves.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c ${land_catalogue} MODULES ${with_gen} LINK m)
portolan_test(test_cities SOURCES gen/cities/test_cities.c gen/cities/test_cities_chunk.c gen/cities/test_cities_hostile.c
              gen/cities/test_cities_normal.c gen/cities/test_cities_plan.c
              gen/cities/test_cities_unique.c gen/cities/test_cities_fixed.c ${land_catalogue} MODULES ${with_gen} LINK m)
portolan_test(test_connect SOURCES gen/connect/test_connect.c gen/connect/test_connect_draw.c gen/connect/test_connect_lists.c gen/connect/test_connect_field.c gen/connect/test_connect_greedy.c gen/connect/connect_field_plain.c
              gen/connect/test_bridges.c gen/connect/connect_fixture.c ${land_catalogue}
              MODULES ${with_gen})
foreach(test seams/test_dead_ends steps/test_groups_radios)
    get_filename_component(name ${test} NAME)
    portolan_test(${name} SOURCES gen/${test}.c ${land_catalogue} MODULES ${with_gen} LINK m)
endforeach()
# No dead ends, over many seeds: with the town catalogue here, with real content in world.cmake.
portolan_test(test_seams SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_seams.c
              ${PROJECT_SOURCE_DIR}/tests/support/seam_run.c ${land_catalogue}
              MODULES ${with_gen} LABELS soakable)
portolan_test(test_towns SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_towns.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_digest.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c
              ${PROJECT_SOURCE_DIR}/tests/support/golden.c ${land_catalogue}
              MODULES ${with_gen} LABELS soakable)
portolan_test(test_pipeline SOURCES gen/test_pipeline.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_digest.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c ${land_catalogue}
              MODULES ${with_gen})
portolan_test(test_sites SOURCES gen/sites/test_sites.c gen/sites/test_sites_edges.c gen/sites/test_sites_figures.c
              gen/sites/test_sites_kernels.c gen/sites/sites_scene.c ${land_catalogue}
              MODULES ${with_gen} LABELS soakable)
portolan_test(test_place SOURCES gen/specials/test_place.c gen/specials/test_place_growth.c gen/specials/test_place_links.c gen/steps/test_trailheads.c
              gen/specials/place_fixture.c gen/connect/connect_fixture.c ${land_catalogue} MODULES ${with_gen})
portolan_test(test_growth SOURCES gen/mutable/test_growth.c gen/mutable/test_growth_joins.c gen/mutable/test_growth_rules.c
              gen/mutable/test_growth_whole.c gen/mutable/test_growth_random.c
              gen/mutable/growth_fixture.c
              ${PROJECT_SOURCE_DIR}/tests/support/growth_check.c ${land_catalogue}
              MODULES ${with_gen})
portolan_test(test_city_map SOURCES gen/cities/test_city_map.c gen/specials/rules_scene.c ${land_catalogue}
              MODULES ${with_gen} LINK m LABELS soakable)
portolan_test(test_rules SOURCES gen/specials/test_rules.c gen/specials/test_rules_quota.c gen/specials/test_rules_sectors.c
              gen/specials/test_rules_unique.c gen/specials/test_rules_moves.c gen/specials/test_rules_equal.c gen/specials/test_rules_search.c
              gen/specials/rules_scene.c ${land_catalogue}
              MODULES ${with_gen} LINK m)
portolan_test(test_sublevels SOURCES gen/below/test_sublevels.c gen/below/test_sublevels_grow.c gen/below/test_sublevels_links.c
              gen/below/sub_fixture.c gen/connect/connect_fixture.c ${land_catalogue} MODULES ${with_gen})
