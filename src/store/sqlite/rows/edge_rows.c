/* Rows of edges and of their crossings. One checksum covers an edge with its crossings. The
 * border cells of a foreign edge are stored in a column of the edge's row. */
#include "store/sqlite/rows/edge_rows.h"

#include "core/error.h"
#include "model/catalogue.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"

#include <stdlib.h>
#include <string.h>

static ptl_status damaged(const edge *e, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "edge %d,%d %s: %s", e->x, e->y,
                     edge_side_text(e->side), what);
}

/* ---- reading ---- */

/* Reads the crossings and adds their values to the checksum that the edge's columns have
 * begun. */
static ptl_status read_crossings(edge *e, row_scratch *scratch, ptl_store *store, int64_t id,
                                 ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepared(&s, store, STMT_CROSSING_READ, err));
    stmt_bind_int(s, 1, id);
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        const int64_t z = stmt_int(s, CROSSING_COLUMN_Z);
        const int64_t position = stmt_int(s, CROSSING_COLUMN_POSITION);
        const int64_t width = stmt_int(s, CROSSING_COLUMN_WIDTH);
        const int64_t direction = stmt_int(s, CROSSING_COLUMN_DIRECTION);
        rowsum_row(&scratch->sum, row_table_of(TABLE_CROSSING), s, CROSSING_COLUMN_Z);
        if (z < PTL_Z_MIN || z > PTL_Z_MAX || position < 0 || position >= PTL_CHUNK_SIZE ||
            width < 0 || width > UINT8_MAX || direction < -1 || direction > 1 ||
            e->count >= EDGE_CROSSINGS_MAX) {
            status = damaged(e, "a crossing out of range", err);
            break;
        }
        const char *kind = row_scratch_kind(scratch, stmt_text(s, CROSSING_COLUMN_KIND));
        crossing *grown = realloc(e->crossings, (e->count + 1) * sizeof *grown);
        if (grown)
            e->crossings = grown;
        if (kind && grown)
            e->crossings[e->count++] = (crossing){.kind = kind,
                                                  .position = (int16_t)position,
                                                  .z = (int8_t)z,
                                                  .width = (uint8_t)width,
                                                  .direction = (int8_t)direction};
        else
            status = error_nomem(err);
    }
    stmt_reset(s);
    return status;
}

static ptl_status read_edge(edge *out, int64_t *id, edge_cells *cells, ptl_store *store,
                            const stmt *s, ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    int64_t stored = stmt_int(s, EDGE_COLUMN_CHECKSUM), sum = 0;
    *id = stmt_int(s, EDGE_COLUMN_ID);
    out->origin =
        strcmp(stmt_text(s, EDGE_COLUMN_ORIGIN), "foreign") == 0 ? EDGE_FOREIGN : EDGE_PLANNED;
    rowsum_begin(&scratch->sum, "edge");
    rowsum_row(&scratch->sum, row_table_of(TABLE_EDGE), s, 0);
    ptl_status status = read_crossings(out, scratch, store, *id, err);
    THEN(status, rowsum_end(&scratch->sum, &sum, err));
    if (status == PTL_OK && sum != stored)
        status = damaged(out, "checksum differs", err);
    if (status != PTL_OK || !cells)
        return status;
    size_t size;
    const void *blob = stmt_blob(s, EDGE_COLUMN_CELLS, &size);
    status = size > 0 ? dictionary_refresh(store, err) : PTL_OK;
    THEN(status, edge_cells_parse(cells, blob, size, dictionary_size(store), err));
    if (status == PTL_ERR_CORRUPT)
        return error_prefix(err, status, "edge %d,%d %s", out->x, out->y,
                            edge_side_text(out->side));
    return status;
}

/* Finds an edge; *id is 0 if the edge is not saved. */
static ptl_status find_edge(edge *out, int64_t *id, edge_cells *cells, ptl_store *store,
                            int64_t world_id, const edge *place, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *id = 0;
    *out = (edge){.x = place->x, .y = place->y, .side = place->side};
    if (cells)
        cells->has[0] = cells->has[1] = false;
    TRY(stmt_prepared(&s, store, STMT_EDGE_FIND, err));
    stmt_bind_ints(s, (const int64_t[]){world_id, place->x, place->y}, 3);
    stmt_bind_text(s, 4, edge_side_text(place->side));
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        status = read_edge(out, id, cells, store, s, err);
    stmt_reset(s);
    if (status != PTL_OK) {
        edge_dispose(out);
        *id = 0;
    }
    return status;
}

