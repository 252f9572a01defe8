/* The functions of the contract (store.h). Each one calls the operation of the store's
 * backend. */
#include "core/error.h"
#include "core/sized.h"
#include "store/operations.h"

#include <stdlib.h>
#include <string.h>

/* Returns the store's operations. This works for every backend, because its struct ptl_store
 * begins with a store_head. */
static const store_operations *of(const ptl_store *store)
{
    return ((const store_head *)(const void *)store)->operations;
}

static ptl_status lacking(const ptl_store *store, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_UNSUPPORTED, "a store in %s has no %s", of(store)->name,
                     what);
}

void world_row_dispose(world_row *row)
{
    free(row->name);
    free((char *)(uintptr_t)row->region);
    memset(row, 0, sizeof *row);
}

void sweep_row_dispose(sweep_row *row)
{
    free(row->name);
    world_row_dispose(&row->settings);
    memset(row, 0, sizeof *row);
}

void stored_map_dispose(stored_map *map)
{
    local_map_dispose(&map->map);
    id_pool_free(map->pool);
    memset(map, 0, sizeof *map);
}

/* ---- the store itself ---- */

void ptl_store_close(ptl_store *store)
{
    if (store)
        of(store)->close(store);
}

const char *ptl_store_path(const ptl_store *store)
{
    return of(store)->path(store);
}

const ptl_store_copy *ptl_store_private_copy(const ptl_store *store)
{
    return of(store)->file ? of(store)->file->is_copy(store) : NULL;
}

ptl_status ptl_journal_info_load(ptl_journal_info *out, ptl_store *store, ptl_error *err)
{
    ptl_journal_info info = PTL_JOURNAL_INFO_INIT;
    error_clear(err);
    ptl_status status = SIZED_CHECK(ptl_journal_info, out, err);
    const file_operations *file = of(store)->file;
    if (status == PTL_OK)
        status = file ? file->journal(store, &info, err) : lacking(store, "journal", err);
    if (status == PTL_OK)
        SIZED_FILL(ptl_journal_info, out, &info);
    return status;
}

ptl_status ptl_verify(ptl_verify_counts *counts, ptl_store *store,
                      void (*on_problem)(void *payload, const ptl_problem *problem),
                      void *payload, ptl_error *err)
{
    ptl_verify_counts n = PTL_VERIFY_COUNTS_INIT;
    error_clear(err);
    TRY(SIZED_CHECK(ptl_verify_counts, counts, err));
    TRY(store_file_expect(store, err));
    ptl_status status = of(store)->file->verify(store, on_problem, payload, &n, err);
    SIZED_FILL(ptl_verify_counts, counts, &n);
    return status;
}

ptl_status ptl_backup(ptl_backup_report *report, ptl_store *store, const char *path,
                      const ptl_backup_options *options, ptl_error *err)
{
    ptl_backup_options o = PTL_BACKUP_OPTIONS_INIT;
    ptl_backup_report r = PTL_BACKUP_REPORT_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_backup_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_backup_report, report, err));
    TRY(store_file_expect(store, err));
    ptl_status status = of(store)->file->backup(store, path, &o, &r, err);
    SIZED_FILL(ptl_backup_report, report, &r);
    return status;
}

ptl_status store_file_expect(const ptl_store *store, ptl_error *err)
{
    return of(store)->file ? PTL_OK : lacking(store, "file", err);
}

ptl_status store_aside_visit(ptl_store *store, aside_visit *visit, void *payload,
                             ptl_error *err)
{
    TRY(store_file_expect(store, err));
    return of(store)->file->aside_visit(store, visit, payload, err);
}

/* ---- SQL ---- */

ptl_status ptl_query(ptl_store *store, const char *sql, const ptl_query_options *options,
                     ptl_error *err)
{
    ptl_query_options o = PTL_QUERY_OPTIONS_INIT;
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_query_options, &o, options, err);
    const query_operations *query = of(store)->query;
    if (status == PTL_OK)
        status = query ? query->run(store, sql, &o, err) : lacking(store, "SQL", err);
    return status;
}

