/*
 * Chunks without a row that could be believed: what is left of their levels and packs says
 * which place they had, once the chunks that could be there are made again. And rows that
 * belong to no chunk at all.
 */
#include "core/error.h"
#include "repair/repair_impl.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/chunk_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- where it could have been ---- */

typedef struct free_place {
    int64_t world_id;
    ptl_chunk_pos pos;
} free_place;

/* All places with four edges and no chunk; the rows of `id` don't count. */
static ptl_status list_places(free_place **out, size_t *count, world_repair *w, int64_t id,
                              ptl_error *err)
{
    stmt *s = NULL;
    free_place *list = NULL;
    *count = 0;
    ptl_status status = stmt_prepare(
        &s, w->r.store,
        "SELECT e.world_id, e.x, e.y FROM edge e "
        "WHERE e.side = 'E' AND typeof(e.x) = 'integer' AND typeof(e.y) = 'integer' "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x "
        "AND o.y = e.y AND o.side = 'S') "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x - 1 "
        "AND o.y = e.y AND o.side = 'E') "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x "
        "AND o.y = e.y - 1 AND o.side = 'S') "
        "AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.world_id = e.world_id AND c.x = e.x "
        "AND c.y = e.y AND c.id <> ?1) ORDER BY 1, 2, 3",
        err);
    if (status == PTL_OK)
        stmt_bind_int(s, 1, id);
    for (bool more = true; more && status == PTL_OK;) {
        status = stmt_step(s, &more, err);
        if (status != PTL_OK || !more)
            break;
        free_place *grown = realloc(list, (*count + 1) * sizeof *grown);
        if (!grown) {
            status = error_nomem(err);
            break;
        }
        list = grown;
        list[(*count)++] =
            (free_place){stmt_int(s, 0), {(int32_t)stmt_int(s, 1), (int32_t)stmt_int(s, 2)}};
    }
    stmt_free(s);
    *out = list;
    return status;
}

/*
 * The run that wrote the chunk: what its row says if there is such a run. Else: ids and runs
 * count up together, and the chunk's edges are from its run or from those before.
 */
static ptl_status find_run(int64_t *out, world_repair *w, const free_place *at, int64_t said,
                           int64_t id, ptl_error *err)
{
    const int64_t parameters[] = {said, at->world_id, id, at->pos.x, at->pos.y};
    *out = said;
    return stmt_ask(
        out, w->r.store,
        "SELECT coalesce((SELECT id FROM run WHERE id = ?1 AND world_id = ?2), "
        "(SELECT max(n) FROM (SELECT run_id AS n FROM chunk WHERE id = (SELECT max(id) FROM "
        "chunk WHERE world_id = ?2 AND id < ?3) UNION ALL SELECT run_id FROM edge "
        "WHERE world_id = ?2 AND (x = ?4 AND y = ?5 OR x = ?4 - 1 AND y = ?5 AND side = 'E' "
        "OR x = ?4 AND y = ?5 - 1 AND side = 'S')) WHERE n IN (SELECT id FROM run)), ?1)",
        parameters, sizeof parameters / sizeof *parameters, err);
}

/* Which steps ran: what the row says if that can be read; all of them else. */
static void read_step(char out[32], const repair_chunk *c)
{
    out[0] = '\0';
    if (c->row.count == 0)
        return;
    const repair_value *step = &c->row.list[0].values[8];
    if (step->type == ROW_TEXT && step->size < 32) {
        memcpy(out, step->data, step->size);
        out[step->size] = '\0';
    }
}

