/*
 * Trials of a mutable special on ground that suits it. The levels on which a growth may place
 * each piece follow from the root, the joins and the rules. Each level is filled with the
 * terrain that most pieces, joins and checks accept there. A check is a condition that all
 * cells of a box have terrains of a set; one check counts more than all pieces and joins
 * together. Where checks need several terrains on a level, single cells of the ground are
 * changed in each trial.
 */
#include "gen/mutable/growth_impl.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* On each level that terrain becomes the ground which most suits the special: checks and
     * pieces give votes to the terrains that they accept. Each check (a condition on the
     * ground) gives this many votes. That is more than all pieces together give, since nothing
     * is placed if a check fails. */
    CHECK_VOTES = 1 << 12,
    ALL_LEVELS = (1 << PTL_LEVELS) - 1
};

/* Returns a set of levels (bit z + 10 for level z) with each level moved up by `by`; levels
 * that do not exist are left out. */
static uint32_t shift_levels(uint32_t levels, int32_t by)
{
    if (by <= -PTL_LEVELS || by >= PTL_LEVELS)
        return 0;
    return (by >= 0 ? levels << by : levels >> -by) & ALL_LEVELS;
}

static int32_t rise(int side)
{
    return side == CAT_ABOVE ? 1 : side == CAT_BELOW ? -1 : 0;
}

/* If piece number n of a rule may be on `levels`, each other piece of the rule may be on levels
 * that follow from these: adds them to that piece's element of `reach`. True if any level was
 * new. */
static bool reach_rule(uint32_t *reach, const cat_rule *rule, size_t n, uint32_t levels)
{
    bool more = false;
    /* Keep the levels on which the rule may be used (rule->z). */
    for (int32_t z = PTL_Z_MIN; rule->z.kind == PTL_HEIGHT_RANGE && z <= PTL_Z_MAX; z++)
        if (z < rule->z.low || z > rule->z.high)
            levels &= ~(1u << (z - PTL_Z_MIN));
    for (size_t i = 0; i < rule->piece_count; i++) {
        const cat_rule_piece *p = &rule->pieces[i];
        const uint32_t at = shift_levels(levels, p->z - rule->pieces[n].z);
        more = more || (at & ~reach[p->piece]) != 0;
        reach[p->piece] |= at;
    }
    return more;
}

/* What the pieces of a special can reach. A number of 32 bits is a set of levels: bit z + 10
 * stands for level z. demanded[side][join] has the levels on which an OMT may have a demand for
 * the join on that side. Since pieces are rotated, demanded[0] stands for all sides with side <
 * 4. */
typedef struct reachable {
    uint32_t *pieces; /* by piece: the levels on which a growth may place it */
    uint32_t *demanded[PTL_SIDES];
} reachable;

/* Returns the levels, as bits, on which an OMT may have a demand that the piece meets. */
static uint32_t answers(const cat_mutable *m, const reachable *r, const cat_piece *piece)
{
    uint32_t levels = 0;
    for (int side = 0; side < PTL_SIDES; side++) {
        const cat_side *use = &piece->sides[side];
        const uint32_t *demanded = r->demanded[side < 4 ? 0 : side];
        for (size_t join = 0; use->join >= 0 && join < m->join_count; join++)
            if (growth_meets(m, use, (int16_t)m->joins[join].opposite))
                levels |= demanded[join];
    }
    return levels;
}

/* Sets r->demanded: which joins are demanded on which levels if the pieces are on the levels
 * r->pieces. */
static void note_demands(const cat_mutable *m, reachable *r)
{
    for (size_t i = 0; i < m->piece_count; i++)
        for (int side = 0; side < PTL_SIDES; side++) {
            const cat_side *use = &m->pieces[i].sides[side];
            if (use->join < 0 ||
                (use->type != PTL_JOIN_MANDATORY && use->type != PTL_JOIN_OPTIONAL))
                continue;
            const int other = side < 4 ? 0 : growth_opposite(side);
            r->demanded[other][m->joins[use->join].opposite] |=
                shift_levels(r->pieces[i], rise(side));
        }
}

/* Finds the levels to which each piece may come: the root is on level 0, and a rule may be used
 * on a level where one of its pieces meets a demand. */
static void find_reachable(const cat_mutable *m, reachable *r)
{
    bool more = true;
    r->pieces[m->root] = 1u << (0 - PTL_Z_MIN);
    /* The loop ends: each round but the last finds a further level for some piece, and a piece
     * can have no more than all 21 levels. */
    while (more) {
        more = false;
        note_demands(m, r);
        for (size_t p = 0; p < m->phase_count; p++)
            for (size_t i = 0; i < m->phases[p].rule_count; i++) {
                const cat_rule *rule = &m->phases[p].rules[i];
                for (size_t n = 0; n < rule->piece_count; n++) {
                    const cat_piece *piece = &m->pieces[rule->pieces[n].piece];
                    more = reach_rule(r->pieces, rule, n, answers(m, r, piece)) || more;
                }
            }
    }
}

static void vote(const catalogue *cat, uint32_t *votes, ptl_terrain_set set, uint32_t weight)
{
    for (size_t t = 0; set && t < cat->terrain_count; t++)
        if (cat_terrain_in(set, (uint16_t)t))
            votes[t] += weight;
}