ptl_status ptl_query_column_list(ptl_store *store, const char *sql,
                                 void (*on_name)(void *payload, const char *name),
                                 void *payload, ptl_error *err)
{
    if (!of(store)->query)
        return lacking(store, "SQL", err);
    return of(store)->query->columns(store, sql, on_name, payload, err);
}

ptl_status ptl_table_list(ptl_store *store,
                          void (*on_table)(void *payload, const char *name, bool is_view),
                          void *payload, ptl_error *err)
{
    error_clear(err);
    const query_operations *query = of(store)->query;
    return query ? query->tables(store, on_table, payload, err) : lacking(store, "SQL", err);
}

ptl_status ptl_table_column_list(ptl_store *store, const char *table,
                                 void (*on_column)(void *payload, const char *name,
                                                   const char *type),
                                 void *payload, ptl_error *err)
{
    error_clear(err);
    const query_operations *query = of(store)->query;
    return query ? query->table_columns(store, table, on_column, payload, err)
                 : lacking(store, "SQL", err);
}

/* ---- the index ---- */

static ptl_status check_parts(const ptl_store *store, uint32_t parts, ptl_error *err)
{
    if (!of(store)->index)
        return lacking(store, "index", err);
    if (parts & ~(uint32_t)PTL_INDEX_ALL)
        return error_set(err, PTL_ERR_ARGUMENT, "an index has no parts of the bits %#x",
                         (unsigned)(parts & ~(uint32_t)PTL_INDEX_ALL));
    return PTL_OK;
}

ptl_status ptl_index_update(ptl_index_report *report, ptl_store *store,
                            const ptl_index_options *options, ptl_error *err)
{
    ptl_index_options o = PTL_INDEX_OPTIONS_INIT;
    ptl_index_report r = PTL_INDEX_REPORT_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_index_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_index_report, report, err));
    TRY(check_parts(store, o.parts, err));
    ptl_status status = of(store)->index->update(store, &o, &r, err);
    SIZED_FILL(ptl_index_report, report, &r);
    return status;
}

ptl_status ptl_index_remove(int *found, ptl_store *store, uint32_t parts, ptl_error *err)
{
    int count = 0;
    error_clear(err);
    ptl_status status = check_parts(store, parts, err);
    if (status == PTL_OK)
        status = of(store)->index->drop(store, parts ? parts : PTL_INDEX_ALL, &count, err);
    if (found)
        *found = count;
    return status;
}

ptl_status ptl_index_state_load(ptl_index_state *out, ptl_store *store, const char *world,
                                ptl_error *err)
{
    ptl_index_state state = PTL_INDEX_STATE_INIT;
    world_row row;
    error_clear(err);
    TRY(SIZED_CHECK(ptl_index_state, out, err));
    TRY(check_parts(store, 0, err));
    TRY(store_world_find(&row, store, world, err));
    ptl_status status = of(store)->index->look(store, row.id, &state, err);
    world_row_dispose(&row);
    if (status == PTL_OK)
        SIZED_FILL(ptl_index_state, out, &state);
    return status;
}

/* ---- transactions ---- */

ptl_status store_begin(ptl_store *store, ptl_error *err)
{
    return of(store)->transaction->begin(store, err);
}

ptl_status store_commit(ptl_store *store, ptl_error *err)
{
    return of(store)->transaction->commit(store, err);
}

void store_rollback(ptl_store *store)
{
    of(store)->transaction->rollback(store);
}

ptl_status store_begin_read(ptl_store *store, ptl_error *err)
{
    return of(store)->transaction->begin_read(store, err);
}

ptl_status store_begin_snapshot(ptl_store *store, bool *own, ptl_error *err)
{
    return of(store)->transaction->begin_snapshot(store, own, err);
}

ptl_status store_begin_lookups(ptl_store *store, bool *own, ptl_error *err)
{
    return of(store)->transaction->begin_lookups(store, own, err);
}

