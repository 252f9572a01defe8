/* Repairs the rows of one chunk: finds out which of them are damaged, restores the row in table
 * chunk from the others, corrects single wrong bits, and decides whether a chunk that was
 * generated again is the one that was stored. Does the same for an edge with its crossings. */
#include "codec/chunk_codec.h"
#include "codec/level_parse.h"
#include "core/array.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "portolan/generate.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/chunk_write.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void repair_chunk_dispose(repair_chunk *c)
{
    repair_rows_dispose(&c->row);
    repair_rows_dispose(&c->levels);
    repair_rows_dispose(&c->features);
    repair_rows_dispose(&c->events);
}

ptl_status repair_chunk_read(repair_chunk *out, ptl_store *store, int64_t id, ptl_error *err)
{
    static const row_table_id features[] = {TABLE_CITY, TABLE_RADIO, TABLE_SPECIAL, TABLE_PACK};
    memset(out, 0, sizeof *out);
    out->id = id;
    TRY(repair_rows_read(&out->row, store, TABLE_CHUNK, id, err));
    TRY(repair_rows_read(&out->levels, store, TABLE_LEVEL, id, err));
    for (int i = 0; i < 4; i++)
        TRY(repair_rows_read(&out->features, store, features[i], id, err));
    return repair_rows_read(&out->events, store, TABLE_EVENT, id, err);
}

/* ---- checking levels ---- */

/* Computes the level mask from the ids of the level rows, and the checksum over their
 * checksums. */
static ptl_status sum_levels(repairer *r, const repair_chunk *c, uint32_t *mask, int64_t *sum,
                             ptl_error *err)
{
    *mask = 0;
    rowsum_begin(&r->scratch, "levels");
    for (size_t i = 0; i < c->levels.count; i++) {
        *mask |= UINT32_C(1) << (repair_int(&c->levels.list[i], 0) & 31);
        rowsum_int(&r->scratch, repair_int(&c->levels.list[i], LEVEL_COLUMN_CHECKSUM));
    }
    return rowsum_end(&r->scratch, sum, err);
}

static ptl_status levels_good(repairer *r, const repair_chunk *c, bool *good, ptl_error *err)
{
    const repair_row *row = &c->row.list[0];
    uint32_t mask = 0;
    int64_t sum = 0;
    *good = true;
    for (size_t i = 0; i < c->levels.count && *good; i++)
        TRY(repair_row_good(&c->levels.list[i], &r->scratch, good, err));
    if (!*good)
        return PTL_OK;
    ptl_status status = sum_levels(r, c, &mask, &sum, err);
    *good = status == PTL_OK && mask < UINT32_C(1) << PTL_LEVELS &&
            mask == repair_int(row, CHUNK_COLUMN_LEVEL_MASK) &&
            sum == repair_int(row, CHUNK_COLUMN_LEVELS_CHECKSUM);
    return status;
}

static ptl_chunk_pos pos_of(const repair_row *row)
{
    return (ptl_chunk_pos){(int32_t)repair_int(row, CHUNK_COLUMN_X),
                           (int32_t)repair_int(row, CHUNK_COLUMN_Y)};
}

/* Computes the digest of the chunk's OMTs; PTL_ERR_CORRUPT if they can't be decoded. */
static ptl_status omt_digest_of(digest *out, repairer *r, const repair_chunk *c, ptl_error *err)
{
    const repair_row *row = &c->row.list[0];
    const repair_value *fill = &row->values[CHUNK_COLUMN_FILL];
    chunk_digester d;
    ptl_status status =
        chunk_digester_begin(&d, r->store, pos_of(row), repair_bytes(fill), fill->size, err);
    for (size_t i = 0; i < c->levels.count && status == PTL_OK; i++) {
        const repair_row *l = &c->levels.list[i];
        const repair_value *blob = &l->values[LEVEL_COLUMN_OMTS];
        status = chunk_digester_level(&d, (int32_t)(repair_int(l, 0) & 31) + PTL_Z_MIN,
                                      repair_bytes(blob), blob->size, err);
    }
    return chunk_digester_end(out, &d, status, err);
}

static bool digest_agrees(const repair_value *stored, const digest *made)
{
    return stored->size == DIGEST_SIZE && memcmp(stored->data, made->bytes, DIGEST_SIZE) == 0;
}

static bool same_digest(const repair_value *stored, const digest *found)
{
    return stored->type == ROW_BLOB && digest_agrees(stored, found);
}

/* ---- checking features and events ---- */

static ptl_status features_digest_of(digest *out, repairer *r, const repair_chunk *c,
                                     int64_t checksum, ptl_error *err)
{
    feature_set set = {0};
    ptl_status status = feature_rows_read(&set, r->store, c->id, checksum, err);
    THEN(status, feature_set_digest(out, &set, pos_of(&c->row.list[0]), err));
    feature_set_dispose(&set);
    return status;
}

