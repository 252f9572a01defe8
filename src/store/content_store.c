/* Rows of content, collected value by value and handed to the store's backend. */
#include "core/error.h"
#include "store/operations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct content_rows {
    const import_operations *operations;
    void *part; /* the backend's */
    int64_t number;
    int count; /* of columns, up to the last that was set */
    content_value values[CONTENT_COLUMNS_MAX];
};

static const import_operations *of(const ptl_store *store)
{
    return ((const store_head *)(const void *)store)->operations->import;
}

/* ---- rows ---- */

ptl_status content_rows_open(content_rows **out, ptl_store *store, content_part part,
                             ptl_error *err)
{
    *out = NULL;
    content_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return error_nomem(err);
    rows->operations = of(store);
    ptl_status status = rows->operations->part_open(&rows->part, store, part, err);
    if (status == PTL_OK)
        *out = rows;
    else
        free(rows);
    return status;
}

void content_rows_close(content_rows *rows)
{
    if (!rows)
        return;
    rows->operations->part_close(rows->part);
    free(rows);
}

static content_value *value_at(content_rows *rows, int column)
{
    assert(column >= 1 && column <= CONTENT_COLUMNS_MAX);
    if (column > rows->count)
        rows->count = column;
    return &rows->values[column - 1];
}

void content_rows_null(content_rows *rows, int column)
{
    *value_at(rows, column) = (content_value){.type = PTL_VALUE_NULL};
}

void content_rows_int(content_rows *rows, int column, int64_t value)
{
    *value_at(rows, column) = (content_value){.type = PTL_VALUE_INTEGER, .integer = value};
}

void content_rows_real(content_rows *rows, int column, double value)
{
    *value_at(rows, column) = (content_value){.type = PTL_VALUE_REAL, .real = value};
}

void content_rows_text(content_rows *rows, int column, const char *text)
{
    *value_at(rows, column) =
        (content_value){.type = text ? PTL_VALUE_TEXT : PTL_VALUE_NULL, .data = text};
}

void content_rows_blob(content_rows *rows, int column, const void *data, size_t size)
{
    *value_at(rows, column) =
        (content_value){.type = PTL_VALUE_BLOB, .data = data, .size = size};
}

ptl_status content_rows_add(content_rows *rows, ptl_error *err)
{
    ptl_status status =
        rows->operations->part_add(&rows->number, rows->part, rows->values, rows->count, err);
    content_rows_drop(rows);
    return status;
}

void content_rows_drop(content_rows *rows)
{
    memset(rows->values, 0, (size_t)rows->count * sizeof rows->values[0]);
    rows->count = 0;
}

int64_t content_rows_number(const content_rows *rows)
{
    return rows->number;
}

/* ---- contents ---- */

ptl_status store_content_clear(ptl_store *store, content_group group, int64_t content_id,
                               ptl_error *err)
{
    return of(store)->clear(store, group, content_id, err);
}

ptl_status store_content_find(content_standing *out, ptl_store *store, const char *hex,
                              ptl_error *err)
{
    *out = (content_standing){0};
    return of(store)->find(out, store, hex, err);
}

ptl_status store_content_put(ptl_store *store, content_row *row, ptl_error *err)
{
    return of(store)->put(store, row, err);
}

ptl_status store_content_keep(ptl_store *store, ptl_error *err)
{
    return of(store)->keep(store, err);
}

ptl_status store_content_seal(ptl_store *store, ptl_error *err)
{
    return of(store)->seal(store, err);
}

ptl_status store_content_check(ptl_store *store, content_problem_fn *found, void *payload,
                               ptl_error *err)
{
    return of(store)->check(store, found, payload, err);
}

ptl_status store_content_count_stale(uint64_t *out, ptl_store *store, int64_t content_id,
                                     ptl_error *err)
{
    *out = 0;
    return of(store)->count_stale(out, store, content_id, err);
}
