/* Verifies a chunk's features: rows and packs against their checksums and digest, then
 * buildings and specials against the tiles that they have placed. */
#include "core/error.h"
#include "model/catalogue.h"
#include "store/sqlite/catalogue/catalogue_open.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Checks the rows. Damage counts as one problem of the chunk, the first that reading meets. */
static ptl_status check_rows(verifier *v, feature_set *set, const stmt *row, ptl_chunk_pos pos,
                             const char *where, bool *good, ptl_error *err)
{
    digest found;
    size_t size;
    const void *stored = stmt_blob(row, CHUNK_COLUMN_FEATURE_DIGEST, &size);
    ptl_status status = feature_rows_read(set, v->store, stmt_int(row, CHUNK_COLUMN_ID),
                                          stmt_int(row, CHUNK_COLUMN_FEATURES_CHECKSUM), err);
    *good = status == PTL_OK;
    THEN(status, feature_set_digest(&found, set, pos, err));
    if (status == PTL_OK &&
        (size != sizeof found.bytes || memcmp(stored, found.bytes, size) != 0))
        verify_problem(v, INVARIANT_FEATURE_DIGEST, where,
                       "the features do not give the stored feature_digest");
    return verify_soft(v, INVARIANT_FEATURES, where, status, err);
}

/* ---- placements against tiles ---- */

enum { ONCE = 1, AGAIN = 2 }; /* how many placements claim a cell */

typedef struct tile_check {
    const catalogue *cat;
    const ptl_chunk *chunk;
    const gen_features *features;
    uint8_t *claims; /* for each cell of each level: ONCE or AGAIN */
    bool *lines;     /* for each terrain: does a connection draw it? */
    bool claiming;   /* true while cells are claimed; false while they are compared */
    bool failed;     /* memory is out */
    size_t tiles, wrong;
    char first[160]; /* describes the first wrong tile */
} tile_check;

static bool have_common(ptl_terrain_set a, const uint64_t *b, size_t words)
{
    size_t i = 0;
    while (i < words && !(a[i] & b[i]))
        i++;
    return i < words;
}

/* Adds to the set `over` the terrains that connections draw over terrains of the set. Returns
 * whether any was added. */
static bool add_lines_over(const catalogue *cat, uint64_t *over, size_t words)
{
    bool added = false;
    for (size_t k = 0; k < cat->connection_count; k++)
        for (size_t i = 0; i < cat->connections[k].subtype_count; i++) {
            const cat_subtype *s = &cat->connections[k].subtypes[i];
            if (cat_terrain_in(over, s->terrain) || !have_common(s->allows, over, words))
                continue;
            over[s->terrain / 64] |= UINT64_C(1) << s->terrain % 64;
            added = true;
        }
    return added;
}

/*
 * May connections have been drawn over `ground`, perhaps one over the other, so that `found`
 * is there now? It is asked only for tiles that look wrong at first. False, with t->failed
 * set, when memory is out.
 */
static bool may_lie_over(tile_check *t, uint16_t ground, uint16_t found)
{
    const size_t words = catalogue_all_terrains(t->cat) / 64 + 1;
    uint64_t *over = calloc(words, sizeof *over);
    t->failed = t->failed || !over;
    if (!over)
        return false;
    over[ground / 64] |= UINT64_C(1) << ground % 64;
    bool may = false, more = true;
    while (!may && more) {
        more = add_lines_over(t->cat, over, words);
        may = cat_terrain_in(over, found);
    }
    free(over);
    return may;
}

/*
 * May a tile be what the special has placed there? Later steps may join a linear tile with
 * their own, so its arms may differ. A connection may pass where the content allows it, and
 * over everything that may be crossed. The banks of rivers are drawn last.
 */
