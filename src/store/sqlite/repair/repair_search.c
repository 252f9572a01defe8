/*
 * The search for what is wrong in a unit of rows. Each bit of each value is flipped, one after
 * the other, or each value that a column may have is set, until the unit has its stored
 * checksum. A try hashes the whole unit, so the time for all bits of a value grows with the
 * square of the unit's size. Therefore the number of hashed bytes is limited. In a row of up to
 * 32 KB, three times the largest that was seen in a world, each bit is tried; in larger rows
 * only the bits of values that are small enough are tried. The limit counts bytes and not time,
 * so that a file is repaired in the same way on every machine.
 */
#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/repair/repair_impl.h"

#include <stdlib.h>
#include <string.h>

/* Most bytes that the search in one unit of rows may hash, which takes about 4 s; and most
 * bytes that all searches of one repair may hash, which takes about 20 min. */
#define UNIT_BYTES_MAX (UINT64_C(1) << 32)
#define ALL_BYTES_MAX  (UINT64_C(1) << 40)

typedef struct search {
    repairer *r;
    repair_unit *unit;
    repair_change *out;
    uint64_t cost; /* the cost of one try, in bytes; see cost_of */
    uint64_t left; /* how many more bytes this search for a wrong bit may hash */
} search;

/* Returns the cost of one try, as a number of bytes: those that it hashes, plus ROW for each
 * row, since in the time in which a row's values are collected so many bytes could be
 * hashed. */
static uint64_t cost_of(const repairer *r, const repair_unit *unit)
{
    enum { ROW = 128 };
    return r->scratch.size + (uint64_t)unit->count * ROW;
}

ptl_status repair_hashed(repairer *r, uint64_t count, ptl_error *err)
{
    enum { BYTES_BETWEEN_QUESTIONS = 1 << 24 };
    r->hashed += count;
    r->unasked += count;
    if (r->unasked < BYTES_BETWEEN_QUESTIONS)
        return PTL_OK;
    r->unasked = 0;
    const stop_hook stop = sqlite_stop_hook(r->store);
    return stop_check(&stop, err);
}

ptl_status repair_unit_try(repairer *r, const repair_unit *unit, bool *found, ptl_error *err)
{
    int64_t sum = 0;
    ptl_status status = repair_unit_sum(unit, &r->scratch, &sum, err);
    *found = status == PTL_OK && sum == unit->stored;
    THEN(status, repair_hashed(r, cost_of(r, unit), err));
    return status;
}

uint64_t repair_bytes_left(const repairer *r)
{
    return r->hashed < ALL_BYTES_MAX ? ALL_BYTES_MAX - r->hashed : 0;
}

uint64_t repair_search_left(const repairer *r)
{
    const uint64_t left = repair_bytes_left(r);
    return left < UNIT_BYTES_MAX ? left : UNIT_BYTES_MAX;
}

static ptl_status begin(search *s, ptl_error *err)
{
    int64_t sum = 0;
    ptl_status status = repair_unit_sum(s->unit, &s->r->scratch, &sum, err);
    s->cost = cost_of(s->r, s->unit);
    s->left = repair_search_left(s->r);
    return status;
}

/* Returns true if so many tries cost at most s->left, and subtracts their cost from it. */
static bool affords(search *s, uint64_t tries)
{
    if (tries > s->left / s->cost) {
        s->out->skipped = true;
        return false;
    }
    s->left -= tries * s->cost;
    return true;
}

static ptl_status try_value(const search *s, ptl_error *err)
{
    return repair_unit_try(s->r, s->unit, &s->out->found, err);
}

/* ---- single bits ---- */