static ptl_status try_place(world_repair *w, const repair_chunk *c, const free_place *at,
                            bool *proved, ptl_error *err)
{
    char why[PTL_ERROR_MESSAGE_SIZE];
    bool ready = false;
    repair_place place = {.pos = at->pos, .id = c->id};
    const int64_t said = c->row.count ? repair_int(&c->row.list[0], 9) : 0;
    ptl_status status = repair_world_open(w, at->world_id, &ready, why, err);
    if (status != PTL_OK || !ready)
        return status;
    status = find_run(&place.run_id, w, at, said, c->id, err);
    if (status != PTL_OK)
        return status;
    read_step(place.last_step, c);
    status = repair_make(w, &place, c, repair_same_leftovers, proved, why, err);
    if (status != PTL_OK || *proved || !place.last_step[0])
        return status;
    place.last_step[0] = '\0';
    return repair_make(w, &place, c, repair_same_leftovers, proved, why, err);
}

/* The run's number is nobody's function: the stored checksum of the row tells it, if that is
 * sound. */
static ptl_status choose_run(world_repair *w, const repair_chunk *c, ptl_error *err)
{
    repair_rows made = {0};
    repair_choice runs = {.column = 9};
    repair_change change = {0};
    const repair_row key = {.table = TABLE_CHUNK, .values = {repair_integer(c->id)}};
    if (c->row.count == 0)
        return PTL_OK;
    ptl_status status = repair_row_reread(&made, w->r.store, &key, err);
    if (status == PTL_OK)
        status = repair_choice_query(&runs, w->r.store, "SELECT id FROM run", err);
    if (status == PTL_OK && made.count == 1) {
        repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &made);
        unit.stored = repair_int(&c->row.list[0], row_table_of(TABLE_CHUNK)->checksum);
        status = repair_unit_choose(&w->r, &unit, &runs, 1, &change, err);
        if (status == PTL_OK && change.found) {
            made.list[0].values[row_table_of(TABLE_CHUNK)->checksum] =
                repair_integer(unit.stored);
            status = repair_row_replace(w->r.store, &key, &made.list[0], err);
        }
    }
    repair_rows_dispose(&made);
    repair_choice_dispose(&runs);
    return status;
}

static ptl_status find_place(world_repair *w, const repair_chunk *c, bool *proved,
                             ptl_error *err)
{
    free_place *places = NULL;
    size_t count = 0;
    char where[REPAIR_WHERE_SIZE], name[110];
    *proved = false;
    ptl_status status = list_places(&places, &count, w, c->id, err);
    for (size_t i = 0; i < count && status == PTL_OK && !*proved; i++) {
        status = try_place(w, c, &places[i], proved, err);
        if (status == PTL_OK && *proved)
            status = choose_run(w, c, err);
        if (status != PTL_OK || !*proved)
            continue;
        repair_world_name(name, sizeof name, &w->r, places[i].world_id);
        snprintf(where, sizeof where, "world '%s', chunk %d,%d", name, places[i].pos.x,
                 places[i].pos.y);
        status = repair_note(&w->r, PTL_REPAIR_MADE_AGAIN, where,
                             "its row was lost: its levels prove the place");
    }
    free(places);
    return status;
}

ptl_status repair_lost_chunk(world_repair *w, repair_chunk *c, ptl_error *err)
{
    bool proved = false;
    char where[REPAIR_WHERE_SIZE];
    repair_chunk now = {0};
    ptl_status status = PTL_OK;
    if (c->id >= 1 && c->id <= CHUNK_ID_MAX)
        status = find_place(w, c, &proved, err);
    if (status != PTL_OK || proved)
        return status;
    if (c->row.count)
        repair_chunk_where(where, &w->r, &c->row.list[0]);
    else
        snprintf(where, sizeof where, "chunk with id %" PRId64, c->id);
    status = repair_chunk_read(&now, w->r.store, c->id, err);
    if (status == PTL_OK)
        status = repair_chunk_set_aside(&w->r, &now, "its row is damaged or lost", err);
    repair_chunk_dispose(&now);
    if (status != PTL_OK)
        return status;
    return repair_note(&w->r, PTL_REPAIR_SET_ASIDE, where,
                       "its row is damaged or lost, and no chunk that can be made has its "
                       "levels");
}

/* ---- rows of no chunk ---- */

