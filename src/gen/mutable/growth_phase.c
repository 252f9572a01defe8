/* Decides, for the phases of a growth, how often each rule may be used, and on which levels.
 * Also tests whether a special can grow in a chunk at all. */
#include "core/distribution.h"
#include "gen/mutable/growth_impl.h"

#include <stdlib.h>
#include <string.h>

/*
 * Tests whether any growth of a special could succeed in this chunk. For each piece the test
 * finds the levels on which the piece may be: levels that have some ground for it. Then a level
 * is ruled out for a piece if one of the piece's mandatory sides can't be met there, because no
 * piece that meets it may be on the level that the side leads to. This is repeated until
 * nothing changes. Places on a level, and how often rules may be used, are ignored. So if level
 * 0 is ruled out for the root, the special can certainly not grow.
 */

typedef struct hope {
    const catalogue *cat;
    const cat_mutable *m;
    size_t words;
    uint64_t *present; /* by level: set of the terrains that occur there in the chunk */
    bool *placed;      /* by piece: whether any rule places the piece */
    uint32_t *levels;  /* by piece: bit z + 10 is set if the piece may be on level z */
} hope;

/* Can these sides of two pieces meet, whichever piece is placed first? */
static bool sides_meet(const cat_mutable *m, const cat_side *a, const cat_side *b)
{
    return a->join >= 0 && b->join >= 0 && a->type != PTL_JOIN_REJECT &&
           b->type != PTL_JOIN_REJECT &&
           (growth_meets(m, a, b->join) || growth_meets(m, b, a->join));
}

/* Rules out the levels on which a mandatory side of the piece can't be met. True if any level
 * was ruled out. */
static bool rule_out(const hope *h, size_t piece)
{
    const uint32_t before = h->levels[piece];
    for (int side = 0; side < PTL_SIDES && h->levels[piece]; side++) {
        const cat_side *own = &h->m->pieces[piece].sides[side];
        if (own->join < 0 || own->type != PTL_JOIN_MANDATORY)
            continue;
        /* Find the levels of all pieces that have a side which meets this mandatory side. The
         * root stands only once, so its sides can't meet each other. Any other piece may be
         * placed twice, and so may meet a piece of its own kind. */
        const int first = side < 4 ? 0 : growth_opposite(side);
        const int last = side < 4 ? 3 : first;
        uint32_t met = 0;
        for (size_t q = 0; q < h->m->piece_count; q++)
            for (int k = first; k <= last && (q != piece || h->placed[q]); k++)
                if (sides_meet(h->m, own, &h->m->pieces[q].sides[k]))
                    met |= h->levels[q];

        h->levels[piece] &= side == CAT_ABOVE ? met >> 1 : side == CAT_BELOW ? met << 1 : met;
    }
    return h->levels[piece] != before;
}

/* Finds the levels with ground for a piece that a rule places, unless this was done before. */
static void find_levels(const hope *h, uint16_t piece)
{
    for (int z = 0; !h->placed[piece] && z < PTL_LEVELS; z++)
        for (size_t w = 0; w < h->words; w++)
            if (h->m->pieces[piece].allows[w] & h->present[(size_t)z * h->words + w])
                h->levels[piece] |= UINT32_C(1) << z;
    h->placed[piece] = true;
}

/* A piece may cover other pieces of the special if their terrain is ground for it. So adds the
 * levels on which those pieces may be to the levels on which this piece may be. True if any
 * level was added. */
static bool spread(const hope *h, size_t piece)
{
    const uint32_t before = h->levels[piece];
    for (size_t q = 0; h->placed[piece] && q < h->m->piece_count; q++)
        if (cat_terrain_in(h->m->pieces[piece].allows,
                           h->cat->oters[h->m->pieces[q].oters[0]].terrain))
            h->levels[piece] |= h->levels[q];
    return h->levels[piece] != before;
}

/* Calls `change` for all pieces, again and again, until it changes no piece. That ends, since a
 * function `change` either only adds levels to pieces or only removes some, and there are 21
 * levels. */
static void settle(const hope *h, bool (*change)(const hope *, size_t))
{
    for (bool more = true; more;) {
        more = false;
        for (size_t p = 0; p < h->m->piece_count; p++)
            more = change(h, p) || more;
    }
}

/* Collects the terrains on each level and finds the levels on which each piece may be. Returns
 * false if it is certain that the root can't be on level 0. */
static bool find_hope(const hope *h, const ptl_chunk *chunk)
{
    const uint32_t ground = UINT32_C(1) << (0 - PTL_Z_MIN);
    for (int z = 0; z < PTL_LEVELS; z++) {
        const level *l = &chunk->levels[z];
        uint64_t *set = &h->present[(size_t)z * h->words];
        growth_add_terrain(set, h->cat->oters[l->cells ? l->cells[0] : l->fill].terrain);
        /* Collect the terrains of the level. Rows that equal the row above, as most do, are
         * skipped, and so are groups of four cells that equal the group before. */
        for (const ptl_oter *row = l->cells; row && row < l->cells + SIZE * SIZE; row += SIZE)
            if (row == l->cells || memcmp(row, row - SIZE, SIZE * sizeof *row) != 0)
                for (int x = 0; x < SIZE; x += 4)
                    for (int k = x;
                         (x == 0 || memcmp(&row[x], &row[x - 4], 4 * sizeof *row) != 0) &&
                         k < x + 4;
                         k++)
                        growth_add_terrain(set, h->cat->oters[row[k]].terrain);
    }
    for (size_t p = 0; p < h->m->phase_count; p++)
        for (size_t i = 0; i < h->m->phases[p].rule_count; i++)
            for (size_t k = 0; k < h->m->phases[p].rules[i].piece_count; k++)
                find_levels(h, h->m->phases[p].rules[i].pieces[k].piece);
    h->levels[h->m->root] |= ground; /* growth_has_hope accepts any ground under the root, since
                                        the site map has tested that already */
    settle(h, spread);
    settle(h, rule_out);
    return (h->levels[h->m->root] & ground) != 0;
}

