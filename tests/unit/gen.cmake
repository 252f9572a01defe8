set(land_catalogue ${PROJECT_SOURCE_DIR}/tests/support/land_catalogue.c
                   ${PROJECT_SOURCE_DIR}/tests/support/town_catalogue.c)
portolan_test(test_noise SOURCES test_noise.c MODULES core gen)
target_sources(test_noise PRIVATE ${land_catalogue})
portolan_test(test_level SOURCES test_level.c ${land_catalogue} MODULES core gen)
target_include_directories(test_level PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_plan SOURCES test_plan.c ${land_catalogue} MODULES core gen LINK m)
portolan_test(test_exits SOURCES test_exits.c ${land_catalogue} MODULES core gen)
portolan_test(test_roads SOURCES test_roads.c test_roads_chunks.c road_scene.c ${land_catalogue} MODULES core gen)
portolan_test(test_trails SOURCES test_trails.c road_scene.c ${land_catalogue} MODULES core gen)
portolan_test(test_land SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_land.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c
              ${PROJECT_SOURCE_DIR}/tests/support/golden.c ${land_catalogue}
              MODULES core gen LABELS soakable)
portolan_test(test_cities SOURCES test_cities.c test_cities_chunk.c test_cities_hostile.c
              test_cities_normal.c test_cities_plan.c ${land_catalogue} MODULES core gen LINK m)
target_include_directories(test_cities PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_connect SOURCES test_connect.c test_connect_draw.c test_connect_lists.c test_connect_field.c connect_field_plain.c
              test_bridges.c connect_fixture.c ${land_catalogue}
              MODULES core gen)
foreach(name test_connect test_noise test_plan test_land test_exits test_roads test_trails)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
foreach(name test_dead_ends test_groups_radios)
    portolan_test(${name} SOURCES ${name}.c ${land_catalogue} MODULES core gen LINK m)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
# No dead ends, over many seeds: with the town catalogue here, with real content in world.cmake.
portolan_test(test_seams SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_seams.c
              ${PROJECT_SOURCE_DIR}/tests/support/seam_run.c ${land_catalogue}
              MODULES core gen LABELS soakable)
target_include_directories(test_seams PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_towns SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_towns.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_digest.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c
              ${PROJECT_SOURCE_DIR}/tests/support/golden.c ${land_catalogue}
              MODULES core gen LABELS soakable)
target_include_directories(test_towns PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_sites SOURCES test_sites.c test_sites_edges.c test_sites_figures.c
              test_sites_kernels.c sites_scene.c ${land_catalogue}
              MODULES core gen LABELS soakable)
target_include_directories(test_sites PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_place SOURCES test_place.c test_place_growth.c test_place_links.c test_trailheads.c
              place_fixture.c connect_fixture.c ${land_catalogue} MODULES core gen)
target_include_directories(test_place PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_growth SOURCES test_growth.c test_growth_joins.c test_growth_rules.c
              test_growth_whole.c growth_fixture.c
              ${PROJECT_SOURCE_DIR}/tests/support/growth_check.c ${land_catalogue}
              MODULES core gen)
target_include_directories(test_growth PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_city_map SOURCES test_city_map.c rules_scene.c ${land_catalogue}
              MODULES core gen LINK m LABELS soakable)
portolan_test(test_rules SOURCES test_rules.c test_rules_quota.c test_rules_sectors.c
              test_rules_unique.c test_rules_moves.c rules_scene.c ${land_catalogue}
              MODULES core gen LINK m)
foreach(name test_city_map test_rules)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
portolan_test(test_sublevels SOURCES test_sublevels.c test_sublevels_grow.c test_sublevels_links.c
              sub_fixture.c connect_fixture.c ${land_catalogue} MODULES core gen)
target_include_directories(test_sublevels PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
