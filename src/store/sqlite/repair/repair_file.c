/*
 * Checks SQLite's own structure. Indexes are made anew, since they follow from their tables. A
 * damaged b-tree can't be repaired within the file; the user is told how to read what is left
 * into another file, with SQLite's shell.
 */
#include "core/error.h"
#include "core/utf8.h"
#include "core/visible.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/schema/schema_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct structure {
    uint64_t indexes, trees; /* number of problems with indexes, and with b-trees, in the lines
                              * of integrity_check */
    char first[160]; /* text of the first problem with a b-tree that integrity_check reports */
} structure;

static void note_line(void *payload, const char *line)
{
    structure *s = payload;
    static const char *const of_index[] = {"missing from index", "wrong # of entries in index",
                                           "non-unique entry in index",
                                           "values differ from index"};
    /* Lines of integrity_check about rows. They are ignored, since later steps of repair find
     * damaged rows by their checksums. */
    static const char *const of_rows[] = {"NULL value in ",    "CHECK constraint failed in ",
                                          "NUMERIC value in ", "TEXT value in ",
                                          "non-INT value in ", "non-BLOB value in "};
    for (size_t i = 0; i < sizeof of_index / sizeof *of_index; i++)
        if (strstr(line, of_index[i])) {
            s->indexes++;
            return;
        }
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
        if (strncmp(line, of_rows[i], strlen(of_rows[i])) == 0)
            return;
    if (s->trees++ == 0)
        strncat(s->first, line, sizeof s->first - 1);
}

/* Tells the user how to recover the file by hand. The message names .dump and not .recover,
 * because Debian builds SQLite's shell without what .recover needs; .dump reads what can be
 * read. */
static ptl_status not_here(const char *what, ptl_error *err)
{
    char first[100];
    const char *line = strchr(what, '\n'); /* if there are several lines, the first may be only
                                            * "*** in database main ***", so the second is
                                            * taken */
    snprintf(first, sizeof first, "%.*s", UTF8_CUT(line ? line + 1 : what, 90));
    first[strcspn(first, "\n")] = '\0';
    error_clear(err);
    return error_set(err, PTL_ERR_CORRUPT,
                     "SQLite's own structure is damaged (%s). Read what is left into a new "
                     "file with SQLite's shell (Debian: package sqlite3), then repair that: "
                     "sqlite3 OLD .dump | sed 's/^ROLLBACK.*/COMMIT;/' | sqlite3 NEW; "
                     "sqlite3 NEW 'PRAGMA application_id=%d; PRAGMA user_version=%d'; "
                     "portolan repair NEW",
                     first, (int)STORE_APPLICATION_ID, migrate_last_version());
}

/* SQLite refuses to delete a row that it does not find in an index of the table. If the schema
 * is made writable, it deletes the row all the same. */
ptl_status repair_guards(repairer *r, bool on, ptl_error *err)
{
    TRY(schema_writable(r->store, !on, err));
    return sqlite_exec(r->store, on ? "PRAGMA foreign_keys = ON" : "PRAGMA foreign_keys = OFF",
                       err);
}

static ptl_status tell_stray(void *payload, const schema_stray *stray, ptl_error *err)
{
    char where[REPAIR_WHERE_SIZE];
    snprintf(where, sizeof where, "%.20s %.*s", stray->type, UTF8_CUT(stray->name, 120));
    (void)err;
    return repair_note(payload, PTL_REPAIR_RECOMPUTED, where,
                       "the schema said that it is of table '%.*s', and it is of '%.*s'",
                       UTF8_CUT(stray->said, 60), UTF8_CUT(stray->owner, 60));
}

ptl_status repair_file(repairer *r, ptl_error *err)
{
    structure found = {0};
    ptl_status status =
        integrity_check(r->store, "PRAGMA integrity_check(1000)", note_line, &found, err);
    if (status == PTL_ERR_CORRUPT)
        return not_here(err->message, err);
    if (status == PTL_OK && found.trees > 0)
        return not_here(found.first, err);
    if (status == PTL_OK && found.indexes > 0)
        r->reindex = true;
    return status == PTL_OK ? schema_owner_walk(r->store, true, tell_stray, r, err) : status;
}

