/* All of the contract (store/store.h), as SQLite does it. */
#include "store/operations.h"

#include "store/sqlite/catalogue/catalogue_open.h"
#include "store/sqlite/connection/busy.h"
#include "store/sqlite/connection/public.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_checksum.h"
#include "store/sqlite/content/content_past.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/rows/world_digest.h"
#include "store/sqlite/sweeps/sweep_rows.h"

static const import_operations imports = {.part_open = content_part_open,
                                          .part_close = content_part_close,
                                          .part_add = content_part_add,
                                          .clear = sqlite_content_clear,
                                          .find = sqlite_content_find,
                                          .put = sqlite_content_put,
                                          .keep = content_past_keep,
                                          .seal = sqlite_content_seal,
                                          .check = content_checksum_check,
                                          .count_stale = sqlite_content_count_stale};

/* The loadable extension is a part of another's query, and has no file of its own. */
#ifndef PORTOLAN_EXTENSION
static const query_operations queries = {.run = sqlite_query, .columns = sqlite_query_columns};

static const file_operations files = {.verify = sqlite_verify,
                                      .backup = sqlite_backup,
                                      .journal = sqlite_journal,
                                      .is_copy = sqlite_is_copy};
#endif

static const sweep_operations sweeps = {.find = sqlite_sweep_row_find,
                                        .insert = sqlite_sweep_row_insert,
                                        .delete = sqlite_sweep_row_delete,
                                        .count = sqlite_sweeps_count,
                                        .chunk_has = sqlite_sweep_chunk_has,
                                        .chunk_insert = sqlite_sweep_chunk_insert,
                                        .chunks_read = sqlite_sweep_chunks_read,
                                        .chunks_count = sqlite_sweep_chunks_count};

static const scratch_operations scratch = {.open = sqlite_open_scratch,
                                           .clear_worlds = sqlite_clear_worlds};

static const transaction_operations transactions = {.begin = sqlite_begin,
                                                    .commit = sqlite_commit,
                                                    .rollback = sqlite_rollback,
                                                    .begin_read = sqlite_begin_read,
                                                    .begin_snapshot = sqlite_begin_snapshot,
                                                    .begin_lookups = sqlite_begin_lookups,
                                                    .end_snapshot = sqlite_end_snapshot,
                                                    .patiently = sqlite_patiently,
                                                    .stop = sqlite_stop,
                                                    .stopped = sqlite_stopped,
                                                    .deafen = sqlite_deafen};

static const content_operations contents = {.load = sqlite_catalogue_load,
                                            .open = sqlite_catalogue_open,
                                            .check_loaded = sqlite_content_check_loaded,
                                            .current = sqlite_content_current,
                                            .digest = sqlite_content_digest,
                                            .packs = sqlite_content_packs,
                                            .definitions = sqlite_content_definitions};

static const world_operations worlds = {.find = sqlite_world_row_find,
                                        .insert = sqlite_world_row_insert,
                                        .renew = sqlite_world_row_renew,
                                        .count = sqlite_worlds_count,
                                        .digest = sqlite_world_digest};

static const chunk_operations chunks = {.info_find = sqlite_chunk_info_find,
                                        .write = sqlite_chunk_write_row,
                                        .read = sqlite_chunk_read,
                                        .features_read = sqlite_chunk_features_read,
                                        .features_read_all = sqlite_chunk_features_read_all,
                                        .delete = sqlite_chunk_row_delete,
                                        .level_read = sqlite_level_read,
                                        .list = sqlite_chunks_list,
                                        .count = sqlite_chunks_count,
                                        .next = sqlite_chunks_next,
                                        .visit_next = sqlite_chunk_visit_next,
                                        .stored_features = sqlite_stored_chunk_features,
                                        .stored_events = sqlite_stored_chunk_events,
                                        .stored_levels = sqlite_stored_chunk_levels,
                                        .count_whole = sqlite_chunks_count_whole,
                                        .cities = sqlite_cities_visit,
                                        .edge_find = sqlite_edge_row_find};

static const run_operations runs = {
    .begin = sqlite_run_row_begin, .count = sqlite_run_row_count, .end = sqlite_run_row_end};

const store_operations sqlite_operations = {
    .name = "SQLite",
    .lasting = true,
    .close = sqlite_close,
    .path = sqlite_path,
    .transaction = &transactions,
    .content = &contents,
    .world = &worlds,
    .chunk = &chunks,
    .run = &runs,
    .import = &imports,
#ifndef PORTOLAN_EXTENSION
    .query = &queries,
    .file = &files,
#endif
    .sweep = &sweeps,
    .scratch = &scratch,
};
