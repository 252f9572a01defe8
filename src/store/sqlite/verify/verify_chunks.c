/*
 * Verifies chunks one at a time, so that memory does not grow with the world. The statement of
 * a chunk's row stays open while its levels, features and edges are checked, so that a writer
 * can't make a sound file look damaged.
 */
#include "codec/chunk_codec.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "core/utf8.h"
#include "model/catalogue.h"
#include "store/sqlite/catalogue/catalogue_open.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct chunk_check {
    verifier *v;
    const stmt *row;
    int64_t id, world_id;
    ptl_chunk_pos pos;
    char where[192];
    uint32_t mask;  /* levels whose rows were found, as bits */
    bool omts_good; /* all levels that were read could be decoded, so the digest of the OMTs can
                     * be compared */
    bool seen;      /* level 0 was decoded, so the overview can be compared */
    overview overview;
    chunk_digester digester;
    feature_set *features;
} chunk_check;

/* Checks one level's blob and adds it to the digest of the OMTs. After a damaged level the
 * digest is not computed further. */
static ptl_status check_blob(chunk_check *c, const char *where, int index, const void *blob,
                             size_t size)
{
    ptl_store *store = c->v->store;
    const level_runs *r;
    ptl_error err = {0};
    if (index >= PTL_LEVELS) {
        verify_problem(c->v, INVARIANT_LEVEL_MASK, where, "no such level");
        c->omts_good = false;
    }
    if (c->v->dictionary_bad || index >= PTL_LEVELS)
        return PTL_OK;
    const ptl_status status =
        c->omts_good
            ? chunk_digester_level(&c->digester, index + PTL_Z_MIN, blob, size, &err)
            : level_parse(&r, store->scratch->codec, blob, size, dictionary_size(store), &err);
    if (status == PTL_ERR_NOMEM)
        return status;
    if (status != PTL_OK) {
        verify_problem(c->v, INVARIANT_BLOB, where, "%s", err.message);
        c->omts_good = false;
    } else if (c->omts_good && index == -PTL_Z_MIN) {
        codec_overview(&c->overview, store->scratch->codec);
        c->seen = true;
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
    TRY(stmt_begin(&s, v->store, stmt_of(TABLE_LEVEL, ROWS_OWNED), STMT_VALUES(c->id), err));
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

/* Checks the levels and the digest of the OMTs. */
static ptl_status check_omts(chunk_check *c, ptl_error *err)
{
    digest omts;
    size_t size;
    const void *stored = stmt_blob(c->row, CHUNK_COLUMN_OMT_DIGEST, &size);
    const bool known = !c->v->dictionary_bad;
    ptl_error local = {0};
    ptl_status status = PTL_OK;
    if (known) {
        size_t fill_size;
        const void *fill = stmt_blob(c->row, CHUNK_COLUMN_FILL, &fill_size);
        status =
            chunk_digester_begin(&c->digester, c->v->store, c->pos, fill, fill_size, &local);
    }
    const ptl_status begun = status;
    c->omts_good = known && begun == PTL_OK;
    if (status == PTL_ERR_CORRUPT) {
        verify_problem(c->v, INVARIANT_BLOB, c->where, "%s", local.message);
        status = PTL_OK;
    } else if (status != PTL_OK) {
        (void)error_copy(err, &local);
    }
    if (c->omts_good &&
        !(stmt_int(c->row, CHUNK_COLUMN_LEVEL_MASK) & UINT32_C(1) << -PTL_Z_MIN)) {
        overview_uniform(&c->overview, c->digester.fill[-PTL_Z_MIN]);
        c->seen = true;
    }
    THEN(status, check_levels(c, err));
    if (known && chunk_digester_end(&omts, &c->digester, begun, NULL) != PTL_OK)
        c->omts_good = false;
    if (status == PTL_OK && c->omts_good &&
        (size != sizeof omts.bytes || memcmp(stored, omts.bytes, size) != 0))
        verify_problem(c->v, INVARIANT_OMT_DIGEST, c->where,
                       "the OMTs do not give the stored omt_digest");
    return status;
}

/* Compares the chunk's overview with one that is made from its level 0. */
static ptl_status check_overview(chunk_check *c, ptl_error *err)
{
    verifier *v = c->v;
    stmt *s = NULL;
    size_t size;
    bool row = false;
    ptl_status status = stmt_find(&s, &row, v->store, stmt_of(TABLE_OVERVIEW, ROWS_OWNED),
                                  STMT_VALUES(c->id), err);
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
        stmt_bind_ints(s, STMT_VALUES(c->world_id, (int64_t)c->pos.x + edges[i].dx,
                                      (int64_t)c->pos.y + edges[i].dy));
        stmt_bind_text(s, 4, edges[i].side);
        if (!stmt_row(s, &status, err) && status == PTL_OK)
            verify_problem(c->v, INVARIANT_EDGES_EXIST, c->where, "its %s edge has no row",
                           edges[i].name);
        stmt_reset(s);
    }
    return status;
}

/* ---- features: their checksums and digest ---- */

/* Reads the features. All their damage counts as one problem of the chunk: the first that
 * reading finds. */
static ptl_status check_rows(const chunk_check *c, bool *good, ptl_error *err)
{
    digest found;
    size_t size;
    const void *stored = stmt_blob(c->row, CHUNK_COLUMN_FEATURE_DIGEST, &size);
    ptl_status status =
        feature_rows_read(c->features, c->v->store, stmt_int(c->row, CHUNK_COLUMN_ID),
                          stmt_int(c->row, CHUNK_COLUMN_FEATURES_CHECKSUM), err);
    *good = status == PTL_OK;
    THEN(status, feature_set_digest(&found, c->features, c->pos, err));
    if (status == PTL_OK &&
        (size != sizeof found.bytes || memcmp(stored, found.bytes, size) != 0))
        verify_problem(c->v, INVARIANT_FEATURE_DIGEST, c->where,
                       "the features do not give the stored feature_digest");
    return verify_soft(c->v, INVARIANT_FEATURES, c->where, status, err);
}

typedef struct omt_check {
    const catalogue *cat;
    const ptl_chunk *chunk;
    const gen_features *features;
    uint8_t *claims; /* for each cell of each level: how many placements claim it (0, ONCE or
                      * AGAIN) */
    bool *lines;     /* for each terrain: whether a connection draws it */
    bool claiming; /* true in the pass that counts how many placements claim each cell; false in
                      the pass that compares the cells' oters with those of placements */
    bool failed;   /* memory was out */
    size_t omts, wrong;
    char first[160]; /* describes the first wrong OMT */
} omt_check;

/* ---- buildings and specials: whether the map has the OMTs that they placed ---- */

/* ONCE: one building or special claims the cell. AGAIN: several do. */
enum { ONCE = 1, AGAIN = 2 };

/* Adds terrains of connections to the set `over`: each one that may be drawn over a terrain
 * that is in the set already. Returns true if any terrain was added. */
static bool add_lines_over(const catalogue *cat, uint64_t *over, size_t words)
{
    bool added = false;
    for (size_t k = 0; k < cat->connection_count; k++)
        for (size_t i = 0; i < cat->connections[k].subtype_count; i++) {
            const cat_subtype *s = &cat->connections[k].subtypes[i];
            /* Searches for a terrain that is both in s->allows and in `over`: `word` becomes
             * the index of the first 64-bit word in which the sets have a common bit. */
            size_t word = 0;
            while (word < words && !(s->allows[word] & over[word]))
                word++;
            if (cat_terrain_in(over, s->terrain) || word == words)
                continue;
            over[s->terrain / 64] |= UINT64_C(1) << s->terrain % 64;
            added = true;
        }
    return added;
}

/* Returns true if an OMT of the terrain `ground` may have become `found`, since connections
 * were drawn over it, perhaps one over another. It is only called for OMTs that look wrong
 * otherwise. If memory is out, sets t->failed and returns false. */
static bool may_lie_over(omt_check *t, uint16_t ground, uint16_t found)
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
 * Returns true if the oter `found` may stand where a special placed `wanted`. Later steps may
 * connect an OMT of a linear terrain with their own lines, so `found` may be another line shape
 * of the same terrain. If the special may be crossed (`crossed`), `found` may also be a bridge
 * or a line of any connection; and if `wanted` is river or lake, `found` may be another terrain
 * of a river or lake. If the special may not be crossed, `found` may be the line of a
 * connection that the content allows on this terrain.
 */
static bool same_omt(omt_check *t, bool crossed, ptl_oter wanted, ptl_oter found)
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

static void wrong_omt(omt_check *t, const cat_special *special, const char *what,
                      const int32_t at[3])
{
    if (t->wrong++ == 0)
        snprintf(t->first, sizeof t->first, "'%.*s' %.*s %d,%d,%d", UTF8_CUT(special->id, 60),
                 UTF8_CUT(what, 60), at[0], at[1], at[2]);
}

/* While t->claiming is true, counts that a special claims an OMT; afterwards compares the OMT
 * with `wanted`, the oter that the special placed there. `wanted` is CAT_NONE if the definition
 * has no oter for this rotation; then any oter may be there. */
static void check_omt(omt_check *t, const cat_special *special, ptl_oter wanted,
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
        t->omts++;
        *claim = *claim ? AGAIN : ONCE;
        return;
    }
    const level *l = &t->chunk->levels[z - PTL_Z_MIN];
    const ptl_oter found = level_oter(l, y * PTL_CHUNK_SIZE + x);
    if (*claim == AGAIN || wanted == CAT_NONE ||
        same_omt(t, !special->building || z != 0, wanted, found))
        return;
    snprintf(what, sizeof what, "should have %.*s at", UTF8_CUT(t->cat->oters[wanted].id, 40));
    wrong_omt(t, special, what, at);
}

