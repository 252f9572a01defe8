/*
 * Units of rows that one checksum covers, and the search for what is wrong in one: each bit of
 * each value turned over in turn, or values that a column may have, until the stored checksum
 * comes out. 64 bits of BLAKE2b prove it: a wrong candidate passes once in 10^19 tries.
 */
#include "core/digest.h"
#include "core/error.h"
#include "store/repair.h"

#include <stdlib.h>
#include <string.h>

void repair_put_value(bytes *b, const repair_value *v)
{
    bytes_put_u8(b, (uint8_t)v->type);
    if (v->type == REPAIR_INTEGER || v->type == REPAIR_REAL)
        bytes_put_u64(b, v->word);
    if (v->type != REPAIR_TEXT && v->type != REPAIR_BLOB)
        return;
    bytes_put_u64(b, v->size);
    bytes_put(b, v->data, v->size);
}

static void put_text(bytes *b, const char *text)
{
    bytes_put_u8(b, REPAIR_TEXT);
    bytes_put_u64(b, strlen(text));
    bytes_put(b, text, strlen(text));
}

/* Which values of its rows a unit's checksum covers. */
static bool is_covered(const repair_unit *u, const repair_row *row, int column)
{
    const repair_table *t = repair_table_of(row->table);
    switch (u->kind) {
    case REPAIR_UNIT_EDGE:
        return row->table == REPAIR_CROSSING ? column > 0 : column != t->checksum;
    case REPAIR_UNIT_FEATURES:
        return row->table == REPAIR_PACK ? column == t->checksum : true;
    default:
        return column != t->checksum;
    }
}

static void put_row(bytes *b, const repair_unit *u, const repair_row *row)
{
    const repair_table *t = repair_table_of(row->table);
    if (u->kind == REPAIR_UNIT_FEATURES && row->table != REPAIR_PACK)
        put_text(b, t->name);
    for (int i = 0; i < t->columns; i++)
        if (is_covered(u, row, i))
            repair_put_value(b, &row->values[i]);
}

/* As SQLite orders crossings: z, kind by its bytes, position. */
static int compare_crossings(const void *pa, const void *pb)
{
    const repair_row *a = *(const repair_row *const *)pa, *b = *(const repair_row *const *)pb;
    int64_t za = repair_int(a, 1), zb = repair_int(b, 1);
    if (za != zb)
        return za < zb ? -1 : 1;
    const repair_value *ka = &a->values[2], *kb = &b->values[2];
    size_t least = ka->size < kb->size ? ka->size : kb->size;
    int order = ka->data && kb->data ? memcmp(ka->data, kb->data, least) : 0;
    if (order != 0 || ka->size != kb->size)
        return order != 0 ? order : ka->size < kb->size ? -1 : 1;
    int64_t pos_a = repair_int(a, 3), pos_b = repair_int(b, 3);
    return pos_a < pos_b ? -1 : pos_a > pos_b;
}

static ptl_status put_edge(bytes *b, const repair_unit *u, ptl_error *err)
{
    const repair_row **sorted = malloc((u->count + 1) * sizeof *sorted);
    if (!sorted)
        return error_nomem(err);
    for (size_t i = 0; i < u->count; i++)
        sorted[i] = &u->rows[i];
    if (u->count > 2)
        qsort(sorted + 1, u->count - 1, sizeof *sorted, compare_crossings);
    for (size_t i = 0; i < u->count; i++)
        put_row(b, u, sorted[i]);
    free(sorted);
    return PTL_OK;
}

ptl_status repair_unit_sum(const repair_unit *u, bytes *b, int64_t *out, ptl_error *err)
{
    ptl_status status = PTL_OK;
    bytes_clear(b);
    if (u->kind == REPAIR_UNIT_FEATURES)
        put_text(b, "features");
    else
        put_text(b, repair_table_of(u->rows[0].table)->name);
    if (u->kind == REPAIR_UNIT_EDGE)
        status = put_edge(b, u, err);
    else
        for (size_t i = 0; i < u->count; i++)
            put_row(b, u, &u->rows[i]);
    if (status == PTL_OK && b->failed)
        status = error_nomem(err);
    if (status == PTL_OK)
        *out = checksum64(b->data, b->size);
    return status;
}

repair_unit repair_unit_of(repair_unit_kind kind, repair_rows *rows)
{
    repair_unit u = {.kind = kind, .rows = rows->list, .count = rows->count};
    u.stored = repair_int(&rows->list[0], repair_table_of(rows->list[0].table)->checksum);
    return u;
}

/* The unit's own checksum, if its first row has one. */
static repair_value *own_checksum(const repair_unit *u)
{
    if (u->kind == REPAIR_UNIT_FEATURES)
        return NULL;
    return &u->rows[0].values[repair_table_of(u->rows[0].table)->checksum];
}

ptl_status repair_unit_good(const repair_unit *u, bytes *scratch, bool *good, ptl_error *err)
{
    int64_t sum = 0;
    const repair_value *own = own_checksum(u);
    ptl_status status = repair_unit_sum(u, scratch, &sum, err);
    *good = status == PTL_OK && sum == u->stored && (!own || own->type == REPAIR_INTEGER);
    return status;
}

/* ---- single bits ---- */

static ptl_status try_value(repair_unit *u, bytes *scratch, bool *found, ptl_error *err)
{
    int64_t sum = 0;
    ptl_status status = repair_unit_sum(u, scratch, &sum, err);
    *found = status == PTL_OK && sum == u->stored;
    return status;
}

