# Rivers and lakes beside foreign chunks, with the land catalogue; the rest with a real file.
portolan_test(test_foreign SOURCES test_foreign.c
              ${PROJECT_SOURCE_DIR}/tests/support/land_catalogue.c MODULES core gen)
portolan_test(test_exchange SOURCES test_exchange.c test_exchange_world.c
              ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
              MODULES core gen store content world exchange)
foreach(name test_foreign test_exchange)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endforeach()
