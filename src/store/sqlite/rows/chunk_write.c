/* Writes a chunk with its levels, features, edges and events, inside the caller's transaction;
 * reads edges as well. One checksum covers an edge with its crossings. The border cells of a
 * foreign edge are in a column of the edge's row. */
#include "store/sqlite/rows/chunk_write.h"

#include "codec/chunk_codec.h"
#include "core/bytes.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

#include <stdlib.h>
#include <string.h>

ptl_status overview_row_delete(ptl_store *store, int64_t chunk_id, ptl_error *err)
{
    static const row_table_id overviews = TABLE_OVERVIEW;
    return rows_drop(store, &overviews, 1, chunk_id, err);
}

static ptl_status delete_chunk(ptl_store *store, int64_t id, ptl_error *err)
{
    static const row_table_id tables[] = {TABLE_CITY,  TABLE_RADIO, TABLE_SPECIAL,
                                          TABLE_PACK,  TABLE_EVENT, TABLE_OVERVIEW,
                                          TABLE_LEVEL, TABLE_CHUNK};
    return rows_drop(store, tables, sizeof tables / sizeof *tables, id, err);
}

/* Inserts the levels. This comes before the chunk's row, which has a checksum over those of the
 * levels. */
static ptl_status insert_levels(int64_t *levels_checksum, ptl_store *store,
                                row_scratch *scratch, int64_t chunk_id, const encoded_chunk *e,
                                const catalogue *cat, ptl_error *err)
{
    rowsum_begin(&scratch->levels, "levels");
    for (unsigned i = 0; i < PTL_LEVELS; i++)
        if (e->level_mask >> i & 1) {
            const int64_t id = chunk_id * 32 + i;
            const encoded_level *level_in = &e->levels[i];
            TRY(dictionary_numbers(store, cat, level_in->palette, level_in->palette_count,
                                   scratch->numbers, err));
            bytes_clear(&scratch->blob);
            level_blob_build(&scratch->blob, level_in, scratch->numbers);
            if (scratch->blob.failed)
                return error_nomem(err);
            row_value v[LEVEL_COLUMN_COUNT];
            TRY(level_row_make(v, scratch, id, scratch->blob.data, scratch->blob.size, err));
            rowsum_int(&scratch->levels, v[LEVEL_COLUMN_CHECKSUM].integer);
            TRY(row_insert(store, TABLE_LEVEL, v, err));
        }
    return rowsum_end(&scratch->levels, levels_checksum, err);
}

ptl_status overview_row_insert(ptl_store *store, int64_t chunk_id, const void *data,
                               size_t size, ptl_error *err)
{
    row_value v[OVERVIEW_COLUMN_COUNT] = {[OVERVIEW_COLUMN_ID] = row_int(chunk_id),
                                          [OVERVIEW_COLUMN_CELLS] = row_blob(data, size)};
    return row_put(store, TABLE_OVERVIEW, v, err);
}

typedef struct chunk_values {
    int64_t id, world_id, run_id, levels_checksum, features_checksum;
    const encoded_features *features;
    const chunk_write *w;
} chunk_values;

static const char *step_of(const chunk_write *w)
{
    return w->last_step ? w->last_step : "";
}

static ptl_status insert_chunk(ptl_store *store, row_scratch *scratch, const chunk_values *c,
                               const catalogue *cat, ptl_error *err)
{
    const encoded_chunk *e = &c->w->encoded;
    TRY(dictionary_numbers(store, cat, e->defaults, PTL_LEVELS, scratch->numbers, err));
    bytes_clear(&scratch->blob);
    fill_build(&scratch->blob, scratch->numbers);
    if (scratch->blob.failed)
        return error_nomem(err);
    row_value v[CHUNK_COLUMN_COUNT] = {
        [CHUNK_COLUMN_ID] = row_int(c->id),
        [CHUNK_COLUMN_WORLD_ID] = row_int(c->world_id),
        [CHUNK_COLUMN_X] = row_int(e->pos.x),
        [CHUNK_COLUMN_Y] = row_int(e->pos.y),
        [CHUNK_COLUMN_LEVEL_MASK] = row_int(e->level_mask),
        [CHUNK_COLUMN_FILL] = row_blob(scratch->blob.data, scratch->blob.size),
        [CHUNK_COLUMN_GENERATOR_VERSION] = row_int(c->w->generator_version),
        [CHUNK_COLUMN_CONTENT_ID] = row_int(c->w->content_id),
        [CHUNK_COLUMN_LAST_STEP] = row_text(step_of(c->w)),
        [CHUNK_COLUMN_RUN_ID] = row_int(c->run_id),
        [CHUNK_COLUMN_OMT_DIGEST] = row_blob(e->omts.bytes, DIGEST_SIZE),
        [CHUNK_COLUMN_LEVELS_CHECKSUM] = row_int(c->levels_checksum),
        [CHUNK_COLUMN_ORIGIN] = row_text(c->w->imported ? "imported" : "generated"),
        [CHUNK_COLUMN_FEATURE_DIGEST] = row_blob(c->features->digest.bytes, DIGEST_SIZE),
        [CHUNK_COLUMN_FEATURES_CHECKSUM] = row_int(c->features_checksum)};
    return row_put(store, TABLE_CHUNK, v, err);
}