static bool same_tile(tile_check *t, bool crossed, ptl_oter wanted, ptl_oter found)
{
    const catalogue *cat = t->cat;
    const uint32_t water = CAT_FLAG_RIVER | CAT_FLAG_LAKE;
    if (wanted == found)
        return true;
    const cat_terrain *from = &cat->terrains[cat->oters[wanted].terrain];
    const cat_terrain *to = &cat->terrains[cat->oters[found].terrain];
    if (from == to && (from->flags & CAT_FLAG_LINEAR) != 0)
        return true;
    if (crossed && (t->lines[cat->oters[found].terrain] || (to->flags & CAT_FLAG_BRIDGE) != 0 ||
                    (from->flags & to->flags & water) != 0))
        return true;
    return t->lines[cat->oters[found].terrain] &&
           may_lie_over(t, cat->oters[wanted].terrain, cat->oters[found].terrain);
}

static void wrong_omt(tile_check *t, const cat_special *special, const char *what,
                      const int32_t at[3])
{
    if (t->wrong++ == 0)
        snprintf(t->first, sizeof t->first, "'%.60s' %.60s %d,%d,%d", special->id, what, at[0],
                 at[1], at[2]);
}

/* Checks one tile of a special. If wanted is CAT_NONE, the definition has no oter for this
 * rotation, and anything may be there. */
static void check_tile(tile_check *t, const cat_special *special, ptl_oter wanted,
                       const int32_t at[3])
{
    const int32_t x = at[0], y = at[1], z = at[2];
    char what[64];
    if (x < 0 || x >= PTL_CHUNK_SIZE || y < 0 || y >= PTL_CHUNK_SIZE || z < PTL_Z_MIN ||
        z > PTL_Z_MAX) {
        if (!t->claiming)
            wrong_omt(t, special, "has an OMT outside, at", at);
        return;
    }
    uint8_t *claim = &t->claims[((z - PTL_Z_MIN) * PTL_CHUNK_SIZE + y) * PTL_CHUNK_SIZE + x];
    if (t->claiming) {
        t->tiles++;
        *claim = *claim ? AGAIN : ONCE;
        return;
    }
    const level *l = &t->chunk->levels[z - PTL_Z_MIN];
    const ptl_oter found = l->cells ? l->cells[y * PTL_CHUNK_SIZE + x] : l->fill;
    if (*claim == AGAIN || wanted == CAT_NONE ||
        same_tile(t, !special->building || z != 0, wanted, found))
        return;
    snprintf(what, sizeof what, "should have %.40s at", t->cat->oters[wanted].id);
    wrong_omt(t, special, what, at);
}

/* Goes over all tiles that placements have in the chunk: tiles of definitions, and pieces of
 * mutable specials. */
static void check_tiles(tile_check *t)
{
    for (size_t i = 0; i < t->features->placement_count; i++) {
        const gen_placement *p = &t->features->placements[i];
        const cat_special *special = &t->cat->specials[p->special];
        for (size_t k = 0; k < special->omt_count; k++) {
            const cat_omt *tile = &special->omts[k];
            int32_t at[3] = {0, 0, p->z + tile->z};
            feature_rotate(tile->x, tile->y, p->rotation, &at[0], &at[1]);
            at[0] += p->x;
            at[1] += p->y;
            check_tile(t, special, tile->oters[p->rotation], at);
        }
    }
    for (size_t i = 0; i < t->features->piece_count; i++) {
        const gen_piece *p = &t->features->pieces[i];
        const cat_special *special =
            &t->cat->specials[t->features->placements[p->placement].special];
        check_tile(t, special, special->layout->pieces[p->piece].oters[p->rotation],
                   (int32_t[3]){p->x, p->y, p->z});
    }
}

/* Compares tiles in two passes: the first counts how many placements claim a cell, since a
 * cell that several claim can't be compared. */