/* Checks all OMTs that the chunk's placements claim: those of the definitions of fixed specials
 * and buildings, and the pieces of mutable specials. */
static void features_check_omts(omt_check *t)
{
    for (size_t i = 0; i < t->features->placement_count; i++) {
        const gen_placement *p = &t->features->placements[i];
        const cat_special *special = &t->cat->specials[p->special];
        for (size_t k = 0; k < special->omt_count; k++) {
            const cat_omt *omt = &special->omts[k];
            int32_t at[3] = {0, 0, p->z + omt->z};
            feature_rotate(omt->x, omt->y, p->rotation, &at[0], &at[1]);
            at[0] += p->x;
            at[1] += p->y;
            check_omt(t, special, omt->oters[p->rotation], at);
        }
    }
    for (size_t i = 0; i < t->features->piece_count; i++) {
        const gen_piece *p = &t->features->pieces[i];
        const cat_special *special =
            &t->cat->specials[t->features->placements[p->placement].special];
        check_omt(t, special, special->layout->pieces[p->piece].oters[p->rotation],
                  (int32_t[3]){p->x, p->y, p->z});
    }
}

/* Compares OMTs in two passes. The first counts how many placements claim each cell, since a
 * cell that several placements claim can't be compared. */
static ptl_status check_placements(const chunk_check *c, const ptl_chunk *chunk,
                                   const gen_features *features, ptl_error *err)
{
    omt_check t = {.cat = c->v->cat, .chunk = chunk, .features = features, .claiming = true};
    t.claims = calloc(PTL_LEVELS, PTL_LEVEL_CELLS);
    t.lines = calloc(catalogue_all_terrains(t.cat) + 1, sizeof *t.lines);
    ptl_status status = t.claims && t.lines ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        for (size_t k = 0; k < t.cat->connection_count; k++)
            for (size_t i = 0; i < t.cat->terrain_count; i++)
                if (cat_terrain_in(t.cat->connections[k].terrains, (uint16_t)i))
                    t.lines[i] = true;
        features_check_omts(&t);
        t.claiming = false;
        features_check_omts(&t);
    }
    if (t.failed)
        status = error_nomem(err);
    else if (t.wrong > 0)
        verify_problem(c->v, INVARIANT_PLACEMENT, c->where,
                       "%zu of %zu OMTs of buildings and specials are not there: %s", t.wrong,
                       t.omts, t.first);
    free(t.claims);
    free(t.lines);
    return status;
}