void store_end_snapshot(ptl_store *store, bool own)
{
    of(store)->transaction->end_snapshot(store, own);
}

ptl_status store_retry(ptl_store *store, const patient_work *work, ptl_error *err)
{
    return of(store)->transaction->retry(store, work, err);
}

stop_hook store_stop_hook(const ptl_store *store)
{
    return of(store)->transaction->stop_hook(store);
}

bool store_stopped(const ptl_store *store)
{
    return of(store)->transaction->stopped(store);
}

void store_deafen(ptl_store *store, bool on)
{
    of(store)->transaction->deafen(store, on);
}

/* ---- content ---- */

ptl_status store_catalogue_load(catalogue **out, ptl_store *store, ptl_error *err)
{
    return of(store)->content->load(out, store, err);
}

ptl_status store_catalogue_load_for(catalogue **out, ptl_store *store, int64_t content_id,
                                    bool current, ptl_error *err)
{
    return of(store)->content->load_for(out, store, content_id, current, err);
}

ptl_status store_content_check_loaded(ptl_store *store, ptl_error *err)
{
    return of(store)->content->check_loaded(store, err);
}

ptl_status store_content_current(int64_t *id, ptl_store *store, ptl_error *err)
{
    return of(store)->content->current(id, store, err);
}

ptl_status store_content_digest(char out[65], ptl_store *store, int64_t content_id,
                                ptl_error *err)
{
    return of(store)->content->digest(out, store, content_id, err);
}

ptl_status store_pack_visit(ptl_store *store, int64_t content_id, pack_visit *visit,
                            void *payload, ptl_error *err)
{
    return of(store)->content->pack_visit(store, content_id, visit, payload, err);
}

ptl_status store_kept_visit(ptl_store *store, const char *type, kept_text_visit *visit,
                            void *payload, ptl_error *err)
{
    const char *const types[] = {type, NULL};
    const kept_text_query query = {.types = types};
    return store_kept_find(store, &query, visit, payload, err);
}

ptl_status store_kept_find(ptl_store *store, const kept_text_query *query,
                           kept_text_visit *visit, void *payload, ptl_error *err)
{
    return of(store)->content->kept_visit(store, query, visit, payload, err);
}

ptl_status store_definition_visit(ptl_store *store, int64_t content_id, definition_visit *visit,
                                  void *payload, ptl_error *err)
{
    return of(store)->content->definition_visit(store, content_id, visit, payload, err);
}

ptl_status store_content_visit(ptl_store *store, content_visit *visit, void *payload,
                               ptl_error *err)
{
    return of(store)->content->visit(store, visit, payload, err);
}

ptl_status store_content_row_visit_of(ptl_store *store, int64_t content_id,
                                      const content_query *query, content_row_visit *visit,
                                      void *payload, ptl_error *err)
{
    return of(store)->content->row_visit(store, content_id, query, visit, payload, err);
}

ptl_status store_content_row_visit(ptl_store *store, const content_query *query,
                                   content_row_visit *visit, void *payload, ptl_error *err)
{
    return store_content_row_visit_of(store, 0, query, visit, payload, err);
}

/* ---- worlds ---- */

ptl_status store_world_find(world_row *out, ptl_store *store, const char *name, ptl_error *err)
{
    return of(store)->world->find(out, store, name, err);
}

ptl_status store_world_insert(int64_t *id, ptl_store *store, const world_row *row,
                              ptl_error *err)
{
    return of(store)->world->insert(id, store, row, err);
}

ptl_status store_world_renew(ptl_store *store, const world_row *row, ptl_error *err)
{
    return of(store)->world->renew(store, row, err);
}

ptl_status store_world_count(uint64_t *out, ptl_store *store, ptl_error *err)
{
    return of(store)->world->count(out, store, err);
}

ptl_status store_world_visit(ptl_store *store, world_visit *visit, void *payload,
                             ptl_error *err)
{
    return of(store)->world->visit(store, visit, payload, err);
}

