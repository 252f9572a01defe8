portolan_test(test_mapgen_compile
    SOURCES mapgen/test_mapgen_compile.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_conditions
    SOURCES mapgen/test_mapgen_conditions.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_heights
    SOURCES mapgen/test_mapgen_heights.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_contents
    SOURCES mapgen/test_mapgen_contents.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_draws
    SOURCES mapgen/test_mapgen_draws.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_removals
    SOURCES mapgen/test_mapgen_removals.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_run
    SOURCES mapgen/test_mapgen_run.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_palettes
    SOURCES mapgen/test_mapgen_palettes.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_shores
    SOURCES mapgen/test_mapgen_shores.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_groups
    SOURCES mapgen/test_mapgen_groups.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_monsters
    SOURCES mapgen/test_mapgen_monsters.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
if(PORTOLAN_LUA)
    portolan_test(test_script
        SOURCES mapgen/test_script.c mapgen/test_script_steps.c mapgen/script_fixture.c
        MODULES ${with_gen} json catalogue mapgen LINK m LABELS threads)
    portolan_test(test_script_map
        SOURCES mapgen/test_script_map.c mapgen/script_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
    portolan_test(test_mapgen_lua
        SOURCES mapgen/test_mapgen_lua.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
endif()
portolan_test(test_mapgen_extras
    SOURCES mapgen/test_mapgen_extras.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_over
    SOURCES mapgen/test_mapgen_over.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
portolan_test(test_mapgen_process
    SOURCES mapgen/test_mapgen_process.c mapgen/mapgen_fixture.c MODULES ${with_gen} json catalogue mapgen LINK m)
set(truth ${PROJECT_SOURCE_DIR}/tests/support/truth)
portolan_test(test_local_truth
    SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_local_truth.c ${truth}/alternatives.c ${truth}/game_maps.c ${truth}/id_sets.c
            ${truth}/possible.c ${truth}/possible_picks.c ${truth}/possible_set.c ${truth}/possible_values.c ${truth}/shares.c ${truth}/truth_content.c
            ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
    MODULES ${with_worlds} LINK m)
portolan_test(test_local_riots
    SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_local_riots.c ${truth}/game_maps.c ${truth}/truth_content.c
            ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
    MODULES ${with_worlds} LINK m)
portolan_test(test_local_streets
    SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_local_streets.c ${truth}/game_maps.c ${truth}/truth_content.c
            ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
    MODULES ${with_worlds})
portolan_test(test_local_things
    SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_local_things.c ${truth}/game_maps.c ${truth}/truth_content.c
            ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
    MODULES ${with_worlds} LINK m)
portolan_test(test_local_depths
    SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_local_depths.c ${truth}/game_maps.c ${truth}/truth_content.c
            ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
    MODULES ${with_worlds})
portolan_test(test_local_ground
    SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_local_ground.c ${truth}/game_maps.c ${truth}/truth_content.c
            ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
    MODULES ${with_worlds})
portolan_test(test_mapgen_ground
    SOURCES mapgen/test_mapgen_ground.c ${PROJECT_SOURCE_DIR}/tests/support/golden.c MODULES ${with_gen} json catalogue mapgen LINK m)
