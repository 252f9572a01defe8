/*
 * What repair reports, and its transactions: something is reported only after it was
 * committed, and a batch lasts half a second at most. It also handles table set_aside, which
 * keeps rows unchanged that had to leave their tables.
 */
#include "core/digest.h"
#include "core/error.h"
#include "core/visible.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const double BATCH_SECONDS = 0.5;

/* ---- telling ---- */

ptl_status repair_note(repairer *r, ptl_repair_action action, const char *where,
                       const char *format, ...)
{
    char message[PTL_ERROR_MESSAGE_SIZE], place[REPAIR_WHERE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    snprintf(place, sizeof place, "%s", where);
    visible_one_line(message); /* texts of a damaged file may hold anything */
    visible_one_line(place);
    uint64_t *const counts[] = {[PTL_REPAIR_CORRECTED] = &r->report.corrected,
                                [PTL_REPAIR_MADE_AGAIN] = &r->report.made_again,
                                [PTL_REPAIR_RECOMPUTED] = &r->report.recomputed,
                                [PTL_REPAIR_SET_ASIDE] = &r->report.set_aside,
                                [PTL_REPAIR_UNREPAIRED] = &r->report.unrepaired};
    ++*counts[action];
    bytes_put_u8(&r->items, (uint8_t)action);
    bytes_put(&r->items, place, strlen(place) + 1);
    bytes_put(&r->items, message, strlen(message) + 1);
    return r->items.failed ? PTL_ERR_NOMEM : PTL_OK;
}

/* A dry run commits nothing: everything stays in one open transaction. */
ptl_status repair_breathe(repairer *r, bool now, ptl_error *err)
{
    if (!now && r->clock() - r->batch_started < BATCH_SECONDS)
        return PTL_OK;
    if (r->items.failed)
        return error_nomem(err);
    if (!r->options->dry_run)
        TRY(sqlite_commit(r->store, err));
    const char *at = (const char *)r->items.data;
    const char *end = at ? at + r->items.size : at;
    while (at < end) {
        ptl_repair_item item = {
            .size = sizeof item, .action = (ptl_repair_action)*at, .where = at + 1};
        item.message = item.where + strlen(item.where) + 1;
        at = item.message + strlen(item.message) + 1;
        if (r->options->on_item)
            r->options->on_item(r->options->payload, &item);
    }
    bytes_clear(&r->items);
    double seconds = r->clock() - r->started;
    const ptl_progress progress = {.size = sizeof progress,
                                   .done = r->done,
                                   .total = r->total,
                                   .seconds = seconds,
                                   .rate = seconds > 0 ? (double)r->done / seconds : 0};
    if (r->options->on_progress && !r->options->on_progress(r->options->payload, &progress))
        return error_set(err, PTL_ERR_CANCELLED, "stopped; what was repaired stays");
    r->batch_started = r->clock();
    return r->options->dry_run ? PTL_OK : sqlite_begin(r->store, err);
}

ptl_status repair_try_begin(repairer *r, ptl_error *err)
{
    return sqlite_exec(r->store, "SAVEPOINT repair_part", err);
}

ptl_status repair_try_end(repairer *r, bool keep, ptl_status status, ptl_error *err)
{
    if (!keep)
        dictionary_forget(r->store); /* the cache may know names that are now undone */
    const ptl_status ended = sqlite_exec(
        r->store, keep ? "RELEASE repair_part" : "ROLLBACK TO repair_part; RELEASE repair_part",
        status == PTL_OK ? err : NULL);
    return status == PTL_OK ? ended : status;
}

void repair_world_name(char *out, size_t size, repairer *r, int64_t world_id)
{
    stmt *s = NULL;
    bool row = false;
    out[0] = '\0';
    ptl_status status = stmt_prepare(&s, r->store, "SELECT name FROM world WHERE id = ?", NULL);
    if (status == PTL_OK) {
        stmt_bind_int(s, 1, world_id);
        status = stmt_step(s, &row, NULL);
    }
    if (status == PTL_OK && row) {
        snprintf(out, size, "%s", stmt_text(s, 0));
        status = stmt_had_memory(s, NULL);
    }
    stmt_free(s);
    r->items.failed = r->items.failed || status == PTL_ERR_NOMEM;
}

void repair_chunk_where(char out[REPAIR_WHERE_SIZE], repairer *r, const repair_row *chunk)
{
    char name[110];
    repair_world_name(name, sizeof name, r, repair_int(chunk, CHUNK_COLUMN_WORLD_ID));
    snprintf(out, REPAIR_WHERE_SIZE, "world '%s', chunk %" PRId64 ",%" PRId64, name,
             repair_int(chunk, CHUNK_COLUMN_X), repair_int(chunk, CHUNK_COLUMN_Y));
}

/* ---- table set_aside ---- */

/* Writes a row's key for people to read. */
static void put_key(bytes *b, const repair_row *row)
{
    double real;
    for (int i = 0; i < row_table_of(row->table)->keys; i++) {
        const repair_value *v = &row->values[i];
        if (i > 0)
            bytes_put_u8(b, ',');
        if (v->type == ROW_INTEGER)
            bytes_printf(b, "%" PRId64, repair_int(row, i));
        else if (v->type == ROW_REAL) {
            memcpy(&real, &v->word, sizeof real);
            bytes_printf(b, "%.17g", real);
        } else if (v->type == ROW_NULL)
            bytes_put_text(b, "NULL");
        else
            bytes_printf(b, "%.*s", v->size < 100 ? (int)v->size : 100, (const char *)v->data);
    }
}

typedef struct aside {
    const char *found, *table, *key, *world, *reason;
    bool placed;
    int64_t x, y;
    const bytes *data;
} aside;

static ptl_status insert_aside(repairer *r, const aside *a, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_ASIDE);
    int64_t id = 0;
    TRY(row_new_id(&id, r->store, STMT_ASIDE_NEXT_ID, t->name, err));
    row_value v[ASIDE_COLUMN_COUNT] = {[ASIDE_COLUMN_ID] = row_int(id),
                                       [ASIDE_COLUMN_FOUND] = row_text(a->found),
                                       [ASIDE_COLUMN_SOURCE_TABLE] = row_text(a->table),
                                       [ASIDE_COLUMN_SOURCE_KEY] = row_text(a->key),
                                       [ASIDE_COLUMN_WORLD] = row_text(a->world),
                                       [ASIDE_COLUMN_REASON] = row_text(a->reason),
                                       [ASIDE_COLUMN_DATA] =
                                           row_blob(a->data->data, a->data->size)};
    if (a->placed) {
        v[ASIDE_COLUMN_X] = row_int(a->x);
        v[ASIDE_COLUMN_Y] = row_int(a->y);
    }
    TRY(row_seal(v, t, &r->scratch, err));
    return row_insert(r->store, STMT_ASIDE_INSERT, t, v, err);
}