ptl_status store_world_digest(ptl_world_digest_result *out, ptl_store *store, int64_t world_id,
                              ptl_error *err)
{
    return of(store)->world->digest(out, store, world_id, err);
}

/* ---- chunks ---- */

ptl_status store_chunk_find(chunk_info *out, bool *found, ptl_store *store, int64_t world_id,
                            ptl_chunk_pos pos, ptl_error *err)
{
    return of(store)->chunk->find(out, found, store, world_id, pos, err);
}

ptl_status store_chunk_write(ptl_store *store, int64_t world_id, int64_t run_id,
                             const chunk_write *w, const catalogue *cat, bool *written,
                             ptl_error *err)
{
    return of(store)->chunk->write(store, world_id, run_id, w, cat, written, err);
}

ptl_status store_chunk_read(ptl_chunk **out, ptl_store *store, int64_t world_id,
                            ptl_chunk_pos pos, const catalogue *cat, chunk_info *info,
                            ptl_error *err)
{
    return of(store)->chunk->read(out, store, world_id, pos, cat, info, err);
}

ptl_status store_features_read(gen_features *out, bool *found, ptl_store *store,
                               int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                               ptl_error *err)
{
    return of(store)->chunk->features_read(out, found, store, world_id, pos, cat, err);
}

ptl_status store_features_read_all(gen_features *out, bool *found, ptl_store *store,
                                   int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                   ptl_error *err)
{
    return of(store)->chunk->features_read_all(out, found, store, world_id, pos, cat, err);
}

ptl_status store_chunk_delete(bool *found, ptl_store *store, int64_t world_id,
                              ptl_chunk_pos pos, ptl_error *err)
{
    return of(store)->chunk->delete (found, store, world_id, pos, err);
}

ptl_status store_level_read(ptl_oter cells[PTL_LEVEL_CELLS], bool *found, ptl_store *store,
                            int64_t world_id, ptl_chunk_pos pos, int32_t z,
                            const catalogue *cat, ptl_error *err)
{
    return of(store)->chunk->level_read(cells, found, store, world_id, pos, z, cat, err);
}

ptl_status store_chunk_list(ptl_chunk_pos **out, size_t *count, ptl_store *store,
                            int64_t world_id, const chunk_filter *which, ptl_error *err)
{
    return of(store)->chunk->list(out, count, store, world_id, which, err);
}

ptl_status store_chunk_count(uint64_t *out, ptl_store *store, int64_t world_id,
                             const chunk_filter *which, ptl_error *err)
{
    return of(store)->chunk->count(out, store, world_id, which, err);
}

ptl_status store_chunk_next(ptl_chunk_pos *pos, bool *found, ptl_store *store, int64_t world_id,
                            const chunk_filter *which, ptl_error *err)
{
    return of(store)->chunk->next(pos, found, store, world_id, which, err);
}

ptl_status store_chunk_visit_next(ptl_chunk_pos *pos, ptl_store *store, int64_t world_id,
                                  stored_chunk_visit *visit, void *payload, ptl_error *err)
{
    return of(store)->chunk->visit_next(pos, store, world_id, visit, payload, err);
}

ptl_status stored_chunk_features_read(feature_set *out, const stored_chunk *chunk,
                                      ptl_error *err)
{
    return of(chunk->store)->chunk->stored_features_read(out, chunk, err);
}

ptl_status stored_chunk_event_visit(const stored_chunk *chunk, event_visit *visit,
                                    void *payload, ptl_error *err)
{
    return of(chunk->store)->chunk->stored_event_visit(chunk, visit, payload, err);
}

ptl_status stored_chunk_levels_read(ptl_chunk *out, const stored_chunk *chunk, uint32_t levels,
                                    const catalogue *cat, ptl_error *err)
{
    return of(chunk->store)->chunk->stored_levels_read(out, chunk, levels, cat, err);
}

