set(world_file ${PROJECT_SOURCE_DIR}/tests/support/world_file.c)
set(labels_test_generate threads)
set(labels_test_regenerate threads soakable)
foreach(name test_world test_entries test_world_features test_generate test_regenerate test_tiles test_world_seams test_try)
    portolan_test(${name} SOURCES world/${name}.c ${world_file}
                  MODULES ${with_worlds} LABELS ${labels_${name}})
endforeach()
portolan_test(test_chunk_features SOURCES world/test_chunk_features.c ${world_file}
              MODULES ${with_worlds} exchange)
portolan_test(test_sized_calls SOURCES world/test_sized_calls.c ${world_file}
              MODULES ${with_worlds} exchange shoals render atlas columns analysis LINK m)
portolan_test(test_vtab_tile SOURCES store/query/test_vtab_tile.c ${world_file}
              MODULES ${with_worlds} LABELS soakable)
foreach(name test_vtab_pack test_path_length test_unpacked)
    portolan_test(${name} SOURCES store/query/${name}.c store/query/vtab_world.c ${world_file}
                  ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c
                  MODULES ${with_worlds} LABELS soakable)
endforeach()
portolan_test(test_seams_content
              SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_seams_content.c
              ${PROJECT_SOURCE_DIR}/tests/support/seam_run.c
              ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c ${world_file}
              MODULES ${with_worlds} LABELS soakable)
portolan_test(test_highways
              SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_highways.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c
              ${PROJECT_SOURCE_DIR}/tests/support/seam_run.c
              ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c ${world_file}
              MODULES ${with_worlds} LABELS soakable)
portolan_test(test_specials
              SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_specials.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_digest.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c
              ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
              ${PROJECT_SOURCE_DIR}/tests/support/golden.c
              ${PROJECT_SOURCE_DIR}/tests/support/growth_check.c ${world_file}
              MODULES ${with_worlds} LABELS soakable)
portolan_test(test_growth_content
              SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_growth_content.c
              ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
              ${PROJECT_SOURCE_DIR}/tests/support/growth_check.c ${world_file}
              MODULES ${with_worlds} LABELS soakable)
portolan_test(test_flips
              SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_flips.c
              ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c ${world_file}
              MODULES ${with_worlds} LABELS soakable)
portolan_test(test_repair SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_repair.c
              ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
              ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c ${world_file}
              MODULES ${with_worlds} LABELS soakable)
portolan_test(test_shard SOURCES world/test_shard.c MODULES ${with_worlds})
portolan_test(test_seed_maker SOURCES world/test_seed_maker.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_digest.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c ${world_file}
              MODULES ${with_worlds} LABELS threads)
portolan_test(test_afresh SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_afresh.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_digest.c
              ${PROJECT_SOURCE_DIR}/tests/support/chunk_maker.c
              ${PROJECT_SOURCE_DIR}/tests/support/content_catalogue.c
              ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c ${world_file}
              MODULES ${with_worlds} analysis LINK m LABELS soakable orders TIMEOUT 900)
portolan_test(test_local_area SOURCES world/test_local_area.c ${PROJECT_SOURCE_DIR}/tests/support/golden.c
              ${world_file} MODULES ${with_worlds} LABELS threads)
portolan_test(test_local_coast SOURCES world/test_local_coast.c ${world_file} MODULES ${with_worlds} exchange)
portolan_test(test_local_sea SOURCES world/test_local_sea.c ${world_file} MODULES ${with_worlds})
portolan_test(test_local_tide SOURCES world/test_local_tide.c ${world_file} MODULES ${with_worlds})
portolan_test(test_local_works SOURCES world/test_local_works.c ${world_file} MODULES ${with_worlds})
portolan_test(test_local_damage SOURCES world/test_local_damage.c ${world_file} MODULES ${with_worlds})
portolan_test(test_sweeps SOURCES store/test_sweeps.c ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c
              MODULES ${with_store})
portolan_test(test_sweeps_damage SOURCES store/test_sweeps_damage.c
              ${PROJECT_SOURCE_DIR}/tests/support/summary_maker.c
              MODULES ${with_worlds})
# The second backend of the contract. test_memory_store and test_memory_content are not linked with
# SQLite; test_backends compares the two.
set(memory_store memory_chunks.c memory_content.c memory_read.c memory_rows.c memory_store.c
    memory_edits.c memory_maps.c memory_saved.c memory_sweeps.c)
list(TRANSFORM memory_store PREPEND ${PROJECT_SOURCE_DIR}/tests/support/memory/)
list(APPEND memory_store ${PROJECT_SOURCE_DIR}/tests/support/tiles_digest.c)
portolan_test(test_memory_store SOURCES world/test_memory_store.c ${memory_store} ${land_catalogue}
              MODULES ${with_gen} mapgen codec store world json rows shoals LABELS threads)
portolan_test(test_memory_content SOURCES world/test_memory_content.c ${memory_store}
              MODULES ${with_gen} mapgen catalogue json codec store rows content world shoals analysis LINK m)
portolan_test(test_washing SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_washing.c
              world/any_store.c ${memory_store} ${world_file} MODULES ${with_worlds} analysis LINK m LABELS soakable)
foreach(name test_edits test_edit_reset test_edits_moved test_lists test_content_lists test_local_derive test_local_lazy test_local_maps test_local_lua test_local_ranges
        test_local_records test_local_towns test_spills test_spills_stay
        test_surges)
    portolan_test(${name} SOURCES world/${name}.c world/any_store.c ${memory_store} ${world_file}
                  MODULES ${with_worlds} analysis LINK m)
endforeach()
portolan_test(test_transient SOURCES world/test_transient.c world/any_store.c ${memory_store} ${world_file}
              MODULES ${with_worlds} analysis LINK m LABELS threads)
foreach(name test_placed test_placed_model)
    portolan_test(${name} SOURCES save/${name}.c save/placed_fixture.c save/saved_fixture.c world/any_store.c ${memory_store}
                  ${world_file} MODULES ${with_worlds} analysis LINK m)
endforeach()
portolan_test(test_save_threads SOURCES save/test_save_threads.c save/saved_fixture.c world/any_store.c ${memory_store}
              ${world_file} MODULES ${with_worlds} analysis LINK m LABELS threads)
foreach(name test_saved test_saved_rows test_save_maps)
    portolan_test(${name} SOURCES save/${name}.c save/saved_fixture.c world/any_store.c ${memory_store}
                  ${world_file} MODULES ${with_worlds} analysis LINK m)
endforeach()
if(NOT PORTOLAN_LUA)
    target_compile_definitions(test_local_lua PRIVATE WITHOUT_LUA)
endif()
portolan_test(test_backends SOURCES world/test_backends.c analysis/analysis_fixture.c ${memory_store}
              ${world_file} MODULES ${with_worlds} analysis LINK m)
