/*
 * Gives a query's rows to the caller without holding up writers. In rollback mode a reader
 * keeps others from committing. So while another process writes, a query reads the file only
 * for a moment; if that does not suffice, it starts again on a snapshot. Rows that were read
 * in this moment are collected and not given out, since the caller may take its time with
 * them.
 * A writer may also appear later, when rows have already been given out. Then a snapshot is
 * made before the read transaction ends, and the rows that the caller has are skipped in it.
 */
#include "os/clock.h"
#include "store/sqlite/query/query_impl.h"

#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/file/snapshot.h"

#include <stdlib.h>
#include <string.h>

enum { STMT_BYTES = 1 << 20 };
static const double MOMENT_SECONDS = 0.25, LOOK_SECONDS = 0.1, LONGEST_SECONDS = 1e9;

void query_run_begin(query_run *run, const ptl_store *store, const char *sql,
                     const ptl_query_options *options)
{
    const double limit = options->time_limit;
    *run = (query_run){.options = options, .sql = sql, .repeatable = true};
    run->started = clock_seconds();
    if (limit > 0)
        run->end = run->started + (limit < LONGEST_SECONDS ? limit : LONGEST_SECONDS);
    run->watches = options->reading == PTL_QUERY_AUTO && !store->lock.path;
    bytes_init(&run->kept.data);
}

void query_run_end(query_run *run)
{
    free(run->kept.values);
    bytes_dispose(&run->kept.data);
}

/* ---- looking for writers ---- */

/* Begins the read transaction here, since this is where others' locks are waited for. The
 * moment until the first look is counted from its beginning. */
ptl_status query_watch(query *q, ptl_error *err)
{
    query_run *run = q->run;
    if (!run->watches)
        return PTL_OK;
    ptl_status status = sqlite_begin_read(&q->reader, err);
    run->look_at = clock_seconds() + MOMENT_SECONDS;
    run->keeps = status == PTL_OK && snapshot_wanted(&q->reader, run->whom, sizeof run->whom);
    return status;
}

static bool has_to_move(query *q)
{
    query_run *run = q->run;
    if (!run->watches || clock_seconds() < run->look_at)
        return false;
    run->look_at = clock_seconds() + LOOK_SECONDS;
    if (!snapshot_wanted(&q->reader, run->whom, sizeof run->whom))
        return false;
    run->move = run->given == 0 || run->repeatable;
    run->watches = run->move;
    return run->move;
}

static bool follow(void *payload)
{
    query *q = payload;
    query_run *run = q->run;
    run->timed_out = run->end > 0 && clock_seconds() > run->end;
    return run->timed_out || has_to_move(q);
}

void query_follow(query *q)
{
    if (q->run->end > 0 || q->run->watches)
        interrupt_follow(&q->reader, follow, q);
}

/* ---- rows ---- */

static void read_value(ptl_value *out, sqlite3_stmt *s, int column)
{
    *out = (ptl_value){.type = PTL_VALUE_NULL};
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_INTEGER:
        out->type = PTL_VALUE_INTEGER;
        out->integer = sqlite3_column_int64(s, column);
        break;
    case SQLITE_FLOAT:
        out->type = PTL_VALUE_REAL;
        out->real = sqlite3_column_double(s, column);
        break;
    case SQLITE_TEXT:
        out->type = PTL_VALUE_TEXT;
        out->text = (const char *)sqlite3_column_text(s, column);
        out->size = (size_t)sqlite3_column_bytes(s, column);
        break;
    case SQLITE_BLOB:
        out->type = PTL_VALUE_BLOB;
        out->text = sqlite3_column_blob(s, column);
        out->size = (size_t)sqlite3_column_bytes(s, column);
        break;
    default:
        break;
    }
}

static ptl_status give(query_run *run, const char **names, const ptl_value *values,
                       size_t columns, ptl_error *err)
{
    const ptl_query_options *o = run->options;
    run->given++;
    if (o->on_row && !o->on_row(o->payload, columns, names, values))
        return error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
    return PTL_OK;
}

static bool has_text(const ptl_value *v)
{
    return v->type == PTL_VALUE_TEXT || v->type == PTL_VALUE_BLOB;
}

/* Collects a row, with its texts copied, instead of giving it out. When the collected rows
 * take too much memory the query moves to a snapshot. */
static ptl_status keep(query_run *run, const ptl_value *values, size_t columns, ptl_error *err)
{
    struct kept_rows *k = &run->kept;
    if (!ARRAY_ROOM(k->values, k->room, k->count + columns))
        return error_nomem(err);
    for (size_t i = 0; i < columns; i++) {
        ptl_value v = values[i];
        if (has_text(&v)) {
            v.integer = (int64_t)k->data.size;
            bytes_put(&k->data, v.text, v.size);
            bytes_put_u8(&k->data, 0);
        }
        k->values[k->count++] = v;
    }
    run->move = run->move || k->data.size + k->count * sizeof *k->values > STMT_BYTES;
    return k->data.failed ? error_nomem(err) : PTL_OK;
}

/* Gives out the collected rows. The file has been released before, so a writer can go on
 * whatever the caller does with them. */
static ptl_status give_kept(query_run *run, const char **names, size_t columns, ptl_error *err)
{
    struct kept_rows *k = &run->kept;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < k->count; i++) {
        ptl_value *v = &k->values[i];
        if (has_text(v)) {
            v->text = (const char *)k->data.data + v->integer;
            v->integer = 0;
        }
    }
    for (size_t at = 0; at < k->count && status == PTL_OK; at += columns)
        status = give(run, names, k->values + at, columns, err);
    k->count = 0;
    return status;
}