ptl_status edge_row_find_raw(edge *out, edge_cells *cells, bool *found, ptl_store *store,
                             int64_t world_id, int32_t x, int32_t y, edge_side side,
                             ptl_error *err)
{
    const edge place = {.x = x, .y = y, .side = side};
    int64_t id;
    ptl_status status = find_edge(out, &id, cells, store, world_id, &place, err);
    *found = id != 0;
    return status;
}

enum { CELLS_VERSION = 1, CELLS = PTL_CHUNK_SIZE };

/* Sets e->border, which is new, from the numbers. PTL_ERR_MISMATCH if cat lacks one of the
 * ids. */
static ptl_status edge_cells_resolve(edge *e, const edge_cells *cells, ptl_store *store,
                                     const catalogue *cat, ptl_error *err)
{
    const ptl_oter *map;
    size_t count;
    if (!cells->has[0] && !cells->has[1])
        return PTL_OK;
    TRY(dictionary_map(store, cat, &map, &count, err));
    for (int side = 0; side < 2; side++) {
        if (!cells->has[side])
            continue;
        ptl_oter *border = malloc(CELLS * sizeof *border);
        if (!border)
            return error_nomem(err);
        e->border[side] = border;
        for (int i = 0; i < CELLS; i++) {
            const uint32_t number = cells->numbers[side][i];
            border[i] = map[number];
            /* Oters that were added from another content must not be placed. */
            if (border[i] >= cat->oter_count)
                return dictionary_unknown(store, number, err);
        }
    }
    return PTL_OK;
}

ptl_status sqlite_edge_find(edge *out, bool *found, ptl_store *store, int64_t world_id,
                            int32_t x, int32_t y, edge_side side, const catalogue *cat,
                            ptl_error *err)
{
    edge_cells cells;
    ptl_status status =
        edge_row_find_raw(out, cat ? &cells : NULL, found, store, world_id, x, y, side, err);
    if (status == PTL_OK && *found && cat)
        status = edge_cells_resolve(out, &cells, store, cat, err);
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

static bool same_edge(const edge *a, const edge_cells *a_cells, const edge *b,
                      const edge_cells *b_cells)
{
    if (a->origin != b->origin || a->count != b->count || !edge_cells_equal(a_cells, b_cells))
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const crossing *p = &a->crossings[i], *q = &b->crossings[i];
        if (compare_crossings(p, q) != 0 || p->width != q->width ||
            p->direction != q->direction)
            return false;
    }
    return true;
}

static void make_crossing(row_value out[CROSSING_COLUMN_COUNT], int64_t id, const crossing *c)
{
    out[CROSSING_COLUMN_EDGE_ID] = row_int(id);
    out[CROSSING_COLUMN_Z] = row_int(c->z);
    out[CROSSING_COLUMN_KIND] = row_text(c->kind);
    out[CROSSING_COLUMN_POSITION] = row_int(c->position);
    out[CROSSING_COLUMN_WIDTH] = row_int(c->width);
    out[CROSSING_COLUMN_DIRECTION] = row_int(c->direction);
}