/* Counts, for each terrain, how many pieces, joins and checks of the special accept it on a
 * level. A terrain that no region has on that level gets 0. */
static void vote_level(const gen_config *config, const cat_special *s, const reachable *r,
                       int32_t z, uint32_t *votes, uint64_t *grounds)
{
    const catalogue *cat = config->cat;
    const cat_mutable *m = s->layout;
    const uint32_t bit = 1u << (z - PTL_Z_MIN);
    for (size_t i = 0; i < s->check_count; i++)
        if (z >= s->checks[i].z0 && z <= s->checks[i].z1)
            vote(cat, votes, s->checks[i].allows, CHECK_VOTES);
    for (size_t i = 0; i < m->piece_count; i++) {
        const cat_piece *piece = &m->pieces[i];
        if (r->pieces[i] & bit)
            vote(cat, votes, piece->allows, 1);
        for (int side = 0; side < PTL_SIDES; side++)
            if (piece->sides[side].join >= 0 && shift_levels(r->pieces[i], rise(side)) & bit)
                vote(cat, votes, m->joins[piece->sides[side].join].into, 1);
    }
    growth_grounds(config, z, grounds);
    for (size_t t = 0; t < cat->terrain_count; t++)
        if (!cat_terrain_in(grounds, (uint16_t)t))
            votes[t] = 0;
}

static size_t set_words(const catalogue *cat)
{
    return cat->terrain_count / 64 + 1;
}

ptl_chunk *trial_ground(const gen_config *config, uint16_t special)
{
    const catalogue *cat = config->cat;
    const cat_mutable *m = cat->specials[special].layout;
    reachable r;
    arena *memory = arena_new();
    bool ok = memory && (r.pieces = arena_calloc(memory, m->piece_count + 1, sizeof *r.pieces));
    for (int i = 0; ok && i < PTL_SIDES; i++)
        ok = (r.demanded[i] = arena_calloc(memory, m->join_count + 1, sizeof *r.demanded[i]));
    uint32_t *votes = ok ? arena_calloc(memory, cat->terrain_count, sizeof *votes) : NULL;
    uint64_t *grounds = ok ? arena_calloc(memory, set_words(cat), sizeof *grounds) : NULL;
    ptl_chunk *chunk = votes && grounds ? chunk_new((ptl_chunk_pos){0, 0}) : NULL;
    if (chunk) {
        find_reachable(m, &r);
        for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
            memset(votes, 0, cat->terrain_count * sizeof *votes);
            vote_level(config, &cat->specials[special], &r, z, votes, grounds);
            /* Fill the level with the terrain that has the most votes (vote_level counts them).
             * Of several terrains with the most votes take the level's default terrain if it is
             * among them, otherwise the first. */
            const ptl_oter standard = config->defaults[z - PTL_Z_MIN];
            const size_t usual = cat->oters[standard].terrain;
            size_t best = usual;
            for (size_t t = 0; t < cat->terrain_count; t++)
                if (votes[t] > votes[best] && cat->terrains[t].count > 0)
                    best = t;
            level_fill(chunk_level(chunk, z),
                       best == usual ? standard : cat->terrains[best].first);
        }
    }
    arena_free(memory);
    return chunk;
}

/* Do all those checks of the special that cover the cell accept the terrain? */
static bool checks_take(const cat_special *s, int rotation, int32_t x, int32_t y, int32_t z,
                        uint16_t terrain)
{
    for (size_t i = 0; i < s->check_count; i++) {
        /* Does the check, rotated around the origin of a trial, cover the cell? */
        const cat_check *c = &s->checks[i];
        const point p = turned(x - SIZE / 2, y - SIZE / 2, (4 - rotation) & 3, 0, 0);
        if (p.x >= c->x0 && p.x <= c->x1 && p.y >= c->y0 && p.y <= c->y1 && z >= c->z0 &&
            z <= c->z1 && !cat_terrain_in(c->allows, terrain))
            return false;
    }
    return true;
}

/* Returns the set of terrains that may be the ground under specials on a level in some region;
 * NULL when memory is out. */
static const uint64_t *grounds_of(generator *g, int32_t z)
{
    growth *w = g->growth;
    const size_t words = set_words(g->config->cat);
    if (!w->grounds) {
        w->grounds = malloc((PTL_LEVELS + 1) * words * sizeof *w->grounds);
        for (int32_t k = PTL_Z_MIN; w->grounds && k <= PTL_Z_MAX; k++)
            growth_grounds(g->config, k, &w->grounds[(size_t)(k - PTL_Z_MIN) * words]);
    }
    return w->grounds ? &w->grounds[(size_t)(z - PTL_Z_MIN) * words] : NULL;
}

/* Changes a cell, if needed, to a terrain that the special's checks accept there. It is taken
 * from the terrains that some region has as ground on this level and, unless `set` is NULL,
 * only from those in `set`. Sets *lacks if no terrain of this kind exists. False when memory is
 * out. */