static ptl_status take_row(query *q, const char **names, ptl_value *values, size_t columns,
                           ptl_error *err)
{
    query_run *run = q->run;
    const ptl_query_options *o = run->options;
    if (run->skip > 0) {
        run->skip--;
        return PTL_OK;
    }
    if (o->row_limit > 0 && run->rows >= o->row_limit)
        return error_set(err, PTL_ERR_LIMIT, "more than %llu rows",
                         (unsigned long long)o->row_limit);
    run->rows++;
    for (size_t i = 0; i < columns; i++) {
        read_value(&values[i], q->handle, (int)i);
        run->size += sizeof(int64_t) + values[i].size;
    }
    if (o->byte_limit > 0 && run->size > o->byte_limit)
        return error_set(err, PTL_ERR_LIMIT, "more than %llu bytes",
                         (unsigned long long)o->byte_limit);
    return run->keeps ? keep(run, values, columns, err)
                      : give(run, names, values, columns, err);
}

/* Ends the statement and transaction that read the file. */
static void let_go(query *q)
{
    interrupt_follow(&q->reader, NULL, NULL);
    sqlite3_set_authorizer(q->db, NULL, NULL);
    sqlite3_reset(q->handle);
    sqlite_end_snapshot(&q->reader, true);
}

/* Steps through all rows. Collected ones are given out only after the file is released, and an
 * error of the query is returned only after these rows. */
static ptl_status run_rows(query *q, const char **names, ptl_value *values, size_t columns,
                           ptl_error *err)
{
    query_run *run = q->run;
    ptl_error ended = {0};
    for (size_t i = 0; i < columns; i++) {
        names[i] = sqlite3_column_name(q->handle, (int)i);
        if (!names[i])
            return error_nomem(err);
    }
    ptl_status status = PTL_OK;
    while (!run->move && status == PTL_OK) {
        const int code = sqlite3_step(q->handle);
        /* A virtual table may turn the interrupt into any code. */
        if (code == SQLITE_DONE || run->move)
            break;
        status = code == SQLITE_ROW ? take_row(q, names, values, columns, &ended)
                                    : query_error(q, code, &ended);
        if (status == PTL_OK)
            has_to_move(q);
    }
    if (status == PTL_OK && run->move)
        return PTL_OK;
    if (run->keeps) {
        let_go(q);
        ptl_status given = give_kept(run, names, columns, err);
        if (given != PTL_OK)
            return given;
    }
    if (status != PTL_OK && err && err->status == PTL_OK)
        *err = ended;
    return status;
}

ptl_status query_rows(query *q, ptl_error *err)
{
    const size_t columns = (size_t)sqlite3_column_count(q->handle);
    const char **names = calloc(columns + 1, sizeof *names);
    ptl_value *values = calloc(columns + 1, sizeof *values);
    ptl_status status =
        names && values ? run_rows(q, names, values, columns, err) : error_nomem(err);
    free(names);
    free(values);
    return status;
}

/* ---- the snapshot ---- */

static bool tell(query_run *run, uint64_t done, uint64_t total, bool ready)
{
    const ptl_query_options *o = run->options;
    const ptl_query_snapshot now = {.size = sizeof now,
                                    .done = done,
                                    .total = total,
                                    .seconds = clock_seconds() - run->started,
                                    .whom = run->whom[0] ? run->whom : NULL,
                                    .ready = ready};
    return !o->on_snapshot || o->on_snapshot(o->payload, &now);
}

static bool on_progress(void *payload, const ptl_backup_progress *p)
{
    query_run *run = payload;
    run->timed_out = run->end > 0 && clock_seconds() > run->end;
    return !run->timed_out && tell(run, p->done, p->total, false);
}

/* The read transaction stays open if rows were given out, since the snapshot must then be of
 * the same moment. Otherwise everything begins anew, and collected rows are dropped. */
ptl_status query_snapshot(sqlite3 **out, query *q, ptl_error *err)
{
    query_run *run = q->run;
    ptl_error why = {0};
    uint64_t size = 0;
    const snapshot_settings settings = {.folder = run->options->folder,
                                        .held = run->given > 0,
                                        .on_progress = on_progress,
                                        .payload = run};
    run->move = run->watches = false;
    run->skip = run->given;
    if (run->given > 0)
        interrupt_follow(&q->reader, NULL, NULL);
    else
        let_go(q);
    if (run->given == 0) {
        run->kept.count = 0;
        run->kept.data.size = 0;
        run->keeps = false;
        run->rows = run->size = 0;
    }
    ptl_status status = PTL_ERR_CANCELLED;
    if (journal_file_has_wal(&q->reader) || tell(run, 0, 0, false))
        status = snapshot_open(out, &size, &q->reader, &settings, &why);
    if (status == PTL_OK && *out && !tell(run, size, size, true))
        status = error_set(&why, PTL_ERR_CANCELLED, "stopped by the caller");
    if (status == PTL_OK)
        return status;
    if (run->timed_out)
        return error_set(err, PTL_ERR_LIMIT,
                         "the query passed its time limit while its snapshot was copied");
    return status == PTL_ERR_CANCELLED ? error_set(err, status, "stopped by the caller")
                                       : error_copy(err, &why);
}
