/* Compares damaged edges with the edges that are planned, or possible, at their places. */
#include "core/error.h"
#include "model/catalogue.h"
#include "portolan/generate.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/edge_rows.h"

#include <string.h>

ptl_status repair_edge_choose(repairer *r, repair_rows *rows, bool *found, ptl_error *err)
{
    repair_choice choices[ROW_COLUMNS_MAX];
    repair_change change = {0};
    size_t count = 0;
    repair_unit unit = repair_unit_of(REPAIR_UNIT_EDGE, rows);
    ptl_status status = repair_choices_of(choices, &count, r->store, TABLE_EDGE, err);
    THEN(status, repair_unit_good(&unit, &r->scratch, found, err));
    if (status == PTL_OK && !*found) {
        status = repair_unit_choose(r, &unit, choices, count, &change, err);
        *found = change.found;
    }
    for (size_t i = 0; i < count; i++)
        repair_choice_dispose(&choices[i]);
    return status;
}

bool repair_is_text(const repair_value *v, const char *text)
{
    return v->type == ROW_TEXT && v->size == strlen(text) &&
           memcmp(v->data, text, v->size) == 0;
}

void repair_edge_read_said(repair_edge_said *out, const repair_rows *rows)
{
    const repair_row *row = &rows->list[0];
    memset(out, 0, sizeof *out);
    out->world_id = repair_int(row, EDGE_COLUMN_WORLD_ID);
    const int64_t most = PTL_CHUNK_COORD_MAX, least = -most - 1;
    int64_t x = repair_int(row, EDGE_COLUMN_X), y = repair_int(row, EDGE_COLUMN_Y);
    const repair_value *side = &row->values[EDGE_COLUMN_SIDE];
    bool east = repair_is_text(side, "E"), south = repair_is_text(side, "S");
    /* Only a valid place is read. */
    out->placed = row->values[EDGE_COLUMN_X].type == ROW_INTEGER &&
                  row->values[EDGE_COLUMN_Y].type == ROW_INTEGER && x >= least && x <= most &&
                  y >= least && y <= most && (east || south);
    if (out->placed)
        out->place =
            (edge){.x = (int32_t)x, .y = (int32_t)y, .side = east ? EDGE_EAST : EDGE_SOUTH};
    out->foreign = repair_is_text(&row->values[EDGE_COLUMN_ORIGIN], "foreign");
}

static ptl_status set_text(repair_value *out, const char *text, ptl_error *err)
{
    const repair_value value = {
        .type = ROW_TEXT, .data = (uint8_t *)(uintptr_t)text, .size = strlen(text)};
    return repair_value_copy(out, &value, err);
}

ptl_status repair_edge_plan(repair_rows *out, bool *found, repairer *r, const repair_rows *read,
                            const edge *planned, ptl_error *err)
{
    /* Makes rows of the stored edge's row and the planned crossings. */
    repair_row *row = repair_rows_add(out, TABLE_EDGE);
    ptl_status status = row ? PTL_OK : error_nomem(err);
    for (int i = 0; i < EDGE_COLUMN_COUNT && status == PTL_OK; i++)
        status = repair_value_copy(&row->values[i], &read->list[0].values[i], err);
    for (size_t i = 0; i < planned->count && status == PTL_OK; i++) {
        const crossing *c = &planned->crossings[i];
        row = repair_rows_add(out, TABLE_CROSSING);
        if (!row)
            return error_nomem(err);
        row->values[CROSSING_COLUMN_EDGE_ID] = read->list[0].values[EDGE_COLUMN_ID];
        row->values[CROSSING_COLUMN_Z] = repair_integer(c->z);
        status = set_text(&row->values[CROSSING_COLUMN_KIND], c->kind, err);
        row->values[CROSSING_COLUMN_POSITION] = repair_integer(c->position);
        row->values[CROSSING_COLUMN_WIDTH] = repair_integer(c->width);
        row->values[CROSSING_COLUMN_DIRECTION] = repair_integer(c->direction);
    }
    TRY(status);
    return repair_edge_choose(r, out, found, err);
}

ptl_status repair_edge_free_id(int64_t *out, repairer *r, ptl_error *err)
{
    *out = 1;
    return stmt_ask(
        out, r->store,
        "SELECT coalesce((SELECT min(edge_id) FROM crossing WHERE edge_id > 0 AND edge_id "
        "NOT IN (SELECT id FROM edge)), "
        "(SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM edge WHERE id = 1)), "
        "(SELECT min(id) + 1 FROM edge e WHERE NOT EXISTS "
        "(SELECT 1 FROM edge n WHERE n.id = e.id + 1)))",
        NULL, 0, err);
}

ptl_status repair_edge_run(int64_t *out, repairer *r, int64_t id, ptl_error *err)
{
    *out = 0;
    return stmt_ask(out, r->store,
                    "SELECT r.id FROM edge e JOIN run r ON r.id = e.run_id "
                    "AND r.world_id = e.world_id WHERE e.id = ?",
                    &id, 1, err);
}

ptl_status repair_edge_put(repairer *r, const edge *e, const repair_ids *ids,
                           const catalogue *cat, ptl_error *err)
{
    const edge_source source = {.world_id = ids->world_id,
                                .content_id = cat->content_id,
                                .run_id = ids->run_id,
                                .generator_version = PTL_GENERATOR_VERSION};
    return edge_row_put(r->store, ids->id, e, &source, cat, err);
}