/* Inserts an edge with the given id; id 0 means the next free one. */
static ptl_status insert_edge(ptl_store *store, const edge *e, const edge_cells *cells,
                              int64_t id, const edge_source *source, ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    if (id == 0)
        TRY(row_new_id(&id, store, STMT_EDGE_NEXT_ID, "edge", err));
    bytes_clear(&scratch->blob);
    edge_cells_build(&scratch->blob, cells);
    if (scratch->blob.failed)
        return error_nomem(err);
    row_value v[EDGE_COLUMN_COUNT] = {
        [EDGE_COLUMN_ID] = row_int(id),
        [EDGE_COLUMN_WORLD_ID] = row_int(source->world_id),
        [EDGE_COLUMN_X] = row_int(e->x),
        [EDGE_COLUMN_Y] = row_int(e->y),
        [EDGE_COLUMN_SIDE] = row_text(edge_side_text(e->side)),
        [EDGE_COLUMN_ORIGIN] = row_text(e->origin == EDGE_FOREIGN ? "foreign" : "planned"),
        [EDGE_COLUMN_GENERATOR_VERSION] = row_int(source->generator_version),
        [EDGE_COLUMN_CONTENT_ID] = row_int(source->content_id),
        [EDGE_COLUMN_RUN_ID] = row_int(source->run_id)};
    if (scratch->blob.size > 0)
        v[EDGE_COLUMN_CELLS] = row_blob(scratch->blob.data, scratch->blob.size);
    /* One checksum covers the edge and its crossings. */
    const row_table *t = row_table_of(TABLE_EDGE), *of_crossing = row_table_of(TABLE_CROSSING);
    row_value c[CROSSING_COLUMN_COUNT];
    int64_t sum = 0;
    rowsum_begin(&scratch->sum, t->name);
    rowsum_values(&scratch->sum, t, v, 0);
    for (size_t i = 0; i < e->count; i++) {
        make_crossing(c, 0, &e->crossings[i]);
        rowsum_values(&scratch->sum, of_crossing, c, CROSSING_COLUMN_Z);
    }
    TRY(rowsum_end(&scratch->sum, &sum, err));
    v[EDGE_COLUMN_CHECKSUM] = row_int(sum);
    TRY(row_insert(store, STMT_EDGE_INSERT, t, v, err));
    for (size_t i = 0; i < e->count; i++) {
        make_crossing(c, id, &e->crossings[i]);
        TRY(row_insert(store, STMT_CROSSING_INSERT, of_crossing, c, err));
    }
    return PTL_OK;
}

static ptl_status delete_edge(ptl_store *store, int64_t id, ptl_error *err)
{
    static const stmt_id statements[] = {STMT_CROSSINGS_DELETE, STMT_EDGE_DELETE};
    for (size_t i = 0; i < 2; i++)
        TRY(stmt_run_with(store, statements[i], (const int64_t[]){id}, 1, err));
    return PTL_OK;
}

static ptl_status check_sorted(const edge *e, ptl_error *err)
{
    for (size_t i = 1; i < e->count; i++)
        if (compare_crossings(&e->crossings[i - 1], &e->crossings[i]) >= 0)
            return error_set(err, PTL_ERR_INTERNAL, "edge %d,%d %s: crossings are not sorted",
                             e->x, e->y, edge_side_text(e->side));
    if (e->count > EDGE_CROSSINGS_MAX)
        return error_set(err, PTL_ERR_LIMIT, "edge %d,%d %s: more than %d crossings", e->x,
                         e->y, edge_side_text(e->side), (int)EDGE_CROSSINGS_MAX);
    return PTL_OK;
}

/* Gets the numbers of e->border; new ids are added to the dictionary. */
static ptl_status edge_cells_number(edge_cells *out, const edge *e, ptl_store *store,
                                    const catalogue *cat, ptl_error *err)
{
    for (int side = 0; side < 2; side++) {
        out->has[side] = e->border[side] != NULL;
        if (out->has[side])
            TRY(dictionary_numbers(store, cat, e->border[side], CELLS, out->numbers[side],
                                   err));
    }
    return PTL_OK;
}

/* Writes an edge that is not saved yet. A saved one is compared, and replaced if `replace` is
 * set. */
static ptl_status write_edge(ptl_store *store, const edge *e, const edge_source *source,
                             const catalogue *cat, bool replace, ptl_error *err)
{
    edge saved = {0};
    edge_cells cells, saved_cells;
    int64_t id = 0;
    TRY(check_sorted(e, err));
    TRY(edge_cells_number(&cells, e, store, cat, err));
    TRY(find_edge(&saved, &id, &saved_cells, store, source->world_id, e, err));
    bool same = id != 0 && same_edge(&saved, &saved_cells, e, &cells);
    edge_dispose(&saved);
    if (same)
        return PTL_OK;
    if (replace) {
        /* Checks that no generated chunk uses the edge, since the edge may change only until
         * then. */
        const int64_t world_id = source->world_id;
        const ptl_chunk_pos sides[2] = {
            {e->x, e->y}, {e->x + (e->side == EDGE_EAST), e->y + (e->side == EDGE_SOUTH)}};
        for (int i = 0; i < 2; i++) {
            chunk_info info;
            bool found;
            TRY(sqlite_chunk_find(&info, &found, store, world_id, sides[i], err));
            if (found && !info.imported)
                return error_set(err, PTL_ERR_EXISTS,
                                 "edge %d,%d %s can't become that of an imported chunk: chunk "
                                 "%d,%d beside it is generated already",
                                 e->x, e->y, edge_side_text(e->side), sides[i].x, sides[i].y);
        }
        if (id != 0)
            TRY(delete_edge(store, id, err));
        return insert_edge(store, e, &cells, id, source, err);
    }
    if (id == 0)
        return insert_edge(store, e, &cells, 0, source, err);
    return error_set(err, PTL_ERR_MISMATCH,
                     "edge %d,%d %s is saved already, with other crossings", e->x, e->y,
                     edge_side_text(e->side));
}

