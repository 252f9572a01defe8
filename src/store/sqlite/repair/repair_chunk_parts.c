/* Parts of a chunk's repair for which nothing is generated: its row derived from the others,
 * single bits, and what is set aside. Each part is reported. */
#include "core/error.h"
#include "store/sqlite/repair/repair_impl.h"

#include <stdio.h>
#include <string.h>

static void damage_text(char out[80], unsigned bad)
{
    snprintf(out, 80, "%s%s%s%s", bad & REPAIR_BAD_ROW ? "row " : "",
             bad & REPAIR_BAD_TILES ? "levels " : "",
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
    TRY(repair_try_begin(r, err));
    ptl_status status = repair_row_replace(r->store, &key, &c->row.list[0], err);
    bool kept = status == PTL_OK;
    if (status == PTL_ERR_EXISTS) {
        error_clear(err);
        status = PTL_OK;
    }
    TRY(repair_try_end(r, kept, status, err));
    if (!kept)
        return PTL_OK;
    repair_chunk_where(where, r, &c->row.list[0]);
    TRY(repair_note(r, PTL_REPAIR_RECOMPUTED, where,
                    "a value of its row was wrong: the other rows say what it was"));
    return repair_chunk_check(r, c, bad, err);
}

ptl_status repair_made_note(repairer *r, const repair_chunk *c, unsigned bad)
{
    char where[REPAIR_WHERE_SIZE], damage[80];
    if (bad == 0)
        return PTL_OK;
    repair_chunk_where(where, r, &c->row.list[0]);
    damage_text(damage, bad);
    return repair_note(r, PTL_REPAIR_MADE_AGAIN, where, "%s damaged: the digests prove it",
                       damage);
}

ptl_status repair_chunk_by_bits(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err)
{
    const unsigned before = *bad;
    char where[REPAIR_WHERE_SIZE], damage[80];
    TRY(repair_try_begin(r, err));
    ptl_status status = repair_chunk_bits(r, c, bad, err);
    if (status == PTL_ERR_EXISTS) {
        error_clear(err);
        status = PTL_OK;
        *bad = before;
    }
    bool kept = status == PTL_OK && *bad < before;
    TRY(repair_try_end(r, kept, status, err));
    if (!kept)
        return PTL_OK;
    repair_chunk_where(where, r, &c->row.list[0]);
    damage_text(damage, before & ~*bad);
    return repair_note(r, PTL_REPAIR_CORRECTED, where,
                       "%s: a value was wrong: the checksum proves what it was", damage);
}

ptl_status repair_chunk_give_up(repairer *r, const repair_chunk *c, unsigned bad,
                                const char *why, ptl_error *err)
{
    char where[REPAIR_WHERE_SIZE], damage[80];
    repair_chunk now;
    repair_chunk_where(where, r, &c->row.list[0]);
    damage_text(damage, bad);
    /* Read the rows again, since c holds bits that were only tried. */
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
    char where[REPAIR_WHERE_SIZE], damage[80];
    repair_chunk_where(where, r, &c->row.list[0]);
    damage_text(damage, bad);
    return repair_note(r, PTL_REPAIR_UNREPAIRED, where,
                       "%s damaged; it can't be made again now: %s", damage, why);
}

ptl_status repair_id_set_aside(repairer *r, int64_t id, const char *reason, ptl_error *err)
{
    repair_chunk now = {0};
    ptl_status status = repair_chunk_read(&now, r->store, id, err);
    THEN(status, repair_chunk_set_aside(r, &now, reason, err));
    repair_chunk_dispose(&now);
    return status;
}

/* ---- rows of no chunk ---- */

/* Is the row a copy of another one that differs in a single bit of this key, and that stands
 * where it belongs? */
static ptl_status is_copy(repairer *r, const repair_row *row, int key, bool *copy,
                          ptl_error *err)
{
    const row_table *t = row_table_of(row->table);
    ptl_status status = PTL_OK;
    *copy = false;
    for (int bit = 0; bit < 64 && status == PTL_OK && !*copy; bit++) {
        repair_rows found = {0};
        repair_row other = *row; /* shares the texts of *row */
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
