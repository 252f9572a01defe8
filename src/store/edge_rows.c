/* Rows of edges and their crossings: one checksum covers both. */
#include "store/edge_rows.h"

#include "core/error.h"
#include "store/kept.h"
#include "store/row_scratch.h"
#include "store/rowsum.h"
#include "store/store_impl.h"

#include <stdlib.h>
#include <string.h>

const char *edge_side_text(edge_side side)
{
    return side == EDGE_EAST ? "E" : "S";
}

static const char *origin_text(edge_origin origin)
{
    return origin == EDGE_FOREIGN ? "foreign" : "planned";
}

static ptl_status damaged(const edge *e, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "edge %d,%d %s: %s", e->x, e->y,
                     edge_side_text(e->side), what);
}

/* ---- reading ---- */

static ptl_status add_crossing(edge *e, row_scratch *scratch, const stmt *s, ptl_error *err)
{
    int64_t z = stmt_int(s, 0), position = stmt_int(s, 2), width = stmt_int(s, 3);
    int64_t direction = stmt_int(s, 4);
    if (z < PTL_Z_MIN || z > PTL_Z_MAX || position < 0 || position >= PTL_CHUNK_SIZE ||
        width < 0 || width > UINT8_MAX || direction < -1 || direction > 1 ||
        e->count >= EDGE_CROSSINGS_MAX)
        return damaged(e, "a crossing out of range", err);
    const char *kind = row_scratch_kind(scratch, stmt_text(s, 1));
    crossing *grown = realloc(e->crossings, (e->count + 1) * sizeof *grown);
    if (grown)
        e->crossings = grown;
    if (!kind || !grown)
        return error_nomem(err);
    e->crossings[e->count++] = (crossing){.kind = kind,
                                          .position = (int16_t)position,
                                          .z = (int8_t)z,
                                          .width = (uint8_t)width,
                                          .direction = (int8_t)direction};
    return PTL_OK;
}

/* Adds the crossings' values to the checksum that the edge's columns have begun. */
static ptl_status read_crossings(edge *e, row_scratch *scratch, ptl_store *store, int64_t id,
                                 ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = kept_stmt(&s, store, KEPT_CROSSING_READ, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, id);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status != PTL_OK || !row)
            break;
        rowsum_columns(&scratch->sum, s, 0, 5);
        status = add_crossing(e, scratch, s, err);
    }
    stmt_reset(s);
    return status;
}

static ptl_status read_edge(edge *out, row_scratch *scratch, ptl_store *store, const stmt *s,
                            ptl_error *err)
{
    int64_t id = stmt_int(s, 0), stored = stmt_int(s, EDGE_COLUMN_COUNT), sum = 0;
    out->origin = strcmp(stmt_text(s, 5), "foreign") == 0 ? EDGE_FOREIGN : EDGE_PLANNED;
    rowsum_begin(&scratch->sum, "edge");
    rowsum_columns(&scratch->sum, s, 0, EDGE_COLUMN_COUNT);
    ptl_status status = read_crossings(out, scratch, store, id, err);
    if (status == PTL_OK)
        status = rowsum_end(&scratch->sum, &sum, err);
    if (status == PTL_OK && sum != stored)
        status = damaged(out, "checksum differs", err);
    return status;
}

ptl_status edge_row_find(edge *out, bool *found, ptl_store *store, int64_t world_id, int32_t x,
                         int32_t y, edge_side side, ptl_error *err)
{
    *found = false;
    *out = (edge){.x = x, .y = y, .side = side};
    row_scratch *scratch;
    stmt *s = NULL;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = kept_stmt(&s, store, KEPT_EDGE_FIND, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, world_id);
    stmt_bind_int(s, 2, x);
    stmt_bind_int(s, 3, y);
    stmt_bind_text(s, 4, edge_side_text(side));
    status = stmt_step(s, found, err);
    if (status == PTL_OK && *found)
        status = read_edge(out, scratch, store, s, err);
    stmt_reset(s);
    if (status != PTL_OK) {
        edge_dispose(out);
        *found = false;
    }
    return status;
}

/* ---- writing ---- */

static int compare_crossings(const crossing *a, const crossing *b)
{
    if (a->z != b->z)
        return a->z < b->z ? -1 : 1;
    int kinds = strcmp(a->kind, b->kind);
    return kinds != 0 ? kinds : a->position - b->position;
}

