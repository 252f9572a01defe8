/*
 * Overmaps of sweeps that no single bit explains: they are set aside, since `portolan sweep`
 * makes them again. Single bits were set right before (repair_tables.c).
 */
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/sweeps/sweep_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct lost {
    int64_t id;
    bool named; /* its sweep is there */
    bool newer; /* of a form that a newer Portolan made: it stays */
    char why[160];
} lost;

typedef struct lost_list {
    lost *list; /* owned */
    size_t count, room;
} lost_list;

static lost *add_lost(lost_list *l)
{
    if (l->count == l->room) {
        const size_t room = l->room ? 2 * l->room : 16;
        lost *list = realloc(l->list, room * sizeof *list);
        if (!list)
            return NULL;
        l->list = list;
        l->room = room;
    }
    lost *added = &l->list[l->count++];
    memset(added, 0, sizeof *added);
    return added;
}

/* What is wrong with the row: *why is empty if nothing. Its sweep is the last column. */
static ptl_status judge_row(char why[160], repairer *r, const stmt *s, ptl_error *err)
{
    ptl_error local = {0};
    row_scratch *scratch;
    summary found = {0};
    why[0] = '\0';
    ptl_status status = row_scratch_get(&scratch, r->store, &local);
    if (status == PTL_OK)
        status = row_verify(scratch, s, TABLE_SWEEP_CHUNK, &local);
    const bool sound = status == PTL_OK;
    if (sound)
        status = sweep_chunk_parse(&found, r->store, s, PTL_COUNT_ALL, &local);
    summary_dispose(&found);
    if (status == PTL_ERR_CORRUPT && !local.backend_code) {
        snprintf(why, 160, "%.150s", sound ? local.message : "damaged");
        return PTL_OK;
    }
    if (status == PTL_OK && stmt_is_null(s, SWEEP_CHUNK_COLUMN_COUNT))
        snprintf(why, 160, "its sweep is not there");
    if (status != PTL_OK && err)
        *err = local;
    return status;
}

static ptl_status check_row(lost_list *l, repairer *r, const stmt *s, ptl_error *err)
{
    char why[160];
    ptl_status status = judge_row(why, r, s, err);
    if (status != PTL_OK || !why[0])
        return status;
    lost *row = add_lost(l);
    if (!row)
        return error_nomem(err);
    row->id = stmt_int(s, 0);
    row->named = !stmt_is_null(s, SWEEP_CHUNK_COLUMN_COUNT);
    row->newer = strstr(why, BYTES_NEWER) != NULL;
    memcpy(row->why, why, sizeof row->why);
    return PTL_OK;
}

static ptl_status find_lost(lost_list *l, repairer *r, ptl_error *err)
{
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status =
        stmt_prepare(&s, r->store,
                     "SELECT " SWEEP_CHUNK_COLUMNS ", (SELECT s.id FROM sweep s WHERE s.id = "
                     "sweep_id) FROM sweep_chunk WHERE id > ? ORDER BY id LIMIT 1",
                     err);
    for (bool row = true; row && status == PTL_OK;) {
        stmt_bind_int(s, 1, after);
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            status = stmt_next_id(s, &after, "sweep_chunk", err);
        if (status == PTL_OK && row)
            status = check_row(l, r, s, err);
        stmt_reset(s);
    }
    stmt_free(s);
    return status;
}

static ptl_status move_lost(repairer *r, const lost *row, ptl_error *err)
{
    char where[REPAIR_WHERE_SIZE];
    repair_rows rows = {0};
    repair_row key = {.table = TABLE_SWEEP_CHUNK, .values = {repair_integer(row->id)}};
    snprintf(where, sizeof where, "table sweep_chunk, row %" PRId64, row->id);
    if (row->newer)
        return repair_note(r, PTL_REPAIR_UNREPAIRED, where, "%s", row->why);
    ptl_status status = repair_row_reread(&rows, r->store, &key, err);
    if (status == PTL_OK)
        status = repair_set_aside(r, &rows, NULL, row->why, err);
    repair_rows_dispose(&rows);
    if (status != PTL_OK)
        return status;
    return repair_note(r, PTL_REPAIR_SET_ASIDE, where, "%s%s", row->why,
                       row->named ? ": 'portolan sweep' makes the overmap again" : "");
}

ptl_status repair_sweeps(repairer *r, ptl_error *err)
{
    lost_list l = {0};
    ptl_status status = find_lost(&l, r, err);
    for (size_t i = 0; i < l.count && status == PTL_OK; i++) {
        status = move_lost(r, &l.list[i], err);
        if (status == PTL_OK)
            status = repair_breathe(r, false, err);
    }
    free(l.list);
    return status;
}
