/*
 * Edges that bits don't explain. A planned edge is a function of its place: planned again, it
 * must give the stored checksum; where that is damaged too, or the row is gone, a chunk beside
 * it must come out again as its digests say.
 */
#include "core/error.h"
#include "gen/plan/plan.h"
#include "repair/repair_impl.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/edge_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- by the edge's own checksum ---- */

static ptl_status choose(world_repair *w, repair_rows *rows, bool *found, ptl_error *err)
{
    repair_choice choices[ROW_COLUMNS_MAX];
    repair_change change = {0};
    size_t count = 0;
    repair_unit unit = repair_unit_of(REPAIR_UNIT_EDGE, rows);
    ptl_status status = repair_choices_of(choices, &count, w->r.store, TABLE_EDGE, err);
    if (status == PTL_OK)
        status = repair_unit_good(&unit, &w->r.scratch, found, err);
    if (status == PTL_OK && !*found) {
        status = repair_unit_choose(&w->r, &unit, choices, count, &change, err);
        *found = change.found;
    }
    for (size_t i = 0; i < count; i++)
        repair_choice_dispose(&choices[i]);
    return status;
}

static bool is_text(const repair_value *v, const char *text)
{
    return v->type == ROW_TEXT && v->size == strlen(text) &&
           memcmp(v->data, text, v->size) == 0;
}

/* The place that the edge's row says; false if it says none. */
static bool read_place(edge *out, const repair_row *row)
{
    const int64_t most = PTL_CHUNK_COORD_MAX, least = -most - 1;
    int64_t x = repair_int(row, 2), y = repair_int(row, 3);
    bool east = is_text(&row->values[4], "E"), south = is_text(&row->values[4], "S");
    if (row->values[2].type != ROW_INTEGER || row->values[3].type != ROW_INTEGER || x < least ||
        x > most || y < least || y > most || (!east && !south))
        return false;
    *out = (edge){.x = (int32_t)x, .y = (int32_t)y, .side = east ? EDGE_EAST : EDGE_SOUTH};
    return true;
}

static ptl_status set_text(repair_value *out, const char *text, ptl_error *err)
{
    const repair_value value = {
        .type = ROW_TEXT, .data = (uint8_t *)(uintptr_t)text, .size = strlen(text)};
    return repair_value_copy(out, &value, err);
}

/* The edge's row, and the planned crossings in the place of those that were read. */
static ptl_status plan_rows(repair_rows *out, const repair_rows *read, const edge *planned,
                            ptl_error *err)
{
    repair_row *row = repair_rows_add(out, TABLE_EDGE);
    ptl_status status = row ? PTL_OK : error_nomem(err);
    for (int i = 0; i < row_table_of(TABLE_EDGE)->count && status == PTL_OK; i++)
        status = repair_value_copy(&row->values[i], &read->list[0].values[i], err);
    for (size_t i = 0; i < planned->count && status == PTL_OK; i++) {
        const crossing *c = &planned->crossings[i];
        row = repair_rows_add(out, TABLE_CROSSING);
        if (!row)
            return error_nomem(err);
        row->values[0] = read->list[0].values[0];
        row->values[1] = repair_integer(c->z);
        status = set_text(&row->values[2], c->kind, err);
        row->values[3] = repair_integer(c->position);
        row->values[4] = repair_integer(c->width);
        row->values[5] = repair_integer(c->direction);
    }
    return status;
}

static ptl_status plan_again(world_repair *w, const repair_rows *read, repair_rows *out,
                             bool *found, ptl_error *err)
{
    char why[PTL_ERROR_MESSAGE_SIZE];
    edge place, planned = {0};
    bool ready = false;
    if (!read_place(&place, &read->list[0]))
        return PTL_OK;
    ptl_status status = repair_world_open(w, repair_int(&read->list[0], 1), &ready, why, err);
    if (status != PTL_OK || !ready)
        return status;
    status = plan_edge(&planned, w->world->config, place.x, place.y, place.side, err);
    if (status == PTL_OK)
        status = plan_rows(out, read, &planned, err);
    if (status == PTL_OK)
        status = choose(w, out, found, err);
    edge_dispose(&planned);
    return status;
}

