#include "store/sqlite/overview/overview_rows.h"

#include "codec/chunk_codec.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading overviews ---- */

typedef struct visiting {
    ptl_store *store;
    const ptl_oter *map;
    size_t map_count;
} visiting;

/* Gets the cells of an overview's row as oters; *out is NULL if the chunk has no such row, or
 * if the row is damaged. */
static ptl_status read_cells(const ptl_oter **out, ptl_oter cells[PTL_OVERVIEW_CELLS],
                             const visiting *v, const stmt *s, ptl_error *err)
{
    overview o;
    size_t size;
    *out = NULL;
    if (stmt_is_null(s, OVERVIEW_COLUMN_ID))
        return PTL_OK;
    const void *blob = stmt_blob(s, OVERVIEW_COLUMN_CELLS, &size);
    ptl_status status = row_verify(s, TABLE_OVERVIEW, err);
    THEN(status, overview_parse(&o, blob, size, v->map_count, err));
    if (status == PTL_ERR_CORRUPT) {
        error_clear(err);
        return PTL_OK;
    }
    for (size_t i = 0; i < PTL_OVERVIEW_CELLS && status == PTL_OK; i++) {
        cells[i] = v->map[o.cells[i]];
        if (cells[i] == CAT_NONE)
            status = dictionary_unknown(v->store, o.cells[i], err);
    }
    *out = cells;
    return status;
}

ptl_status sqlite_overview_visit(ptl_store *store, int64_t world_id, const catalogue *cat,
                                 overview_visit *visit, void *payload, ptl_error *err)
{
    stmt *s = NULL;
    visiting v = {.store = store};
    TRY(dictionary_map(store, cat, &v.map, &v.map_count, err));
    TRY(stmt_begin(&s, store, STMT_OVERVIEWS, STMT_VALUES(world_id), err));
    ptl_oter cells[PTL_OVERVIEW_CELLS];
    const ptl_oter *found;
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        const ptl_chunk_pos pos = {(int32_t)stmt_int(s, OVERVIEW_COLUMN_COUNT),
                                   (int32_t)stmt_int(s, OVERVIEW_COLUMN_COUNT + 1)};
        status = read_cells(&found, cells, &v, s, err);
        THEN(status, visit(payload, pos, found, err));
    }
    stmt_reset(s);
    return status;
}

/* ---- making overviews anew ---- */

typedef struct mending {
    ptl_store *store;
    overview_mended_visit *visit;
    void *payload;
    bytes made; /* owned */
} mending;

/* Makes the overview of a chunk from its level 0; PTL_ERR_CORRUPT if that can't be read. */
static ptl_status of_chunk(overview *out, const mending *m, const stmt *chunk, ptl_error *err)
{
    uint32_t numbers[PTL_LEVELS];
    size_t size, omts_size;
    bool found = false;
    const void *fill = stmt_blob(chunk, 4, &size);
    /* If the chunk has a row for level 0, the overview is made from that. Otherwise all OMTs of
     * the level have one oter, which the chunk's column `fill` gives. */
    stmt *s = NULL;
    const level_runs *runs;
    const int64_t id = stmt_int(chunk, 0) * 32 - PTL_Z_MIN;
    ptl_status status = stmt_find(&s, &found, m->store, STMT_OMT_LEVEL, STMT_VALUES(id), err);
    if (found) {
        const void *omts = stmt_blob(s, 1, &omts_size);
        status = level_row_runs(&runs, m->store, id, stmt_int(s, 0), omts, omts_size, err);
        if (status == PTL_OK)
            codec_overview(out, m->store->scratch->codec);
    }
    stmt_reset(s);
    if (status != PTL_OK || found)
        return status;
    TRY(fill_parse(numbers, fill, size, dictionary_size(m->store), err));
    overview_uniform(out, numbers[-PTL_Z_MIN]);
    return PTL_OK;
}

static ptl_status mend_chunk(mending *m, const overview_mended *chunk, const overview *o,
                             ptl_error *err)
{
    bool equal = false;
    bytes_clear(&m->made);
    overview_build(&m->made, o);
    if (m->made.failed)
        return error_nomem(err);
    /* If the stored overview is sound and has the same bytes as the new one, it stays. */
    stmt *s = NULL;
    size_t size;
    ptl_status status = stmt_find(&s, &equal, m->store, stmt_of(TABLE_OVERVIEW, ROWS_OWNED),
                                  STMT_VALUES(chunk->chunk_id), err);
    if (equal) {
        ptl_error local = {0};
        const void *cells = stmt_blob(s, OVERVIEW_COLUMN_CELLS, &size);
        equal = row_verify(s, TABLE_OVERVIEW, &local) == PTL_OK && size == m->made.size &&
                memcmp(cells, m->made.data, size) == 0;
        if (local.status == PTL_ERR_NOMEM)
            status = error_nomem(err);
    }
    stmt_reset(s);
    if (status != PTL_OK || equal)
        return status;
    TRY(overview_row_delete(m->store, chunk->chunk_id, err));
    TRY(overview_row_insert(m->store, chunk->chunk_id, m->made.data, m->made.size, err));
    return m->visit(m->payload, chunk, err);
}

static ptl_status mend_chunks(mending *m, ptl_error *err)
{
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status =
        stmt_prepare(&s, m->store,
                     "SELECT id, world_id, x, y, fill FROM main.chunk WHERE id > ? "
                     "ORDER BY id LIMIT 1",
                     err);
    while (stmt_row_after(s, &after, "chunk", &status, err)) {
        overview o;
        const overview_mended chunk = {
            .had_chunk = true,
            .chunk_id = after,
            .world_id = stmt_int(s, 1),
            .pos = {(int32_t)stmt_int(s, 2), (int32_t)stmt_int(s, 3)}};
        ptl_error local = {0};
        status = of_chunk(&o, m, s, &local);
        stmt_reset(s);
        THEN(status, mend_chunk(m, &chunk, &o, &local));
        if (status == PTL_ERR_CORRUPT && !local.backend_code)
            status = PTL_OK; /* the level is damaged, which other checks report */
        else if (local.status != PTL_OK && err)
            *err = local;
    }
    stmt_free(s);
    return status;
}

ptl_status overview_rows_mend(ptl_store *store, overview_mended_visit *visit, void *payload,
                              ptl_error *err)
{
    mending m = {.store = store, .visit = visit, .payload = payload};
    ptl_status status = dictionary_refresh(store, err);
    THEN(status, mend_chunks(&m, err));
    /* Deletes the overviews of chunks that do not exist. */
    stmt *s = NULL;
    int64_t *ids;
    size_t count;
    THEN(status, stmt_prepare(&s, m.store,
                              "SELECT o.id FROM main.overview o WHERE NOT EXISTS (SELECT "
                              "1 FROM main.chunk c WHERE c.id = o.id)",
                              err));
    status = stmt_list_ids(&ids, &count, s, status, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        const overview_mended gone = {.chunk_id = ids[i]};
        status = overview_row_delete(m.store, ids[i], err);
        THEN(status, m.visit(m.payload, &gone, err));
    }
    free(ids);
    bytes_dispose(&m.made);
    return status;
}
