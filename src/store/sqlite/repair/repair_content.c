/*
 * Repairs tables of the content, then rows that have a checksum of their own and belong to no
 * chunk or edge.
 * A wrong bit in a table of the content is searched for. Since all rows of such a table have
 * only one checksum together, each bit of each value is flipped until the checksum is right.
 * The rows before the changed row are hashed once, the rows after it with each try; so the time
 * grows with the square of the table's size. Tables for which more than TABLE_BYTES_MAX would
 * be hashed are not tried; an import writes them anew.
 */
#include "core/array.h"
#include "core/digest.h"
#include "core/error.h"
#include "core/utf8.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most bytes that may be hashed while one table is searched for a wrong bit. To hash so
 * many takes about a minute. */
#define TABLE_BYTES_MAX (UINT64_C(1) << 36)

enum { NAME_SIZE = 64 };

typedef struct content_rows {
    repairer *r;
    const content_table *table;
    repair_value *values; /* owned; the values of all rows, row by row */
    /* How many elements of `values` are used, and how many there is room for. */
    size_t count, room;
    int columns;
    char names[CONTENT_COLUMNS_MAX][NAME_SIZE];
    int keys[CONTENT_COLUMNS_MAX], key_count; /* indices of the primary key's columns, in the
                                               * key's order */
    int64_t row_count, stored; /* the number of rows and the checksum that content_checksum has
                                * for the table */
    bytes flat;    /* all rows, one after the other, in the form in which they are hashed */
    size_t *at;    /* owned; offset of each row in `flat`, in bytes, followed by the size of
                    * `flat` */
    bytes scratch; /* the changed row that is being tried, in the form in which it is hashed */
    digest_state before;
} content_rows;

static size_t rows_of(const content_rows *t)
{
    return t->columns > 0 ? t->count / (size_t)t->columns : 0;
}

static repair_value *row_at(const content_rows *t, size_t row)
{
    return &t->values[row * (size_t)t->columns];
}

/* ---- reading a table ---- */

static ptl_status read_columns(content_rows *t, ptl_error *err)
{
    stmt *s;
    ptl_status status = stmt_prepare(
        &s, t->r->store, "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", err);
    stmt_bind_text(s, 1, t->table->name);
    while (stmt_row(s, &status, err)) {
        if (t->columns == CONTENT_COLUMNS_MAX) {
            status = error_set(err, PTL_ERR_INTERNAL, "%s has many columns", t->table->name);
            break;
        }
        const int64_t key = stmt_int(s, 1);
        snprintf(t->names[t->columns], NAME_SIZE, "%s", stmt_text(s, 0));
        if (key > 0 && key <= CONTENT_COLUMNS_MAX) {
            t->keys[key - 1] = t->columns;
            t->key_count++;
        }
        t->columns++;
    }
    stmt_free(s);
    return status;
}

/* Reads all values, and appends them to `flat` in the form in which they are hashed. */
static ptl_status read_rows(content_rows *t, ptl_error *err)
{
    stmt *s;
    size_t rows = 0, offsets = 0;
    ptl_status status = content_table_prepare(&s, t->r->store, t->table, err);
    bool failed = status == PTL_OK && !ARRAY_ROOM_ZEROED(t->at, offsets, 1);
    while (!failed && stmt_row(s, &status, err)) {
        failed = !ARRAY_ROOM(t->at, offsets, rows + 2) ||
                 !ARRAY_ROOM(t->values, t->room, t->count + (size_t)t->columns);
        for (int i = 0; i < t->columns && !failed; i++) {
            repair_value_take(&t->values[t->count], s, i, &failed);
            repair_put_value(&t->flat, &t->values[t->count++]);
        }
        if (!failed)
            t->at[++rows] = t->flat.size;
    }
    stmt_free(s);
    return failed || t->flat.failed ? error_nomem(err) : status;
}

/* ---- computing the table's checksum ---- */

static void begin_hash(digest_state *state, content_rows *t)
{
    rowsum_begin(&t->scratch, t->table->name);
    digest_init(state);
    digest_update(state, t->scratch.data, t->scratch.size);
}

