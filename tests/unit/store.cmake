portolan_test(test_store SOURCES test_store.c store_fixture.c MODULES core gen store content)
portolan_test(test_codec SOURCES test_codec.c store_fixture.c MODULES core gen store content)
portolan_test(test_level_runs SOURCES test_level_runs.c MODULES core gen store content)
portolan_test(test_number_list SOURCES test_number_list.c MODULES core gen store content)
portolan_test(test_rows SOURCES test_rows.c store_fixture.c MODULES core gen store content)
portolan_test(test_verify SOURCES test_verify.c store_fixture.c MODULES core gen store content)
portolan_test(test_query SOURCES test_query.c store_fixture.c MODULES core gen store content)
portolan_test(test_snapshot SOURCES test_snapshot.c store_fixture.c MODULES core gen store content
              LINK Threads::Threads)
portolan_test(test_special_rows SOURCES test_special_rows.c store_fixture.c MODULES core gen store content)
portolan_test(test_features SOURCES test_features.c store_fixture.c MODULES core gen store content)
portolan_test(test_draft_blobs SOURCES test_draft_blobs.c store_fixture.c MODULES core gen store content)
portolan_test(test_migrate SOURCES test_migrate.c ${PROJECT_SOURCE_DIR}/tests/support/shim_vfs.c
              MODULES core gen store content LABELS soakable)
portolan_test(test_backup SOURCES test_backup.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
              MODULES core gen store content world)
target_include_directories(test_backup PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
portolan_test(test_hostile SOURCES test_hostile.c MODULES core gen store content)
portolan_test(test_views SOURCES test_views.c MODULES core gen store content LINK m)
