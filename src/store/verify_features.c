/*
 * Verifying what a chunk holds beside its tiles: rows and packs against their checksums and
 * digest, and buildings against the tiles that they left.
 */
#include "content/catalogue.h"
#include "core/error.h"
#include "store/feature_rows.h"
#include "store/kept.h"
#include "store/store_impl.h"
#include "store/verify.h"

#include <stdio.h>
#include <string.h>

/* Damage of the rows is one problem a chunk: the first that reading meets. */
static ptl_status check_rows(verifier *v, feature_set *set, const stmt *row, ptl_chunk_pos pos,
                             const char *where, bool *good, ptl_error *err)
{
    digest found;
    size_t size;
    const void *stored = stmt_blob(row, CHUNK_COLUMN_FEATURES, &size);
    ptl_status status = feature_rows_read(set, v->store, stmt_int(row, 0),
                                          stmt_int(row, CHUNK_COLUMN_FEATURES_CHECKSUM), err);
    *good = status == PTL_OK;
    if (status == PTL_OK)
        status = feature_set_digest(&found, set, pos, err);
    if (status == PTL_OK &&
        (size != sizeof found.bytes || memcmp(stored, found.bytes, size) != 0))
        verify_problem(v, INVARIANT_FEATURE_DIGEST, where,
                       "the features do not give the stored feature_digest");
    return verify_soft(v, INVARIANT_FEATURES, where, status, err);
}

/* ---- buildings against tiles ---- */

typedef struct tile_check {
    const catalogue *cat;
    const ptl_chunk *chunk;
    size_t tiles, wrong;
    char first[160]; /* what is wrong with the first */
} tile_check;

static ptl_oter cell_of(const ptl_chunk *chunk, int32_t x, int32_t y, int32_t z)
{
    const level *l = &chunk->levels[z - PTL_Z_MIN];
    return l->cells ? l->cells[y * PTL_CHUNK_SIZE + x] : l->fill;
}

/* Later steps may join a linear tile of a building with theirs, so its arms may differ. */
static bool same_tile(const catalogue *cat, ptl_oter wanted, ptl_oter found)
{
    if (wanted == found)
        return true;
    uint16_t terrain = cat->oters[wanted].terrain;
    return terrain == cat->oters[found].terrain &&
           (cat->terrains[terrain].flags & CAT_FLAG_LINEAR) != 0;
}

static void check_tile(tile_check *t, const gen_placement *p, const cat_special *special,
                       const cat_tile *tile)
{
    int32_t x, y, z = p->z + tile->z;
    feature_turn(tile->x, tile->y, p->rotation, &x, &y);
    x += p->x;
    y += p->y;
    bool in = x >= 0 && x < PTL_CHUNK_SIZE && y >= 0 && y < PTL_CHUNK_SIZE && z >= PTL_Z_MIN &&
              z <= PTL_Z_MAX;
    ptl_oter wanted = tile->oters[p->rotation];
    t->tiles++;
    if (in && (wanted == CAT_NONE || same_tile(t->cat, wanted, cell_of(t->chunk, x, y, z))))
        return;
    if (t->wrong++ > 0)
        return;
    if (in)
        snprintf(t->first, sizeof t->first, "'%.60s' should have %.60s at %d,%d,%d",
                 special->id, t->cat->oters[wanted].id, x, y, z);
    else
        snprintf(t->first, sizeof t->first, "'%.60s' has a tile at %d,%d,%d, outside",
                 special->id, x, y, z);
}

static void check_placements(tile_check *t, const gen_features *features)
{
    for (size_t i = 0; i < features->placement_count; i++) {
        const gen_placement *p = &features->placements[i];
        const cat_special *special = &t->cat->specials[p->special];
        for (size_t k = 0; k < special->tile_count; k++)
            check_tile(t, p, special, &special->tiles[k]);
    }
}

static ptl_status read_both(verifier *v, ptl_chunk **chunk, gen_features *features,
                            int64_t world_id, ptl_chunk_pos pos, ptl_error *err)
{
    bool found;
    ptl_status status = chunk_read(chunk, v->store, world_id, pos, v->cat, NULL, err);
    if (status == PTL_OK)
        status = chunk_features_read(features, &found, v->store, world_id, pos, v->cat, err);
    return status;
}

/* The catalogue of the file's present content, loaded when the first building is met. */
static ptl_status need_catalogue(verifier *v, ptl_error *err)
{
    if (v->cat || v->no_cat)
        return PTL_OK;
    ptl_status status = catalogue_load(&v->cat, v->store, err);
    if (status != PTL_ERR_CONTENT)
        return status;
    v->no_cat = true;
    error_clear(err);
    return PTL_OK;
}

/* Only where the definitions are those that the chunk was made with; a game may have changed
 * what an imported chunk holds. */
static ptl_status check_buildings(verifier *v, const stmt *row, ptl_chunk_pos pos,
                                  const char *where, ptl_error *err)
{
    ptl_chunk *chunk = NULL;
    gen_features features = {0};
    if (strcmp(stmt_text(row, CHUNK_COLUMN_ORIGIN), "generated") != 0)
        return PTL_OK;
    ptl_status status = need_catalogue(v, err);
    if (status != PTL_OK || v->no_cat || stmt_int(row, 7) != v->cat->content_id)
        return status;
    status = read_both(v, &chunk, &features, stmt_int(row, 1), pos, err);
    if (status == PTL_OK) {
        tile_check t = {.cat = v->cat, .chunk = chunk};
        check_placements(&t, &features);
        if (t.wrong > 0)
            verify_problem(v, INVARIANT_BUILDING, where,
                           "%zu of %zu tiles of buildings are not there: %s", t.wrong, t.tiles,
                           t.first);
    } else if (status == PTL_ERR_MISMATCH) {
        verify_problem(v, INVARIANT_BUILDING, where, "%s", err->message);
        error_clear(err);
        status = PTL_OK;
    }
    ptl_chunk_free(chunk);
    features_dispose(&features);
    return status;
}

ptl_status verify_chunk_features(verifier *v, feature_set *set, const stmt *row,
                                 ptl_chunk_pos pos, const char *where, bool tiles_good,
                                 ptl_error *err)
{
    bool good;
    if (v->names_bad)
        return PTL_OK;
    ptl_status status = check_rows(v, set, row, pos, where, &good, err);
    if (status == PTL_OK && good && tiles_good && set->tables[PACK_PLACEMENTS].count > 0)
        status = check_buildings(v, row, pos, where, err);
    return verify_soft(v, INVARIANT_SQLITE, where, status, err);
}

ptl_status verify_pack_orphans(verifier *v, ptl_error *err)
{
    stmt *s = NULL;
    char where[64];
    ptl_status status = stmt_prepare(&s, v->store,
                                     "SELECT p.id FROM pack p WHERE p.id % 4 > 1 OR NOT EXISTS "
                                     "(SELECT 1 FROM chunk c WHERE c.id = p.id / 4)",
                                     err);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status != PTL_OK || !row)
            break;
        snprintf(where, sizeof where, "table pack, row %lld", (long long)stmt_int(s, 0));
        verify_problem(v, INVARIANT_FEATURES, where, "belongs to no chunk");
    }
    stmt_free(s);
    return status;
}
