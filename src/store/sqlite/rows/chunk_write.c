/* Writes a chunk with its levels, features, edges and events, inside the caller's
 * transaction. */
#include "codec/chunk_codec.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/edge_rows.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"

#include <string.h>

ptl_status overview_row_delete(ptl_store *store, int64_t chunk_id, ptl_error *err)
{
    return stmt_run_with(store, STMT_OVERVIEW_DELETE, (const int64_t[]){chunk_id}, 1, err);
}

static ptl_status delete_chunk(ptl_store *store, int64_t id, ptl_error *err)
{
    static const stmt_id tables[] = {STMT_EVENTS_DELETE, STMT_OVERVIEW_DELETE,
                                     STMT_LEVELS_DELETE, STMT_CHUNK_DELETE};
    TRY(feature_rows_delete(store, id, err));
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        TRY(stmt_run_with(store, tables[i], (const int64_t[]){id}, 1, err));
    return PTL_OK;
}

/* Inserts the levels. They come before the chunk's row, since that holds a checksum over
 * theirs. */
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
            TRY(row_insert(store, STMT_LEVEL_INSERT, row_table_of(TABLE_LEVEL), v, err));
        }
    return rowsum_end(&scratch->levels, levels_checksum, err);
}

ptl_status overview_row_insert(ptl_store *store, int64_t chunk_id, const void *data,
                               size_t size, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_OVERVIEW);
    row_value v[OVERVIEW_COLUMN_COUNT] = {[OVERVIEW_COLUMN_ID] = row_int(chunk_id),
                                          [OVERVIEW_COLUMN_CELLS] = row_blob(data, size)};
    TRY(row_seal(v, t, &store->scratch->sum, err));
    return row_insert(store, STMT_OVERVIEW_INSERT, t, v, err);
}

typedef struct chunk_values {
    int64_t id, world_id, run_id, levels_checksum, features_checksum;
    const char *last_step, *origin;
    const encoded_features *features;
    const chunk_write *w;
} chunk_values;

static ptl_status insert_chunk(ptl_store *store, row_scratch *scratch, const chunk_values *c,
                               const catalogue *cat, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_CHUNK);
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
        [CHUNK_COLUMN_LAST_STEP] = row_text(c->last_step),
        [CHUNK_COLUMN_RUN_ID] = row_int(c->run_id),
        [CHUNK_COLUMN_OMT_DIGEST] = row_blob(e->omts.bytes, DIGEST_SIZE),
        [CHUNK_COLUMN_LEVELS_CHECKSUM] = row_int(c->levels_checksum),
        [CHUNK_COLUMN_ORIGIN] = row_text(c->origin),
        [CHUNK_COLUMN_FEATURE_DIGEST] = row_blob(c->features->digest.bytes, DIGEST_SIZE),
        [CHUNK_COLUMN_FEATURES_CHECKSUM] = row_int(c->features_checksum)};
    TRY(row_seal(v, t, &scratch->sum, err));
    return row_insert(store, STMT_CHUNK_INSERT, t, v, err);
}

static ptl_status insert_event(ptl_store *store, row_scratch *scratch, int64_t chunk_id,
                               size_t number, const event_row *e, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_EVENT);
    row_value v[EVENT_COLUMN_COUNT] = {[EVENT_COLUMN_CHUNK_ID] = row_int(chunk_id),
                                       [EVENT_COLUMN_NUMBER] = row_int((int64_t)number),
                                       [EVENT_COLUMN_STEP] = row_text(e->step),
                                       [EVENT_COLUMN_KIND] = row_text(e->kind),
                                       [EVENT_COLUMN_X] = row_int(e->x),
                                       [EVENT_COLUMN_Y] = row_int(e->y),
                                       [EVENT_COLUMN_Z] = row_int(e->z),
                                       [EVENT_COLUMN_DETAIL] =
                                           row_text(e->detail ? e->detail : "")};
    TRY(row_seal(v, t, &scratch->sum, err));
    return row_insert(store, STMT_EVENT_INSERT, t, v, err);
}

static ptl_status write_chunk(ptl_store *store, row_scratch *scratch, chunk_values *v,
                              const catalogue *cat, ptl_error *err)
{
    const chunk_write *w = v->w;
    /* Writes the chunk's four edges. Two of them are stored at its own place, the others at its
     * northern and western neighbours'. */
    const int64_t world_id = v->world_id;
    const int64_t run_id = v->run_id;
    ptl_chunk_pos p = w->encoded.pos;
    const edge places[4] = {{.x = p.x, .y = p.y - 1, .side = EDGE_SOUTH},
                            {.x = p.x, .y = p.y, .side = EDGE_EAST},
                            {.x = p.x, .y = p.y, .side = EDGE_SOUTH},
                            {.x = p.x - 1, .y = p.y, .side = EDGE_EAST}};
    const edge_source source = {.world_id = world_id,
                                .content_id = w->content_id,
                                .run_id = run_id,
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
    const int64_t chunk_id = v->id;
    overview numbered;
    ptl_oter oters[PTL_OVERVIEW_CELLS];
    for (size_t i = 0; i < PTL_OVERVIEW_CELLS; i++)
        oters[i] = (ptl_oter)w->encoded.overview.cells[i];
    TRY(dictionary_numbers(store, cat, oters, PTL_OVERVIEW_CELLS, numbered.cells, err));
    bytes_clear(&scratch->blob);
    overview_build(&scratch->blob, &numbered);
    if (scratch->blob.failed)
        return error_nomem(err);
    TRY(overview_row_insert(store, chunk_id, scratch->blob.data, scratch->blob.size, err));
    TRY(insert_chunk(store, scratch, v, cat, err));
    for (size_t i = 0; i < w->event_count; i++)
        TRY(insert_event(store, scratch, v->id, i, &w->events[i], err));
    return PTL_OK;
}

/* Decides which id the chunk gets, and removes a chunk that is to be replaced. *keep is set if
 * the saved chunk stays instead. */
static ptl_status make_place(chunk_values *v, bool *keep, ptl_store *store, ptl_error *err)
{
    chunk_info before;
    bool found = false;
    TRY(sqlite_chunk_find(&before, &found, store, v->world_id, v->w->encoded.pos, err));
    if (!found)
        return row_new_id(&v->id, store, STMT_CHUNK_NEXT_ID, "chunk", err);
    v->id = before.id;
    if (v->w->replace)
        *keep = before.imported;
    else
        *keep = before.last_step[0] == '\0' || strcmp(before.last_step, v->last_step) == 0;
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
                      .last_step = w->last_step ? w->last_step : "",
                      .origin = w->imported ? "imported" : "generated",
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
    chunk_values v = {.id = id,
                      .world_id = world_id,
                      .run_id = run_id,
                      .last_step = w->last_step ? w->last_step : "",
                      .origin = w->imported ? "imported" : "generated",
                      .features = w->features,
                      .w = w};
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