static void hash_rows(digest_state *state, const content_rows *t, size_t from, size_t to)
{
    if (t->at[to] > t->at[from]) /* without rows t->flat.data may be NULL */
        digest_update(state, t->flat.data + t->at[from], t->at[to] - t->at[from]);
}

static int64_t end_hash(digest_state *state)
{
    digest d;
    digest_final(state, &d);
    return (int64_t)bytes_load_u64(d.bytes);
}

/* Orders values as SQLite does: numbers, then texts, then blobs; texts and blobs by their
 * bytes. */
static int compare_values(const repair_value *a, const repair_value *b)
{
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    if (a->type == ROW_INTEGER || a->type == ROW_REAL) {
        int64_t x, y;
        memcpy(&x, &a->word, sizeof x);
        memcpy(&y, &b->word, sizeof y);
        return (x > y) - (x < y);
    }
    const size_t least = a->size < b->size ? a->size : b->size;
    const int order = least > 0 ? memcmp(a->data, b->data, least) : 0;
    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

static int compare_rows(const content_rows *t, size_t a, size_t b)
{
    int order = 0;
    for (int i = 0; i < t->key_count && order == 0; i++)
        order = compare_values(&row_at(t, a)[t->keys[i]], &row_at(t, b)[t->keys[i]]);
    return order;
}

/* Returns the index that the row has when the rows are sorted by their keys. It differs from
 * `row` if the search for a wrong bit has changed the row's key. */
static size_t place_of(const content_rows *t, size_t row)
{
    size_t place = row;
    while (place > 0 && compare_rows(t, row, place - 1) < 0)
        place--;
    if (place < row)
        return place;
    while (place + 1 < rows_of(t) && compare_rows(t, row, place + 1) > 0)
        place++;
    return place;
}

/* Computes the checksum that the table would have if this row had its present values in memory,
 * of which the search for a wrong bit may have changed some, and if all other rows were as they
 * were read. */
static int64_t sum_with(content_rows *t, size_t row)
{
    const size_t place = place_of(t, row), rows = rows_of(t);
    /* Whether the row, with its changed values, is sorted before its former place. */
    const bool back = place < row;
    digest_state state = t->before;
    if (back)
        begin_hash(&state, t);
    bytes_clear(&t->scratch);
    for (int i = 0; i < t->columns; i++)
        repair_put_value(&t->scratch, &row_at(t, row)[i]);
    hash_rows(&state, t, back ? 0 : row + 1, back ? place : place + 1);
    digest_update(&state, t->scratch.data, t->scratch.size);
    if (back)
        hash_rows(&state, t, place, row);
    hash_rows(&state, t, back ? row + 1 : place + 1, rows);
    return end_hash(&state);
}

/* ---- the search for a wrong bit ---- */

static ptl_status try_row(content_rows *t, size_t row, bool *found, ptl_error *err)
{
    *found = sum_with(t, row) == t->stored;
    return t->scratch.failed ? error_nomem(err)
                             : repair_hashed(t->r, t->flat.size - t->at[row], err);
}

static bool is_number(const repair_value *v)
{
    return v->type == ROW_INTEGER || v->type == ROW_REAL;
}

/* The sign bits of the integers of fewer than 64 bits that SQLite stores. If such a bit is
 * flipped in the file, the 64-bit value differs in this bit and all higher ones. */
static const int sign_bits[] = {7, 15, 23, 31, 47};
enum { SIGNS = sizeof sign_bits / sizeof *sign_bits };

/* Returns how many changes of a value are tried. All but the last flip one bit of the value.
 * The last one keeps the value's bytes and gives it another type: the one that it would get if
 * one bit in the header of SQLite's record were flipped. */
static size_t tries_of(const repair_value *v)
{
    return v->type == ROW_NULL ? 0 : is_number(v) ? 64 + SIGNS + 1 : 8 * v->size + 1;
}

static void turn(repair_value *v, size_t which)
{
    static const row_type others[] = {[ROW_INTEGER] = ROW_REAL,
                                      [ROW_REAL] = ROW_INTEGER,
                                      [ROW_TEXT] = ROW_BLOB,
                                      [ROW_BLOB] = ROW_TEXT};
    if (which + 1 == tries_of(v))
        v->type = others[v->type];
    else if (!is_number(v))
        v->data[which / 8] ^= (uint8_t)(1u << which % 8);
    else if (which < 64)
        v->word ^= UINT64_C(1) << which;
    else
        v->word ^= UINT64_MAX << sign_bits[which - 64];
}

static ptl_status try_value(content_rows *t, size_t row, int column, bool *found,
                            ptl_error *err)
{
    repair_value *v = &row_at(t, row)[column];
    const size_t tries = tries_of(v);
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < tries && status == PTL_OK; i++) {
        turn(v, i);
        status = try_row(t, row, found, err);
        if (*found && status == PTL_OK)
            return PTL_OK;
        turn(v, i);
    }
    return status;
}