/* ---- by a chunk beside it ---- */

static ptl_status find_chunk(repair_chunk *out, bool *found, world_repair *w, int64_t world_id,
                             ptl_chunk_pos pos, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, w->r.store, "SELECT id FROM chunk WHERE world_id = ? AND x = ? AND y = ?", err);
    memset(out, 0, sizeof *out);
    *found = false;
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, world_id);
    stmt_bind_int(s, 2, pos.x);
    stmt_bind_int(s, 3, pos.y);
    status = stmt_step(s, found, err);
    if (status == PTL_OK && *found)
        status = repair_chunk_read(out, w->r.store, stmt_int(s, 0), err);
    stmt_free(s);
    return status;
}

/* Makes the chunk with the edge as it stands in the file now. */
static ptl_status prove_by(world_repair *w, const repair_chunk *c, bool *proved, ptl_error *err)
{
    char why[PTL_ERROR_MESSAGE_SIZE];
    bool can = false;
    unsigned bad = 0;
    const repair_row *row = &c->row.list[0];
    repair_place place;
    repair_place_of(&place, c);
    ptl_status status = repair_can_make(w, row, &can, why, err);
    if (status != PTL_OK || !can)
        return status;
    status = repair_chunk_check(&w->r, c, &bad, err);
    if (status == PTL_OK)
        status = repair_make(w, &place, c, repair_same_row, proved, why, err);
    return status == PTL_OK && *proved ? repair_made_note(w, row, bad) : status;
}

/* The number that a lost edge had: that of crossings without an edge if they are its own, else
 * the first that is free. */
static ptl_status find_id(int64_t *out, world_repair *w, ptl_error *err)
{
    *out = 1;
    return stmt_ask(
        out, w->r.store,
        "SELECT coalesce((SELECT min(edge_id) FROM crossing WHERE edge_id > 0 AND edge_id "
        "NOT IN (SELECT id FROM edge)), "
        "(SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM edge WHERE id = 1)), "
        "(SELECT min(id) + 1 FROM edge e WHERE NOT EXISTS "
        "(SELECT 1 FROM edge n WHERE n.id = e.id + 1)))",
        NULL, 0, err);
}

/* What the damaged row says of its run, if there is such a run: 0 else. */
static ptl_status run_said(int64_t *out, world_repair *w, int64_t id, ptl_error *err)
{
    *out = 0;
    return stmt_ask(out, w->r.store,
                    "SELECT r.id FROM edge e JOIN run r ON r.id = e.run_id "
                    "AND r.world_id = e.world_id WHERE e.id = ?",
                    &id, 1, err);
}

/* Plans the edge, writes it, and keeps it if a chunk on either side comes out again. */
static ptl_status put_and_prove(world_repair *w, const edge *place, int64_t world_id,
                                int64_t id, bool *proved, ptl_error *err)
{
    edge planned = {0};
    edge_source source = {.world_id = world_id,
                          .content_id = w->world->cat->content_id,
                          .generator_version = PTL_GENERATOR_VERSION};
    const ptl_chunk_pos sides[2] = {
        {place->x, place->y},
        {place->x + (place->side == EDGE_EAST), place->y + (place->side == EDGE_SOUTH)}};
    repair_chunk chunks[2] = {{0}};
    bool found[2] = {false, false};
    ptl_status status = run_said(&source.run_id, w, id, err);
    const bool said = source.run_id != 0;
    if (status == PTL_OK)
        status = plan_edge(&planned, w->world->config, place->x, place->y, place->side, err);
    for (int i = 0; i < 2 && status == PTL_OK; i++)
        status = find_chunk(&chunks[i], &found[i], w, world_id, sides[i], err);
    for (int i = 0; i < 2; i++) /* the chunk that was there first wrote it */
        if (!said && found[i] && (!found[1 - i] || chunks[i].id < chunks[1 - i].id))
            source.run_id = repair_int(&chunks[i].row.list[0], 9);
    if (status == PTL_OK)
        status = edge_row_put(w->r.store, id, &planned, &source, w->world->cat, err);
    for (int i = 0; i < 2 && status == PTL_OK && !*proved; i++)
        if (found[i])
            status = prove_by(w, &chunks[i], proved, err);
    repair_chunk_dispose(&chunks[0]);
    repair_chunk_dispose(&chunks[1]);
    edge_dispose(&planned);
    return status;
}