ptl_status store_chunk_total(chunk_totals *out, ptl_store *store, int64_t world_id,
                             int64_t content_id, int32_t generator_version, ptl_error *err)
{
    return of(store)->chunk->total(out, store, world_id, content_id, generator_version, err);
}

ptl_status store_city_visit(ptl_store *store, int64_t world_id, ptl_chunk_pos first,
                            ptl_chunk_pos last, city_visit *visit, void *payload,
                            ptl_error *err)
{
    return of(store)->chunk->city_visit(store, world_id, first, last, visit, payload, err);
}

ptl_status store_place_visit(ptl_store *store, int64_t world_id, const char *special,
                             place_visit *visit, void *payload, ptl_error *err)
{
    return of(store)->chunk->place_visit(store, world_id, special, visit, payload, err);
}

ptl_status store_overview_visit(ptl_store *store, int64_t world_id, const catalogue *cat,
                                overview_visit *visit, void *payload, ptl_error *err)
{
    return of(store)->chunk->overview_visit(store, world_id, cat, visit, payload, err);
}

ptl_status store_edge_count(uint64_t *out, ptl_store *store, int64_t world_id, ptl_error *err)
{
    return of(store)->chunk->edge_count(out, store, world_id, err);
}

ptl_status store_edge_find(edge *out, bool *found, ptl_store *store, int64_t world_id,
                           int32_t x, int32_t y, edge_side side, const catalogue *cat,
                           ptl_error *err)
{
    return of(store)->chunk->edge_find(out, found, store, world_id, x, y, side, cat, err);
}

/* ---- runs ---- */

ptl_status store_run_begin(int64_t *run_id, ptl_store *store, int64_t world_id,
                           const char *command, ptl_error *err)
{
    return of(store)->run->begin(run_id, store, world_id, command, err);
}

ptl_status store_run_count(uint64_t *chunks, ptl_store *store, int64_t run_id, ptl_error *err)
{
    return of(store)->run->count(chunks, store, run_id, err);
}

ptl_status store_run_end(ptl_store *store, int64_t run_id, uint64_t chunks, double seconds,
                         const char *outcome, ptl_error *err)
{
    return of(store)->run->end(store, run_id, chunks, seconds, outcome, err);
}

ptl_status store_run_visit(ptl_store *store, int64_t world_id, uint64_t most, run_visit *visit,
                           void *payload, ptl_error *err)
{
    return of(store)->run->visit(store, world_id, most, visit, payload, err);
}

/* ---- local maps ---- */

ptl_status store_map_read(stored_map *out, bool *found, ptl_store *store, int64_t world_id,
                          ptl_omt at, ptl_error *err)
{
    *found = false;
    ptl_status status = of(store)->map->read(out, found, store, world_id, at, err);
    if (status != PTL_OK || !*found)
        stored_map_dispose(out);
    return status;
}

ptl_status store_map_revision(int64_t *out, ptl_store *store, int64_t world_id, ptl_omt at,
                              ptl_error *err)
{
    return of(store)->map->revision(out, store, world_id, at, err);
}

ptl_status store_map_put(ptl_store *store, int64_t world_id, const map_write *maps,
                         size_t count, ptl_error *err)
{
    return of(store)->map->put(store, world_id, maps, count, err);
}

ptl_status store_map_visit(ptl_store *store, int64_t world_id, const map_area *which,
                           map_visit *visit, void *payload, ptl_error *err)
{
    return of(store)->map->visit(store, world_id, which, visit, payload, err);
}

ptl_status store_map_drop(uint64_t *dropped, ptl_store *store, int64_t world_id,
                          const map_area *which, ptl_error *err)
{
    *dropped = 0;
    return of(store)->map->drop(dropped, store, world_id, which, err);
}

ptl_status store_spill_read(bytes *out, bool *found, ptl_store *store, int64_t world_id,
                            ptl_omt at, ptl_error *err)
{
    return of(store)->map->spill_read(out, found, store, world_id, at, err);
}

