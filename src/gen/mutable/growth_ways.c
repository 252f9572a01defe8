/*
 * Finds the ways in which a phase's rules can cover an OMT: each piece of each rule, in each
 * rotation of the rule, ordered by rule, then rotation, then piece. Also finds the arms (sides
 * with joins) of each piece. Ways and arms are found when they are first needed and kept for
 * later growths, since they depend on content alone.
 */
#include "gen/mutable/growth_impl.h"

static size_t rotations_of(const cat_rule *rule)
{
    return rule->rotate ? 4 : 1;
}

/* Fills in the forms of a rule: each of its pieces in each rotation of the rule. */
static void find_forms(const cat_mutable *layout, const cat_rule *rule, growth_form *forms)
{
    const size_t rotations = rotations_of(rule);
    for (size_t i = 0; i < rule->piece_count; i++) {
        const cat_rule_piece *p = &rule->pieces[i];
        /* Find the piece's open sides, for the rule as it lies unrotated. A side is open if it
         * has a join and no other piece of the rule stands beside it. */
        unsigned open = 0;
        for (int side = 0; side < PTL_SIDES; side++) {
            const int own = side < 4 ? (side - p->rotation) & 3 : side;
            int32_t x = p->x, y = p->y, z = p->z;
            growth_beyond(side, &x, &y, &z);
            /* Finds out whether another piece of the same rule stands in the next cell in the
             * direction of this side (`inner`). */
            bool inner = false;
            for (size_t k = 0; k < rule->piece_count; k++)
                inner = inner || (rule->pieces[k].x == x && rule->pieces[k].y == y &&
                                  rule->pieces[k].z == z);
            if (layout->pieces[p->piece].sides[own].join >= 0 && !inner)
                open |= 1u << side;
        }

        for (size_t turned = 0; turned < rotations; turned++) {
            int32_t x, y;
            feature_rotate(p->x, p->y, (int)turned, &x, &y);
            forms[turned * rule->piece_count + i] = (growth_form){
                .piece = &layout->pieces[p->piece],
                .at = (uint32_t)i,
                .x = x,
                .y = y,
                .z = p->z,
                .rotation = (uint8_t)((p->rotation + turned) & 3),
                .turned = (uint8_t)turned,
                .open = (uint8_t)growth_rotate_sides(open, (int)turned),
            };
        }
    }
}

/* Finds the ways in which a phase's rules can cover an OMT. False when memory is out. */
static bool find_ways(generator *g, growth_ways *out, const cat_mutable *layout,
                      const cat_phase *phase)
{
    out->first = generator_memory(g, phase->rule_count + 1, sizeof *out->first);
    for (size_t i = 0; out->first && i < phase->rule_count; i++)
        out->first[i + 1] =
            out->first[i] + rotations_of(&phase->rules[i]) * phase->rules[i].piece_count;
    const size_t count = out->first ? out->first[phase->rule_count] : 0;
    out->forms = generator_memory(g, count + 1, sizeof *out->forms);
    for (size_t i = 0; out->first && out->forms && i < phase->rule_count; i++)
        find_forms(layout, &phase->rules[i], &out->forms[out->first[i]]);
    return out->first && out->forms;
}

/* Fills in the arms (sides with joins) of each piece in each of its four rotations. */
static void find_arms(growth_arms *out, const cat_mutable *layout)
{
    for (size_t i = 0; i < layout->piece_count; i++)
        for (int rotation = 0; rotation < 4; rotation++, out++) {
            out->oter = layout->pieces[i].oters[rotation];
            for (int side = 0; side < PTL_SIDES; side++) {
                const cat_side *use = growth_piece_side(&layout->pieces[i], rotation, side);
                if (use->join >= 0) {
                    int32_t x = 0, y = 0, z = 0;
                    growth_beyond(side, &x, &y, &z);
                    const cat_join *joins = layout->joins;
                    const uint16_t wanted = joins[use->join].opposite,
                                   met = joins[wanted].opposite;
                    const int back = growth_opposite(side);
                    const bool mandatory = use->type == PTL_JOIN_MANDATORY;
                    const bool asks = mandatory || use->type == PTL_JOIN_OPTIONAL;
                    out->list[out->count++] =
                        (growth_arm){.use = use,
                                     .faced = {.join = use->join,
                                               .type = use->type,
                                               .choice = use->alternative_count > 0},
                                     .wanted = (int16_t)wanted,
                                     .met = (int16_t)met,
                                     .answer = joins[met].opposite,
                                     .step = (int16_t)(y * SIZE + x),
                                     .dx = (int8_t)x,
                                     .dy = (int8_t)y,
                                     .dz = (int8_t)z,
                                     .side = (uint8_t)side,
                                     .back = (uint8_t)back,
                                     .asked = (uint8_t)((unsigned)asks << back),
                                     .mandatory = (uint8_t)((unsigned)mandatory << back)};
                }
            }
        }
}

const growth_plan *growth_plan_of(generator *g, growth *w)
{
    const cat_mutable *layout = w->layout;
    growth_plan *plan = &w->plans[w->number];
    if (plan->ways)
        return plan;
    plan->arms = generator_memory(g, 4 * layout->piece_count + 1, sizeof *plan->arms);
    growth_ways *ways = generator_memory(g, layout->phase_count + 1, sizeof *ways);
    bool made = plan->arms && ways;
    for (size_t i = 0; made && i < layout->phase_count; i++)
        made = find_ways(g, &ways[i], layout, &layout->phases[i]);
    if (!made)
        return NULL;
    find_arms(plan->arms, layout);
    plan->ways = ways;
    return plan;
}
