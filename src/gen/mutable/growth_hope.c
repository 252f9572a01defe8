/*
 * Could any growth of a special come out in this chunk? A piece may be on the levels that have
 * some ground for it, and only where each of its mandatory sides can be met by a piece that may
 * be on the level beyond. What is left when no more can be ruled out says too much (places
 * don't count, nor how often rules may be used), so a root that is ruled out never grows.
 */
#include "gen/mutable/growth_impl.h"

#include <stdlib.h>

typedef struct hope {
    const catalogue *cat;
    const cat_mutable *m;
    size_t words;
    uint64_t *present; /* by level: terrains that there are */
    bool *placed;      /* by piece: a rule places it */
    uint32_t *levels;  /* by piece: bit z + 10: it may be there */
} hope;

static void add_terrain(uint64_t *set, uint16_t terrain)
{
    if (terrain != CAT_NONE)
        set[terrain / 64] |= UINT64_C(1) << terrain % 64;
}

static bool have_common(const hope *h, ptl_terrain_set a, const uint64_t *b)
{
    uint64_t common = 0;
    for (size_t w = 0; w < h->words; w++)
        common |= a[w] & b[w];
    return common != 0;
}

/* Whichever of the two came first. */
static bool sides_meet(const cat_mutable *m, const cat_side *a, const cat_side *b)
{
    return a->join >= 0 && b->join >= 0 && a->type != PTL_JOIN_REJECT &&
           b->type != PTL_JOIN_REJECT &&
           (growth_meets(m, a, b->join) || growth_meets(m, b, a->join));
}

/* Rules levels out at which a piece has a mandatory side that can't be met. True if any was. */
static bool rule_out(const hope *h, size_t piece)
{
    const uint32_t before = h->levels[piece];
    for (int side = 0; side < PTL_SIDES && h->levels[piece]; side++) {
        const cat_side *own = &h->m->pieces[piece].sides[side];
        if (own->join < 0 || own->type != PTL_JOIN_MANDATORY)
            continue;
        /* The levels at which some piece may be that has a side which meets the given one. The
         * root is there once, so it does not meet itself. */
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

/* Finds the levels that have ground for a piece that a rule places. */
static void find_levels(const hope *h, uint16_t piece)
{
    h->placed[piece] = true;
    for (int z = 0; z < PTL_LEVELS; z++)
        if (have_common(h, h->m->pieces[piece].allows, &h->present[(size_t)z * h->words]))
            h->levels[piece] |= UINT32_C(1) << z;
}

/* It may also come to lie on another one, where it takes what that is made of. */
static bool spread(const hope *h, size_t piece)
{
    const uint32_t before = h->levels[piece];
    for (size_t q = 0; h->placed[piece] && q < h->m->piece_count; q++)
        if (cat_terrain_in(h->m->pieces[piece].allows,
                           h->cat->oters[h->m->pieces[q].oters[0]].terrain))
            h->levels[piece] |= h->levels[q];
    return h->levels[piece] != before;
}

/* Goes on until no piece changes: each change adds or takes a level. */
static void settle(const hope *h, bool (*change)(const hope *, size_t))
{
    for (bool more = true; more;) {
        more = false;
        for (size_t p = 0; p < h->m->piece_count; p++)
            more = change(h, p) || more;
    }
}

static bool find_hope(const hope *h, const ptl_chunk *chunk)
{
    const uint32_t ground = UINT32_C(1) << (0 - PTL_Z_MIN);
    for (int z = 0; z < PTL_LEVELS; z++) {
        const level *l = &chunk->levels[z];
        uint64_t *set = &h->present[(size_t)z * h->words];
        ptl_oter before = l->cells ? l->cells[0] : l->fill;
        add_terrain(set, h->cat->oters[before].terrain);
        for (int32_t i = 0; l->cells && i < SIZE * SIZE; i++) {
            if (l->cells[i] != before)
                add_terrain(set, h->cat->oters[l->cells[i]].terrain);
            before = l->cells[i];
        }
    }
    for (size_t p = 0; p < h->m->phase_count; p++)
        for (size_t i = 0; i < h->m->phases[p].rule_count; i++)
            for (size_t k = 0; k < h->m->phases[p].rules[i].piece_count; k++)
                find_levels(h, h->m->phases[p].rules[i].pieces[k].piece);
    h->levels[h->m->root] |= ground; /* on what it stands is sites.h's affair */
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