static bool affords(const content_rows *t)
{
    uint64_t cost = 0;
    for (size_t row = 0; row < rows_of(t); row++)
        for (int i = 0; i < t->columns; i++)
            cost += tries_of(&row_at(t, row)[i]) * (t->flat.size - t->at[row]);
    return cost <= TABLE_BYTES_MAX && cost <= repair_bytes_left(t->r);
}

/* Writes the corrected value by "UPDATE t SET c = ? WHERE k1 IS ? AND ..". `was` is the value
 * that the file has: if the column belongs to the key, the WHERE clause must name this value to
 * find the row. */
static ptl_status write_value(const content_rows *t, bool *found, size_t row, int column,
                              const repair_value *was, ptl_error *err)
{
    bytes sql = {0};
    stmt *s = NULL;
    bytes_printf(&sql, "UPDATE \"%s\" SET \"%s\" = ?1", t->table->name, t->names[column]);
    for (int i = 0; i < t->key_count; i++)
        bytes_printf(&sql, " %s \"%s\" IS ?%d", i > 0 ? "AND" : "WHERE", t->names[t->keys[i]],
                     i + 2);
    const char *text = bytes_text(&sql);
    ptl_status status = text ? stmt_prepare(&s, t->r->store, text, err) : error_nomem(err);
    for (int i = -1; i < t->key_count && status == PTL_OK; i++) {
        const int from = i < 0 ? column : t->keys[i];
        repair_value_bind(s, i + 2, i >= 0 && from == column ? was : &row_at(t, row)[from]);
    }
    THEN(status, stmt_run(s, err));
    *found = status == PTL_OK && sqlite3_changes(t->r->store->db) == 1;
    stmt_free(s);
    bytes_dispose(&sql);
    return status;
}

/* Tries to correct one value after the other, row by row, until the table's checksum is right.
 * The hash of the rows before the present row is kept in t->before, so that it is not computed
 * again. */
static ptl_status search(content_rows *t, bool *found, ptl_error *err)
{
    ptl_status status = PTL_OK;
    begin_hash(&t->before, t);
    for (size_t row = 0; row < rows_of(t) && status == PTL_OK && !*found; row++) {
        for (int i = 0; i < t->columns && status == PTL_OK && !*found; i++) {
            repair_value was;
            status = repair_value_copy(&was, &row_at(t, row)[i], err);
            THEN(status, try_value(t, row, i, found, err));
            if (status == PTL_OK && *found)
                status = write_value(t, found, row, i, &was, err);
            repair_value_dispose(&was);
        }
        hash_rows(&t->before, t, row, row + 1);
    }
    return status;
}

/* ---- repairing tables of the content ---- */

/* Repairs a table of the content. Table content_checksum has the number of the table's rows and
 * their checksum. If one of these two values agrees with the rows, the rows are right, and a
 * value that disagrees is itself damaged. */