static ptl_status insert_event(ptl_store *store, int64_t chunk_id, size_t number,
                               const event_row *e, ptl_error *err)
{
    row_value v[EVENT_COLUMN_COUNT] = {[EVENT_COLUMN_CHUNK_ID] = row_int(chunk_id),
                                       [EVENT_COLUMN_NUMBER] = row_int((int64_t)number),
                                       [EVENT_COLUMN_STEP] = row_text(e->step),
                                       [EVENT_COLUMN_KIND] = row_text(e->kind),
                                       [EVENT_COLUMN_X] = row_int(e->x),
                                       [EVENT_COLUMN_Y] = row_int(e->y),
                                       [EVENT_COLUMN_Z] = row_int(e->z),
                                       [EVENT_COLUMN_DETAIL] =
                                           row_text(e->detail ? e->detail : "")};
    return row_put(store, TABLE_EVENT, v, err);
}

static ptl_status write_chunk(ptl_store *store, row_scratch *scratch, chunk_values *v,
                              const catalogue *cat, ptl_error *err)
{
    const chunk_write *w = v->w;
    /* Writes the chunk's four edges. The eastern and southern edge are stored at the chunk's
     * own place, the northern and western edge at the places of the northern and western
     * neighbour. */
    ptl_chunk_pos p = w->encoded.pos;
    const edge places[4] = {{.x = p.x, .y = p.y - 1, .side = EDGE_SOUTH},
                            {.x = p.x, .y = p.y, .side = EDGE_EAST},
                            {.x = p.x, .y = p.y, .side = EDGE_SOUTH},
                            {.x = p.x - 1, .y = p.y, .side = EDGE_EAST}};
    const edge_source source = {.world_id = v->world_id,
                                .content_id = w->content_id,
                                .run_id = v->run_id,
                                .generator_version = w->generator_version};
    for (int i = 0; i < 4; i++) {
        const edge *e = w->edges[i];
        if (!e || e->x != places[i].x || e->y != places[i].y || e->side != places[i].side)
            return error_set(err, PTL_ERR_INTERNAL, "edge %d is not the chunk's", i);
        if (w->imported && e->origin == EDGE_FOREIGN)
            TRY(edge_row_write_foreign(store, e, &source, cat, err));
        else
            TRY(edge_row_ensure(store, e, &source, cat, err));
    }
    TRY(feature_rows_insert(&v->features_checksum, store, v->id, v->features, err));
    TRY(insert_levels(&v->levels_checksum, store, scratch, v->id, &w->encoded, cat, err));
    overview numbered;
    ptl_oter oters[PTL_OVERVIEW_CELLS];
    for (size_t i = 0; i < PTL_OVERVIEW_CELLS; i++)
        oters[i] = (ptl_oter)w->encoded.overview.cells[i];
    TRY(dictionary_numbers(store, cat, oters, PTL_OVERVIEW_CELLS, numbered.cells, err));
    bytes_clear(&scratch->blob);
    overview_build(&scratch->blob, &numbered);
    if (scratch->blob.failed)
        return error_nomem(err);
    TRY(overview_row_insert(store, v->id, scratch->blob.data, scratch->blob.size, err));
    TRY(insert_chunk(store, scratch, v, cat, err));
    for (size_t i = 0; i < w->event_count; i++)
        TRY(insert_event(store, v->id, i, &w->events[i], err));
    return PTL_OK;
}

