/*
 * Overmaps of sweeps, local maps, their spills and local tides that are damaged by more than a
 * single bit. They are set aside, since they can be made again or will be over some day.
 * Single bits have been corrected before (repair_tables.c).
 */
#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/maps/map_rows.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/sweeps/sweep_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of these tables. */
typedef struct lone_table {
    row_table_id table;
    /* SQL that gives the first row after a number: the table's columns, then the id of its
     * owner, or NULL if the owner is not there. */
    const char *next;
    const char *owner;
    /* Decodes a row and discards the result, to see whether it can be decoded. */
    ptl_status (*parse)(ptl_store *store, const stmt *s, ptl_error *err);
    const char *again; /* how the row comes back, for the report */
} lone_table;

typedef struct lost {
    int64_t id;
    bool owned; /* its sweep or world exists */
    bool newer; /* its format is from a newer Portolan, so the row stays */
    char why[160];
} lost;

typedef struct lost_list {
    const lone_table *of;
    lost *list; /* owned */
    size_t count, room;
} lost_list;

static ptl_status parse_overmap(ptl_store *store, const stmt *s, ptl_error *err)
{
    summary found = {0};
    const ptl_status status = sweep_chunk_parse(&found, store, s, PTL_COUNT_ALL, err);
    summary_dispose(&found);
    return status;
}

static ptl_status parse_map(ptl_store *store, const stmt *s, ptl_error *err)
{
    stored_map found = {.pool = NULL};
    const ptl_status status = map_row_parse(&found, store, s, err);
    stored_map_dispose(&found);
    return status;
}

static ptl_status parse_surge(ptl_store *store, const stmt *s, ptl_error *err)
{
    surge_row found;
    (void)store;
    return surge_row_parse(&found, s, err);
}

static ptl_status parse_spill(ptl_store *store, const stmt *s, ptl_error *err)
{
    (void)store;
    return spill_row_check(s, err);
}

/* Adds the row to the list if something is wrong with it. */
static ptl_status check_row(lost_list *l, repairer *r, const stmt *s, ptl_error *err)
{
    ptl_error local = {0};
    char why[160] = "";
    ptl_status status = row_verify(s, l->of->table, &local);
    const bool sound = status == PTL_OK;
    const bool owned = !stmt_is_null(s, row_table_of(l->of->table)->count);
    if (sound)
        status = l->of->parse(r->store, s, &local);
    if (status == PTL_ERR_CORRUPT && !local.backend_code) {
        snprintf(why, sizeof why, "%.150s", sound ? local.message : "damaged");
        status = PTL_OK;
    } else if (status == PTL_OK && !owned) {
        snprintf(why, sizeof why, "its %s is not there", l->of->owner);
    }
    if (status != PTL_OK && err)
        *err = local;
    if (status != PTL_OK || !why[0])
        return status;
    if (!ARRAY_ROOM(l->list, l->room, l->count + 1))
        return error_nomem(err);
    lost *row = &l->list[l->count++];
    *row =
        (lost){.id = stmt_int(s, 0), .owned = owned, .newer = strstr(why, BYTES_NEWER) != NULL};
    memcpy(row->why, why, sizeof row->why);
    return PTL_OK;
}

static ptl_status repair_table(repairer *r, const lone_table *of, ptl_error *err)
{
    lost_list l = {.of = of};
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = stmt_prepare(&s, r->store, l.of->next, err);
    while (stmt_row_after(s, &after, row_table_of(l.of->table)->name, &status, err))
        status = check_row(&l, r, s, err);
    stmt_free(s);
    for (size_t i = 0; i < l.count && status == PTL_OK; i++) {
        const lost *row = &l.list[i];
        char where[REPAIR_WHERE_SIZE];
        repair_rows rows = {0};
        repair_row key = {.table = of->table, .values = {repair_integer(row->id)}};
        snprintf(where, sizeof where, "table %s, row %" PRId64, row_table_of(of->table)->name,
                 row->id);
        if (row->newer) {
            status = repair_note(r, PTL_REPAIR_UNREPAIRED, where, "%s", row->why);
        } else {
            status = repair_row_reread(&rows, r->store, &key, err);
            THEN(status, repair_set_aside(r, &rows, NULL, row->why, err));
            repair_rows_dispose(&rows);
            THEN(status, repair_note(r, PTL_REPAIR_SET_ASIDE, where, "%s%s", row->why,
                                     row->owned ? of->again : ""));
        }
        THEN(status, repair_breathe(r, false, err));
    }
    free(l.list);
    return status;
}

ptl_status repair_lone_rows(repairer *r, ptl_error *err)
{
    static const lone_table overmaps = {
        TABLE_SWEEP_CHUNK,
        "SELECT " SWEEP_CHUNK_COLUMNS ", (SELECT s.id FROM sweep s WHERE s.id = sweep_id) FROM "
        "sweep_chunk WHERE id > ? ORDER BY id LIMIT 1",
        "sweep", parse_overmap, ": 'portolan sweep' makes the overmap again"};
    static const lone_table maps = {
        TABLE_MAP,
        "SELECT " MAP_COLUMNS ", (SELECT w.id FROM world w WHERE w.id = world_id) FROM omt_map "
        "WHERE id > ? ORDER BY id LIMIT 1",
        "world", parse_map,
        ": the local map is made again when it is asked for, without what a game changed in "
        "it"};
    static const lone_table surges = {
        TABLE_SURGE,
        "SELECT " SURGE_COLUMNS ", (SELECT w.id FROM world w WHERE w.id = world_id) FROM surge "
        "WHERE id > ? ORDER BY id LIMIT 1",
        "world", parse_surge, ": the local tide is as if a game had not called it"};
    static const lone_table spills = {
        TABLE_SPILL,
        "SELECT " SPILL_COLUMNS ", (SELECT m.id FROM omt_map m WHERE m.id = omt_spill.id) FROM "
        "omt_spill WHERE id > ? ORDER BY id LIMIT 1",
        "map", parse_spill, ": the map's spills are found when they are asked for"};
    static const lone_table *const tables[] = {&overmaps, &maps, &spills, &surges};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        TRY(repair_table(r, tables[i], err));
    return PTL_OK;
}
