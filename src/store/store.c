/* The public calls of a store, and the functions that store.h declares beside its
 * operations. */
#include "store/store.h"
#include "core/error.h"
#include "core/sized.h"

#include <stdlib.h>
#include <string.h>

static ptl_status lacking(const ptl_store *store, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_UNSUPPORTED, "a store in %s has no %s", ops(store)->name,
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

/* ---- the store as a whole ---- */

void ptl_store_close(ptl_store *store)
{
    if (store)
        ops(store)->close(store);
}

const char *ptl_store_path(const ptl_store *store)
{
    return ops(store)->path(store);
}

const ptl_store_copy *ptl_store_private_copy(const ptl_store *store)
{
    return ops(store)->file ? ops(store)->file->is_copy(store) : NULL;
}

ptl_status ptl_journal_info_load(ptl_journal_info *out, ptl_store *store, ptl_error *err)
{
    ptl_journal_info info = PTL_JOURNAL_INFO_INIT;
    error_clear(err);
    TRY(SIZED_CHECK(ptl_journal_info, out, err));
    const file_operations *file = ops(store)->file;
    TRY(file ? file->journal(store, &info, err) : lacking(store, "journal", err));
    SIZED_FILL(ptl_journal_info, out, &info);
    return PTL_OK;
}

ptl_status ptl_verify(ptl_verify_counts *counts, ptl_store *store, problem_visit *on_problem,
                      void *payload, ptl_error *err)
{
    ptl_verify_counts n = PTL_VERIFY_COUNTS_INIT;
    error_clear(err);
    TRY(SIZED_CHECK(ptl_verify_counts, counts, err));
    TRY(store_file_expect(store, err));
    ptl_status status = ops(store)->file->verify(store, on_problem, payload, &n, err);
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
    ptl_status status = ops(store)->file->backup(store, path, &o, &r, err);
    SIZED_FILL(ptl_backup_report, report, &r);
    return status;
}

ptl_status store_file_expect(const ptl_store *store, ptl_error *err)
{
    return ops(store)->file ? PTL_OK : lacking(store, "file", err);
}

ptl_status store_aside_visit(ptl_store *store, aside_visit *visit, void *payload,
                             ptl_error *err)
{
    TRY(store_file_expect(store, err));
    return ops(store)->file->aside_visit(store, visit, payload, err);
}

ptl_status ptl_query(ptl_store *store, const char *sql, const ptl_query_options *options,
                     ptl_error *err)
{
    ptl_query_options o = PTL_QUERY_OPTIONS_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_query_options, &o, options, err));
    const query_operations *query = ops(store)->query;
    return query ? query->run(store, sql, &o, err) : lacking(store, "SQL", err);
}

ptl_status ptl_query_column_list(ptl_store *store, const char *sql, column_name_visit *on_name,
                                 void *payload, ptl_error *err)
{
    const query_operations *query = ops(store)->query;
    return query ? query->columns(store, sql, on_name, payload, err)
                 : lacking(store, "SQL", err);
}

ptl_status ptl_table_list(ptl_store *store, table_visit *on_table, void *payload,
                          ptl_error *err)
{
    error_clear(err);
    const query_operations *query = ops(store)->query;
    return query ? query->tables(store, on_table, payload, err) : lacking(store, "SQL", err);
}

ptl_status ptl_table_column_list(ptl_store *store, const char *table, column_visit *on_column,
                                 void *payload, ptl_error *err)
{
    error_clear(err);
    const query_operations *query = ops(store)->query;
    return query ? query->table_columns(store, table, on_column, payload, err)
                 : lacking(store, "SQL", err);
}

static ptl_status check_parts(const ptl_store *store, uint32_t parts, ptl_error *err)
{
    if (!ops(store)->index)
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
    ptl_status status = ops(store)->index->update(store, &o, &r, err);
    SIZED_FILL(ptl_index_report, report, &r);
    return status;
}

ptl_status ptl_index_remove(int *found, ptl_store *store, uint32_t parts, ptl_error *err)
{
    int count = 0;
    error_clear(err);
    ptl_status status = check_parts(store, parts, err);
    if (status == PTL_OK)
        status = ops(store)->index->drop(store, parts ? parts : PTL_INDEX_ALL, &count, err);
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
    TRY(ops(store)->world->find(&row, store, world, err));
    ptl_status status = ops(store)->index->look(store, row.id, &state, err);
    world_row_dispose(&row);
    if (status == PTL_OK)
        SIZED_FILL(ptl_index_state, out, &state);
    return status;
}

ptl_status store_kept_visit(ptl_store *store, const char *type, kept_text_visit *visit,
                            void *payload, ptl_error *err)
{
    const char *const types[] = {type, NULL};
    const kept_text_query query = {.types = types};
    return ops(store)->content->kept_visit(store, &query, visit, payload, err);
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
