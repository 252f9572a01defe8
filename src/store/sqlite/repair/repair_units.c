/* Units of rows that one checksum covers. The 64 bits of BLAKE2b suffice as proof: a wrong
 * candidate passes once in 10^19 tries. */
#include "core/digest.h"
#include "core/error.h"
#include "store/sqlite/repair/repair_impl.h"

#include <stdlib.h>
#include <string.h>

void repair_put_value(bytes *b, const repair_value *v)
{
    bytes_put_u8(b, (uint8_t)v->type);
    if (v->type == ROW_INTEGER || v->type == ROW_REAL)
        bytes_put_u64(b, v->word);
    if (v->type != ROW_TEXT && v->type != ROW_BLOB)
        return;
    bytes_put_u64(b, v->size);
    bytes_put(b, v->data, v->size);
}

static void put_text(bytes *b, const char *text)
{
    bytes_put_u8(b, ROW_TEXT);
    bytes_put_u64(b, strlen(text));
    bytes_put(b, text, strlen(text));
}

bool repair_unit_covers(const repair_unit *u, const repair_row *row, int column)
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

static void put_row(bytes *b, const repair_unit *u, const repair_row *row)
{
    const row_table *t = row_table_of(row->table);
    if (u->kind == REPAIR_UNIT_FEATURES && row->table != TABLE_PACK)
        put_text(b, t->name);
    for (int i = 0; i < t->count; i++)
        if (repair_unit_covers(u, row, i))
            repair_put_value(b, &row->values[i]);
}

/* Orders crossings as SQLite does: by z, by the bytes of kind, by position. */
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

/* Sorts crossings. They come sorted already, except the one whose key is being tried, so a few
 * moves are enough. */
static void sort_crossings(const repair_row **list, size_t count)
{
    size_t moves = 2 * count;
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && moves > 0; k--, moves--) {
            const repair_row *moved = list[k];
            if (compare_crossings(&list[k - 1], &list[k]) <= 0)
                break;
            list[k] = list[k - 1];
            list[k - 1] = moved;
        }
    if (moves == 0)
        qsort(list, count, sizeof *list, compare_crossings);
}

ptl_status repair_unit_sum(const repair_unit *u, bytes *b, int64_t *out, ptl_error *err)
{
    bytes_clear(b);
    if (u->kind == REPAIR_UNIT_FEATURES)
        put_text(b, "features");
    else
        put_text(b, row_table_of(u->rows[0].table)->name);
    if (u->kind == REPAIR_UNIT_EDGE) {
        const repair_row **sorted = malloc((u->count + 1) * sizeof *sorted);
        if (!sorted)
            return error_nomem(err);
        for (size_t i = 0; i < u->count; i++)
            sorted[i] = &u->rows[i];
        if (u->count > 2)
            sort_crossings(sorted + 1, u->count - 1);
        for (size_t i = 0; i < u->count; i++)
            put_row(b, u, sorted[i]);
        free(sorted);
    } else
        for (size_t i = 0; i < u->count; i++)
            put_row(b, u, &u->rows[i]);
    if (b->failed)
        return error_nomem(err);
    *out = checksum64(b->data, b->size);
    return PTL_OK;
}

repair_unit repair_unit_of(repair_unit_kind kind, repair_rows *rows)
{
    repair_unit u = {.kind = kind, .rows = rows->list, .count = rows->count};
    u.stored = repair_int(&rows->list[0], row_table_of(rows->list[0].table)->checksum);
    return u;
}

repair_value *repair_unit_own_sum(const repair_unit *u)
{
    if (u->kind == REPAIR_UNIT_FEATURES)
        return NULL;
    return &u->rows[0].values[row_table_of(u->rows[0].table)->checksum];
}

ptl_status repair_unit_good(const repair_unit *u, bytes *scratch, bool *good, ptl_error *err)
{
    int64_t sum = 0;
    const repair_value *own = repair_unit_own_sum(u);
    ptl_status status = repair_unit_sum(u, scratch, &sum, err);
    *good = status == PTL_OK && sum == u->stored && (!own || own->type == ROW_INTEGER);
    return status;
}
