/* Rows of table sweep. Their overmaps are in sweep_chunks.c. */
#include "store/sqlite/sweeps/sweep_rows.h"

#include "core/error.h"
#include "os/clock.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/no_such.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/rowsum.h"

#include <stdlib.h>
#include <string.h>

static const char *const placements[] = {
    [PTL_PLACEMENT_QUOTA] = "quota", [PTL_PLACEMENT_SECTORS] = "sectors"};

/* ---- reading ---- */

static ptl_status read_sweep(sweep_row *out, const stmt *s, ptl_error *err)
{
    world_row *w = &out->settings;
    out->id = stmt_int(s, 0);
    out->name = strdup(stmt_text(s, 1));
    w->region = strdup(stmt_text(s, 2));
    w->city_size = (int32_t)stmt_int(s, 3);
    w->city_spacing = (int32_t)stmt_int(s, 4);
    w->specials_density = stmt_double(s, 5);
    w->specials_spacing = (int32_t)stmt_int(s, 6);
    w->placement = strcmp(stmt_text(s, 7), placements[PTL_PLACEMENT_SECTORS]) == 0
                       ? PTL_PLACEMENT_SECTORS
                       : PTL_PLACEMENT_QUOTA;
    w->railroads = stmt_int(s, 8) != 0;
    w->subways = stmt_int(s, 9) != 0;
    w->compat = stmt_int(s, 10) != 0;
    w->scale_unique = stmt_int(s, 11) != 0;
    w->unique_radius = (int32_t)stmt_int(s, 12);
    w->generator_version = (int32_t)stmt_int(s, 13);
    w->content_id = stmt_int(s, 14);
    return out->name && w->region ? PTL_OK : error_nomem(err);
}

ptl_status sqlite_sweep_row_find(sweep_row *out, ptl_store *store, const char *name,
                                 ptl_error *err)
{
    memset(out, 0, sizeof *out);
    row_scratch *scratch;
    stmt *s = NULL;
    bool row = false, second = false;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = stmt_prepared(&s, store, STMT_SWEEP_READ, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_text(s, 1, name);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        status = row_verify(scratch, s, "sweep", SWEEP_COLUMN_COUNT, err);
    if (status == PTL_OK && row)
        status = read_sweep(out, s, err);
    if (status == PTL_OK && row)
        status = stmt_step(s, &second, err);
    stmt_reset(s);
    if (status == PTL_OK && (!row || second))
        status = no_such_row(store, STMT_SWEEP_READ, "sweep", name, err);
    if (status != PTL_OK)
        sweep_row_dispose(out);
    return status;
}

/* ---- writing ---- */

static ptl_status check_name(ptl_store *store, const char *name, ptl_error *err)
{
    stmt *s = NULL;
    bool exists = false;
    ptl_status status = stmt_prepared(&s, store, STMT_SWEEP_READ, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_text(s, 1, name);
    status = stmt_step(s, &exists, err);
    stmt_reset(s);
    if (status == PTL_OK && exists)
        status = error_set(err, PTL_ERR_EXISTS, "a sweep '%s' exists already", name);
    return status;
}

/* Integers of the row by their columns; the other columns are text or real. */
static void collect_integers(int64_t out[SWEEP_COLUMN_COUNT], const sweep_row *row)
{
    const world_row *w = &row->settings;
    const int64_t all[SWEEP_COLUMN_COUNT] = {
        [0] = row->id,           [3] = w->city_size,
        [4] = w->city_spacing,   [6] = w->specials_spacing,
        [8] = w->railroads,      [9] = w->subways,
        [10] = w->compat,        [11] = w->scale_unique,
        [12] = w->unique_radius, [13] = w->generator_version,
        [14] = w->content_id};
    memcpy(out, all, sizeof all);
}

static ptl_status insert_sweep(ptl_store *store, bytes *b, const sweep_row *row, ptl_error *err)
{
    int64_t integers[SWEEP_COLUMN_COUNT], sum = 0;
    char created[32];
    const char *texts[SWEEP_COLUMN_COUNT] = {
        [1] = row->name,
        [2] = row->settings.region,
        [7] = placements[row->settings.placement == PTL_PLACEMENT_SECTORS],
        [15] = created};
    stmt *s = NULL;
    clock_now(created);
    collect_integers(integers, row);
    ptl_status status = stmt_prepare(&s, store,
                                     "INSERT INTO sweep (" SWEEP_COLUMNS ") VALUES "
                                     "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                     err);
    if (status != PTL_OK)
        return status;
    rowsum_begin(b, "sweep");
    for (int i = 0; i < SWEEP_COLUMN_COUNT; i++) {
        if (i == 5) {
            rowsum_real(b, row->settings.specials_density);
            stmt_bind_double(s, i + 1, row->settings.specials_density);
        } else if (texts[i]) {
            rowsum_text(b, texts[i]);
            stmt_bind_text(s, i + 1, texts[i]);
        } else {
            rowsum_int(b, integers[i]);
            stmt_bind_int(s, i + 1, integers[i]);
        }
    }
    status = rowsum_end(b, &sum, err);
    stmt_bind_int(s, SWEEP_COLUMN_COUNT + 1, sum);
    if (status == PTL_OK)
        status = stmt_run(s, err);
    stmt_free(s);
    return status;
}

ptl_status sqlite_sweep_row_insert(ptl_store *store, sweep_row *row, ptl_error *err)
{
    row_scratch *scratch;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = check_name(store, row->name, err);
    if (status == PTL_OK)
        status = row_new_id(&row->id, store, STMT_SWEEP_NEXT_ID, "sweep", err);
    return status == PTL_OK ? insert_sweep(store, &scratch->sum, row, err) : status;
}

static ptl_status delete_by_sweep(ptl_store *store, const char *sql, int64_t sweep_id,
                                  ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store, sql, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, sweep_id);
    status = stmt_run(s, err);
    stmt_free(s);
    return status;
}

ptl_status sqlite_sweep_row_delete(ptl_store *store, int64_t sweep_id, ptl_error *err)
{
    ptl_status status =
        delete_by_sweep(store, "DELETE FROM sweep_chunk WHERE sweep_id = ?", sweep_id, err);
    return status == PTL_OK
               ? delete_by_sweep(store, "DELETE FROM sweep WHERE id = ?", sweep_id, err)
               : status;
}

ptl_status sqlite_sweeps_count(uint64_t *out, ptl_store *store, ptl_error *err)
{
    int64_t count = 0;
    ptl_status status = stmt_ask(&count, store, "SELECT count(*) FROM sweep", NULL, 0, err);
    *out = (uint64_t)count;
    return status;
}
