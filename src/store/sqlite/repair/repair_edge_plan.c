/* Compares damaged edges with the edges that are planned, or possible, at their places. */
#include "core/array.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "portolan/generate.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/edge_rows.h"
#include "store/sqlite/rows/rows.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

static bool repair_is_text(const repair_value *v, const char *text)
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

/* What a chunk's row says, and what proves that a chunk which was made again is the one that
 * was there. */

bool repair_is_soft(ptl_status status, const ptl_error *err)
{
    if (status == PTL_ERR_INTERNAL &&
        (err->backend_code & 0xff) == SQLITE_CONSTRAINT) /* another row is in the way */
        return true;
    return status == PTL_ERR_CORRUPT || status == PTL_ERR_MISMATCH ||
           status == PTL_ERR_CONTENT || status == PTL_ERR_NOT_FOUND ||
           status == PTL_ERR_NEWER || status == PTL_ERR_EXISTS || status == PTL_ERR_ARGUMENT;
}

void repair_chunk_read_said(repair_said *out, const repair_chunk *c)
{
    const repair_row *row = &c->row.list[0];
    const repair_value *step = &row->values[CHUNK_COLUMN_LAST_STEP];
    memset(out, 0, sizeof *out);
    out->world_id = repair_int(row, CHUNK_COLUMN_WORLD_ID);
    out->run_id = repair_int(row, CHUNK_COLUMN_RUN_ID);
    out->content_id = repair_int(row, CHUNK_COLUMN_CONTENT_ID);
    out->generator_version = repair_int(row, CHUNK_COLUMN_GENERATOR_VERSION);
    out->pos = (ptl_chunk_pos){(int32_t)repair_int(row, CHUNK_COLUMN_X),
                               (int32_t)repair_int(row, CHUNK_COLUMN_Y)};
    out->generated = repair_is_text(&row->values[CHUNK_COLUMN_ORIGIN], "generated");
    if (step->type == ROW_TEXT && step->size < sizeof out->last_step)
        memcpy(out->last_step, repair_bytes(step), step->size);
}

static bool digest_agrees(const repair_value *stored, const digest *made)
{
    return stored->size == DIGEST_SIZE && memcmp(stored->data, made->bytes, DIGEST_SIZE) == 0;
}

bool repair_chunk_has_digests(const repair_chunk *c, const digest *tiles,
                              const digest *features)
{
    const repair_value *row = c->row.list[0].values;
    return digest_agrees(&row[CHUNK_COLUMN_OMT_DIGEST], tiles) &&
           digest_agrees(&row[CHUNK_COLUMN_FEATURE_DIGEST], features);
}

bool repair_chunk_id_fits(int64_t id)
{
    return id >= 1 && id <= CHUNK_ID_MAX;
}

bool repair_chunk_has_blobs(const repair_chunk *c)
{
    for (size_t i = 0; i < c->features.count; i++)
        if (c->features.list[i].table == TABLE_PACK)
            return true;
    return c->levels.count > 0;
}

ptl_status repair_chunk_put(repairer *r, const repair_ids *ids, const chunk_write *write,
                            const catalogue *cat, ptl_error *err)
{
    return chunk_row_put(r->store, ids->world_id, ids->run_id, ids->id, write, cat, err);
}

/* ---- proofs ---- */

bool repair_same_row(const repair_chunk *before, const repair_chunk *made)
{
    const repair_value *a = before->row.list[0].values, *b = made->row.list[0].values;
    if (repair_value_equal(&a[CHUNK_COLUMN_CHECKSUM], &b[CHUNK_COLUMN_CHECKSUM]))
        return true;
    return repair_value_equal(&a[CHUNK_COLUMN_OMT_DIGEST], &b[CHUNK_COLUMN_OMT_DIGEST]) &&
           repair_value_equal(&a[CHUNK_COLUMN_FEATURE_DIGEST], &b[CHUNK_COLUMN_FEATURE_DIGEST]);
}

/* Does a row of `level` or `pack` have the checksum that it stores? */
static bool is_sound(repair_row *row, bytes *scratch)
{
    repair_rows one = {.list = row, .count = 1};
    const repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &one);
    bool good = false;
    return repair_unit_good(&unit, scratch, &good, NULL) == PTL_OK && good;
}

/*
 * Counts the sound rows that came out the same and that no other chunk could have. One is
 * proof enough, since a row's checksum covers its id. Sound rows that came out otherwise were
 * damaged and then given a matching checksum.
 */
static size_t count_equal(const repair_rows *before, const repair_rows *made,
                          row_table_id table, bytes *scratch)
{
    enum { DISTINCT_SIZE = 64 };
    enum { ID = LEVEL_COLUMN_ID, SUM = LEVEL_COLUMN_CHECKSUM, BLOB = LEVEL_COLUMN_OMTS };
    static_assert((int)PACK_COLUMN_ID == (int)ID && (int)PACK_COLUMN_CHECKSUM == (int)SUM &&
                      (int)PACK_COLUMN_DATA == (int)BLOB,
                  "one form of row");
    size_t count = 0;
    for (size_t i = 0; i < before->count; i++) {
        repair_row *row = &before->list[i];
        if (row->table != table || row->values[BLOB].size < DISTINCT_SIZE ||
            !is_sound(row, scratch))
            continue;
        for (size_t k = 0; k < made->count; k++)
            count += made->list[k].table == table &&
                     repair_value_equal(&made->list[k].values[ID], &row->values[ID]) &&
                     repair_value_equal(&made->list[k].values[SUM], &row->values[SUM]);
    }
    return count;
}

bool repair_same_leftovers(const repair_chunk *before, const repair_chunk *made)
{
    bytes scratch;
    bytes_init(&scratch);
    size_t equal = count_equal(&before->levels, &made->levels, TABLE_LEVEL, &scratch) +
                   count_equal(&before->features, &made->features, TABLE_PACK, &scratch);
    bytes_dispose(&scratch);
    return equal > 0;
}

/* Repairs damaged edges as far as their checksum alone can prove it: one wrong bit in the edge
 * or in a crossing, or a crossing that got the number of another edge. */

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
    status = repair_unit_flip(r, &unit, ROW_COLUMNS_MAX, &change, err);
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