/* For the caller damage is an answer and no failure: PTL_ERR_CORRUPT becomes PTL_OK with *good
 * false. */
static ptl_status soften(ptl_status status, bool *good, ptl_error *err)
{
    if (status != PTL_ERR_CORRUPT)
        return status;
    *good = false;
    error_clear(err);
    return PTL_OK;
}

/* The chunk's row in table chunk, its OMTs, its features and its events are checked separately,
 * since each of them is repaired in another way. */
ptl_status repair_chunk_check(repairer *r, const repair_chunk *c, unsigned *bad, ptl_error *err)
{
    bool good = false;
    digest found;
    *bad = 0;
    const repair_row *row = &c->row.list[0];
    ptl_status status = repair_row_good(&c->row.list[0], &r->scratch, &good, err);
    *bad |= good ? 0 : REPAIR_BAD_ROW;
    THEN(status, levels_good(r, c, &good, err));
    if (status == PTL_OK && good) {
        status = soften(omt_digest_of(&found, r, c, err), &good, err);
        good = good && same_digest(&row->values[CHUNK_COLUMN_OMT_DIGEST], &found);
    }
    *bad |= good ? 0 : REPAIR_BAD_OMTS;
    if (status == PTL_OK) {
        good = true;
        status = soften(features_digest_of(
                            &found, r, c, repair_int(row, CHUNK_COLUMN_FEATURES_CHECKSUM), err),
                        &good, err);
        good = good && same_digest(&row->values[CHUNK_COLUMN_FEATURE_DIGEST], &found);
        *bad |= good ? 0 : REPAIR_BAD_FEATURES;
    }
    good = true;
    for (size_t i = 0; i < c->events.count && status == PTL_OK && good; i++) {
        status = repair_row_good(&c->events.list[i], &r->scratch, &good, err);
        good = good && repair_int(&c->events.list[i], EVENT_COLUMN_NUMBER) == (int64_t)i;
    }
    *bad |= good ? 0 : REPAIR_BAD_EVENTS;
    return status;
}

/* ---- restoring the chunk's row ---- */

static ptl_status add_digest(repair_choice *choice, const digest *d, ptl_error *err)
{
    uint8_t data[DIGEST_SIZE];
    memcpy(data, d->bytes, sizeof data);
    return repair_choice_add(
        choice, &(repair_value){.type = ROW_BLOB, .data = data, .size = sizeof data}, err);
}

static ptl_status add_integer(repair_choice *choice, int64_t number, ptl_error *err)
{
    const repair_value value = repair_integer(number);
    return repair_choice_add(choice, &value, err);
}

static repair_unit features_unit(repair_chunk *c)
{
    return (repair_unit){
        .kind = REPAIR_UNIT_FEATURES,
        .rows = c->features.list,
        .count = c->features.count,
        .stored =
            c->row.count ? repair_int(&c->row.list[0], CHUNK_COLUMN_FEATURES_CHECKSUM) : 0};
}

/* Computes those five values of the row in table chunk that follow from the chunk's other
 * rows. */
static ptl_status derive(repairer *r, repair_chunk *c, repair_choice choices[5], ptl_error *err)
{
    uint32_t mask = 0;
    int64_t levels = 0, features = 0;
    digest found;
    bool good = true;
    const repair_unit unit = features_unit(c);
    ptl_status status = sum_levels(r, c, &mask, &levels, err);
    THEN(status, add_integer(&choices[0], mask, err));
    THEN(status, add_integer(&choices[1], levels, err));
    THEN(status, repair_unit_sum(&unit, &r->scratch, &features, err));
    THEN(status, add_integer(&choices[2], features, err));
    THEN(status, soften(omt_digest_of(&found, r, c, err), &good, err));
    if (status == PTL_OK && good)
        status = add_digest(&choices[3], &found, err);
    good = true;
    THEN(status, soften(features_digest_of(&found, r, c, features, err), &good, err));
    return status == PTL_OK && good ? add_digest(&choices[4], &found, err) : status;
}

enum { DERIVED = 5 };

ptl_status repair_chunk_row(repairer *r, repair_chunk *c, bool *fixed, ptl_error *err)
{
    repair_choice choices[DERIVED + ROW_COLUMNS_MAX];
    repair_change change = {0};
    const int derived[DERIVED] = {CHUNK_COLUMN_LEVEL_MASK, CHUNK_COLUMN_LEVELS_CHECKSUM,
                                  CHUNK_COLUMN_FEATURES_CHECKSUM, CHUNK_COLUMN_OMT_DIGEST,
                                  CHUNK_COLUMN_FEATURE_DIGEST};
    for (int i = 0; i < DERIVED; i++)
        choices[i] = (repair_choice){.column = derived[i]};
    ptl_status status = derive(r, c, choices, err);
    repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &c->row);
    repair_unit_choose_listed(&status, r, &unit, choices, DERIVED, &change, err);
    *fixed = change.found;
    return status;
}