/* A type that differs in one bit of the record's header, with the same bytes. */
static repair_type other_type(repair_type type)
{
    static const repair_type other[] = {[REPAIR_NULL] = REPAIR_NULL,
                                        [REPAIR_INTEGER] = REPAIR_REAL,
                                        [REPAIR_REAL] = REPAIR_INTEGER,
                                        [REPAIR_TEXT] = REPAIR_BLOB,
                                        [REPAIR_BLOB] = REPAIR_TEXT};
    return other[type];
}

static ptl_status flip_value(repair_unit *u, repair_value *v, bytes *scratch, bool *found,
                             ptl_error *err)
{
    ptl_status status = PTL_OK;
    *found = false;
    if (v->type == REPAIR_NULL)
        return PTL_OK;
    repair_type type = v->type;
    v->type = other_type(type);
    status = try_value(u, scratch, found, err);
    if (*found || status != PTL_OK)
        return status;
    v->type = type;
    bool word = type == REPAIR_INTEGER || type == REPAIR_REAL;
    size_t bits = word ? 64 : 8 * v->size;
    for (size_t i = 0; i < bits && status == PTL_OK; i++) {
        if (word)
            v->word ^= UINT64_C(1) << i;
        else
            v->data[i / 8] ^= (uint8_t)(1u << i % 8);
        status = try_value(u, scratch, found, err);
        if (*found)
            return status;
        if (word)
            v->word ^= UINT64_C(1) << i;
        else
            v->data[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    return status;
}

/* A stored checksum that differs in one bit from that of the values is itself the damage. */
static ptl_status flip_checksum(repair_unit *u, bytes *scratch, repair_change *out,
                                ptl_error *err)
{
    repair_value *own = own_checksum(u);
    int64_t sum = 0;
    if (!own)
        return PTL_OK;
    ptl_status status = repair_unit_sum(u, scratch, &sum, err);
    uint64_t wrong = own->word ^ (uint64_t)sum;
    bool one = own->type == REPAIR_INTEGER && wrong != 0 && (wrong & (wrong - 1)) == 0;
    bool type = own->type == REPAIR_REAL && wrong == 0;
    if (status != PTL_OK || (!one && !type))
        return status;
    *own = repair_integer(sum);
    u->stored = sum;
    *out = (repair_change){true, 0, repair_table_of(u->rows[0].table)->checksum};
    return PTL_OK;
}

static ptl_status flip_columns(repair_unit *u, bytes *scratch, int columns, repair_change *out,
                               ptl_error *err)
{
    memset(out, 0, sizeof *out);
    ptl_status status = flip_checksum(u, scratch, out, err);
    for (size_t i = 0; i < u->count && status == PTL_OK && !out->found; i++) {
        repair_row *row = &u->rows[i];
        int count = repair_table_of(row->table)->columns;
        for (int k = 0; k < count && k < columns && status == PTL_OK && !out->found; k++) {
            if (!is_covered(u, row, k))
                continue;
            status = flip_value(u, &row->values[k], scratch, &out->found, err);
            out->row = i;
            out->column = k;
        }
    }
    return status;
}

ptl_status repair_unit_flip(repair_unit *u, bytes *scratch, repair_change *out, ptl_error *err)
{
    return flip_columns(u, scratch, REPAIR_COLUMNS_MAX, out, err);
}

ptl_status repair_key_flip(repair_unit *u, bytes *scratch, repair_change *out, ptl_error *err)
{
    return flip_columns(u, scratch, repair_table_of(u->rows[0].table)->keys, out, err);
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
    if (choice->count == choice->room) {
        size_t room = choice->room ? 2 * choice->room : 8;
        repair_value *values = realloc(choice->values, room * sizeof *values);
        if (!values)
            return error_nomem(err);
        choice->values = values;
        choice->room = room;
    }
    ptl_status status = repair_value_copy(&choice->values[choice->count], value, err);
    choice->count += status == PTL_OK;
    return status;
}

ptl_status repair_choice_query(repair_choice *choice, ptl_store *store, const char *sql,
                               ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store, sql, err);
    for (bool more = true; more && status == PTL_OK;) {
        repair_value value;
        bool failed = false;
        status = stmt_step(s, &more, err);
        if (status != PTL_OK || !more)
            break;
        repair_value_take(&value, s, 0, &failed);
        status = failed ? error_nomem(err) : repair_choice_add(choice, &value, err);
        repair_value_dispose(&value);
    }
    stmt_free(s);
    return status;
}

/* Puts each value of a column into the unit's first row, and with each of them those of the
 * other column, if there is one. The row owns its value again afterwards. */
static ptl_status try_choice(repair_unit *u, const repair_choice *a, const repair_choice *b,
                             bytes *scratch, repair_change *out, ptl_error *err)
{
    repair_value *place = &u->rows[0].values[a->column], kept = *place;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < a->count && status == PTL_OK && !out->found; i++) {
        *place = a->values[i];
        if (b)
            status = try_choice(u, b, NULL, scratch, out, err);
        else
            status = try_value(u, scratch, &out->found, err);
    }
    if (status != PTL_OK || !out->found) {
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
        out->column = a->column;
    }
    return status;
}

ptl_status repair_unit_choose(repair_unit *u, const repair_choice *choices, size_t count,
                              bytes *scratch, repair_change *out, ptl_error *err)
{
    ptl_status status = PTL_OK;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < count && status == PTL_OK && !out->found; i++)
        status = try_choice(u, &choices[i], NULL, scratch, out, err);
    for (size_t i = 0; i < count && status == PTL_OK && !out->found; i++)
        for (size_t k = i + 1; k < count && status == PTL_OK && !out->found; k++)
            if (choices[i].count * choices[k].count <= PAIRS_MAX)
                status = try_choice(u, &choices[i], &choices[k], scratch, out, err);
    return status;
}
