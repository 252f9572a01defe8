/* Computes digests from the rows. Blobs are parsed into runs and never expanded to cells; the
 * dictionary gives the names. */
#include "store/sqlite/rows/world_digest.h"

#include "codec/chunk_codec.h"
#include "codec/digest_world.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/edge_rows.h"
#include "store/sqlite/rows/feature_rows.h"

#include <stdlib.h>
#include <string.h>

/* State while a chunk's levels are digested, from the lowest up. A level without a row is
 * filled in when the next one with a row is visited. */
typedef struct digesting {
    ptl_store *store;
    omt_digest omts;
    level_runs *uniform;
    codec *codec;
    uint32_t fill[PTL_LEVELS];
    int next; /* index of the next level, 0..21 */
    uint64_t levels;
} digesting;

static ptl_status digest_fill(digesting *d, int until, ptl_error *err)
{
    for (; d->next < until; d->next++) {
        level_runs_uniform(d->uniform, d->fill[d->next]);
        TRY(omt_digest_level(&d->omts, d->uniform, dictionary_name, d->store, err));
    }
    return PTL_OK;
}

static ptl_status digest_visit(void *payload, int32_t z, const void *blob, size_t size,
                               ptl_error *err)
{
    digesting *d = payload;
    const level_runs *r;
    int index = z - PTL_Z_MIN;
    if (index < d->next || index >= PTL_LEVELS)
        return error_set(err, PTL_ERR_CORRUPT, "level z %d: no such level", z);
    ptl_status status = digest_fill(d, index, err);
    THEN(status, level_parse(&r, d->codec, blob, size, dictionary_size(d->store), err));
    THEN(status, omt_digest_level(&d->omts, r, dictionary_name, d->store, err));
    if (status != PTL_OK)
        return error_prefix(err, status, "z %d", z);
    d->next = index + 1;
    d->levels++;
    return PTL_OK;
}

/* Computes a chunk's OMT digest from its rows. s gives the columns of the chunk's row
 * (CHUNK_COLUMNS of prepared.h), and info was read from it. */
static ptl_status chunk_digest_rows(digest *out, ptl_store *store, const stmt *s,
                                    const chunk_info *info, uint64_t *levels, ptl_error *err)
{
    digesting d = {.store = store};
    size_t size;
    TRY(dictionary_refresh(store, err));
    d.codec = store->scratch->codec;
    const void *blob = stmt_blob(s, CHUNK_COLUMN_FILL, &size);
    TRY(fill_parse(d.fill, blob, size, dictionary_size(store), err));
    d.uniform = level_runs_new();
    if (!d.uniform)
        return error_nomem(err);
    omt_digest_init(&d.omts, info->pos);
    ptl_status status = chunk_levels_visit(
        store, info, stmt_int(s, CHUNK_COLUMN_LEVELS_CHECKSUM), digest_visit, &d, err);
    THEN(status, digest_fill(&d, PTL_LEVELS, err));
    omt_digest_final(&d.omts, out);
    level_runs_free(d.uniform);
    *levels += d.levels;
    return status;
}

static ptl_status digest_cells(digest_world *world, const edge_cells *cells,
                               const ptl_store *store, ptl_error *err)
{
    const char *names[PTL_CHUNK_SIZE];
    for (int side = 0; side < 2; side++) {
        for (int i = 0; cells->has[side] && i < PTL_CHUNK_SIZE; i++) {
            names[i] = dictionary_name(store, cells->numbers[side][i]);
            if (!names[i])
                return error_set(err, PTL_ERR_CORRUPT, "a border cell without a name");
        }
        digest_world_side(world, cells->has[side] ? names : NULL);
    }
    return PTL_OK;
}

/* Moves *x, *y and *side on to the edge of the current row. It fails unless that comes later:
 * in a hostile file a wrong order could keep the loop running for ever. */
static ptl_status next_edge(const stmt *s, int64_t *x, int64_t *y, edge_side *side,
                            ptl_error *err)
{
    const char *text = stmt_text(s, 2);
    edge_side next = strcmp(text, "E") == 0 ? EDGE_EAST : EDGE_SOUTH;
    const int64_t new_x = stmt_int(s, 0), new_y = stmt_int(s, 1);
    const bool back =
        new_x < *x || (new_x == *x && (new_y < *y || (new_y == *y && next <= *side)));
    *x = new_x;
    *y = new_y;
    *side = next;
    if (back || strcmp(text, edge_side_text(next)) != 0 || *x < INT32_MIN || *x > INT32_MAX ||
        *y < INT32_MIN || *y > INT32_MAX)
        return error_set(err, PTL_ERR_CORRUPT, "table edge: a bad place %lld,%lld %s",
                         (long long)*x, (long long)*y, text);
    return PTL_OK;
}

static ptl_status digest_edges(digest_world *world, ptl_store *store, int64_t world_id,
                               ptl_error *err)
{
    stmt *s = NULL;
    int64_t x = INT32_MIN, y = INT32_MIN;
    edge_side side = EDGE_EAST;
    ptl_status status = stmt_prepared(&s, store, STMT_EDGE_AFTER, err);
    for (bool row = true; row && status == PTL_OK;) {
        stmt_bind_ints(s, (const int64_t[]){world_id, x, y}, 3);
        stmt_bind_text(s, 4, edge_side_text(side));
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            status = next_edge(s, &x, &y, &side, err);
        stmt_reset(s);
        if (status != PTL_OK || !row)
            break;
        edge e;
        edge_cells cells;
        bool found;
        status = edge_row_find_raw(&e, &cells, &found, store, world_id, (int32_t)x, (int32_t)y,
                                   side, err);
        if (status == PTL_OK && found) {
            digest_world_edge(world, &e);
            status =
                e.origin == EDGE_FOREIGN ? digest_cells(world, &cells, store, err) : PTL_OK;
            edge_dispose(&e);
        }
    }
    return status;
}

ptl_status sqlite_world_digest(ptl_world_digest_result *out, ptl_store *store, int64_t world_id,
                               ptl_error *err)
{
    digest_world world;
    memset(out, 0, sizeof *out);
    digest_world_begin(&world);
    stmt *s = NULL;
    ptl_chunk_pos after = {INT32_MIN, INT32_MIN};
    feature_set set = {0};
    ptl_status status = stmt_prepared(&s, store, STMT_CHUNK_AFTER, err);
    for (bool row = true; row && status == PTL_OK;) {
        chunk_info info;
        stmt_bind_ints(s, (const int64_t[]){world_id, after.x, after.y}, 3);
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            status = chunk_info_read(&info, s, err);
        if (status == PTL_OK && row &&
            (info.pos.x < after.x || (info.pos.x == after.x && info.pos.y <= after.y)))
            status = error_set(err, PTL_ERR_CORRUPT, "table chunk: its rows are out of order");
        if (status == PTL_OK && row) {
            digest omts, features;
            uint64_t levels = 0;
            status = chunk_digest_rows(&omts, store, s, &info, &levels, err);
            THEN(status, feature_rows_read(&set, store, info.id,
                                           stmt_int(s, CHUNK_COLUMN_FEATURES_CHECKSUM), err));
            THEN(status, feature_set_digest(&features, &set, info.pos, err));
            if (status == PTL_OK)
                digest_world_chunk(&world, info.pos, &omts, &features);
            else
                (void)error_prefix(err, status, "chunk %d,%d", info.pos.x, info.pos.y);
            after = info.pos;
        }
        stmt_reset(s);
    }
    feature_set_dispose(&set);
    TRY(status);
    TRY(digest_edges(&world, store, world_id, err));
    digest_world_end(&world, out);
    return PTL_OK;
}