/* ---- correcting single bits ---- */

/* Writes each row of `rows` that differs from the row at the same index of `old`, in place of
 * that row. */
static ptl_status replace_changed(repairer *r, const repair_rows *old, const repair_rows *rows,
                                  ptl_error *err)
{
    for (size_t i = 0; i < rows->count; i++)
        if (!repair_row_equal(&old->list[i], &rows->list[i]))
            TRY(repair_row_replace(r->store, &old->list[i], &rows->list[i], err));
    return PTL_OK;
}

/* Corrects a single wrong bit in each damaged row of the table, by the row's own checksum. */
static ptl_status flip_rows(repairer *r, repair_rows *rows, row_table_id table, ptl_error *err)
{
    for (size_t i = 0; i < rows->count; i++) {
        bool good = true;
        repair_change change;
        repair_rows one = {.list = &rows->list[i], .count = 1};
        if (rows->list[i].table != table)
            continue;
        repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &one);
        TRY(repair_unit_good(&unit, &r->scratch, &good, err));
        if (!good)
            TRY(repair_unit_flip(r, &unit, ROW_COLUMNS_MAX, &change, err));
    }
    return PTL_OK;
}

static ptl_status flip_features(repairer *r, repair_chunk *c, ptl_error *err)
{
    repair_unit unit = features_unit(c);
    repair_change change;
    bool good = true;
    TRY(flip_rows(r, &c->features, TABLE_PACK, err));
    TRY(repair_unit_good(&unit, &r->scratch, &good, err));
    if (!good)
        TRY(repair_unit_flip(r, &unit, ROW_COLUMNS_MAX, &change, err));
    return PTL_OK;
}

ptl_status repair_chunk_bits(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err)
{
    repair_chunk old;
    ptl_status status = repair_chunk_read(&old, r->store, c->id, err);
    if (status == PTL_OK && (*bad & REPAIR_BAD_OMTS))
        status = flip_rows(r, &c->levels, TABLE_LEVEL, err);
    if (status == PTL_OK && (*bad & REPAIR_BAD_FEATURES))
        status = flip_features(r, c, err);
    if (status == PTL_OK && (*bad & REPAIR_BAD_OMTS))
        status = replace_changed(r, &old.levels, &c->levels, err);
    if (status == PTL_OK && (*bad & REPAIR_BAD_FEATURES))
        status = replace_changed(r, &old.features, &c->features, err);
    repair_chunk_dispose(&old);
    return status == PTL_OK ? repair_chunk_check(r, c, bad, err) : status;
}

ptl_status repair_chunk_set_aside(repairer *r, const repair_chunk *c, const char *reason,
                                  ptl_error *err)
{
    const repair_row *row = c->row.count ? &c->row.list[0] : NULL;
    const repair_rows *const lists[] = {&c->row, &c->levels, &c->features, &c->events};
    for (int i = 0; i < 4; i++)
        TRY(repair_set_aside(r, lists[i], row, reason, err));
    return overview_row_delete(r->store, c->id, err);
}

/* ---- repairing the rows of edges: finding right values for their columns ---- */

ptl_status repair_edge_choose(repairer *r, repair_rows *rows, bool *found, ptl_error *err)
{
    repair_choice choices[ROW_COLUMNS_MAX];
    repair_change change = {0};
    repair_unit unit = repair_unit_of(REPAIR_UNIT_EDGE, rows);
    ptl_status status = repair_unit_good(&unit, &r->scratch, found, err);
    if (status != PTL_OK || *found)
        return status;
    repair_unit_choose_listed(&status, r, &unit, choices, 0, &change, err);
    *found = change.found;
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
    /* out->place, the edge's position and side, is set only if the row's values for them are
     * valid. */
    out->placed = row->values[EDGE_COLUMN_X].type == ROW_INTEGER &&
                  row->values[EDGE_COLUMN_Y].type == ROW_INTEGER && x >= least && x <= most &&
                  y >= least && y <= most && (east || south);
    if (out->placed)
        out->place =
            (edge){.x = (int32_t)x, .y = (int32_t)y, .side = east ? EDGE_EAST : EDGE_SOUTH};
    out->foreign = repair_is_text(&row->values[EDGE_COLUMN_ORIGIN], "foreign");
}