static bool same_edge(const edge *a, const edge *b)
{
    if (a->origin != b->origin || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const crossing *p = &a->crossings[i], *q = &b->crossings[i];
        if (compare_crossings(p, q) != 0 || p->width != q->width ||
            p->direction != q->direction)
            return false;
    }
    return true;
}

static ptl_status insert_crossings(ptl_store *store, const edge *e, int64_t id, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = kept_stmt(&s, store, KEPT_CROSSING_INSERT, err);
    for (size_t i = 0; i < e->count && status == PTL_OK; i++) {
        const crossing *c = &e->crossings[i];
        stmt_bind_int(s, 1, id);
        stmt_bind_int(s, 2, c->z);
        stmt_bind_text(s, 3, c->kind);
        stmt_bind_int(s, 4, c->position);
        stmt_bind_int(s, 5, c->width);
        stmt_bind_int(s, 6, c->direction);
        status = stmt_run(s, err);
    }
    return status;
}

static ptl_status edge_checksum(int64_t *out, row_scratch *scratch, const edge *e, int64_t id,
                                const edge_source *source, ptl_error *err)
{
    bytes *b = &scratch->sum;
    rowsum_begin(b, "edge");
    rowsum_int(b, id);
    rowsum_int(b, source->world_id);
    rowsum_int(b, e->x);
    rowsum_int(b, e->y);
    rowsum_text(b, edge_side_text(e->side));
    rowsum_text(b, origin_text(e->origin));
    rowsum_int(b, source->generator_version);
    rowsum_int(b, source->content_id);
    rowsum_int(b, source->run_id);
    rowsum_null(b);
    for (size_t i = 0; i < e->count; i++) {
        rowsum_int(b, e->crossings[i].z);
        rowsum_text(b, e->crossings[i].kind);
        rowsum_int(b, e->crossings[i].position);
        rowsum_int(b, e->crossings[i].width);
        rowsum_int(b, e->crossings[i].direction);
    }
    return rowsum_end(b, out, err);
}

static ptl_status next_id(int64_t *out, ptl_store *store, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    ptl_status status = kept_stmt(&s, store, KEPT_EDGE_NEXT_ID, err);
    if (status == PTL_OK)
        status = stmt_step(s, &row, err);
    if (status == PTL_OK && row) {
        *out = stmt_int(s, 0);
        stmt_reset(s);
    }
    return status;
}

static ptl_status insert_edge(ptl_store *store, const edge *e, const edge_source *source,
                              ptl_error *err)
{
    row_scratch *scratch;
    int64_t id = 0, sum = 0;
    stmt *s = NULL;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = next_id(&id, store, err);
    if (status == PTL_OK)
        status = edge_checksum(&sum, scratch, e, id, source, err);
    if (status == PTL_OK)
        status = kept_stmt(&s, store, KEPT_EDGE_INSERT, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, id);
    stmt_bind_int(s, 2, source->world_id);
    stmt_bind_int(s, 3, e->x);
    stmt_bind_int(s, 4, e->y);
    stmt_bind_text(s, 5, edge_side_text(e->side));
    stmt_bind_text(s, 6, origin_text(e->origin));
    stmt_bind_int(s, 7, source->generator_version);
    stmt_bind_int(s, 8, source->content_id);
    stmt_bind_int(s, 9, source->run_id);
    stmt_bind_null(s, 10);
    stmt_bind_int(s, 11, sum);
    status = stmt_run(s, err);
    return status == PTL_OK ? insert_crossings(store, e, id, err) : status;
}

ptl_status edge_row_ensure(ptl_store *store, const edge *e, const edge_source *source,
                           ptl_error *err)
{
    for (size_t i = 1; i < e->count; i++)
        if (compare_crossings(&e->crossings[i - 1], &e->crossings[i]) >= 0)
            return error_set(err, PTL_ERR_INTERNAL, "edge %d,%d %s: crossings are not sorted",
                             e->x, e->y, edge_side_text(e->side));
    edge saved;
    bool found;
    ptl_status status =
        edge_row_find(&saved, &found, store, source->world_id, e->x, e->y, e->side, err);
    if (status != PTL_OK)
        return status;
    if (!found)
        return insert_edge(store, e, source, err);
    if (!same_edge(&saved, e))
        status = error_set(err, PTL_ERR_MISMATCH,
                           "edge %d,%d %s is saved already, with other crossings", e->x, e->y,
                           edge_side_text(e->side));
    edge_dispose(&saved);
    return status;
}