static ptl_status mend(content_rows *t, bool *found, ptl_error *err)
{
    digest_state state;
    const int64_t rows = (int64_t)rows_of(t);
    begin_hash(&state, t);
    hash_rows(&state, t, 0, rows_of(t));
    const int64_t sum = end_hash(&state);
    if (sum == t->stored && rows == t->row_count)
        return PTL_OK;
    const uint64_t wrong = (uint64_t)sum ^ (uint64_t)t->stored;
    *found = (rows == t->row_count && (wrong & (wrong - 1)) == 0) || wrong == 0;
    if (*found) {
        stmt *s;
        ptl_status status =
            stmt_query(&s, t->r->store,
                       "UPDATE content_checksum SET row_count = ?, checksum = ? WHERE name = ?",
                       STMT_VALUES(rows, sum), err);
        stmt_bind_text(s, 3, t->table->name);
        THEN(status, stmt_run(s, err));
        stmt_free(s);
        return status;
    }
    return rows == t->row_count && affords(t) ? search(t, found, err) : PTL_OK;
}

static ptl_status repair_table(repairer *r, const content_table *table, ptl_error *err)
{
    content_rows t = {.r = r, .table = table};
    char where[REPAIR_WHERE_SIZE];
    bool found = false;
    stmt *s;
    ptl_status status = stmt_prepare(
        &s, t.r->store, "SELECT row_count, checksum FROM content_checksum WHERE name = ?", err);
    stmt_bind_text(s, 1, t.table->name);
    const bool there = stmt_row(s, &status, err);
    if (there) {
        t.row_count = stmt_int(s, 0);
        t.stored = stmt_int(s, 1);
    }
    stmt_free(s);
    if (there) {
        status = read_columns(&t, err);
        THEN(status, read_rows(&t, err));
        THEN(status, mend(&t, &found, err));
    }
    for (size_t i = 0; i < t.count; i++)
        repair_value_dispose(&t.values[i]);
    free(t.values);
    free(t.at);
    bytes_dispose(&t.flat);
    bytes_dispose(&t.scratch);
    if (status != PTL_OK || !found)
        return status;
    snprintf(where, sizeof where, "table %s", table->name);
    return repair_note(r, PTL_REPAIR_CORRECTED, where,
                       "a value was wrong: the table's checksum proves what it was");
}

/* A table that can't be read is skipped here. repair_name_rest reports it later. */
ptl_status repair_content(repairer *r, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++) {
        ptl_error local = {0};
        status = repair_table(r, t, &local);
        if (status == PTL_ERR_CORRUPT)
            status = PTL_OK;
        else if (status != PTL_OK)
            status = error_copy(err, &local);
        THEN(status, repair_breathe(r, false, err));
    }
    return status;
}

/* ---- rows that stand alone and have a checksum of their own ---- */

/* Damaged rows are listed first and repaired afterwards, because a table must not change while
 * it is read. */

/* Lists the keys of all rows of a table whose checksums are wrong. */
static ptl_status list_damaged(repair_rows *out, repairer *r, row_table_id table,
                               ptl_error *err)
{
    const row_table *t = row_table_of(table);
    stmt *s;
    ptl_status status = stmt_prepare(&s, r->store, t->all, err);
    while (stmt_row(s, &status, err)) {
        bool good = true;
        repair_row *row = repair_row_take(out, s, table);
        status = row ? repair_row_good(row, &r->scratch, &good, err) : error_nomem(err);
        /* Only the keys of damaged rows are kept; a sound row, or a value that is not part of
         * the key, is dropped again. */
        for (int i = good ? 0 : t->keys; row && i < t->count; i++)
            repair_value_dispose(&row->values[i]);
        out->count -= row && good;
    }
    stmt_free(s);
    return status;
}

/* ---- repairing one row ---- */

/* Returns true if damaged rows of the table are repaired by later steps. Rows of chunks,
 * levels, packs and events with more than a single wrong bit are repaired with their chunk;
 * overmaps of sweeps, local maps, local tides, spills and what games save by
 * repair_lone_rows. */