/* Finds an id for the chunk. If another chunk is saved at its place and is to be replaced, that
 * chunk is deleted; if it is to stay, *keep is true and the new chunk is not written. */
static ptl_status make_place(chunk_values *v, bool *keep, ptl_store *store, ptl_error *err)
{
    chunk_info before;
    bool found = false;
    TRY(sqlite_chunk_find(&before, &found, store, v->world_id, v->w->encoded.pos, err));
    if (!found)
        return row_new_id(&v->id, store, TABLE_CHUNK, err);
    v->id = before.id;
    if (v->w->replace)
        *keep = before.imported;
    else
        *keep = before.last_step[0] == '\0' || strcmp(before.last_step, step_of(v->w)) == 0;
    if (v->w->changed)
        *v->w->changed =
            !*keep &&
            (memcmp(before.omts.bytes, v->w->encoded.omts.bytes, DIGEST_SIZE) != 0 ||
             memcmp(before.features.bytes, v->features->digest.bytes, DIGEST_SIZE) != 0);
    return *keep ? PTL_OK : delete_chunk(store, before.id, err);
}

ptl_status sqlite_chunk_write(ptl_store *store, int64_t world_id, int64_t run_id,
                              const chunk_write *w, const catalogue *cat, bool *written,
                              ptl_error *err)
{
    static const gen_features nothing;
    ptl_chunk_pos pos = w->encoded.pos;
    encoded_features none = {0};
    chunk_values v = {.world_id = world_id,
                      .run_id = run_id,
                      .features = w->features ? w->features : &none,
                      .w = w};
    bool keep = false;
    *written = false;
    if (w->changed)
        *w->changed = false;
    ptl_status status = PTL_OK;
    if (!w->features)
        status = features_encode(&none, store->scratch->codec, pos, &nothing, cat, err);
    THEN(status, make_place(&v, &keep, store, err));
    if (status == PTL_OK && !keep)
        status = write_chunk(store, store->scratch, &v, cat, err);
    encoded_features_dispose(&none);
    if (status != PTL_OK)
        return error_prefix(err, status, "writing chunk %d,%d", pos.x, pos.y);
    *written = !keep;
    return PTL_OK;
}

ptl_status chunk_row_put(ptl_store *store, int64_t world_id, int64_t run_id, int64_t id,
                         const chunk_write *w, const catalogue *cat, ptl_error *err)
{
    chunk_values v = {
        .id = id, .world_id = world_id, .run_id = run_id, .features = w->features, .w = w};
    TRY(delete_chunk(store, id, err));
    return write_chunk(store, store->scratch, &v, cat, err);
}

ptl_status sqlite_chunk_delete(bool *found, ptl_store *store, int64_t world_id,
                               ptl_chunk_pos pos, ptl_error *err)
{
    chunk_info info;
    ptl_status status = sqlite_chunk_find(&info, found, store, world_id, pos, err);
    return status == PTL_OK && *found ? delete_chunk(store, info.id, err) : status;
}

/* ---- reading edges ---- */

static ptl_status damaged(const edge *e, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "edge %d,%d %s: %s", e->x, e->y,
                     edge_side_text(e->side), what);
}

bool crossing_row_take(crossing *out, const stmt *s)
{
    const int64_t z = stmt_int(s, CROSSING_COLUMN_Z);
    const int64_t position = stmt_int(s, CROSSING_COLUMN_POSITION);
    const int64_t width = stmt_int(s, CROSSING_COLUMN_WIDTH);
    const int64_t direction = stmt_int(s, CROSSING_COLUMN_DIRECTION);
    *out = (crossing){.position = (int16_t)position,
                      .z = (int8_t)z,
                      .width = (uint8_t)width,
                      .direction = (int8_t)direction};
    return z >= PTL_Z_MIN && z <= PTL_Z_MAX && position >= 0 && position < PTL_CHUNK_SIZE &&
           width >= 0 && width <= UINT8_MAX && direction >= -1 && direction <= 1;
}

/* Reads the edge's crossings, and adds their values to the input of the edge's checksum, which
 * already has the values of the edge's row. */