/* The row with one bit of a key turned over: does it stand where it belongs? */
static ptl_status is_copy(world_repair *w, const repair_row *row, int key, bool *copy,
                          ptl_error *err)
{
    const row_table *t = row_table_of(row->table);
    ptl_status status = PTL_OK;
    *copy = false;
    for (int bit = 0; bit < 64 && status == PTL_OK && !*copy; bit++) {
        repair_rows found = {0};
        repair_row other = *row; /* borrows its texts */
        other.values[key].word ^= UINT64_C(1) << bit;
        status = repair_row_reread(&found, w->r.store, &other, err);
        *copy = status == PTL_OK && found.count == 1;
        for (int i = 0; i < t->count && *copy; i++)
            *copy = i == key || repair_value_equal(&found.list[0].values[i], &row->values[i]);
        repair_rows_dispose(&found);
    }
    return status;
}

/* A row whose key was damaged, and which was put back meanwhile, is there twice. */
static ptl_status drop_copies(world_repair *w, const repair_rows *rows, size_t *left,
                              ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < rows->count && status == PTL_OK; i++) {
        const repair_row *row = &rows->list[i];
        bool copy = false;
        for (int key = 0; key < row_table_of(row->table)->keys && !copy; key++)
            if (row->values[key].type == ROW_INTEGER && status == PTL_OK)
                status = is_copy(w, row, key, &copy, err);
        if (status == PTL_OK && copy)
            status = repair_row_replace(w->r.store, row, NULL, err);
        *left += !copy;
    }
    return status;
}

static bool has_blobs(const repair_chunk *c)
{
    for (size_t i = 0; i < c->features.count; i++)
        if (c->features.list[i].table == TABLE_PACK)
            return true;
    return c->levels.count > 0;
}

static ptl_status repair_orphan(world_repair *w, int64_t id, ptl_error *err)
{
    repair_chunk c;
    size_t left = 0;
    char where[REPAIR_WHERE_SIZE];
    ptl_status status = repair_chunk_read(&c, w->r.store, id, err);
    const repair_rows *const lists[] = {&c.levels, &c.features, &c.events};
    for (int i = 0; i < 3 && status == PTL_OK; i++)
        status = drop_copies(w, lists[i], &left, err);
    snprintf(where, sizeof where, "chunk with id %" PRId64, id);
    if (status == PTL_OK && left == 0) {
        status =
            repair_note(&w->r, PTL_REPAIR_CORRECTED, where,
                        "rows that stood under a wrong number: they are where they belong");
    } else if (status == PTL_OK && has_blobs(&c)) {
        status = repair_lost_chunk(w, &c, err);
    } else if (status == PTL_OK) {
        repair_chunk now;
        status = repair_chunk_read(&now, w->r.store, id, err);
        if (status == PTL_OK)
            status = repair_chunk_set_aside(&w->r, &now, "it belongs to no chunk", err);
        repair_chunk_dispose(&now);
        if (status == PTL_OK)
            status =
                repair_note(&w->r, PTL_REPAIR_SET_ASIDE, where, "rows that belong to no chunk");
    }
    repair_chunk_dispose(&c);
    return status;
}

ptl_status repair_orphans(world_repair *w, ptl_error *err)
{
    stmt *s = NULL;
    int64_t *ids = NULL;
    size_t count = 0;
    ptl_status status = stmt_prepare(
        &s, w->r.store,
        "SELECT n FROM (SELECT id >> 5 AS n FROM level UNION SELECT id >> 3 FROM pack "
        "UNION SELECT id >> 16 FROM special_placement UNION SELECT chunk_id FROM city "
        "UNION SELECT chunk_id FROM radio UNION SELECT chunk_id FROM event) "
        "WHERE typeof(n) = 'integer' AND n NOT IN (SELECT id FROM chunk) ORDER BY n",
        err);
    if (status == PTL_OK)
        status = repair_ids_list(&ids, &count, s, err);
    stmt_free(s);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        status = repair_orphan(w, ids[i], err);
        if (status == PTL_OK)
            status = repair_breathe(&w->r, false, err);
    }
    free(ids);
    return status;
}
