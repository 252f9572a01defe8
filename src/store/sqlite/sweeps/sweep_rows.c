/* Rows of table sweep. The overmaps of sweeps are in sweep_chunks.c. */
#include "store/sqlite/sweeps/sweep_rows.h"

#include "core/error.h"
#include "os/clock.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/settings_rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static ptl_status read_sweep(sweep_row *out, const stmt *s, ptl_error *err)
{
    out->id = stmt_int(s, SWEEP_COLUMN_ID);
    out->name = strdup(stmt_text(s, SWEEP_COLUMN_NAME));
    return out->name ? settings_read(&out->settings, s, SWEEP_COLUMN_NAME + 1,
                                     SETTINGS_OF_SWEEPS, err)
                     : error_nomem(err);
}

static ptl_status take_sweep(void *payload, const stmt *s, ptl_error *err)
{
    return read_sweep(payload, s, err);
}

ptl_status sqlite_sweep_find(sweep_row *out, ptl_store *store, const char *name, ptl_error *err)
{
    static const named_rows sweeps = {STMT_SWEEP_READ, TABLE_SWEEP, "sweep", take_sweep};
    memset(out, 0, sizeof *out);
    ptl_status status = row_find_named(out, store, &sweeps, name, err);
    if (status != PTL_OK)
        sweep_row_dispose(out);
    return status;
}

typedef struct sweep_visiting {
    sweep_row_visit *visit;
    void *payload;
} sweep_visiting;

static ptl_status give_sweep(void *payload, const stmt *s, ptl_error *err)
{
    const sweep_visiting *v = payload;
    sweep_row sweep = {.id = 0};
    ptl_status status = read_sweep(&sweep, s, err);
    THEN(status, v->visit(v->payload, &sweep, err));
    sweep_row_dispose(&sweep);
    return status;
}

ptl_status sqlite_sweep_visit(ptl_store *store, sweep_row_visit *visit, void *payload,
                              ptl_error *err)
{
    sweep_visiting v = {visit, payload};
    stmt *s = NULL;
    TRY(stmt_prepare(&s, store, "SELECT " SWEEP_COLUMNS " FROM main.sweep ORDER BY name", err));
    return row_visit(s, TABLE_SWEEP, give_sweep, &v, err);
}

/* ---- writing ---- */

ptl_status sqlite_sweep_insert(ptl_store *store, sweep_row *row, ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    const char *name = row->name;
    stmt *s = NULL;
    bool exists = false;
    TRY(stmt_prepared(&s, store, STMT_SWEEP_READ, err));
    stmt_bind_text(s, 1, name);
    ptl_status status = stmt_step(s, &exists, err);
    stmt_reset(s);
    if (status == PTL_OK && exists)
        status = error_set(err, PTL_ERR_EXISTS, "a sweep '%s' exists already", name);
    TRY(status);
    TRY(row_new_id(&row->id, store, STMT_SWEEP_NEXT_ID, "sweep", err));
    const row_table *t = row_table_of(TABLE_SWEEP);
    char created[32];
    clock_now(created);
    row_value v[SWEEP_COLUMN_COUNT] = {[SWEEP_COLUMN_ID] = row_int(row->id),
                                       [SWEEP_COLUMN_NAME] = row_text(row->name),
                                       [SWEEP_COLUMN_CREATED_AT] = row_text(created)};
    settings_values(&v[SWEEP_COLUMN_NAME + 1], &row->settings, SETTINGS_OF_SWEEPS);
    TRY(row_seal(v, t, &scratch->sum, err));
    return row_insert(store, STMT_SWEEP_INSERT, t, v, err);
}

static ptl_status delete_by_sweep(ptl_store *store, const char *sql, int64_t sweep_id,
                                  ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepare(&s, store, sql, err));
    stmt_bind_int(s, 1, sweep_id);
    ptl_status status = stmt_run(s, err);
    stmt_free(s);
    return status;
}

ptl_status sqlite_sweep_delete(ptl_store *store, int64_t sweep_id, ptl_error *err)
{
    ptl_status status =
        delete_by_sweep(store, "DELETE FROM sweep_chunk WHERE sweep_id = ?", sweep_id, err);
    return status == PTL_OK
               ? delete_by_sweep(store, "DELETE FROM sweep WHERE id = ?", sweep_id, err)
               : status;
}

ptl_status sqlite_sweep_count(uint64_t *out, ptl_store *store, ptl_error *err)
{
    int64_t count = 0;
    ptl_status status = stmt_ask(&count, store, "SELECT count(*) FROM sweep", NULL, 0, err);
    *out = (uint64_t)count;
    return status;
}