/* Checks that each mutable special has at least one piece. */
static ptl_status check_pieces(const chunk_check *c, const gen_features *f, ptl_error *err)
{
    bool *grown = calloc(f->placement_count + 1, sizeof *grown);
    if (!grown)
        return error_nomem(err);
    for (size_t i = 0; i < f->piece_count; i++)
        grown[f->pieces[i].placement] = true;
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        const cat_special *special = &c->v->cat->specials[p->special];
        if (special->layout && !grown[i])
            verify_problem(c->v, INVARIANT_PIECES, c->where, "'%s' at %d,%d has no pieces",
                           special->id, p->x, p->y);
    }
    free(grown);
    return PTL_OK;
}

/* Loads the catalogue of the file's present content, when it is first needed. */
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

/* Compares the chunk's placements with the definitions of the content, if the chunk was made
 * with the file's present one. An imported chunk is not compared, since a game may have changed
 * it. */
static ptl_status check_against_content(const chunk_check *c, ptl_error *err)
{
    verifier *v = c->v;
    ptl_chunk *chunk = NULL;
    gen_features features = {0};
    bool found;
    if (strcmp(stmt_text(c->row, CHUNK_COLUMN_ORIGIN), "generated") != 0)
        return PTL_OK;
    TRY(need_catalogue(v, err));
    if (v->no_cat || stmt_int(c->row, CHUNK_COLUMN_CONTENT_ID) != v->cat->content_id)
        return PTL_OK;
    ptl_status status =
        sqlite_chunk_read(&chunk, v->store, c->world_id, c->pos, v->cat, NULL, err);
    THEN(status,
         sqlite_features_read(&features, &found, v->store, c->world_id, c->pos, v->cat, err));
    if (status == PTL_OK) {
        status = check_placements(c, chunk, &features, err);
        THEN(status, check_pieces(c, &features, err));
    } else if (status == PTL_ERR_MISMATCH) {
        verify_problem(v, INVARIANT_PLACEMENT, c->where, "%s", err->message);
        error_clear(err);
        status = PTL_OK;
    }
    ptl_chunk_free(chunk);
    features_dispose(&features);
    return status;
}