ptl_status repair_edge_plan(repair_rows *out, bool *found, repairer *r, const repair_rows *read,
                            const edge *planned, ptl_error *err)
{
    /* Makes the rows whose checksum is to be compared with the stored one: the edge's stored
     * row, and new rows for the planned crossings. */
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
        const repair_value kind = {
            .type = ROW_TEXT, .data = (uint8_t *)(uintptr_t)c->kind, .size = strlen(c->kind)};
        status = repair_value_copy(&row->values[CROSSING_COLUMN_KIND], &kind, err);
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
                    STMT_VALUES(id), err);
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

/* ---- the values of a chunk's row ---- */

bool repair_is_soft(ptl_status status, const ptl_error *err)
{
    if (status == PTL_ERR_INTERNAL &&
        /* A constraint of the table forbids the row. */
        (err->backend_code & 0xff) == SQLITE_CONSTRAINT)
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
    out->pos = pos_of(row);
    out->generated = repair_is_text(&row->values[CHUNK_COLUMN_ORIGIN], "generated");
    if (step->type == ROW_TEXT && step->size < sizeof out->last_step)
        memcpy(out->last_step, repair_bytes(step), step->size);
}

bool repair_chunk_has_digests(const repair_chunk *c, const digest *omts, const digest *features)
{
    const repair_value *row = c->row.list[0].values;
    return digest_agrees(&row[CHUNK_COLUMN_OMT_DIGEST], omts) &&
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

/* ---- proofs that a chunk was generated as it was ---- */

bool repair_same_row(const repair_chunk *before, const repair_chunk *made)
{
    const repair_value *a = before->row.list[0].values, *b = made->row.list[0].values;
    if (repair_value_equal(&a[CHUNK_COLUMN_CHECKSUM], &b[CHUNK_COLUMN_CHECKSUM]))
        return true;
    return repair_value_equal(&a[CHUNK_COLUMN_OMT_DIGEST], &b[CHUNK_COLUMN_OMT_DIGEST]) &&
           repair_value_equal(&a[CHUNK_COLUMN_FEATURE_DIGEST], &b[CHUNK_COLUMN_FEATURE_DIGEST]);
}

/*
 * Counts the rows, among the chunk's stored rows, that prove that the chunk was generated again
 * as it was: the row's checksum is right, the generated chunk has the same row, and the row is
 * so large that hardly another chunk has it. The checksum covers the row's id, so one such row
 * is proof enough. (A stored row that was changed by somebody who computed its checksum anew
 * has no equal.)
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
        bool good = false;
        if (row->table != table || row->values[BLOB].size < DISTINCT_SIZE ||
            repair_row_good(row, scratch, &good, NULL) != PTL_OK || !good)
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
    bytes scratch = {0};
    size_t equal = count_equal(&before->levels, &made->levels, TABLE_LEVEL, &scratch) +
                   count_equal(&before->features, &made->features, TABLE_PACK, &scratch);
    bytes_dispose(&scratch);
    return equal > 0;
}

/* ---- correcting single bits in edges ---- */

/* A damaged edge is repaired here as far as its checksum alone can prove it: a single wrong bit
 * in the edge or in a crossing, or a crossing that got the id of another edge. */

ptl_status repair_edge_read(repair_rows *out, repairer *r, int64_t id, ptl_error *err)
{
    TRY(repair_rows_read(out, r->store, TABLE_EDGE, id, err));
    if (out->count > 0)
        TRY(repair_rows_read(out, r->store, TABLE_CROSSING, id, err));
    return PTL_OK;
}

/* Deletes all rows of the edge old_id and inserts `rows`. */
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
        if (row->table == TABLE_CROSSING) /* the crossings get the edge's id, since it may be
                                           * the edge's own id that was damaged */
            row->values[CROSSING_COLUMN_EDGE_ID] =
                repair_integer(repair_int(&rows->list[0], EDGE_COLUMN_ID));
        status = repair_row_replace(r->store, NULL, row, &local);
    }
    repair_rows_dispose(&old);
    return repair_try_settle(r, kept, status, &local, err);
}

/* Looks for a crossing that the edge may have lost, among the crossings whose edge_id differs
 * from the edge's id in a single bit. */
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
                rows->count--; /* removes the row without freeing its values, which belong to
                                * `others` */
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
        else if (status == PTL_OK && !good)
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
    /* All damaged edges are tried twice: when an edge gets back a crossing whose row named
     * another edge, the other edge loses it, and may be right from then on. */
    for (size_t i = 0; i < 2 * count && status == PTL_OK; i++) {
        if (i == count && r->report.corrected == before)
            break;
        status = repair_one(r, ids[i % count], err);
        THEN(status, repair_breathe(r, false, err));
    }
    free(ids);
    return status;
}