ptl_status store_spill_put(ptl_store *store, int64_t world_id, ptl_omt at, const bytes *spills,
                           ptl_error *err)
{
    return of(store)->map->spill_put(store, world_id, at, spills, err);
}

ptl_status store_spill_drop(ptl_store *store, int64_t world_id, const map_area *which,
                            ptl_error *err)
{
    return of(store)->map->spill_drop(store, world_id, which, err);
}

ptl_status store_surge_insert(ptl_store *store, int64_t world_id, const surge_row *surge,
                              ptl_error *err)
{
    return of(store)->map->surge_insert(store, world_id, surge, err);
}

ptl_status store_surge_remove(ptl_store *store, int64_t world_id, const surge_row *surge,
                              ptl_error *err)
{
    return of(store)->map->surge_remove(store, world_id, surge, err);
}

ptl_status store_surge_visit(ptl_store *store, int64_t world_id, const surge_area *which,
                             surge_visit *visit, void *payload, ptl_error *err)
{
    return of(store)->map->surge_visit(store, world_id, which, visit, payload, err);
}

ptl_status map_conflict(const map_info *wanted, int64_t is, ptl_error *err)
{
    return error_set(
        err, PTL_ERR_EXISTS,
        "the local map at %lld,%lld,%d has revision %lld by now, and revision %lld "
        "was changed: read it again",
        (long long)wanted->at.x, (long long)wanted->at.y, (int)wanted->at.z, (long long)is,
        (long long)wanted->revision);
}

/* ---- sweeps ---- */

ptl_status store_sweep_find(sweep_row *out, ptl_store *store, const char *name, ptl_error *err)
{
    memset(out, 0, sizeof *out);
    return of(store)->sweep->find(out, store, name, err);
}

ptl_status store_sweep_insert(ptl_store *store, sweep_row *row, ptl_error *err)
{
    return of(store)->sweep->insert(store, row, err);
}

ptl_status store_sweep_delete(ptl_store *store, int64_t sweep_id, ptl_error *err)
{
    return of(store)->sweep->delete (store, sweep_id, err);
}

ptl_status store_sweep_count(uint64_t *out, ptl_store *store, ptl_error *err)
{
    *out = 0;
    return of(store)->sweep->count(out, store, err);
}

ptl_status store_sweep_chunk_has(bool *has, ptl_store *store, int64_t sweep_id, uint64_t seed,
                                 ptl_chunk_pos pos, ptl_error *err)
{
    *has = false;
    return of(store)->sweep->chunk_has(has, store, sweep_id, seed, pos, err);
}

ptl_status store_sweep_chunk_insert(ptl_store *store, int64_t sweep_id, uint64_t seed,
                                    ptl_chunk_pos pos, const encoded_summary *e, ptl_error *err)
{
    return of(store)->sweep->chunk_insert(store, sweep_id, seed, pos, e, err);
}

ptl_status store_sweep_chunk_visit(ptl_store *store, int64_t sweep_id, uint32_t parts,
                                   sweep_visit *visit, void *payload, ptl_error *err)
{
    return of(store)->sweep->chunk_visit(store, sweep_id, parts, visit, payload, err);
}

ptl_status store_sweep_visit(ptl_store *store, sweep_row_visit *visit, void *payload,
                             ptl_error *err)
{
    return of(store)->sweep->visit(store, visit, payload, err);
}

ptl_status store_sweep_chunk_total(sweep_totals *out, ptl_store *store, int64_t sweep_id,
                                   ptl_error *err)
{
    return of(store)->sweep->chunk_total(out, store, sweep_id, err);
}

/* ---- scratch ---- */

ptl_status store_scratch_open(ptl_store **out, ptl_store *source, const char *path,
                              ptl_error *err)
{
    *out = NULL;
    return of(source)->scratch->open(out, source, path, err);
}

ptl_status store_scratch_clear(ptl_store *store, ptl_error *err)
{
    return of(store)->scratch->clear(store, err);
}
