/*
 * Verifies chunks one at a time, so that memory does not grow with the world. A chunk's
 * statement stays open while its levels, features and edges are checked. So a writer that is
 * at work can't make a sound file look damaged.
 */
#include "codec/chunk_codec.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/edge_rows.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/verify/verify.h"

#include <stdio.h>
#include <string.h>

typedef struct chunk_check {
    verifier *v;
    const stmt *row;
    int64_t id, world_id;
    ptl_chunk_pos pos;
    char where[192];
    uint32_t mask;   /* levels whose rows were seen */
    int next;        /* index of the next level in the tile digest */
    bool tiles_good; /* everything could be decoded so far, so the digest can be compared */
    bool seen;       /* level 0 was decoded, so the overview can be compared */
    overview overview;
    uint32_t fill[PTL_LEVELS];
    omt_digest tiles;
    level_runs *uniform;
    feature_set *features;
} chunk_check;

static void digest_fill(chunk_check *c, int until)
{
    ptl_error err = {0};
    for (; c->tiles_good && c->next < until; c->next++) {
        level_runs_uniform(c->uniform, c->fill[c->next]);
        if (c->next == -PTL_Z_MIN) {
            overview_uniform(&c->overview, c->fill[c->next]);
            c->seen = true;
        }
        c->tiles_good = omt_digest_level(&c->tiles, c->uniform, dictionary_name, c->v->store,
                                         &err) == PTL_OK;
    }
}

/* Checks one level's blob and adds it to the tile digest. After a damaged level the digest
 * can't be right, so it is not continued. */
static ptl_status check_blob(chunk_check *c, const char *where, int index, const void *blob,
                             size_t size)
{
    const level_runs *r;
    ptl_error err = {0};
    if (index >= PTL_LEVELS) {
        verify_problem(c->v, INVARIANT_LEVEL_MASK, where, "no such level");
        c->tiles_good = false;
    }
    if (c->v->dictionary_bad || index >= PTL_LEVELS)
        return PTL_OK;
    digest_fill(c, index);
    ptl_status status = level_parse(&r, c->v->store->scratch->codec, blob, size,
                                    dictionary_size(c->v->store), &err);
    if (status == PTL_ERR_NOMEM)
        return status;
    if (status != PTL_OK) {
        verify_problem(c->v, INVARIANT_BLOB, where, "%s", err.message);
        c->tiles_good = false;
    } else if (c->tiles_good) {
        if (index == -PTL_Z_MIN) {
            codec_overview(&c->overview, c->v->store->scratch->codec);
            c->seen = true;
        }
        c->tiles_good =
            omt_digest_level(&c->tiles, r, dictionary_name, c->v->store, &err) == PTL_OK;
        c->next = index + 1;
    }
    return PTL_OK;
}

static ptl_status check_level(chunk_check *c, const stmt *s, ptl_error *err)
{
    verifier *v = c->v;
    int64_t id = stmt_int(s, LEVEL_COLUMN_ID), stored = stmt_int(s, LEVEL_COLUMN_CHECKSUM);
    int index = (int)(id & 31);
    size_t size;
    const void *blob = stmt_blob(s, LEVEL_COLUMN_OMTS, &size);
    row_value row[LEVEL_COLUMN_COUNT];
    char where[256];
    v->counts->levels++;
    snprintf(where, sizeof where, "%s, z %d", c->where, index + PTL_Z_MIN);
    c->mask |= UINT32_C(1) << index;
    rowsum_int(&v->store->scratch->levels, stored);
    TRY(level_row_make(row, v->store->scratch, id, blob, size, err));
    if (row[LEVEL_COLUMN_CHECKSUM].integer != stored)
        verify_problem(v, INVARIANT_LEVEL, where, "checksum differs");
    ptl_status status = check_blob(c, where, index, blob, size);
    return status == PTL_ERR_NOMEM ? error_nomem(err) : status;
}

