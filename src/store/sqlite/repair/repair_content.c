/*
 * Finds a flipped bit in a table of the content. Since the rows of such a table have only one
 * checksum together, each bit of each value is tried until that comes out. What lies before
 * the row at hand is hashed once, what lies behind it with each try; so the time grows with
 * the square of the table's size. For tables that would exceed TABLE_BYTES_MAX nothing is
 * tried; an import writes them anew.
 */
#include "core/array.h"
#include "core/digest.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_checksum.h"
#include "store/sqlite/repair/repair_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes hashed in the search of one table; about a minute. */
#define TABLE_BYTES_MAX (UINT64_C(1) << 36)

enum { NAME_SIZE = 64 };

typedef struct content_rows {
    repairer *r;
    const content_table *table;
    repair_value *values; /* owned; row by row */
    size_t count, room;   /* of values */
    int columns;
    char names[CONTENT_COLUMNS_MAX][NAME_SIZE];
    int keys[CONTENT_COLUMNS_MAX], key_count; /* columns of the primary key, in its order */
    int64_t row_count, stored;                /* as content_checksum says */
    bytes flat;    /* the rows in the form that is hashed, one after the other */
    size_t *at;    /* owned; offset of each row in `flat`, and the end */
    bytes scratch; /* the row that is being tried */
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

/* ---- reading ---- */

static ptl_status read_columns(content_rows *t, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, t->r->store, "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", err);
    if (status == PTL_OK)
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

static ptl_status read_rows(content_rows *t, ptl_error *err)
{
    stmt *s = NULL;
    bool failed = false;
    ptl_status status = content_table_prepare(&s, t->r->store, t->table, err);
    while (stmt_row(s, &status, err)) {
        if (!ARRAY_ROOM(t->values, t->room, t->count + (size_t)t->columns))
            failed = true;
        for (int i = 0; i < t->columns && !failed; i++)
            repair_value_take(&t->values[t->count++], s, i, &failed);
        status = failed ? error_nomem(err) : PTL_OK;
    }
    stmt_free(s);
    return status;
}

static void put_row(bytes *b, const content_rows *t, size_t row)
{
    for (int i = 0; i < t->columns; i++)
        repair_put_value(b, &row_at(t, row)[i]);
}

static ptl_status lay_flat(content_rows *t, ptl_error *err)
{
    const size_t rows = rows_of(t);
    t->at = malloc((rows + 1) * sizeof *t->at);
    if (!t->at)
        return error_nomem(err);
    for (size_t i = 0; i < rows; i++) {
        t->at[i] = t->flat.size;
        put_row(&t->flat, t, i);
    }
    t->at[rows] = t->flat.size;
    return t->flat.failed ? error_nomem(err) : PTL_OK;
}

/* ---- hashing ---- */

static void begin_hash(digest_state *state, content_rows *t)
{
    const repair_value name = {.type = ROW_TEXT,
                               .data = (uint8_t *)(uintptr_t)t->table->name,
                               .size = strlen(t->table->name)};
    bytes_clear(&t->scratch);
    repair_put_value(&t->scratch, &name);
    digest_init(state);
    digest_update(state, t->scratch.data, t->scratch.size);
}

static void hash_rows(digest_state *state, const content_rows *t, size_t from, size_t to)
{
    if (t->at[to] > t->at[from]) /* without rows there may be no buffer at all */
        digest_update(state, t->flat.data + t->at[from], t->at[to] - t->at[from]);
}

static int64_t end_hash(digest_state *state)
{
    digest d;
    uint64_t value = 0;
    int64_t result;
    digest_final(state, &d);
    for (int i = 7; i >= 0; i--)
        value = value << 8 | d.bytes[i];
    memcpy(&result, &value, sizeof result);
    return result;
}

/* Orders values as SQLite does: numbers, then texts, then blobs; the last two by their
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

/* Returns the place where the row belongs when its key is changed in a try: the index that it
 * gets in the sorted order. */
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

/* Computes the checksum of the table, with this row as it is now and the others as they were
 * read. */
static int64_t sum_with(content_rows *t, size_t row)
{
    const size_t place = place_of(t, row), rows = rows_of(t);
    digest_state state;
    if (place < row)
        begin_hash(&state, t);
    else
        state = t->before;
    bytes_clear(&t->scratch);
    put_row(&t->scratch, t, row);
    if (place < row)
        hash_rows(&state, t, 0, place);
    else
        hash_rows(&state, t, row + 1, place + 1);
    digest_update(&state, t->scratch.data, t->scratch.size);
    if (place < row) {
        hash_rows(&state, t, place, row);
        hash_rows(&state, t, row + 1, rows);
    } else {
        hash_rows(&state, t, place + 1, rows);
    }
    return end_hash(&state);
}

/* ---- the search ---- */

static ptl_status try_row(content_rows *t, size_t row, bool *found, ptl_error *err)
{
    enum { BYTES_BETWEEN_QUESTIONS = 1 << 24 };
    repairer *r = t->r;
    const uint64_t cost = t->flat.size - t->at[row];
    *found = sum_with(t, row) == t->stored;
    r->hashed += cost;
    r->unasked += cost;
    if (t->scratch.failed)
        return error_nomem(err);
    if (r->unasked < BYTES_BETWEEN_QUESTIONS)
        return PTL_OK;
    r->unasked = 0;
    const stop_hook stop = sqlite_stop_hook(r->store);
    return stop_check(&stop, err);
}

static bool is_number(const repair_value *v)
{
    return v->type == ROW_INTEGER || v->type == ROW_REAL;
}

/* The sign bits of SQLite's shorter integers. If one of them is flipped, the 64-bit value
 * differs in all bits from there up. */
static const int sign_bits[] = {7, 15, 23, 31, 47};
enum { SIGNS = sizeof sign_bits / sizeof *sign_bits };

/* Returns the number of tries for a value. The last one is another type with the same bytes,
 * which is what one flipped bit in the record's header makes of it. */
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

/* Writes the value with "UPDATE t SET c = ? WHERE k1 IS ? AND .." */
static ptl_status write_value(const content_rows *t, bool *found, size_t row, int column,
                              const repair_value *was, ptl_error *err)
{
    bytes sql;
    stmt *s = NULL;
    bytes_init(&sql);
    bytes_printf(&sql, "UPDATE \"%s\" SET \"%s\" = ?1", t->table->name, t->names[column]);
    for (int i = 0; i < t->key_count; i++)
        bytes_printf(&sql, " %s \"%s\" IS ?%d", i > 0 ? "AND" : "WHERE", t->names[t->keys[i]],
                     i + 2);
    const char *text = bytes_text(&sql);
    ptl_status status = text ? stmt_prepare(&s, t->r->store, text, err) : error_nomem(err);
    THEN(status, repair_value_bind(s, 1, &row_at(t, row)[column], err));
    for (int i = 0; i < t->key_count && status == PTL_OK; i++)
        status = repair_value_bind(
            s, i + 2, t->keys[i] == column ? was : &row_at(t, row)[t->keys[i]], err);
    THEN(status, stmt_run(s, err));
    *found = status == PTL_OK && sqlite3_changes(t->r->store->db) == 1;
    stmt_free(s);
    bytes_dispose(&sql);
    return status;
}

/* Tries all values, row after row. The hash of the rows before the present one is carried
 * along, so that it is not computed again. */
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

/* ---- tables ---- */

/* Repairs a table. If either the number of rows or the checksum agrees, that proves the rows,
 * and the other one is damaged. */
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
        stmt *s = NULL;
        TRY(stmt_prepare(
            &s, t->r->store,
            "UPDATE content_checksum SET row_count = ?, checksum = ? WHERE name = ?", err));
        stmt_bind_ints(s, (const int64_t[]){(int64_t)rows_of(t), sum}, 2);
        stmt_bind_text(s, 3, t->table->name);
        ptl_status status = stmt_run(s, err);
        stmt_free(s);
        return status;
    }
    return rows == t->row_count && affords(t) ? search(t, found, err) : PTL_OK;
}

static ptl_status repair_table(repairer *r, const content_table *table, ptl_error *err)
{
    content_rows t = {.r = r, .table = table};
    char where[REPAIR_WHERE_SIZE];
    bool there = false, found = false;
    stmt *s = NULL;
    TRY(stmt_prepare(&s, t.r->store,
                     "SELECT row_count, checksum FROM content_checksum WHERE name = ?", err));
    stmt_bind_text(s, 1, t.table->name);
    ptl_status status = stmt_step(s, &there, err);
    if (status == PTL_OK && there) {
        t.row_count = stmt_int(s, 0);
        t.stored = stmt_int(s, 1);
    }
    stmt_free(s);
    if (status == PTL_OK && there) {
        status = read_columns(&t, err);
        THEN(status, read_rows(&t, err));
        THEN(status, lay_flat(&t, err));
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

/* A table that can't be read is skipped here and reported later, with the others that are
 * still damaged. */
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