static ptl_status check_placements(verifier *v, const char *where, const ptl_chunk *chunk,
                                   const gen_features *features, ptl_error *err)
{
    tile_check t = {.cat = v->cat, .chunk = chunk, .features = features, .claiming = true};
    t.claims = calloc(PTL_LEVELS, PTL_LEVEL_CELLS);
    t.lines = calloc(catalogue_all_terrains(v->cat) + 1, sizeof *t.lines);
    ptl_status status = t.claims && t.lines ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        for (size_t k = 0; k < t.cat->connection_count; k++)
            for (size_t i = 0; i < t.cat->terrain_count; i++)
                if (cat_terrain_in(t.cat->connections[k].terrains, (uint16_t)i))
                    t.lines[i] = true;
        check_tiles(&t);
        t.claiming = false;
        check_tiles(&t);
    }
    if (t.failed)
        status = error_nomem(err);
    else if (t.wrong > 0)
        verify_problem(v, INVARIANT_PLACEMENT, where,
                       "%zu of %zu OMTs of buildings and specials are not there: %s", t.wrong,
                       t.tiles, t.first);
    free(t.claims);
    free(t.lines);
    return status;
}

/* Checks the pieces: a mutable special has at least one. */
static ptl_status check_pieces(verifier *v, const char *where, const gen_features *f,
                               ptl_error *err)
{
    bool *grown = calloc(f->placement_count + 1, sizeof *grown);
    if (!grown)
        return error_nomem(err);
    for (size_t i = 0; i < f->piece_count; i++)
        grown[f->pieces[i].placement] = true;
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        const cat_special *special = &v->cat->specials[p->special];
        if (special->layout && !grown[i])
            verify_problem(v, INVARIANT_PIECES, where, "'%s' at %d,%d has no pieces",
                           special->id, p->x, p->y);
    }
    free(grown);
    return PTL_OK;
}

static ptl_status read_both(verifier *v, ptl_chunk **chunk, gen_features *features,
                            int64_t world_id, ptl_chunk_pos pos, ptl_error *err)
{
    bool found;
    TRY(sqlite_chunk_read(chunk, v->store, world_id, pos, v->cat, NULL, err));
    return sqlite_features_read(features, &found, v->store, world_id, pos, v->cat, err);
}

/* Loads the catalogue of the file's present content when the first placement is met. */
static ptl_status need_catalogue(verifier *v, ptl_error *err)
{
    if (v->cat || v->no_cat)
        return PTL_OK;
    ptl_status status = sqlite_catalogue_load(&v->cat, v->store, err);
    if (status != PTL_ERR_CONTENT)
        return status;
    v->no_cat = true;
    error_clear(err);
    return PTL_OK;
}

/*
 * Compares placements with the content, but only where this is the content that the chunk was
 * made with. A game may have changed what an imported chunk holds, so that is not compared
 * either.
 */
static ptl_status check_against_content(verifier *v, const stmt *row, ptl_chunk_pos pos,
                                        const char *where, ptl_error *err)
{
    ptl_chunk *chunk = NULL;
    gen_features features = {0};
    if (strcmp(stmt_text(row, CHUNK_COLUMN_ORIGIN), "generated") != 0)
        return PTL_OK;
    TRY(need_catalogue(v, err));
    if (v->no_cat || stmt_int(row, CHUNK_COLUMN_CONTENT_ID) != v->cat->content_id)
        return PTL_OK;
    ptl_status status =
        read_both(v, &chunk, &features, stmt_int(row, CHUNK_COLUMN_WORLD_ID), pos, err);
    if (status == PTL_OK) {
        status = check_placements(v, where, chunk, &features, err);
        THEN(status, check_pieces(v, where, &features, err));
    } else if (status == PTL_ERR_MISMATCH) {
        verify_problem(v, INVARIANT_PLACEMENT, where, "%s", err->message);
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
    if (status == PTL_OK && good && tiles_good &&
        set->tables[PACK_PLACEMENTS].count + set->specials.count > 0)
        status = check_against_content(v, row, pos, where, err);
    return verify_soft(v, INVARIANT_SQLITE, where, status, err);
}
