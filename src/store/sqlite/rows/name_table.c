#include "store/sqlite/rows/dictionary.h"

#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/rows/row_values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool name_table_init(name_table *t, row_table_id table, stmt_id read, stmt_id insert,
                     stmt_id insert_many)
{
    memset(t, 0, sizeof *t);
    t->table = row_table_of(table);
    t->read = read;
    t->insert = insert;
    t->insert_many = insert_many;
    t->size = t->written = 1;
    strmap_init(&t->numbers);
    t->arena = arena_new();
    return t->arena != NULL;
}

void name_table_dispose(name_table *t)
{
    strmap_dispose(&t->numbers);
    arena_free(t->arena);
    free(t->names);
    bytes_dispose(&t->sum);
    memset(t, 0, sizeof *t);
}

static bool grow(name_table *t)
{
    const bool is_first = t->capacity == 0;
    if (!ARRAY_ROOM(t->names, t->capacity, t->size + 1))
        return false;
    if (is_first)
        t->names[0] = NULL;
    return true;
}

ptl_status name_table_add(name_table *t, const char *name, ptl_error *err)
{
    char *copy = arena_strdup(t->arena, name);
    if (!copy || !grow(t) || strmap_put(&t->numbers, copy, (uint32_t)t->size) != 0)
        return error_nomem(err);
    t->names[t->size++] = copy;
    return PTL_OK;
}

/* Makes the row of a name, sealed: tables oter and name have the same columns. */
static ptl_status make_row(row_value out[NAME_COLUMN_COUNT], name_table *t, int64_t number,
                           const char *name, ptl_error *err)
{
    static_assert((int)OTER_COLUMN_NAME == (int)NAME_COLUMN_NAME &&
                      (int)OTER_COLUMN_CHECKSUM == (int)NAME_COLUMN_CHECKSUM &&
                      (int)OTER_COLUMN_COUNT == (int)NAME_COLUMN_COUNT,
                  "one form of row");
    out[NAME_COLUMN_ID] = row_int(number);
    out[NAME_COLUMN_NAME] = row_text(name);
    return row_seal(out, t->table, &t->sum, err);
}

static ptl_status remember_row(name_table *t, const stmt *s, ptl_error *err)
{
    const int64_t number = stmt_int(s, NAME_COLUMN_ID);
    const char *name = stmt_text(s, NAME_COLUMN_NAME);
    row_value row[NAME_COLUMN_COUNT];
    TRY(make_row(row, t, number, name, err));
    if (row[NAME_COLUMN_CHECKSUM].integer != stmt_int(s, NAME_COLUMN_CHECKSUM) ||
        strmap_get(&t->numbers, name) != STRMAP_NONE)
        return error_set(err, PTL_ERR_CORRUPT, "%s dictionary: row %lld is damaged",
                         t->table->name, (long long)number);
    if (number != (int64_t)t->size)
        return error_set(err, PTL_ERR_CORRUPT, "%s dictionary: number %zu is missing",
                         t->table->name, t->size);
    return name_table_add(t, name, err);
}

ptl_status name_table_refresh(name_table *t, ptl_store *store, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepared(&s, store, t->read, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, (int64_t)t->size);
    while (stmt_row(s, &status, err))
        status = remember_row(t, s, err);
    stmt_reset(s);
    t->written = t->size;
    return status;
}

/* As many rows as one statement takes. */
static ptl_status write_some(name_table *t, ptl_store *store, ptl_error *err)
{
    const bool many = t->size - t->written >= NAMES_AT_ONCE;
    const size_t end = t->written + (many ? NAMES_AT_ONCE : 1);
    stmt *s = NULL;
    ptl_status status = stmt_prepared(&s, store, many ? t->insert_many : t->insert, err);
    for (int first = 1; t->written < end && status == PTL_OK; t->written++) {
        row_value row[NAME_COLUMN_COUNT];
        status = make_row(row, t, (int64_t)t->written, t->names[t->written], err);
        row_bind(s, first, t->table, row);
        first += NAME_COLUMN_COUNT;
    }
    if (status == PTL_OK)
        return stmt_run(s, err);
    if (s)
        stmt_reset(s);
    return status;
}

ptl_status name_table_write(name_table *t, ptl_store *store, ptl_error *err)
{
    while (t->written < t->size)
        TRY(write_some(t, store, err));
    return PTL_OK;
}
