#include "store/sqlite/rows/feature_rows.h"

#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_values.h"

#include <stdlib.h>

/* ---- writing ---- */

/* Inserts the next rows, as many as one statement takes, and moves *next behind them. */
static ptl_status insert_some(ptl_store *store, row_scratch *scratch, int64_t chunk_id,
                              const special_rows *rows, const uint32_t *numbers, size_t *next,
                              ptl_error *err)
{
    static const struct {
        size_t rows;
        stmt_id statement;
    } sizes[] = {{SPECIALS_AT_ONCE, STMT_SPECIALS_INSERT},
                 {SPECIALS_FEW, STMT_SPECIALS_INSERT_FEW},
                 {1, STMT_SPECIAL_INSERT}};
    size_t size = 0;
    while (rows->count - *next < sizes[size].rows)
        size++;
    stmt *s = NULL;
    TRY(stmt_prepared(&s, store, sizes[size].statement, err));
    const size_t end = *next + sizes[size].rows;
    for (int first = 1; *next < end; ++*next, first += SPECIAL_COLUMN_COUNT) {
        const gen_placement *p = &rows->list[*next].placement;
        const row_table *t = row_table_of(TABLE_SPECIAL);
        const row_value v[SPECIAL_COLUMN_COUNT] = {
            [SPECIAL_COLUMN_ID] = row_int(chunk_id * FEATURE_SPECIALS_MAX + (int64_t)*next),
            [SPECIAL_COLUMN_SPECIAL] = row_int(numbers[*next]),
            [SPECIAL_COLUMN_X] = row_int(p->x),
            [SPECIAL_COLUMN_Y] = row_int(p->y),
            [SPECIAL_COLUMN_Z] = row_int(p->z),
            [SPECIAL_COLUMN_ROTATION] = row_int(p->rotation),
            [SPECIAL_COLUMN_CITY] =
                p->city >= 0 ? row_int(p->city) : (row_value){.type = ROW_NULL},
            [SPECIAL_COLUMN_DRAW] = row_int(p->draw),
            [SPECIAL_COLUMN_OMTS] = row_int(p->omts)};
        rowsum_text(&scratch->levels, t->name);
        rowsum_values(&scratch->levels, t, v, 0);
        row_bind(s, first, t, v);
    }
    return stmt_run(s, err);
}

ptl_status special_rows_insert(ptl_store *store, row_scratch *scratch, int64_t chunk_id,
                               const special_rows *rows, ptl_error *err)
{
    if (rows->count == 0)
        return PTL_OK;
    const char **ids = malloc(rows->count * sizeof *ids);
    uint32_t *numbers = malloc(rows->count * sizeof *numbers);
    ptl_status status = ids && numbers ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < rows->count && status == PTL_OK; i++)
        ids[i] = rows->list[i].id;
    THEN(status, names_numbers(store, ids, rows->count, numbers, err));
    for (size_t next = 0; next < rows->count && status == PTL_OK;)
        status = insert_some(store, scratch, chunk_id, rows, numbers, &next, err);
    free(numbers);
    free(ids);
    return status;
}

/* ---- reading ---- */

/* Returns a column's value; if it is outside of low..high, *fits becomes false. */
static int32_t take(const stmt *s, int column, int32_t low, int32_t high, bool *fits)
{
    int64_t v = stmt_int(s, column);
    if (v < low || v > high) {
        *fits = false;
        return low;
    }
    return (int32_t)v;
}

static ptl_status damaged(size_t number, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "special_placement %zu: %s", number, what);
}

static ptl_status read_row(special_rows *out, const ptl_store *store, const stmt *s,
                           size_t city_count, ptl_error *err)
{
    const size_t number = out->count;
    const int64_t name = stmt_int(s, SPECIAL_COLUMN_SPECIAL);
    if (stmt_int(s, SPECIAL_COLUMN_ID) % FEATURE_SPECIALS_MAX != (int64_t)number)
        return damaged(number, "its number is missing", err);
    bool fits = true;
    const gen_placement p = {
        .x = (int16_t)take(s, SPECIAL_COLUMN_X, INT16_MIN, INT16_MAX, &fits),
        .y = (int16_t)take(s, SPECIAL_COLUMN_Y, INT16_MIN, INT16_MAX, &fits),
        .z = (int8_t)take(s, SPECIAL_COLUMN_Z, INT8_MIN, INT8_MAX, &fits),
        .rotation = (uint8_t)take(s, SPECIAL_COLUMN_ROTATION, 0, UINT8_MAX, &fits),
        .city = (int16_t)(stmt_is_null(s, SPECIAL_COLUMN_CITY)
                              ? FEATURE_NO_CITY
                              : take(s, SPECIAL_COLUMN_CITY, 0, INT16_MAX, &fits)),
        .draw = (int16_t)take(s, SPECIAL_COLUMN_DRAW, 0, INT16_MAX, &fits),
        .omts = take(s, SPECIAL_COLUMN_OMTS, 0, INT32_MAX, &fits)};
    const char *problem = fits ? special_problem(&p, city_count) : "a value out of range";
    if (problem)
        return damaged(number, problem, err);
    const char *id = name > 0 && (uint64_t)name < names_size(store)
                         ? names_text(store, (uint32_t)name)
                         : NULL;
    if (!id)
        return damaged(number, "its special has no name", err);
    special_row *row = special_rows_add(out);
    if (!row)
        return error_nomem(err);
    *row = (special_row){id, p};
    return PTL_OK;
}

ptl_status special_rows_read(special_rows *out, ptl_store *store, row_scratch *scratch,
                             int64_t chunk_id, size_t city_count, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_SPECIAL);
    stmt *s = NULL;
    out->count = 0;
    TRY(stmt_prepared(&s, store, STMT_SPECIALS, err));
    stmt_bind_int(s, 1, chunk_id);
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        rowsum_text(&scratch->levels, t->name);
        rowsum_row(&scratch->levels, t, s, 0);
        status = read_row(out, store, s, city_count, err);
    }
    stmt_reset(s);
    return status;
}
