/*
 * ptl_arrow_query_stream, and all other streams over rows of SQL. The query is read by a cursor
 * (store/store.h), which pauses when a batch is full.
 */
#include "columns/rows.h"

#include "core/arena.h"
#include "core/sized.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH_ROWS = 65536 };

typedef struct rows {
    arena *texts; /* owned: what the query borrows */
    query_cursor *cursor;
    column_spec *named; /* owned; NULL: the caller has given the columns */
    const column_spec *specs;
    size_t count, batch_rows;
    bool (*on_snapshot)(void *payload, const ptl_query_snapshot *snapshot);
    void *payload;
    const query_operations *operations;
    bool ended;
    /* Of the batch that is being filled. */
    column_data *columns;
    ptl_status failed;
    ptl_error *err;
} rows;

static void rows_free(void *state)
{
    rows *r = state;
    if (!r)
        return;
    if (r->cursor)
        r->operations->close(r->cursor);
    arena_free(r->texts);
    free(r->named);
    free(r);
}

/* Takes a row, and says whether the batch has room for another one. */
static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    rows *r = payload;
    size_t size = 0;
    (void)names;
    for (size_t i = 0; i < columns && r->failed == PTL_OK; i++) {
        r->failed = column_put(&r->columns[i], &r->specs[i], &values[i], r->err);
        size += r->columns[i].texts.size;
    }
    return r->failed == PTL_OK && r->columns[0].rows < r->batch_rows &&
           size < COLUMN_TEXT_BYTES;
}

static bool on_snapshot(void *payload, const ptl_query_snapshot *snapshot)
{
    const rows *r = payload;
    return !r->on_snapshot || r->on_snapshot(r->payload, snapshot);
}

static ptl_status rows_fill(void *state, column_data *columns, ptl_error *err)
{
    rows *r = state;
    bool more = false;
    if (r->ended)
        return PTL_OK;
    r->columns = columns;
    r->err = err;
    TRY(r->operations->next(r->cursor, &more, err));
    r->ended = !more;
    return r->failed;
}

/* ---- opening ---- */

static const ptl_query_parameter *copy_parameters(rows *r, const ptl_query_options *query)
{
    const size_t count = query->parameter_count;
    ptl_query_parameter *copy = arena_alloc(r->texts, (count + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++) {
        ptl_query_parameter *p = &copy[i];
        *p = query->parameters[i];
        if (p->name && !(p->name = arena_strdup(r->texts, p->name)))
            return NULL;
        const bool text = p->value.type == PTL_VALUE_TEXT || p->value.type == PTL_VALUE_BLOB;
        if (text && p->value.text &&
            !(p->value.text = arena_strndup(r->texts, p->value.text, p->value.size)))
            return NULL;
    }
    return copy;
}

/* Takes the names of the columns from the query; their types are open. */
static ptl_status name_columns(rows *r, ptl_error *err)
{
    const char *const *names = r->operations->names(r->cursor, &r->count);
    r->named = calloc(r->count + 1, sizeof *r->named);
    if (!r->named)
        return error_nomem(err);
    for (size_t i = 0; i < r->count; i++) {
        const char *name = arena_strdup(r->texts, names[i]);
        if (!name)
            return error_nomem(err);
        r->named[i] = (column_spec){.name = name, .type = COLUMN_OPEN, .nullable = true};
    }
    r->specs = r->named;
    return r->count > 0
               ? PTL_OK
               : error_set(err, PTL_ERR_ARGUMENT, "the statement's result has no columns");
}

static ptl_status prepare(rows *r, ptl_store *store, const char *sql,
                          const ptl_query_options *query, ptl_error *err)
{
    ptl_query_options o = *query;
    r->texts = arena_new();
    if (!r->texts)
        return error_nomem(err);
    const char *copy = arena_strdup(r->texts, sql);
    o.parameters = copy_parameters(r, query);
    if (!copy || !o.parameters)
        return error_nomem(err);
    o.on_row = on_row;
    o.on_snapshot = on_snapshot;
    o.payload = r;
    TRY(r->operations->open(&r->cursor, store, copy, &o, err));
    return r->specs ? PTL_OK : name_columns(r, err);
}

ptl_status rows_expect_sql(const ptl_store *store, ptl_error *err)
{
    return ops(store)->query ? PTL_OK
                             : error_set(err, PTL_ERR_UNSUPPORTED, "a store in %s has no SQL",
                                         ops(store)->name);
}

ptl_status rows_open(struct ArrowArrayStream *out, ptl_store *store, const char *sql,
                     const ptl_query_options *query, const column_spec *specs, size_t count,
                     const schema_note notes[STREAM_NOTES], const ptl_arrow_options *options,
                     ptl_error *err)
{
    static const stream_kind kind = {.fill = rows_fill, .free = rows_free};
    rows *r = calloc(1, sizeof *r);
    if (!r)
        return error_nomem(err);
    r->operations = ops(store)->query;
    r->specs = specs;
    r->count = count;
    r->batch_rows = options->batch_rows > 0 ? options->batch_rows : BATCH_ROWS;
    r->on_snapshot = query->on_snapshot;
    r->payload = query->payload;
    const ptl_status status = prepare(r, store, sql, query, err);
    if (status != PTL_OK) {
        rows_free(r);
        return status;
    }
    stream_setup setup = {
        .kind = &kind, .state = r, .specs = r->specs, .count = r->count, .options = options};
    memcpy(setup.notes, notes, sizeof setup.notes);
    return stream_open(out, &setup, err);
}

ptl_status ptl_arrow_query_stream(struct ArrowArrayStream *out, ptl_store *store,
                                  const char *sql, const ptl_query_options *query,
                                  const ptl_arrow_options *options, ptl_error *err)
{
    const schema_note notes[STREAM_NOTES] = {{"portolan", ptl_version()}};
    ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
    ptl_query_options q = PTL_QUERY_OPTIONS_INIT;
    out->release = NULL;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_arrow_options, &o, options, err));
    TRY(stream_check_options(&o, err));
    TRY(rows_expect_sql(store, err));
    TRY(SIZED_TAKE(ptl_query_options, &q, query, err));
    if (q.on_row)
        return error_set(err, PTL_ERR_ARGUMENT, "a stream of a query takes no on_row");
    return rows_open(out, store, sql, &q, NULL, 0, notes, &o, err);
}