static ptl_status make_edge(world_repair *w, const edge *place, int64_t world_id, int64_t id,
                            bool *proved, ptl_error *err)
{
    char why[PTL_ERROR_MESSAGE_SIZE];
    bool ready = false;
    *proved = false;
    ptl_status status = repair_world_open(w, world_id, &ready, why, err);
    if (status != PTL_OK || !ready)
        return status;
    status = store_exec(w->r.store, "SAVEPOINT repair_edge", err);
    if (status != PTL_OK)
        return status;
    status = put_and_prove(w, place, world_id, id, proved, err);
    if (status != PTL_OK && repair_is_soft(status, err)) {
        error_clear(err);
        status = PTL_OK;
        *proved = false;
    }
    ptl_status ended =
        *proved && status == PTL_OK
            ? store_exec(w->r.store, "RELEASE repair_edge", err)
            : store_exec(w->r.store, "ROLLBACK TO repair_edge; RELEASE repair_edge",
                         status == PTL_OK ? err : NULL);
    return status == PTL_OK ? ended : status;
}

/* ---- damaged edges ---- */

static ptl_status repair_edge(world_repair *w, int64_t id, ptl_error *err)
{
    repair_rows read = {0}, planned = {0};
    bool found = false, kept = false;
    edge place;
    char where[REPAIR_WHERE_SIZE];
    ptl_status status = repair_edge_read(&read, &w->r, id, err);
    if (status != PTL_OK || read.count == 0)
        goto out;
    repair_edge_where(where, &w->r, &read.list[0]);
    status = plan_again(w, &read, &planned, &found, err);
    if (status == PTL_OK && found)
        repair_edge_where(where, &w->r, &planned.list[0]);
    if (status == PTL_OK && found)
        status = repair_edge_write(&w->r, id, &planned, &kept, err);
    if (status == PTL_OK && !kept) {
        status = choose(w, &read, &found, err);
        if (status == PTL_OK && found)
            status = repair_edge_write(&w->r, id, &read, &kept, err);
    }
    if (status == PTL_OK && !kept && read_place(&place, &read.list[0]) &&
        !is_text(&read.list[0].values[5], "foreign"))
        status = make_edge(w, &place, repair_int(&read.list[0], 1), id, &kept, err);
    if (status == PTL_OK && kept)
        status = repair_note(&w->r, PTL_REPAIR_MADE_AGAIN, where,
                             "damaged: its checksum or a chunk beside it proves the plan");
out:
    repair_rows_dispose(&read);
    repair_rows_dispose(&planned);
    return status;
}

ptl_status repair_planned_edges(world_repair *w, ptl_error *err)
{
    int64_t *ids = NULL;
    size_t count = 0;
    ptl_status status = repair_edges_damaged(&w->r, &ids, &count, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        status = repair_edge(w, ids[i], err);
        if (status == PTL_OK)
            status = repair_breathe(&w->r, false, err);
    }
    free(ids);
    return status;
}

/* ---- missing edges ---- */

typedef struct missing_edge {
    int64_t world_id;
    edge place;
} missing_edge;