static void flip(repair_value *v, size_t bit)
{
    if (v->type == ROW_INTEGER || v->type == ROW_REAL)
        v->word ^= UINT64_C(1) << bit;
    else
        v->data[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

/* Tries to correct a value: gives it another type (INTEGER instead of REAL, TEXT instead of
 * BLOB, and the reverse), then flips each of its bits. If no try succeeds, the value is as it
 * was. */
static ptl_status flip_value(search *s, repair_value *v, ptl_error *err)
{
    /* For each type of value, the type that a single flipped bit in the header of SQLite's
     * record makes of it. The bytes of the value stay the same. */
    static const row_type other[] = {[ROW_NULL] = ROW_NULL,
                                     [ROW_INTEGER] = ROW_REAL,
                                     [ROW_REAL] = ROW_INTEGER,
                                     [ROW_TEXT] = ROW_BLOB,
                                     [ROW_BLOB] = ROW_TEXT};
    const row_type type = v->type;
    const bool word = type == ROW_INTEGER || type == ROW_REAL;
    const size_t bits = word ? 64 : 8 * v->size;
    if (type == ROW_NULL || !affords(s, 1 + (uint64_t)bits))
        return PTL_OK;
    v->type = other[type];
    ptl_status status = try_value(s, err);
    if (s->out->found && status == PTL_OK)
        return status;
    v->type = type;
    for (size_t i = 0; i < bits && status == PTL_OK; i++) {
        flip(v, i);
        status = try_value(s, err);
        if (s->out->found)
            return status;
        flip(v, i);
    }
    return status;
}

/* Units of rows that one checksum covers. 64 bits of BLAKE2b are proof enough: a wrong value
 * has the right checksum once in 10^19 tries. */

/* Returns the checksum of the unit (rows that one checksum covers) if the first row of the unit
 * holds it; NULL if a row outside of the unit holds it. */
static repair_value *repair_unit_own_sum(const repair_unit *u)
{
    if (u->kind == REPAIR_UNIT_FEATURES)
        return NULL;
    return &u->rows[0].values[row_table_of(u->rows[0].table)->checksum];
}

/* If the stored checksum differs from that of the values in a single bit, or only in its type,
 * the stored checksum itself is damaged, and is corrected. */
static ptl_status flip_checksum(const search *s, ptl_error *err)
{
    repair_unit *u = s->unit;
    repair_value *own = repair_unit_own_sum(u);
    int64_t sum = 0;
    if (!own)
        return PTL_OK;
    ptl_status status = repair_unit_sum(u, &s->r->scratch, &sum, err);
    uint64_t wrong = own->word ^ (uint64_t)sum;
    bool one = own->type == ROW_INTEGER && wrong != 0 && (wrong & (wrong - 1)) == 0;
    bool type = own->type == ROW_REAL && wrong == 0;
    if (status != PTL_OK || (!one && !type))
        return status;
    *own = repair_integer(sum);
    u->stored = sum;
    *s->out =
        (repair_change){.found = true, .column = row_table_of(u->rows[0].table)->checksum};
    return PTL_OK;
}

/* Returns true if the checksum of the unit (several rows) covers this value of the row. */
static bool repair_unit_covers(const repair_unit *u, const repair_row *row, int column)
{
    const row_table *t = row_table_of(row->table);
    switch (u->kind) {
    case REPAIR_UNIT_EDGE:
        return row->table == TABLE_CROSSING ? column != CROSSING_COLUMN_EDGE_ID
                                            : column != t->checksum;
    case REPAIR_UNIT_FEATURES:
        return row->table == TABLE_PACK ? column == t->checksum : true;
    default:
        return column != t->checksum;
    }
}

ptl_status repair_unit_flip(repairer *r, repair_unit *u, int columns, repair_change *out,
                            ptl_error *err)
{
    search s = {.r = r, .unit = u, .out = out};
    memset(out, 0, sizeof *out);
    ptl_status status = begin(&s, err);
    THEN(status, flip_checksum(&s, err));
    for (size_t i = 0; i < u->count && status == PTL_OK && !out->found; i++) {
        repair_row *row = &u->rows[i];
        int count = row_table_of(row->table)->count;
        for (int k = 0; k < count && k < columns && status == PTL_OK && !out->found; k++) {
            if (!repair_unit_covers(u, row, k))
                continue;
            status = flip_value(&s, &row->values[k], err);
            out->row = i;
            out->column = k;
        }
    }
    return status;
}

/* ---- values that a column may have ---- */

enum { PAIRS_MAX = 200000 };

void repair_choice_dispose(repair_choice *choice)
{
    for (size_t i = 0; i < choice->count; i++)
        repair_value_dispose(&choice->values[i]);
    free(choice->values);
    choice->values = NULL;
    choice->count = choice->room = 0;
}

ptl_status repair_choice_add(repair_choice *choice, const repair_value *value, ptl_error *err)
{
    if (!ARRAY_ROOM(choice->values, choice->room, choice->count + 1))
        return error_nomem(err);
    ptl_status status = repair_value_copy(&choice->values[choice->count], value, err);
    choice->count += status == PTL_OK;
    return status;
}

ptl_status repair_choice_query(repair_choice *choice, ptl_store *store, const char *sql,
                               ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store, sql, err);
    while (stmt_row(s, &status, err)) {
        repair_value value;
        bool failed = false;
        repair_value_take(&value, s, 0, &failed);
        status = failed ? error_nomem(err) : repair_choice_add(choice, &value, err);
        repair_value_dispose(&value);
    }
    stmt_free(s);
    return status;
}

/* Changes the first row of the unit (rows that one checksum covers): the column of the choice
 * `a` gets each of its possible values, one after the other. If `b` is given, each value of `a`
 * is combined with each value of `b`. Stops when the checksum is right; if it never is, the row
 * is as it was. */
static ptl_status try_choice(const search *s, const repair_choice *a, const repair_choice *b,
                             ptl_error *err)
{
    repair_value *place = &s->unit->rows[0].values[a->column], kept = *place;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < a->count && status == PTL_OK && !s->out->found; i++) {
        *place = a->values[i];
        status = b ? try_choice(s, b, NULL, err) : try_value(s, err);
    }
    if (status != PTL_OK || !s->out->found) {
        *place = kept;
        return status;
    }
    const repair_value chosen = *place;
    *place = kept;
    repair_value copy;
    status = repair_value_copy(&copy, &chosen, err);
    if (status == PTL_OK) {
        repair_value_dispose(place);
        *place = copy;
        s->out->column = a->column;
    }
    return status;
}