static ptl_status check_levels(chunk_check *c, ptl_error *err)
{
    verifier *v = c->v;
    stmt *s = NULL;
    int64_t sum = 0;
    uint32_t mask = (uint32_t)stmt_int(c->row, CHUNK_COLUMN_LEVEL_MASK);
    TRY(stmt_prepared(&s, v->store, STMT_CHUNK_LEVELS, err));
    stmt_bind_int(s, 1, (int64_t)((uint64_t)c->id * 32));
    rowsum_begin(&v->store->scratch->levels, "levels");
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err))
        status = check_level(c, s, err);
    stmt_reset(s);
    THEN(status, rowsum_end(&v->store->scratch->levels, &sum, err));
    TRY(status);
    if (mask != c->mask)
        verify_problem(v, INVARIANT_LEVEL_MASK, c->where,
                       "level_mask is %#x, but its rows in level give %#x", (unsigned)mask,
                       (unsigned)c->mask);
    else if (sum != stmt_int(c->row, CHUNK_COLUMN_LEVELS_CHECKSUM))
        verify_problem(v, INVARIANT_LEVELS_CHECKSUM, c->where, "levels_checksum differs");
    return PTL_OK;
}

/* Checks the levels, their order in the digest, and the digest itself. */
static ptl_status check_tiles(chunk_check *c, ptl_error *err)
{
    digest tiles;
    size_t size;
    const void *stored = stmt_blob(c->row, CHUNK_COLUMN_OMT_DIGEST, &size);
    c->tiles_good = !c->v->dictionary_bad;
    if (!c->v->dictionary_bad) {
        ptl_error local = {0};
        size_t fill_size;
        const void *blob = stmt_blob(c->row, CHUNK_COLUMN_FILL, &fill_size);
        if (fill_parse(c->fill, blob, fill_size, dictionary_size(c->v->store), &local) !=
            PTL_OK) {
            c->tiles_good = false;
            verify_problem(c->v, INVARIANT_BLOB, c->where, "%s", local.message);
        }
    }
    omt_digest_init(&c->tiles, c->pos);
    ptl_status status = check_levels(c, err);
    digest_fill(c, PTL_LEVELS);
    omt_digest_final(&c->tiles, &tiles);
    if (status == PTL_OK && c->tiles_good &&
        (size != sizeof tiles.bytes || memcmp(stored, tiles.bytes, size) != 0))
        verify_problem(c->v, INVARIANT_TILE_DIGEST, c->where,
                       "the OMTs do not give the stored omt_digest");
    return status;
}

/* Compares the chunk's overview with what its level 0 gives. */
static ptl_status check_overview(chunk_check *c, ptl_error *err)
{
    verifier *v = c->v;
    stmt *s = NULL;
    size_t size;
    bool row = false;
    TRY(stmt_prepared(&s, v->store, STMT_OVERVIEW_READ, err));
    stmt_bind_int(s, 1, c->id);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && !row)
        verify_problem(v, INVARIANT_OVERVIEW, c->where, "it has no row in overview");
    if (status == PTL_OK && row)
        status = verify_soft(v, INVARIANT_OVERVIEW, c->where,
                             row_verify(s, TABLE_OVERVIEW, err), err);
    if (status == PTL_OK && row && c->seen) {
        const void *cells = stmt_blob(s, OVERVIEW_COLUMN_CELLS, &size);
        bytes *made = &v->store->scratch->blob;
        bytes_clear(made);
        overview_build(made, &c->overview);
        if (made->failed)
            status = error_nomem(err);
        else if (size != made->size || memcmp(cells, made->data, size) != 0)
            verify_problem(v, INVARIANT_OVERVIEW, c->where,
                           "its overview is not what its level 0 gives");
    }
    stmt_reset(s);
    return status;
}

static ptl_status check_own_edges(chunk_check *c, ptl_error *err)
{
    const struct {
        int dx, dy;
        const char *side, *name;
    } edges[] = {
        {0, -1, "S", "north"}, {0, 0, "E", "east"}, {0, 0, "S", "south"}, {-1, 0, "E", "west"}};
    stmt *s = NULL;
    ptl_status status = stmt_prepared(&s, c->v->store, STMT_EDGE_FIND, err);
    for (size_t i = 0; i < 4 && status == PTL_OK; i++) {
        bool row = false;
        stmt_bind_ints(s,
                       (const int64_t[]){c->world_id, (int64_t)c->pos.x + edges[i].dx,
                                         (int64_t)c->pos.y + edges[i].dy},
                       3);
        stmt_bind_text(s, 4, edges[i].side);
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && !row)
            verify_problem(c->v, INVARIANT_EDGES_EXIST, c->where, "its %s edge has no row",
                           edges[i].name);
        stmt_reset(s);
    }
    return status;
}