#define IN_RANGE "BETWEEN -4194304 AND 4194304"
#define LACKING(dx, dy, side)                                                                  \
    "SELECT c.world_id, c.x - " #dx ", c.y - " #dy ", '" side "', c.id FROM chunk c "          \
    "WHERE typeof(c.x) = 'integer' AND typeof(c.y) = 'integer' "                               \
    "AND c.x " IN_RANGE " AND c.y " IN_RANGE " "                                               \
    "AND NOT EXISTS (SELECT 1 FROM edge e WHERE e.world_id = c.world_id "                      \
    "AND e.x = c.x - " #dx " AND e.y = c.y - " #dy " AND e.side = '" side "')"

static ptl_status list_missing(missing_edge **out, size_t *count, world_repair *w,
                               ptl_error *err)
{
    stmt *s = NULL;
    missing_edge *list = NULL;
    *count = 0;
    ptl_status status = stmt_prepare(
        &s, w->r.store,
        "SELECT DISTINCT world_id, x, y, side FROM ("
        "SELECT NULL AS world_id, 0 AS x, 0 AS y, '' AS side, "
        "0 AS id WHERE 0 UNION ALL " LACKING(0, 0, "E") " UNION ALL " LACKING(
            0, 0,
            "S") " UNION ALL " LACKING(1, 0,
                                       "E") " UNION ALL " LACKING(0, 1,
                                                                  "S") ") ORDER BY 1, 2, 3, 4",
        err);
    for (bool more = true; more && status == PTL_OK;) {
        status = stmt_step(s, &more, err);
        if (status != PTL_OK || !more)
            break;
        missing_edge *grown = realloc(list, (*count + 1) * sizeof *grown);
        if (!grown) {
            status = error_nomem(err);
            break;
        }
        list = grown;
        list[(*count)++] = (missing_edge){
            stmt_int(s, 0),
            {.x = (int32_t)stmt_int(s, 1),
             .y = (int32_t)stmt_int(s, 2),
             .side = strcmp(stmt_text(s, 3), "E") == 0 ? EDGE_EAST : EDGE_SOUTH}};
    }
    stmt_free(s);
    *out = list;
    return status;
}

static ptl_status repair_missing(world_repair *w, const missing_edge *m, bool last,
                                 ptl_error *err)
{
    int64_t id = 0;
    bool proved = false, there = false;
    edge found = {0};
    char where[REPAIR_WHERE_SIZE], name[110];
    /* A chunk that was made again may have brought it along. */
    ptl_status status = edge_row_find_raw(&found, NULL, &there, w->r.store, m->world_id,
                                          m->place.x, m->place.y, m->place.side, err);
    edge_dispose(&found);
    if (status == PTL_OK && there)
        return PTL_OK;
    if (status == PTL_ERR_CORRUPT) {
        error_clear(err);
        return PTL_OK; /* it is there, damaged: named with the others */
    }
    if (status == PTL_OK)
        status = find_id(&id, w, err);
    if (status == PTL_OK)
        status = make_edge(w, &m->place, m->world_id, id, &proved, err);
    if (status != PTL_OK || (!proved && !last))
        return status;
    repair_world_name(name, sizeof name, &w->r, m->world_id);
    snprintf(where, sizeof where, "world '%s', edge %d,%d %s", name, m->place.x, m->place.y,
             edge_side_text(m->place.side));
    if (proved)
        return repair_note(&w->r, PTL_REPAIR_MADE_AGAIN, where,
                           "missing: a chunk beside it proves the plan");
    return repair_note(&w->r, PTL_REPAIR_UNREPAIRED, where,
                       "missing, and no chunk beside it says what it was");
}

ptl_status repair_missing_edges(world_repair *w, bool last, ptl_error *err)
{
    missing_edge *list = NULL;
    size_t count = 0;
    ptl_status status = list_missing(&list, &count, w, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        status = repair_missing(w, &list[i], last, err);
        if (status == PTL_OK)
            status = repair_breathe(&w->r, false, err);
    }
    free(list);
    return status;
}
