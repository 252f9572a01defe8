portolan_test(test_store SOURCES store/test_store.c store/store_fixture.c MODULES ${with_store})
portolan_test(test_codec SOURCES codec/test_codec.c store/store_fixture.c
              ${PROJECT_SOURCE_DIR}/tests/support/tiles_digest.c MODULES ${with_store})
portolan_test(test_level_runs SOURCES codec/test_level_runs.c MODULES ${with_store})
portolan_test(test_level_stream SOURCES codec/test_level_stream.c MODULES ${with_store})
portolan_test(test_pack_encode SOURCES codec/test_pack_encode.c store/store_fixture.c MODULES ${with_store})
portolan_test(test_local_codec SOURCES codec/test_local_codec.c MODULES ${with_store})
portolan_test(test_local_encoder SOURCES codec/test_local_encoder.c MODULES ${with_store})
portolan_test(test_local_by_hand SOURCES codec/test_local_by_hand.c MODULES ${with_store})
portolan_test(test_near_list SOURCES codec/test_near_list.c MODULES ${with_store})
portolan_test(test_number_list SOURCES codec/test_number_list.c MODULES ${with_store})
portolan_test(test_overview SOURCES codec/test_overview.c MODULES ${with_store})
portolan_test(test_spill_codec SOURCES codec/test_spill_codec.c MODULES ${with_store})
portolan_test(test_zzip SOURCES codec/test_zzip.c MODULES ${with_store})
portolan_test(test_row_tables SOURCES store/test_row_tables.c store/store_fixture.c MODULES ${with_store})
portolan_test(test_rows SOURCES store/test_rows.c store/store_fixture.c
              ${PROJECT_SOURCE_DIR}/tests/support/tiles_digest.c MODULES ${with_store})
portolan_test(test_edges SOURCES store/test_edges.c store/store_fixture.c MODULES ${with_store})
portolan_test(test_verify SOURCES store/test_verify.c store/store_fixture.c MODULES ${with_store})
portolan_test(test_query SOURCES store/query/test_query.c store/store_fixture.c MODULES ${with_store})
portolan_test(test_snapshot SOURCES store/test_snapshot.c store/store_fixture.c MODULES ${with_store}
              LINK Threads::Threads)
portolan_test(test_special_rows SOURCES store/test_special_rows.c store/store_fixture.c MODULES ${with_store})
portolan_test(test_features SOURCES store/test_features.c store/store_fixture.c MODULES ${with_store})
portolan_test(test_migrate SOURCES store/test_migrate.c ${PROJECT_SOURCE_DIR}/tests/support/fault/shim_vfs.c
              ${PROJECT_SOURCE_DIR}/tests/support/older_file.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
              MODULES ${with_migration} LABELS soakable)
portolan_test(test_backup SOURCES store/test_backup.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
              MODULES ${with_worlds})
portolan_test(test_beside SOURCES store/test_beside.c MODULES ${with_store})
portolan_test(test_hostile SOURCES store/test_hostile.c MODULES ${with_store})
portolan_test(test_views SOURCES store/query/test_views.c MODULES ${with_store} LINK m)
