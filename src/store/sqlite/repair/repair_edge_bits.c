/* Repairs damaged edges as far as their checksum alone can prove it: one wrong bit in the edge
 * or in a crossing, or a crossing that got the number of another edge. */
#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/repair/repair_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ptl_status repair_edge_read(repair_rows *out, repairer *r, int64_t id, ptl_error *err)
{
    TRY(repair_rows_read(out, r->store, TABLE_EDGE, id, err));
    if (out->count > 0)
        TRY(repair_rows_read(out, r->store, TABLE_CROSSING, id, err));
    return PTL_OK;
}

/* Replaces the old rows of the edge by its present ones. */
ptl_status repair_edge_write(repairer *r, int64_t old_id, const repair_rows *rows, bool *kept,
                             ptl_error *err)
{
    repair_rows old = {0};
    ptl_error local = {0};
    TRY(repair_try_begin(r, err));
    ptl_status status = repair_edge_read(&old, r, old_id, &local);
    for (size_t i = 0; i < old.count && status == PTL_OK; i++)
        status = repair_row_replace(r->store, &old.list[i], NULL, &local);
    for (size_t i = 0; i < rows->count && status == PTL_OK; i++) {
        repair_row *row = &rows->list[i];
        if (row->table == TABLE_CROSSING) /* the wrong value may have been the edge's number */
            row->values[CROSSING_COLUMN_EDGE_ID] =
                repair_integer(repair_int(&rows->list[0], EDGE_COLUMN_ID));
        status = repair_row_replace(r->store, NULL, row, &local);
    }
    *kept = status == PTL_OK;
    repair_rows_dispose(&old);
    if (status == PTL_ERR_EXISTS)
        status = PTL_OK;
    else if (status != PTL_OK && err)
        *err = local;
    return repair_try_end(r, *kept, status, err);
}

/* Looks for the crossing that this edge lacks, among those whose edge_id differs in one bit
 * from its id. */
static ptl_status find_stray(repairer *r, repair_rows *rows, int64_t id, bool *found,
                             ptl_error *err)
{
    ptl_status status = PTL_OK;
    const uint64_t most = r->hashed + repair_search_left(r);
    *found = false;
    for (int bit = 0; bit < 63 && status == PTL_OK && !*found && r->hashed < most; bit++) {
        repair_rows others = {0};
        status =
            repair_rows_read(&others, r->store, TABLE_CROSSING, id ^ (INT64_C(1) << bit), err);
        for (size_t i = 0; i < others.count && status == PTL_OK && !*found && r->hashed < most;
             i++) {
            repair_row *added = repair_rows_add(rows, TABLE_CROSSING);
            if (!added) {
                status = error_nomem(err);
                break;
            }
            memcpy(added->values, others.list[i].values, sizeof added->values);
            const repair_unit unit = repair_unit_of(REPAIR_UNIT_EDGE, rows);
            status = repair_unit_try(r, &unit, found, err);
            if (*found && status == PTL_OK) {
                status = repair_row_replace(r->store, &others.list[i], NULL, err);
                memset(others.list[i].values, 0, sizeof others.list[i].values);
            } else {
                rows->count--; /* its values now belong to the other list */
            }
        }
        repair_rows_dispose(&others);
    }
    return status;
}

void repair_edge_where(char out[REPAIR_WHERE_SIZE], repairer *r, const repair_row *row)
{
    char name[110];
    const repair_value *side = &row->values[EDGE_COLUMN_SIDE];
    repair_world_name(name, sizeof name, r, repair_int(row, EDGE_COLUMN_WORLD_ID));
    snprintf(out, REPAIR_WHERE_SIZE, "world '%s', edge %" PRId64 ",%" PRId64 " %.*s", name,
             repair_int(row, EDGE_COLUMN_X), repair_int(row, EDGE_COLUMN_Y),
             side->size > 0 ? 1 : 0, side->data ? (const char *)side->data : "");
}

ptl_status repair_edges_damaged(int64_t **ids, size_t *count, repairer *r, ptl_error *err)
{
    stmt *s = NULL;
    int64_t *list = NULL, after = INT64_MIN;
    size_t room = 0;
    *count = 0;
    ptl_status status = stmt_prepare(
        &s, r->store, "SELECT id FROM edge WHERE id > ?1 ORDER BY id LIMIT 1", err);
    while (stmt_row_after(s, &after, "edge", &status, err)) {
        repair_rows rows = {0};
        bool good = true;
        stmt_reset(s);
        status = repair_edge_read(&rows, r, after, err);
        if (status == PTL_OK && rows.count > 0) {
            const repair_unit unit = repair_unit_of(REPAIR_UNIT_EDGE, &rows);
            status = repair_unit_good(&unit, &r->scratch, &good, err);
        }
        repair_rows_dispose(&rows);
        if (status == PTL_OK && !good && !ARRAY_ROOM(list, room, *count + 1))
            status = error_nomem(err);
        if (status == PTL_OK && !good)
            list[(*count)++] = after;
    }
    stmt_free(s);
    *ids = list;
    return status;
}

static ptl_status repair_one(repairer *r, int64_t id, ptl_error *err)
{
    repair_rows rows = {0};
    bool good = true, found = false, kept = false;
    repair_change change = {0};
    ptl_status status = repair_edge_read(&rows, r, id, err);
    if (status != PTL_OK || rows.count == 0)
        goto out;
    repair_unit unit = repair_unit_of(REPAIR_UNIT_EDGE, &rows);
    status = repair_unit_good(&unit, &r->scratch, &good, err);
    if (status != PTL_OK || good)
        goto out;
    status = repair_unit_flip(r, &unit, &change, err);
    if (status == PTL_OK && !change.found)
        status = find_stray(r, &rows, id, &found, err);
    if (status == PTL_OK && (found || change.found))
        status = repair_edge_write(r, id, &rows, &kept, err);
    if (status == PTL_OK && kept) {
        char where[REPAIR_WHERE_SIZE];
        repair_edge_where(where, r, &rows.list[0]);
        status = repair_note(r, PTL_REPAIR_CORRECTED, where,
                             "a value was wrong: the checksum proves what it was");
    }
out:
    repair_rows_dispose(&rows);
    return status;
}

ptl_status repair_edge_bits(repairer *r, ptl_error *err)
{
    int64_t *ids = NULL;
    size_t count = 0;
    const uint64_t before = r->report.corrected;
    ptl_status status = repair_edges_damaged(&ids, &count, r, err);
    /* Done twice, because a crossing that one edge has taken may be the one that another edge
     * had too many. */
    for (size_t i = 0; i < 2 * count && status == PTL_OK; i++) {
        if (i == count && r->report.corrected == before)
            break;
        status = repair_one(r, ids[i % count], err);
        THEN(status, repair_breathe(r, false, err));
    }
    free(ids);
    return status;
}