ptl_status edge_row_ensure(ptl_store *store, const edge *e, const edge_source *source,
                           const catalogue *cat, ptl_error *err)
{
    return write_edge(store, e, source, cat, false, err);
}

ptl_status edge_row_write_foreign(ptl_store *store, const edge *e, const edge_source *source,
                                  const catalogue *cat, ptl_error *err)
{
    if (e->origin != EDGE_FOREIGN)
        return error_set(err, PTL_ERR_INTERNAL, "edge %d,%d %s is not foreign", e->x, e->y,
                         edge_side_text(e->side));
    return write_edge(store, e, source, cat, true, err);
}

ptl_status edge_row_put(ptl_store *store, int64_t id, const edge *e, const edge_source *source,
                        const catalogue *cat, ptl_error *err)
{
    edge_cells cells;
    TRY(check_sorted(e, err));
    TRY(edge_cells_number(&cells, e, store, cat, err));
    TRY(delete_edge(store, id, err));
    return insert_edge(store, e, &cells, id, source, err);
}

bool edge_cells_equal(const edge_cells *a, const edge_cells *b)
{
    for (int side = 0; side < 2; side++)
        if (a->has[side] != b->has[side] ||
            (a->has[side] &&
             memcmp(a->numbers[side], b->numbers[side], sizeof a->numbers[side]) != 0))
            return false;
    return true;
}

/* The blob has a version, a mask of the sides with cells, and the cells of each such side as
 * runs. */
void edge_cells_build(bytes *out, const edge_cells *cells)
{
    if (!cells->has[0] && !cells->has[1])
        return;
    bytes_put_u8(out, CELLS_VERSION);
    bytes_put_u8(out, (uint8_t)((cells->has[0] ? 1 : 0) | (cells->has[1] ? 2 : 0)));
    for (int side = 0; side < 2; side++) {
        const uint32_t *numbers = cells->numbers[side];
        for (int i = 0; cells->has[side] && i < CELLS;) {
            int end = i + 1;
            while (end < CELLS && numbers[end] == numbers[i])
                end++;
            bytes_put_u8(out, (uint8_t)(end - i));
            bytes_put_varint(out, numbers[i]);
            i = end;
        }
    }
}

ptl_status edge_cells_parse(edge_cells *out, const void *blob, size_t size, size_t limit,
                            ptl_error *err)
{
    byte_reader r = byte_reader_over(blob, size);
    out->has[0] = out->has[1] = false;
    if (size == 0)
        return PTL_OK;
    uint8_t version = byte_reader_u8(&r), sides = byte_reader_u8(&r);
    bool good = !r.failed && version == CELLS_VERSION && sides >= 1 && sides <= 3;
    for (int side = 0; side < 2 && good; side++) {
        out->has[side] = (sides >> side & 1) != 0;
        for (size_t at = 0; out->has[side] && good && at < CELLS;) {
            size_t count = byte_reader_u8(&r);
            const uint64_t number = byte_reader_varint(&r);
            good =
                !r.failed && count >= 1 && count <= CELLS - at && number >= 1 && number < limit;
            while (good && count-- > 0)
                out->numbers[side][at++] = (uint32_t)number;
        }
    }
    if (good && byte_reader_left(&r) == 0)
        return PTL_OK;
    out->has[0] = out->has[1] = false;
    return error_set(err, PTL_ERR_CORRUPT, "the border cells are %s",
                     version > CELLS_VERSION ? BYTES_NEWER : "damaged");
}
