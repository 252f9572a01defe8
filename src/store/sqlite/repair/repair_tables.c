/* Repairs rows that stand alone and have a checksum of their own. First the damaged rows are
 * listed, then each of them is repaired, because a table must not change while it is read. */
#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ptl_status damaged_row(repair_row *key, const stmt *s, row_table_id table, repairer *r,
                              bool *good, ptl_error *err)
{
    const row_table *t = row_table_of(table);
    repair_rows one = {0};
    repair_row *row = repair_rows_add(&one, table);
    bool failed = row == NULL;
    for (int i = 0; !failed && i < t->count; i++)
        repair_value_take(&row->values[i], s, i, &failed);
    ptl_status status = failed ? error_nomem(err) : PTL_OK;
    if (status == PTL_OK) {
        const repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &one);
        status = repair_unit_good(&unit, &r->scratch, good, err);
    }
    for (int i = 0; status == PTL_OK && i < t->keys; i++)
        status = repair_value_copy(&key->values[i], &row->values[i], err);
    repair_rows_dispose(&one);
    return status;
}

/* Lists the keys of all rows of a table whose checksums fail. */
static ptl_status list_damaged(repair_rows *out, repairer *r, row_table_id table,
                               ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, r->store, row_table_of(table)->all, err);
    while (stmt_row(s, &status, err)) {
        bool good = true;
        repair_rows key = {0};
        repair_row *row = repair_rows_add(out, table);
        status = row ? damaged_row(row, s, table, r, &good, err) : error_nomem(err);
        if (status != PTL_OK || !good)
            continue;
        /* The last row of the list turned out to be sound, so it leaves the list. */
        key = (repair_rows){.list = row, .count = 1};
        for (int i = 0; i < ROW_COLUMNS_MAX; i++)
            repair_value_dispose(&key.list->values[i]);
        out->count--;
    }
    stmt_free(s);
    return status;
}

/* ---- one row ---- */

/* Replaces the row that was read by the changed one. *kept is false if another row is in the
 * way. */
static ptl_status write_change(repairer *r, const repair_row *old, const repair_row *row,
                               bool *kept, ptl_error *err)
{
    ptl_error local = {0};
    TRY(repair_try_begin(r, err));
    ptl_status status = repair_row_replace(r->store, old, row, &local);
    *kept = status == PTL_OK;
    if (status == PTL_ERR_EXISTS)
        status = PTL_OK;
    else if (status != PTL_OK && err)
        *err = local;
    return repair_try_end(r, *kept, status, err);
}

/*
 * Is the table repaired later, by other means? Rows of levels, packs and events that single
 * bits don't explain are repaired with their chunk. Overmaps of sweeps, local maps, local
 * tides and spills have a repair of their own (repair_tables.c).
 */
static bool is_for_later(row_table_id table)
{
    return table == TABLE_LEVEL || table == TABLE_PACK || table == TABLE_EVENT ||
           table == TABLE_CHUNK || table == TABLE_SWEEP_CHUNK || table == TABLE_MAP ||
           table == TABLE_SURGE || table == TABLE_SPILL;
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
        /* Sets a damaged earlier content aside. Without it, worlds of that content are read
         * with the present one. */
        repair_rows rows = {0};
        ptl_status status = repair_row_reread(&rows, r->store, key, err);
        THEN(status, repair_set_aside(r, &rows, NULL, "its checksum fails", err));
        repair_rows_dispose(&rows);
        TRY(status);
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
        /* Rows of chunks are tried later, with more information. */
        if (status == PTL_OK && !change.found && key->table != TABLE_CHUNK) {
            repair_choice choices[ROW_COLUMNS_MAX];
            size_t count = 0;
            status = repair_choices_of(choices, &count, r->store, unit.rows[0].table, err);
            THEN(status, repair_unit_choose(r, &unit, choices, count, &change, err));
            for (size_t i = 0; i < count; i++)
                repair_choice_dispose(&choices[i]);
        }
        if (status == PTL_OK && change.found)
            status = write_change(r, key, &rows.list[0], &kept, err);
        THEN(status, tell_row(r, key, &change, kept, err));
    }
    repair_rows_dispose(&rows);
    return status;
}

ptl_status repair_tables(repairer *r, ptl_error *err)
{
    static const row_table_id order[] = {
        TABLE_OTER,        TABLE_NAME, TABLE_WORLD, TABLE_RUN,   TABLE_CHUNK,
        TABLE_LEVEL,       TABLE_PACK, TABLE_EVENT, TABLE_ASIDE, TABLE_SWEEP,
        TABLE_SWEEP_CHUNK, TABLE_PAST, TABLE_MAP,   TABLE_SURGE, TABLE_SPILL};
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

/*
 * Overmaps of sweeps, local maps, their spills and local tides that are damaged by more than a
 * single bit. They are set aside, since they can be made again or will be over some day.
 * Single bits have been corrected before (repair_tables.c).
 */

/* What the report says of the rows of lone_tables: what they belong to, and how they come
 * back. */
static const struct {
    const char *owner, *again;
} lone_tables_said[LONE_TABLES] = {
    {"sweep", ": 'portolan sweep' makes the overmap again"},
    {"world", ": the local map is made again when it is asked for, without what a game changed "
              "in it"},
    {"map", ": the map's spills are found when they are asked for"},
    {"world", ": the local tide is as if a game had not called it"}};

typedef struct lost {
    int64_t id;
    bool owned; /* its sweep or world exists */
    bool newer; /* its format is from a newer Portolan, so the row stays */
    char why[160];
} lost;

typedef struct lost_list {
    int of;     /* number of its table in lone_tables */
    lost *list; /* owned */
    size_t count, room;
} lost_list;

/* Adds the row to the list if something is wrong with it. */
static ptl_status check_row(lost_list *l, repairer *r, const stmt *s, ptl_error *err)
{
    ptl_error local = {0};
    char why[160] = "";
    const lone_table *of = &lone_tables[l->of];
    ptl_status status = row_verify(s, of->table, &local);
    const bool sound = status == PTL_OK;
    const bool owned = !stmt_is_null(s, row_table_of(of->table)->count);
    if (sound)
        status = of->parse(r->store, s, &local);
    if (status == PTL_ERR_CORRUPT && !local.backend_code) {
        snprintf(why, sizeof why, "%.150s", sound ? local.message : "damaged");
        status = PTL_OK;
    } else if (status == PTL_OK && !owned) {
        snprintf(why, sizeof why, "its %s is not there", lone_tables_said[l->of].owner);
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

static ptl_status repair_table(repairer *r, int number, ptl_error *err)
{
    const lone_table *of = &lone_tables[number];
    lost_list l = {.of = number};
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = stmt_prepare(&s, r->store, of->next, err);
    while (stmt_row_after(s, &after, row_table_of(of->table)->name, &status, err))
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
                                     row->owned ? lone_tables_said[number].again : ""));
        }
        THEN(status, repair_breathe(r, false, err));
    }
    free(l.list);
    return status;
}

ptl_status repair_lone_rows(repairer *r, ptl_error *err)
{
    for (int i = 0; i < LONE_TABLES; i++)
        TRY(repair_table(r, i, err));
    return PTL_OK;
}