bool growth_has_hope(generator *g, uint16_t special)
{
    const catalogue *cat = g->config->cat;
    hope h = {.cat = cat, .m = cat->specials[special].layout};
    h.words = (cat->terrain_count + cat->past_terrain_count + 63) / 64;
    h.present = calloc(PTL_LEVELS * h.words, sizeof *h.present);
    h.placed = calloc(h.m->piece_count, sizeof *h.placed);
    h.levels = calloc(h.m->piece_count, sizeof *h.levels);
    const bool room = h.present && h.placed && h.levels;
    g->failed = g->failed || !room;
    const bool has = room && find_hope(&h, g->chunk);
    free(h.present);
    free(h.placed);
    free(h.levels);
    return has;
}

static int32_t scaled(int32_t value, int32_t scale)
{
    const int64_t product = (int64_t)value * scale;
    return product < 0 ? 0 : product > INT32_MAX ? INT32_MAX : (int32_t)product;
}

static bool comes_true(rng *r, double probability)
{
    return (double)(rng_next(r) >> 11) < probability * 9007199254740992.0; /* 2^53 steps */
}

static int32_t within(const ptl_amount *amount, int32_t drawn)
{
    if (!amount->bounded)
        return drawn;
    const int32_t value = drawn < amount->high ? drawn : amount->high;
    return value > amount->low ? value : amount->low;
}

/* Chooses at random how often a rule may be used. */
static int32_t growth_amount(rng *r, const ptl_amount *amount, int32_t scale)
{
    switch (amount->kind) {
    case PTL_AMOUNT_FIXED:
        return scaled(amount->low, scale);
    case PTL_AMOUNT_RANGE:
        return rng_range(r, scaled(amount->low, scale), scaled(amount->high, scale));
    case PTL_AMOUNT_POISSON:
        return within(amount, poisson_draw(r, amount->mean * scale));
    case PTL_AMOUNT_CHANCE:
        return comes_true(r, amount->mean * scale);
    case PTL_AMOUNT_BINOMIAL: {
        /* Draw a binomial number trial by trial, so that every machine gets the same number of
         * successes. */
        const int32_t trials = scaled(amount->trials, scale);
        int32_t count = 0;
        for (int32_t i = 0; i < trials && i < CAT_TRIALS_MAX; i++)
            count += comes_true(r, amount->mean);
        return within(amount, count);
    }
    case PTL_AMOUNT_UNLIMITED:
        break;
    }
    return INT32_MAX;
}

bool growth_share(growth *w)
{
    const cat_mutable *layout = w->layout;
    if (!growth_room(&w->shared, &w->shared_room, layout->shared_count, sizeof *w->shared))
        return false;
    for (size_t i = 0; i < layout->shared_count; i++)
        w->shared[i] = growth_amount(&w->random, &layout->shared[i], 1);
    return true;
}

/* Returns the units of work that it takes to choose at random how often a rule may be used,
 * and to examine its pieces. */
static uint64_t rule_work(const cat_rule *rule)
{
    enum {
        DRAW = 32 /* how many random numbers can be made in the time of one unit of work */
    };
    const ptl_amount_kind kind = rule->max.kind;
    const double mean = kind == PTL_AMOUNT_POISSON    ? POISSON_MEAN_MAX
                        : kind == PTL_AMOUNT_BINOMIAL ? DRAW * CAT_TRIALS_MAX
                                                      : 0;
    return 1 + (uint64_t)mean / DRAW + (uint64_t)rule->piece_count * rule->piece_count;
}

bool growth_enter(generator *g, growth *w)
{
    const ptl_chunk_pos pos = g->chunk->pos;
    const cat_phase *phase = &w->layout->phases[w->phase];
    const size_t count = phase->rule_count;
    w->ways = &w->plans[w->number].ways[w->phase];
    if (!growth_room(&w->left, &w->left_room, count, sizeof *w->left) ||
        !growth_room(&w->entries, &w->entry_room, count, sizeof *w->entries))
        return false;
    for (size_t i = 0; i < count; i++) {
        const cat_rule *rule = &phase->rules[i];
        if (!growth_spend(g, w, rule_work(rule)))
            return false;
        const bool here =
            !rule->has_overmap || (rule->overmap_x == pos.x && rule->overmap_y == pos.y);
        const int32_t scale = rule->scale >= 0 ? w->shared[rule->scale] : 1;
        w->left[i] = here ? growth_amount(&w->random, &rule->max, scale) : 0;
    }
    return true;
}

bool growth_height_is(const growth *w, const ptl_height *height, int32_t z)
{
    switch (height->kind) {
    case PTL_HEIGHT_RANGE:
        return z >= height->low && z <= height->high;
    case PTL_HEIGHT_TOP:
        return z >= w->z_max;
    case PTL_HEIGHT_BOTTOM:
        return z <= w->z_min;
    case PTL_HEIGHT_OFFSET:
        return (height->has_top && z == w->z_max + height->top) ||
               (height->has_bottom && z == w->z_min + height->bottom);
    case PTL_HEIGHT_ANY:
        break;
    }
    return true;
}