static bool is_for_later(row_table_id table)
{
    return table == TABLE_LEVEL || table == TABLE_PACK || table == TABLE_EVENT ||
           table == TABLE_CHUNK || table == TABLE_SWEEP_CHUNK || table == TABLE_MAP ||
           table == TABLE_SURGE || table == TABLE_SPILL || table == TABLE_EDIT ||
           table == TABLE_PLACED || table == TABLE_NOTE || table == TABLE_MARK ||
           table == TABLE_FACT;
}

/* Sets aside the row with this key. */
static ptl_status set_key_aside(repairer *r, const repair_row *key, const char *reason,
                                ptl_error *err)
{
    repair_rows rows = {0};
    ptl_status status = repair_row_reread(&rows, r->store, key, err);
    THEN(status, repair_set_aside(r, &rows, NULL, reason, err));
    repair_rows_dispose(&rows);
    return status;
}

static ptl_status tell_row(repairer *r, const repair_row *key, const repair_change *change,
                           bool kept, ptl_error *err)
{
    char where[REPAIR_WHERE_SIZE];
    const row_table *t = row_table_of(key->table);
    if (t->keys == 1)
        snprintf(where, REPAIR_WHERE_SIZE, "table %s, row %" PRId64, t->name,
                 repair_int(key, 0));
    else
        snprintf(where, REPAIR_WHERE_SIZE, "table %s, row %" PRId64 ",%" PRId64, t->name,
                 repair_int(key, 0), repair_int(key, 1));
    if (kept)
        return repair_note(r, PTL_REPAIR_CORRECTED, where,
                           "%s was wrong: the checksum proves what it was",
                           t->checksum == change->column ? "its checksum" : "a value");
    if (is_for_later(key->table))
        return PTL_OK;
    if (key->table == TABLE_PAST) {
        /* Sets aside a damaged earlier content. Without it, worlds of that content are read
         * with the present content. */
        TRY(set_key_aside(r, key, "its checksum fails", err));
        return repair_note(
            r, PTL_REPAIR_SET_ASIDE, where,
            "definitions of an earlier content are damaged; importing that content "
            "once more, and then the present one, keeps them anew");
    }
    return repair_note(r, PTL_REPAIR_UNREPAIRED, where, "damaged; %s",
                       change->skipped ? "it is too large for each of its bits to be tried"
                                       : "nothing in the file says what it was");
}

static ptl_status repair_row_of(repairer *r, const repair_row *key, ptl_error *err)
{
    repair_rows rows = {0};
    repair_change change = {0};
    bool kept = false;
    ptl_status status = repair_row_reread(&rows, r->store, key, err);
    if (status == PTL_OK && rows.count == 1) {
        repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &rows);
        bool long_one =
            key->table == TABLE_LEVEL || key->table == TABLE_PACK || key->table == TABLE_PAST;
        const int columns = long_one ? row_table_of(key->table)->keys : ROW_COLUMNS_MAX;
        status = repair_unit_flip(r, &unit, columns, &change, err);
        /* A row of table chunk is not tried here but later, together with the chunk's other
         * rows. */
        if (status == PTL_OK && !change.found && key->table != TABLE_CHUNK) {
            repair_choice choices[ROW_COLUMNS_MAX];
            repair_unit_choose_listed(&status, r, &unit, choices, 0, &change, err);
        }
        if (status == PTL_OK && change.found)
            status = repair_row_change(r, key, &rows.list[0], &kept, err);
        THEN(status, tell_row(r, key, &change, kept, err));
    }
    repair_rows_dispose(&rows);
    return status;
}

ptl_status repair_tables(repairer *r, ptl_error *err)
{
    static const row_table_id order[] = {
        TABLE_OTER,        TABLE_NAME,   TABLE_WORLD, TABLE_RUN,   TABLE_CHUNK,
        TABLE_LEVEL,       TABLE_PACK,   TABLE_EVENT, TABLE_ASIDE, TABLE_SWEEP,
        TABLE_SWEEP_CHUNK, TABLE_PAST,   TABLE_MAP,   TABLE_SURGE, TABLE_SPILL,
        TABLE_EDIT,        TABLE_PLACED, TABLE_NOTE,  TABLE_MARK,  TABLE_FACT};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof order / sizeof *order && status == PTL_OK; i++) {
        repair_rows keys = {0};
        status = list_damaged(&keys, r, order[i], err);
        for (size_t k = 0; k < keys.count && status == PTL_OK; k++) {
            status = repair_row_of(r, &keys.list[k], err);
            THEN(status, repair_breathe(r, false, err));
        }
        repair_rows_dispose(&keys);
        if (status == PTL_OK && (order[i] == TABLE_OTER || order[i] == TABLE_NAME))
            dictionary_forget(r->store);
    }
    return status;
}