/* The rows must be right when indexes are made anew, because that fails if two rows have the
 * same unique key. */
ptl_status repair_indexes(repairer *r, ptl_error *err)
{
    ptl_error local = {0};
    if (!r->reindex)
        return PTL_OK;
    ptl_status status = sqlite_exec(r->store, "REINDEX", &local);
    if (status == PTL_OK) {
        r->reindex = false;
        return repair_note(r, PTL_REPAIR_RECOMPUTED, "file",
                           "indexes did not agree with their tables: made anew");
    }
    if ((local.backend_code & 0xff) == SQLITE_CONSTRAINT)
        return PTL_OK; /* the indexes are made anew later, after the chunks were repaired */
    if (err)
        *err = local;
    return status;
}

/* Reports and transactions of repair. What repair does is reported only after it was committed.
 * A transaction lasts half a second at most. The functions below also write table set_aside,
 * which keeps rows unchanged that could not stay in their tables. */

static const double BATCH_SECONDS = 0.5;

/* ---- reports ---- */

ptl_status repair_note(repairer *r, ptl_repair_action action, const char *where,
                       const char *format, ...)
{
    char message[PTL_ERROR_MESSAGE_SIZE], place[REPAIR_WHERE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    snprintf(place, sizeof place, "%s", where);
    visible_one_line(message); /* texts of a damaged file may hold any bytes */
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

/* A dry run commits nothing: everything stays in one open transaction, which is undone at the
 * end. */
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
        dictionary_forget(r->store); /* the dictionary cache may have names that are undone
                                      * now */
    const ptl_status ended = sqlite_exec(
        r->store, keep ? "RELEASE repair_part" : "ROLLBACK TO repair_part; RELEASE repair_part",
        status == PTL_OK ? err : NULL);
    return status == PTL_OK ? ended : status;
}

ptl_status repair_try_settle(repairer *r, bool *kept, ptl_status status, const ptl_error *why,
                             ptl_error *err)
{
    *kept = status == PTL_OK;
    if (status == PTL_ERR_EXISTS)
        status = PTL_OK;
    else if (status != PTL_OK)
        (void)error_copy(err, why);
    return repair_try_end(r, *kept, status, err);
}

void repair_world_name(char *out, size_t size, repairer *r, int64_t world_id)
{
    char *name;
    const ptl_status status = repair_world_find(&name, r, world_id, NULL);
    snprintf(out, size, "%s", name ? name : "");
    free(name);
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

/* Writes a row's key as a text for people. */
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

ptl_status repair_set_aside(repairer *r, const repair_rows *rows, const repair_row *chunk,
                            const char *reason, ptl_error *err)
{
    char name[110] = "";
    bytes data = {0}, key = {0};
    row_value v[ASIDE_COLUMN_COUNT] = {
        [ASIDE_COLUMN_FOUND] = row_text(r->found), [ASIDE_COLUMN_REASON] = row_text(reason)};
    if (chunk) {
        repair_world_name(name, sizeof name, r, repair_int(chunk, CHUNK_COLUMN_WORLD_ID));
        if (r->items.failed)
            return error_nomem(err);
        visible_one_line(name);
    }
    v[ASIDE_COLUMN_WORLD] = row_text(name);
    if (chunk && chunk->values[CHUNK_COLUMN_X].type == ROW_INTEGER &&
        chunk->values[CHUNK_COLUMN_Y].type == ROW_INTEGER) {
        v[ASIDE_COLUMN_X] = row_int(repair_int(chunk, CHUNK_COLUMN_X));
        v[ASIDE_COLUMN_Y] = row_int(repair_int(chunk, CHUNK_COLUMN_Y));
    }
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < rows->count && status == PTL_OK; i++) {
        const repair_row *row = &rows->list[i];
        const row_table *t = row_table_of(row->table);
        int64_t id = 0;
        bytes_clear(&data);
        bytes_clear(&key);
        for (int k = 0; k < t->count; k++)
            repair_put_value(&data, &row->values[k]);
        put_key(&key, row);
        const char *text = bytes_text(&key);
        if (text)
            visible_one_line((char *)key.data);
        status = !text || data.failed ? error_nomem(err)
                                      : row_new_id(&id, r->store, TABLE_ASIDE, err);
        v[ASIDE_COLUMN_ID] = row_int(id);
        v[ASIDE_COLUMN_SOURCE_TABLE] = row_text(t->name);
        v[ASIDE_COLUMN_SOURCE_KEY] = row_text(text);
        v[ASIDE_COLUMN_DATA] = row_blob(data.data, data.size);
        THEN(status, row_put(r->store, TABLE_ASIDE, v, err));
        THEN(status, repair_row_replace(r->store, row, NULL, err));
    }
    bytes_dispose(&data);
    bytes_dispose(&key);
    return status;
}

/* The functions below repair a chunk without generating anything: they derive the chunk's row
 * in table chunk from the chunk's other rows, correct single wrong bits, or set the chunk
 * aside. Each change is reported. */

static void damage_text(char out[80], unsigned bad)
{
    snprintf(out, 80, "%s%s%s%s", bad & REPAIR_BAD_ROW ? "row " : "",
             bad & REPAIR_BAD_OMTS ? "levels " : "",
             bad & REPAIR_BAD_FEATURES ? "features " : "",
             bad & REPAIR_BAD_EVENTS ? "events " : "");
    size_t length = strlen(out);
    if (length > 0)
        out[length - 1] = '\0';
    for (char *at = out; *at; at++)
        if (*at == ' ')
            *at = '+';
}

ptl_status repair_chunk_by_others(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err)
{
    bool fixed = false;
    char where[REPAIR_WHERE_SIZE];
    TRY(repair_chunk_row(r, c, &fixed, err));
    if (!fixed)
        return PTL_OK;
    repair_row key = {.table = TABLE_CHUNK, .values = {repair_integer(c->id)}};
    bool kept;
    TRY(repair_row_change(r, &key, &c->row.list[0], &kept, err));
    if (!kept)
        return PTL_OK;
    repair_chunk_where(where, r, &c->row.list[0]);
    TRY(repair_note(r, PTL_REPAIR_RECOMPUTED, where,
                    "a value of its row was wrong: the other rows say what it was"));
    return repair_chunk_check(r, c, bad, err);
}

/* Notes for the report what was done about a chunk. The note's text begins with the parts of
 * the chunk that are damaged (the bits in `bad`); then come `what` and `more`. */
static ptl_status note_chunk(repairer *r, ptl_repair_action action, const repair_chunk *c,
                             unsigned bad, const char *what, const char *more)
{
    char where[REPAIR_WHERE_SIZE], damage[80];
    repair_chunk_where(where, r, &c->row.list[0]);
    damage_text(damage, bad);
    return repair_note(r, action, where, "%s%s%s", damage, what, more);
}

ptl_status repair_made_note(repairer *r, const repair_chunk *c, unsigned bad)
{
    return bad == 0 ? PTL_OK
                    : note_chunk(r, PTL_REPAIR_MADE_AGAIN, c, bad,
                                 " damaged: the digests prove it", "");
}

ptl_status repair_chunk_by_bits(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err)
{
    const unsigned before = *bad;
    TRY(repair_try_begin(r, err));
    ptl_status status = repair_chunk_bits(r, c, bad, err);
    if (status == PTL_ERR_EXISTS) {
        error_clear(err);
        status = PTL_OK;
        *bad = before;
    }
    const bool kept = status == PTL_OK && *bad < before;
    TRY(repair_try_end(r, kept, status, err));
    if (!kept)
        return PTL_OK;
    return note_chunk(r, PTL_REPAIR_CORRECTED, c, before & ~*bad,
                      ": a value was wrong: the checksum proves what it was", "");
}

ptl_status repair_chunk_give_up(repairer *r, const repair_chunk *c, unsigned bad,
                                const char *why, ptl_error *err)
{
    char where[REPAIR_WHERE_SIZE], damage[80];
    repair_chunk now;
    repair_chunk_where(where, r, &c->row.list[0]);
    damage_text(damage, bad);
    /* The chunk's rows are read from the file again, since those in c may have bits that were
     * flipped in a try. */
    ptl_status status = repair_chunk_read(&now, r->store, c->id, err);
    if (status == PTL_OK && bad == REPAIR_BAD_EVENTS)
        status = repair_set_aside(r, &now.events, &c->row.list[0], why, err);
    else if (status == PTL_OK)
        status = repair_chunk_set_aside(r, &now, why, err);
    repair_chunk_dispose(&now);
    TRY(status);
    return repair_note(r, PTL_REPAIR_SET_ASIDE, where, "%s damaged, and %s: %s", damage, why,
                       bad == REPAIR_BAD_EVENTS ? "its events are set aside"
                       : strcmp(why, REPAIR_OTHER_CONTENT) == 0
                           ? "set aside until then"
                           : "set aside; 'generate' makes another in its place");
}

ptl_status repair_left_note(repairer *r, const repair_chunk *c, unsigned bad, const char *why)
{
    return note_chunk(r, PTL_REPAIR_UNREPAIRED, c, bad,
                      " damaged; it can't be made again now: ", why);
}

ptl_status repair_id_set_aside(repairer *r, int64_t id, const char *reason, ptl_error *err)
{
    repair_chunk now = {0};
    ptl_status status = repair_chunk_read(&now, r->store, id, err);
    THEN(status, repair_chunk_set_aside(r, &now, reason, err));
    repair_chunk_dispose(&now);
    return status;
}

/* ---- rows whose chunk does not exist ---- */

/* Finds out whether the row is a mere copy of another row of its table, whose key differs from
 * it in a single bit and whose other values are equal. Then the other row has the right key,
 * and *copy is true. */
static ptl_status is_copy(repairer *r, const repair_row *row, int key, bool *copy,
                          ptl_error *err)
{
    const row_table *t = row_table_of(row->table);
    ptl_status status = PTL_OK;
    *copy = false;
    for (int bit = 0; bit < 64 && status == PTL_OK && !*copy; bit++) {
        repair_rows found = {0};
        repair_row other = *row; /* its texts are those of *row, so it is not disposed of */
        other.values[key].word ^= UINT64_C(1) << bit;
        status = repair_row_reread(&found, r->store, &other, err);
        *copy = status == PTL_OK && found.count == 1;
        for (int i = 0; i < t->count && *copy; i++)
            *copy = i == key || repair_value_equal(&found.list[0].values[i], &row->values[i]);
        repair_rows_dispose(&found);
    }
    return status;
}

ptl_status repair_drop_copies(repairer *r, const repair_rows *rows, size_t *left,
                              ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < rows->count && status == PTL_OK; i++) {
        const repair_row *row = &rows->list[i];
        bool copy = false;
        for (int key = 0; key < row_table_of(row->table)->keys && !copy; key++)
            if (row->values[key].type == ROW_INTEGER && status == PTL_OK)
                status = is_copy(r, row, key, &copy, err);
        if (status == PTL_OK && copy)
            status = repair_row_replace(r->store, row, NULL, err);
        *left += !copy;
    }
    return status;
}

ptl_status repair_chunk_run(repairer *r, const repair_chunk *c, ptl_error *err)
{
    repair_rows made = {0};
    repair_choice runs = {.column = CHUNK_COLUMN_RUN_ID};
    repair_change change = {0};
    const repair_row key = {.table = TABLE_CHUNK, .values = {repair_integer(c->id)}};
    if (c->row.count == 0)
        return PTL_OK;
    ptl_status status = repair_row_reread(&made, r->store, &key, err);
    THEN(status, repair_choice_query(
                     &runs, r->store,
                     row_table_of(TABLE_CHUNK)->columns[CHUNK_COLUMN_RUN_ID].values, err));
    if (status == PTL_OK && made.count == 1) {
        repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &made);
        unit.stored = repair_int(&c->row.list[0], CHUNK_COLUMN_CHECKSUM);
        status = repair_unit_choose(r, &unit, &runs, 1, &change, err);
        if (status == PTL_OK && change.found) {
            made.list[0].values[CHUNK_COLUMN_CHECKSUM] = repair_integer(unit.stored);
            status = repair_row_replace(r->store, &key, &made.list[0], err);
        }
    }
    repair_rows_dispose(&made);
    repair_choice_dispose(&runs);
    return status;
}