static bool patch_cell(generator *g, const growth_site *site, ptl_terrain_set set, int32_t x,
                       int32_t y, int32_t z, bool *lacks)
{
    const catalogue *cat = g->config->cat;
    const cat_special *s = &cat->specials[site->special];
    growth *w = g->growth;
    const int32_t cell = y * SIZE + x;
    ptl_oter *cells = cells_at(g, z);
    const uint64_t *grounds = grounds_of(g, z);
    if (!cells || !grounds ||
        !growth_room(&w->patches, &w->patch_room, w->patch_count + 1, sizeof *w->patches))
        return false;
    const uint16_t own = cat->oters[cells[cell]].terrain;
    if (checks_take(s, site->rotation, x, y, z, own) && (!set || cat_terrain_in(set, own)))
        return true;
    for (size_t t = 0; t < cat->terrain_count; t++)
        if (cat->terrains[t].count > 0 && cat_terrain_in(grounds, (uint16_t)t) &&
            (!set || cat_terrain_in(set, (uint16_t)t)) &&
            checks_take(s, site->rotation, x, y, z, (uint16_t)t)) {
            w->patches[w->patch_count++] = (growth_patch){z, cell, cells[cell]};
            cells[cell] = cat->terrains[t].first;
            return true;
        }
    *lacks = *lacks || !site_takes_default(g->config, z, true);
    return true;
}

/* Changes the cells of a check's box so that the check is passed. Cells of the box outside of
 * the chunk are left out; they do not matter, since the special is tried in the middle of the
 * chunk. */
static bool patch_check(generator *g, const growth_site *site, const cat_check *c, bool *lacks)
{
    bool ok = true;
    for (int32_t z = c->z0; z <= c->z1 && ok; z++)
        for (int32_t cy = c->y0; cy <= c->y1; cy++)
            for (int32_t cx = c->x0; cx <= c->x1; cx++) {
                const point p = turned(cx, cy, site->rotation, SIZE / 2, SIZE / 2);
                if (ok && growth_inside(p.x, p.y, z))
                    ok = patch_cell(g, site, NULL, p.x, p.y, z, lacks);
            }
    return ok;
}

static bool patch_ground(generator *g, const growth_site *site, bool *lacks)
{
    const cat_special *s = &g->config->cat->specials[site->special];
    bool ok = true;
    for (size_t i = 0; i < s->check_count && ok; i++)
        ok = patch_check(g, site, &s->checks[i], lacks);
    /* A side of the root (the first piece of the growth) may have a join that asks for certain
     * ground in the next cell. Change that cell to such ground. If no region has such ground,
     * the cell is not changed, and the growth itself will fail. */
    ok = ok && grounds_of(g, 0) != NULL;
    for (int side = 0; side < PTL_SIDES && ok; side++) {
        uint64_t *set = &g->growth->grounds[PTL_LEVELS * set_words(g->config->cat)];
        int32_t x = SIZE / 2, y = SIZE / 2, z = 0;
        bool ignored = false;
        growth_beyond(side < 4 ? (side + site->rotation) % 4 : side, &x, &y, &z);
        if (site_root_ground(g->config, s->layout, side, set))
            ok = patch_cell(g, site, set, x, y, z, &ignored);
    }
    return ok;
}

bool trial_run(trial_result *out, generator *g, ptl_chunk *ground, uint16_t special,
               uint64_t seed, void (*on_chunk)(void *, const ptl_chunk *), void *payload)
{
    const cat_special *s = &g->config->cat->specials[special];
    uint64_t key = hash_add(g->config->seed, hash_string("trial"));
    key = hash_add(hash_add(key, seed), s->key);
    rng rotation = rng_from_key(key);
    growth_site site = {.special = special, .x = SIZE / 2, .y = SIZE / 2};
    site.rotation = (uint8_t)(s->rotate ? rng_below(&rotation, 4) : 0);
    *out = (trial_result){0};
    generator_adopt(g, ground);
    bool lacks = false;
    g->growth->piece_count = 0;
    g->failed = !patch_ground(g, &site, &lacks);
    if (lacks)
        out->result = GROWTH_BLOCKED;
    else if (!g->failed) {
        /* Try as often as step `specials` tries a special at one origin. */
        do {
            grown what;
            site.draw = (int16_t)out->draws++;
            out->result = growth_run(g, &site, hash_add(key, (uint64_t)out->draws), &what);
            out->pieces = (int32_t)what.piece_count;
            out->open_x = what.open_x;
            out->open_y = what.open_y;
            out->open_z = what.open_z;
            out->open_join = what.open_join;
        } while (out->result != GROWTH_DONE && out->result != GROWTH_COSTLY &&
                 out->draws < GROWTH_DRAWS && !g->failed);
    }
    const bool ok = !g->failed;
    if (ok && out->result == GROWTH_DONE && on_chunk)
        on_chunk(payload, ground);
    growth_undo(g);
    growth *w = g->growth;
    while (w->patch_count > 0) {
        const growth_patch *p = &w->patches[--w->patch_count];
        ptl_oter *cells = cells_at(g, p->z);
        if (cells)
            cells[p->cell] = p->before;
    }
    generator_adopt(g, NULL);
    return ok;
}