static ptl_status read_crossings(edge *e, ptl_store *store, int64_t id, ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    stmt *s;
    ptl_status status =
        stmt_begin(&s, store, stmt_of(TABLE_CROSSING, ROWS_OWNED), STMT_VALUES(id), err);
    while (stmt_row(s, &status, err)) {
        crossing found;
        rowsum_row(&scratch->sum, row_table_of(TABLE_CROSSING), s, CROSSING_COLUMN_Z);
        if (!crossing_row_take(&found, s) || e->count >= EDGE_CROSSINGS_MAX) {
            status = damaged(e, "a crossing out of range", err);
            break;
        }
        found.kind = row_scratch_kind(scratch, stmt_text(s, CROSSING_COLUMN_KIND));
        crossing *grown = realloc(e->crossings, (e->count + 1) * sizeof *grown);
        if (grown)
            e->crossings = grown;
        if (found.kind && grown)
            grown[e->count++] = found;
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
    ptl_status status = read_crossings(out, store, *id, err);
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

ptl_status edge_row_find(edge *out, int64_t *id, edge_cells *cells, ptl_store *store,
                         int64_t world_id, const edge *place, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *id = 0;
    *out = (edge){.x = place->x, .y = place->y, .side = place->side};
    if (cells)
        cells->has[0] = cells->has[1] = false;
    TRY(stmt_begin(&s, store, STMT_EDGE_FIND, STMT_VALUES(world_id, place->x, place->y), err));
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

enum { CELLS_VERSION = 1, CELLS = PTL_CHUNK_SIZE };

/* Sets e->border, which is new, from numbers of the file's dictionary. PTL_ERR_MISMATCH if cat
 * lacks an oter. */
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
            /* The catalogue has this oter only because another content had it, so it must not
             * be placed. */
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
    int64_t id;
    const edge place = {.x = x, .y = y, .side = side};
    ptl_status status =
        edge_row_find(out, &id, cat ? &cells : NULL, store, world_id, &place, err);
    *found = id != 0;
    if (*found && cat)
        status = edge_cells_resolve(out, &cells, store, cat, err);
    if (status != PTL_OK) {
        edge_dispose(out);
        *found = false;
    }
    return status;
}

/* ---- writing edges ---- */

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

/* Inserts an edge with the given id; id 0 means a new id. */
static ptl_status insert_edge(ptl_store *store, const edge *e, const edge_cells *cells,
                              int64_t id, const edge_source *source, ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    if (id == 0)
        TRY(row_new_id(&id, store, TABLE_EDGE, err));
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
    TRY(row_insert(store, TABLE_EDGE, v, err));
    for (size_t i = 0; i < e->count; i++) {
        make_crossing(c, id, &e->crossings[i]);
        TRY(row_insert(store, TABLE_CROSSING, c, err));
    }
    return PTL_OK;
}

static ptl_status delete_edge(ptl_store *store, int64_t id, ptl_error *err)
{
    static const row_table_id tables[] = {TABLE_CROSSING, TABLE_EDGE};
    return rows_drop(store, tables, 2, id, err);
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

/* Gets the dictionary's numbers of the oters in e->border; oters without a number are added. */
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

/* Writes an edge that is not saved yet. If a different edge is saved at its place, it is
 * replaced if `replace` is true; otherwise PTL_ERR_MISMATCH. */
static ptl_status write_edge(ptl_store *store, const edge *e, const edge_source *source,
                             const catalogue *cat, bool replace, ptl_error *err)
{
    edge saved = {0};
    edge_cells cells, saved_cells;
    int64_t id = 0;
    TRY(check_sorted(e, err));
    TRY(edge_cells_number(&cells, e, store, cat, err));
    TRY(edge_row_find(&saved, &id, &saved_cells, store, source->world_id, e, err));
    bool same = id != 0 && same_edge(&saved, &saved_cells, e, &cells);
    edge_dispose(&saved);
    if (same)
        return PTL_OK;
    if (replace) {
        /* The edge may change only until a generated chunk uses it, so the chunks on both sides
         * are checked. */
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

/* An edge's blob of border cells has a version, a mask of the sides of the edge that have
 * cells, and for each such side its cells as runs. */
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
