/* Rows of table omt_spill, which hold the heights and spills of local maps. */
#include "codec/spills/spill_codec.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/maps/map_rows.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"

#include <stdlib.h>

ptl_status sqlite_spill_read(bytes *out, bool *found, ptl_store *store, int64_t world_id,
                             ptl_omt at, ptl_error *err)
{
    stmt *s = NULL;
    size_t size = 0;
    *found = false;
    bytes_clear(out);
    TRY(stmt_prepared(&s, store, STMT_SPILL_READ, err));
    map_bind_place(s, world_id, at);
    ptl_status status = stmt_step(s, found, err);
    if (status == PTL_OK && *found)
        status = row_verify(s, TABLE_SPILL, err);
    if (status == PTL_OK && *found) {
        const void *blob = stmt_blob(s, SPILL_COLUMN_SPILLS, &size);
        bytes_put(out, blob, size);
        status = out->failed ? error_nomem(err) : PTL_OK;
    }
    if (status == PTL_ERR_CORRUPT)
        error_prefix(err, status, "spills of map %lld,%lld,%d", (long long)at.x,
                     (long long)at.y, (int)at.z);
    stmt_reset(s);
    return status;
}

ptl_status spill_row_check(const stmt *s, ptl_error *err)
{
    size_t size;
    const void *blob = stmt_blob(s, SPILL_COLUMN_SPILLS, &size);
    local_spills *spills = malloc(sizeof *spills);
    if (!spills)
        return error_nomem(err);
    const ptl_status status = spills_decode(spills, blob, size, err);
    free(spills);
    return status;
}

/* ---- writing ---- */

ptl_status spill_row_delete(ptl_store *store, int64_t map_id, ptl_error *err)
{
    return stmt_run_with(store, STMT_SPILL_DELETE, (const int64_t[]){map_id}, 1, err);
}

static ptl_status insert(ptl_store *store, int64_t map_id, const bytes *spills, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_SPILL);
    row_scratch *scratch = store->scratch;
    row_value v[SPILL_COLUMN_COUNT] = {[SPILL_COLUMN_ID] = row_int(map_id),
                                       [SPILL_COLUMN_SPILLS] =
                                           row_blob(spills->data, spills->size)};
    TRY(row_seal(v, t, &scratch->sum, err));
    return row_insert(store, STMT_SPILL_INSERT, t, v, err);
}

static ptl_status find_map(int64_t *id, ptl_store *store, int64_t world_id, ptl_omt at,
                           ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    TRY(stmt_prepared(&s, store, STMT_MAP_FIND, err));
    map_bind_place(s, world_id, at);
    ptl_status status = stmt_step(s, &row, err);
    *id = status == PTL_OK && row ? stmt_int(s, 0) : 0;
    stmt_reset(s);
    if (status == PTL_OK && !row)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no local map at %lld,%lld,%d is stored",
                           (long long)at.x, (long long)at.y, (int)at.z);
    return status;
}

ptl_status sqlite_spill_put(ptl_store *store, int64_t world_id, ptl_omt at, const bytes *spills,
                            ptl_error *err)
{
    int64_t id;
    ptl_status status = find_map(&id, store, world_id, at, err);
    THEN(status, spill_row_delete(store, id, err));
    return status == PTL_OK && spills->size > 0 ? insert(store, id, spills, err) : status;
}

static ptl_status drop(ptl_store *store, stmt_id which, int64_t world_id, const map_area *area,
                       ptl_error *err)
{
    return stmt_run_with(store, which,
                         (const int64_t[]){world_id, area->x0, area->x1, area->y0, area->y1}, 5,
                         err);
}

ptl_status sqlite_spill_drop(ptl_store *store, int64_t world_id, const map_area *which,
                             ptl_error *err)
{
    return drop(store, STMT_SPILLS_DROP, world_id, which, err);
}

ptl_status spill_rows_drop_unedited(ptl_store *store, int64_t world_id, const map_area *which,
                                    ptl_error *err)
{
    return drop(store, STMT_SPILLS_DROP_UNEDITED, world_id, which, err);
}
