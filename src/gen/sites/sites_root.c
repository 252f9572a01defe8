/*
 * What a mutable special's root needs of the ground beyond its mandatory sides. Nothing stands
 * there when it is placed, so the ground must be some that the side's join may lead into
 * (generation.md 9.3), and that a piece takes which can meet the side: no other one can come
 * there first. Where there is none the growth fails, whatever is drawn.
 */
#include "gen/sites/sites_impl.h"

#include <string.h>

/* Can a side of a piece meet the join: by its own, or by one of its alternatives? */
static bool side_meets(const cat_mutable *m, const cat_side *side, int16_t join)
{
    if (side->join < 0 || side->type == PTL_JOIN_REJECT)
        return false;
    bool meets = m->joins[side->join].opposite == join;
    for (int i = 0; i < side->alternative_count && !meets; i++)
        meets = m->joins[side->alternatives[i]].opposite == join;
    return meets;
}

/* The same for the piece, turned as it may be: sides above and below stay what they are. */
static bool piece_meets(const cat_mutable *m, const cat_piece *piece, int side, int16_t join)
{
    if (side == CAT_ABOVE)
        return side_meets(m, &piece->sides[CAT_BELOW], join);
    if (side == CAT_BELOW)
        return side_meets(m, &piece->sides[CAT_ABOVE], join);
    bool meets = false;
    for (int k = 0; k < 4; k++)
        meets = meets || side_meets(m, &piece->sides[k], join);
    return meets;
}

static void add_rule(const cat_mutable *m, const cat_rule *rule, int side, size_t words,
                     uint64_t *out)
{
    const int16_t join = m->pieces[m->root].sides[side].join;
    for (size_t i = 0; i < rule->piece_count; i++) {
        const cat_piece *piece = &m->pieces[rule->pieces[i].piece];
        if (piece_meets(m, piece, side, join))
            for (size_t w = 0; w < words; w++)
                out[w] |= piece->allows[w];
    }
}

bool site_root_ground(const gen_config *config, const cat_mutable *m, int side, uint64_t *out)
{
    const size_t words = (config->cat->terrain_count + 63) / 64;
    const cat_side *own = &m->pieces[m->root].sides[side];
    if (own->join < 0 || own->type != PTL_JOIN_MANDATORY)
        return false;
    memset(out, 0, words * sizeof *out);
    for (size_t p = 0; p < m->phase_count; p++)
        for (size_t i = 0; i < m->phases[p].rule_count; i++)
            add_rule(m, &m->phases[p].rules[i], side, words, out);
    if (!config->options.compat) {
        /* Leaves what the root's join may lead into. One that states no ground of its own has
         * that of the special, which means the surface: off the ground it leads into the
         * level's default as well, as tiles without locations take it. */
        const cat_join *join = &m->joins[own->join];
        const int32_t z = side == CAT_ABOVE ? 1 : side == CAT_BELOW ? -1 : 0;
        const ptl_oter fill = config->defaults[z - PTL_Z_MIN];
        const uint16_t terrain = config->cat->oters[fill].terrain;
        const uint64_t bit = UINT64_C(1) << terrain % 64;
        const bool kept = site_takes_default(config, z, join->own) && out[terrain / 64] & bit;
        for (size_t w = 0; w < (config->cat->terrain_count + 63) / 64; w++)
            out[w] &= join->into[w];
        if (kept)
            out[terrain / 64] |= bit;
    }
    return true;
}
