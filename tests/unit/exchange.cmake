# Rivers and lakes beside foreign chunks, with the land catalogue; the rest with a real file.
portolan_test(test_foreign SOURCES gen/plan/test_foreign.c
              ${PROJECT_SOURCE_DIR}/tests/support/land_catalogue.c MODULES ${with_gen})
portolan_test(test_exchange SOURCES exchange/test_exchange.c exchange/test_exchange_bn.c exchange/test_exchange_database.c exchange/test_exchange_ids.c
              exchange/test_exchange_placed.c
              exchange/test_exchange_seen.c exchange/test_exchange_walk.c exchange/test_exchange_world.c
              ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
              MODULES ${with_worlds} exchange)
# Power failures: the test program owns the calls for files (disk_calls.c), SQLite's too.
set(crash_support crash/crash_scene.c crash/crash_scene_files.c crash/crash_state.c crash/disk_calls.c
    crash/disk_image.c crash/disk_trace.c content_catalogue.c world_file.c)
list(TRANSFORM crash_support PREPEND ${PROJECT_SOURCE_DIR}/tests/support/)
portolan_test(test_crash SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_crash.c ${crash_support}
              MODULES ${with_worlds} exchange analysis LINK m ${CMAKE_DL_LIBS}
              LABELS soakable)
portolan_add_test(test_crash_files COMMAND test_crash files LABELS soakable)