/* Checks the features. `sound` is true if the chunk's other rows have no problem. */
static ptl_status check_features(const chunk_check *c, bool sound, ptl_error *err)
{
    bool good;
    if (c->v->names_bad)
        return PTL_OK;
    ptl_status status = check_rows(c, &good, err);
    if (status == PTL_OK && good && sound &&
        c->features->tables[PACK_PLACEMENTS].count + c->features->specials.count > 0)
        status = check_against_content(c, err);
    return verify_soft(c->v, INVARIANT_SQLITE, c->where, status, err);
}

static ptl_status check_chunk(verifier *v, const stmt *row, feature_set *features,
                              ptl_error *err)
{
    chunk_check c = {
        .v = v,
        .row = row,
        .id = stmt_int(row, CHUNK_COLUMN_ID),
        .world_id = stmt_int(row, CHUNK_COLUMN_WORLD_ID),
        .pos = {(int32_t)stmt_int(row, CHUNK_COLUMN_X), (int32_t)stmt_int(row, CHUNK_COLUMN_Y)},
        .features = features};
    snprintf(c.where, sizeof c.where, "world '%.*s', chunk %d,%d",
             UTF8_CUT(stmt_text(row, CHUNK_COLUMN_COUNT), 100), c.pos.x, c.pos.y);
    v->counts->chunks++;
    uint64_t before = v->counts->problems;
    ptl_status status = row_verify(row, TABLE_CHUNK, err);
    TRY(verify_soft(v, INVARIANT_CHUNK, c.where, status, err));
    TRY(verify_soft(v, INVARIANT_SQLITE, c.where, check_omts(&c, err), err));
    TRY(verify_soft(v, INVARIANT_SQLITE, c.where, check_overview(&c, err), err));
    TRY(check_features(&c, v->counts->problems == before, err));
    return verify_soft(v, INVARIANT_SQLITE, c.where, check_own_edges(&c, err), err);
}

/* Reports rows whose chunk does not exist. */
static ptl_status check_orphans(verifier *v, ptl_error *err)
{
    static const struct {
        int invariant;
        const char *table, *sql;
    } tables[] = {{INVARIANT_LEVEL_MASK, "level",
                   "SELECT ', row ' || l.id, 'belongs to no chunk' FROM level l WHERE NOT "
                   "EXISTS (SELECT 1 FROM chunk c WHERE c.id = l.id / 32)"},
                  {INVARIANT_OVERVIEW, "overview",
                   "SELECT ', row ' || o.id, 'belongs to no chunk' FROM overview o WHERE NOT "
                   "EXISTS (SELECT 1 FROM chunk c WHERE c.id = o.id)"},
                  {INVARIANT_FEATURES, "pack",
                   "SELECT ', row ' || p.id, 'belongs to no chunk' FROM pack p WHERE p.id % 8 "
                   "> 5 OR NOT EXISTS (SELECT 1 FROM chunk c WHERE c.id = p.id / 8)"},
                  {INVARIANT_FEATURES, "special_placement",
                   "SELECT ', row ' || s.id, 'belongs to no chunk' FROM special_placement s "
                   "WHERE NOT EXISTS (SELECT 1 FROM chunk c WHERE c.id = s.id / 65536)"}};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == PTL_OK; i++)
        status = verify_none(v, tables[i].invariant, tables[i].table, tables[i].sql, err);
    return status;
}

ptl_status verify_chunks(verifier *v, ptl_error *err)
{
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
        THEN(status, check_chunk(v, s, &features, err));
    }
    stmt_free(s);
    feature_set_dispose(&features);
    return status == PTL_OK ? check_orphans(v, err) : status;
}