static ptl_status check_chunk(verifier *v, const stmt *row, level_runs *uniform,
                              feature_set *features, ptl_error *err)
{
    chunk_check c = {
        .v = v,
        .row = row,
        .id = stmt_int(row, CHUNK_COLUMN_ID),
        .world_id = stmt_int(row, CHUNK_COLUMN_WORLD_ID),
        .pos = {(int32_t)stmt_int(row, CHUNK_COLUMN_X), (int32_t)stmt_int(row, CHUNK_COLUMN_Y)},
        .uniform = uniform,
        .features = features};
    snprintf(c.where, sizeof c.where, "world '%.100s', chunk %d,%d",
             stmt_text(row, CHUNK_COLUMN_COUNT), c.pos.x, c.pos.y);
    v->counts->chunks++;
    uint64_t before = v->counts->problems;
    ptl_status status = row_verify(row, TABLE_CHUNK, err);
    TRY(verify_soft(v, INVARIANT_CHUNK, c.where, status, err));
    TRY(verify_soft(v, INVARIANT_SQLITE, c.where, check_tiles(&c, err), err));
    TRY(verify_soft(v, INVARIANT_SQLITE, c.where, check_overview(&c, err), err));
    TRY(verify_chunk_features(v, c.features, row, c.pos, c.where, v->counts->problems == before,
                              err));
    return verify_soft(v, INVARIANT_SQLITE, c.where, check_own_edges(&c, err), err);
}

/* Reports the rows that belong to no chunk. */
static ptl_status check_orphans(verifier *v, ptl_error *err)
{
    static const struct {
        int invariant;
        const char *table, *sql;
    } tables[] = {{INVARIANT_LEVEL_MASK, "level",
                   "SELECT l.id FROM level l WHERE NOT EXISTS "
                   "(SELECT 1 FROM chunk c WHERE c.id = l.id / 32)"},
                  {INVARIANT_OVERVIEW, "overview",
                   "SELECT o.id FROM overview o WHERE NOT EXISTS "
                   "(SELECT 1 FROM chunk c WHERE c.id = o.id)"},
                  {INVARIANT_FEATURES, "pack",
                   "SELECT p.id FROM pack p WHERE p.id % 8 > 5 OR NOT EXISTS "
                   "(SELECT 1 FROM chunk c WHERE c.id = p.id / 8)"},
                  {INVARIANT_FEATURES, "special_placement",
                   "SELECT s.id FROM special_placement s WHERE NOT EXISTS "
                   "(SELECT 1 FROM chunk c WHERE c.id = s.id / 65536)"}};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == PTL_OK; i++) {
        stmt *s = NULL;
        char where[64];
        status = stmt_prepare(&s, v->store, tables[i].sql, err);
        while (stmt_row(s, &status, err)) {
            snprintf(where, sizeof where, "table %s, row %lld", tables[i].table,
                     (long long)stmt_int(s, 0));
            verify_problem(v, tables[i].invariant, where, "belongs to no chunk");
        }
        stmt_free(s);
    }
    return status;
}

ptl_status verify_chunks(verifier *v, ptl_error *err)
{
    level_runs *uniform = level_runs_new();
    if (!uniform)
        return error_nomem(err);
    feature_set features = {0};
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = stmt_prepare(&s, v->store,
                                     "SELECT " CHUNK_COLUMNS
                                     ", (SELECT name FROM world w WHERE w.id = c.world_id) "
                                     "FROM chunk c WHERE c.id > ? ORDER BY c.id LIMIT 1",
                                     err);
    while (stmt_row_after(s, &after, "chunk", &status, err)) {
        if (!v->dictionary_bad)
            status = dictionary_refresh(v->store, err);
        THEN(status, check_chunk(v, s, uniform, &features, err));
    }
    stmt_free(s);
    level_runs_free(uniform);
    feature_set_dispose(&features);
    return status == PTL_OK ? check_orphans(v, err) : status;
}