ptl_status repair_unit_choose(repairer *r, repair_unit *unit, const repair_choice *choices,
                              size_t count, repair_change *out, ptl_error *err)
{
    search s = {.r = r, .unit = unit, .out = out};
    *out = (repair_change){.skipped = out->skipped};
    TRY(begin(&s, err));
    for (size_t i = 0; i < count && !out->found; i++)
        if (affords(&s, choices[i].count))
            TRY(try_choice(&s, &choices[i], NULL, err));
    for (size_t i = 0; i < count && !out->found; i++)
        for (size_t k = i + 1; k < count && !out->found; k++)
            if (choices[i].count * choices[k].count <= PAIRS_MAX &&
                affords(&s, choices[i].count * choices[k].count))
                TRY(try_choice(&s, &choices[i], &choices[k], err));
    return PTL_OK;
}

void repair_unit_choose_listed(ptl_status *status, repairer *r, repair_unit *unit,
                               repair_choice *choices, size_t count, repair_change *out,
                               ptl_error *err)
{
    const row_table *t = row_table_of(unit->rows[0].table);
    for (int i = 0; i < t->count && *status == PTL_OK; i++)
        if (t->columns[i].values) {
            choices[count] = (repair_choice){.column = i};
            *status =
                repair_choice_query(&choices[count++], r->store, t->columns[i].values, err);
        }
    THEN(*status, repair_unit_choose(r, unit, choices, count, out, err));
    while (count > 0)
        repair_choice_dispose(&choices[--count]);
}

void repair_put_value(bytes *b, const repair_value *v)
{
    const row_value value = repair_as_row(v);
    row_value_put(b, &value);
}

static void put_row(bytes *b, const repair_unit *u, const repair_row *row)
{
    const row_table *t = row_table_of(row->table);
    if (u->kind == REPAIR_UNIT_FEATURES && row->table != TABLE_PACK)
        rowsum_text(b, t->name);
    for (int i = 0; i < t->count; i++)
        if (repair_unit_covers(u, row, i))
            repair_put_value(b, &row->values[i]);
}

/* Sorts crossings as SQLite does: by z, by the bytes of kind, by position. */
static int compare_crossings(const void *pa, const void *pb)
{
    const repair_row *a = *(const repair_row *const *)pa, *b = *(const repair_row *const *)pb;
    int64_t za = repair_int(a, CROSSING_COLUMN_Z), zb = repair_int(b, CROSSING_COLUMN_Z);
    if (za != zb)
        return za < zb ? -1 : 1;
    const repair_value *ka = &a->values[CROSSING_COLUMN_KIND];
    const repair_value *kb = &b->values[CROSSING_COLUMN_KIND];
    size_t least = ka->size < kb->size ? ka->size : kb->size;
    int order = ka->data && kb->data ? memcmp(ka->data, kb->data, least) : 0;
    if (order != 0 || ka->size != kb->size)
        return order != 0 ? order : ka->size < kb->size ? -1 : 1;
    int64_t pos_a = repair_int(a, CROSSING_COLUMN_POSITION);
    int64_t pos_b = repair_int(b, CROSSING_COLUMN_POSITION);
    return pos_a < pos_b ? -1 : pos_a > pos_b;
}

ptl_status repair_unit_sum(const repair_unit *u, bytes *b, int64_t *out, ptl_error *err)
{
    rowsum_begin(b, u->kind == REPAIR_UNIT_FEATURES ? "features"
                                                    : row_table_of(u->rows[0].table)->name);
    if (u->kind == REPAIR_UNIT_EDGE) {
        const repair_row **sorted = malloc((u->count + 1) * sizeof *sorted);
        if (!sorted)
            return error_nomem(err);
        for (size_t i = 0; i < u->count; i++)
            sorted[i] = &u->rows[i];
        qsort(sorted + 1, u->count - 1, sizeof *sorted, compare_crossings);
        for (size_t i = 0; i < u->count; i++)
            put_row(b, u, sorted[i]);
        free(sorted);
    } else
        for (size_t i = 0; i < u->count; i++)
            put_row(b, u, &u->rows[i]);
    return rowsum_end(b, out, err);
}

repair_unit repair_unit_of(repair_unit_kind kind, repair_rows *rows)
{
    repair_unit u = {.kind = kind, .rows = rows->list, .count = rows->count};
    u.stored = repair_int(&rows->list[0], row_table_of(rows->list[0].table)->checksum);
    return u;
}

ptl_status repair_unit_good(const repair_unit *u, bytes *scratch, bool *good, ptl_error *err)
{
    int64_t sum = 0;
    const repair_value *own = repair_unit_own_sum(u);
    ptl_status status = repair_unit_sum(u, scratch, &sum, err);
    *good = status == PTL_OK && sum == u->stored && (!own || own->type == ROW_INTEGER);
    return status;
}

ptl_status repair_row_good(repair_row *row, bytes *scratch, bool *good, ptl_error *err)
{
    repair_rows one = {.list = row, .count = 1};
    const repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &one);
    return repair_unit_good(&unit, scratch, good, err);
}
