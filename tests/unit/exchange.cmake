# Rivers and lakes beside foreign chunks, with the land catalogue; the rest with a real file.
portolan_test(test_foreign SOURCES test_foreign.c
              ${PROJECT_SOURCE_DIR}/tests/support/land_catalogue.c MODULES core gen)
portolan_test(test_exchange SOURCES test_exchange.c test_exchange_world.c
              ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
              MODULES core gen store content world exchange)
foreach(name test_foreign test_exchange)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
# Power failures: the test program owns the calls for files (disk_calls.c), SQLite's too.
set(crash_support crash_scene.c crash_state.c disk_calls.c disk_image.c disk_trace.c
    content_catalogue.c world_file.c)
list(TRANSFORM crash_support PREPEND ${PROJECT_SOURCE_DIR}/tests/support/)
portolan_test(test_crash SOURCES ${PROJECT_SOURCE_DIR}/tests/property/test_crash.c ${crash_support}
              MODULES core gen store content world exchange analysis LINK m ${CMAKE_DL_LIBS}
              LABELS soakable)
target_include_directories(test_crash PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_add_test(test_crash_files COMMAND test_crash files LABELS soakable)