ptl_status repair_set_aside(repairer *r, const repair_rows *rows, const repair_row *chunk,
                            const char *reason, ptl_error *err)
{
    char name[110] = "";
    bytes data, key;
    bytes_init(&data);
    bytes_init(&key);
    aside a = {.found = r->found, .world = name, .reason = reason, .data = &data};
    if (chunk) {
        repair_world_name(name, sizeof name, r, repair_int(chunk, CHUNK_COLUMN_WORLD_ID));
        if (r->items.failed)
            return error_nomem(err);
        visible_one_line(name);
        a.placed = chunk->values[CHUNK_COLUMN_X].type == ROW_INTEGER &&
                   chunk->values[CHUNK_COLUMN_Y].type == ROW_INTEGER;
        a.x = repair_int(chunk, CHUNK_COLUMN_X);
        a.y = repair_int(chunk, CHUNK_COLUMN_Y);
    }
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < rows->count && status == PTL_OK; i++) {
        const repair_row *row = &rows->list[i];
        const row_table *t = row_table_of(row->table);
        bytes_clear(&data);
        bytes_clear(&key);
        for (int k = 0; k < t->count; k++)
            repair_put_value(&data, &row->values[k]);
        put_key(&key, row);
        a.table = t->name;
        a.key = bytes_text(&key);
        if (a.key)
            visible_one_line((char *)key.data);
        status = !a.key || data.failed ? error_nomem(err) : insert_aside(r, &a, err);
        THEN(status, repair_row_replace(r->store, row, NULL, err));
    }
    bytes_dispose(&data);
    bytes_dispose(&key);
    return status;
}