/* After single wrong bits have been corrected, the functions below set aside overmaps of
 * sweeps, local maps, spills, local tides and what games save that are still damaged. All of
 * these can be made again, except local tides, which last only for a time, and what games
 * save. */

/* For each table in lone_tables (verify.h), what the report says of a row of it that is set
 * aside: what the row belongs to, and how its data come back. */
static const struct {
    const char *owner, *again;
} lone_tables_said[LONE_TABLES] = {
    {"sweep", ": 'portolan sweep' makes the overmap again"},
    {"world", ": the local map is made again when it is asked for, without what a game changed "
              "in it"},
    {"map", ": the map's spills are found when they are asked for"},
    {"world", ": the local tide is as if a game had not called it"},
    {"world", ": the overmap shows there what it showed before the edit"},
    {"edit", ": the overmap shows the placed special, but its local maps don't know of it"},
    {"world", ": it is as if the viewer had not written the note"},
    {"world", ": it is as if the viewer had not marked these cells"},
    {"world", ": it is as if the game had not saved the fact"}};

/* Sets a row aside for a reason, and reports it. A row whose format is that of a newer Portolan
 * stays. */
static ptl_status give_row_up(repairer *r, row_table_id table, int64_t id, const char *why,
                              const char *again, ptl_error *err)
{
    char where[REPAIR_WHERE_SIZE];
    const repair_row key = {.table = table, .values = {repair_integer(id)}};
    const bool newer = strstr(why, BYTES_NEWER) != NULL;
    snprintf(where, sizeof where, "table %s, row %" PRId64, row_table_of(table)->name, id);
    if (!newer)
        TRY(set_key_aside(r, &key, why, err));
    TRY(repair_note(r, newer ? PTL_REPAIR_UNREPAIRED : PTL_REPAIR_SET_ASIDE, where, "%s%s", why,
                    newer ? "" : again));
    return repair_breathe(r, false, err);
}

static ptl_status repair_lone_table(repairer *r, int number, ptl_error *err)
{
    const lone_table *of = &lone_tables[number];
    const row_table *t = row_table_of(of->table);
    stmt *s;
    int64_t after = INT64_MIN;
    ptl_status status = stmt_prepare(&s, r->store, of->next, err);
    while (stmt_row_after(s, &after, t->name, &status, err)) {
        ptl_error local = {0};
        char why[160] = "";
        status = row_verify(s, of->table, &local);
        const bool sound = status == PTL_OK, owned = !stmt_is_null(s, t->count);
        THEN(status, of->parse(r->store, s, &local));
        stmt_reset(s); /* the statement must not hold the row any longer, since give_row_up may
                          remove it */
        if (status == PTL_ERR_CORRUPT && !local.backend_code) {
            snprintf(why, sizeof why, "%.*s", UTF8_CUT(sound ? local.message : "damaged", 150));
            status = PTL_OK;
        } else if (status != PTL_OK) {
            (void)error_copy(err, &local);
        } else if (!owned) {
            snprintf(why, sizeof why, "its %s is not there", lone_tables_said[number].owner);
        }
        if (why[0])
            status = give_row_up(r, of->table, after, why,
                                 owned ? lone_tables_said[number].again : "", err);
    }
    stmt_free(s);
    return status;
}

ptl_status repair_lone_rows(repairer *r, ptl_error *err)
{
    for (int i = 0; i < LONE_TABLES; i++)
        TRY(repair_lone_table(r, i, err));
    return PTL_OK;
}
