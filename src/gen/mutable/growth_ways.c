/*
 * The ways in which a phase's rules can cover an OMT: each of a rule's pieces in each
 * rotation, in the order rules, rotations, pieces. An OMT's sides rule out nearly all of them.
 * So for each side and each thing that it may face there is a set of the ways whose piece can
 * face it there. Sets are made when they are first needed and are kept for later growths,
 * since they depend on content alone.
 */
#include "gen/mutable/growth_impl.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Phases that exceed these have no sets, which would take too much memory. */
    WAYS_MAX = 4095,
    JOINS_MAX = 64,
    TYPES = 4, /* types of joins */
    KINDS = 2  /* kinds of what is faced that are no join; their numbers are below 0 */
};

struct growth_plan {
    growth_arms *arms; /* by piece * 4 + rotation */
    size_t phase_count;
    growth_ways phases[];
};

static size_t rotations_of(const cat_rule *rule)
{
    return rule->rotate ? 4 : 1;
}

static inline size_t state_of(growth_facing f, bool demanded)
{
    return 2 * (TYPES * (size_t)(f.join + KINDS) + f.type) + demanded;
}
_Static_assert((int)GROWTH_FACES_NOTHING >= -(int)KINDS &&
                   (int)GROWTH_FACES_BORDER >= -(int)KINDS,
               "each has a state");

/* Fills in the forms of a rule: each of its pieces in each rotation of the rule. */
static void find_forms(const cat_mutable *layout, const cat_rule *rule, growth_form *forms)
{
    const size_t rotations = rotations_of(rule);
    for (size_t i = 0; i < rule->piece_count; i++) {
        const cat_rule_piece *p = &rule->pieces[i];
        /* Find the open sides of the rule's piece, as it lies without rotation. */
        unsigned open = 0;
        for (int side = 0; side < PTL_SIDES; side++) {
            const int own = side < 4 ? (side - p->rotation) & 3 : side;
            int32_t x = p->x, y = p->y, z = p->z;
            growth_beyond(side, &x, &y, &z);
            bool inner = false; /* another piece of the rule lies beyond the side */
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

static void ways_dispose(growth_ways *ways, size_t states)
{
    for (size_t i = 0; ways->fits && i < PTL_SIDES * states; i++)
        free(ways->fits[i]);
    free(ways->fits);
    for (size_t i = 0; i < ways->need_count; i++)
        free(ways->needs[i].ways);
    free(ways->needs);
    free(ways->left);
    free(ways->first);
    free(ways->rules);
    free(ways->cases);
    free(ways->forms);
}

/* ---- what they need of the ground ---- */

static bool add_need(growth_ways *ways, size_t *room, int side, ptl_terrain_set allows,
                     size_t words, size_t way)
{
    size_t i = 0;
    while (i < ways->need_count &&
           (ways->needs[i].side != side ||
            memcmp(ways->needs[i].allows, allows, words * sizeof *allows) != 0))
        i++;
    if (i == ways->need_count) {
        uint64_t *set = calloc(ways->words, sizeof *set);
        if (!set || !growth_room(&ways->needs, room, i + 1, sizeof *ways->needs)) {
            free(set);
            return false;
        }
        ways->needs[ways->need_count++] =
            (growth_need){.side = (int8_t)side, .allows = allows, .ways = set};
    }
    ways->needs[i].ways[way / 64] |= UINT64_C(1) << way % 64;
    return true;
}

/* ---- sets ---- */

/* Makes the tables of sets, unless the phase exceeds the limits: then there are none. */
static bool make_sets(growth_ways *ways, const cat_mutable *layout, size_t count, size_t words)
{
    if (count > WAYS_MAX || layout->join_count > JOINS_MAX)
        return true;
    ways->words = count / 64 + 1;
    ways->fits = calloc(PTL_SIDES * ways->states, sizeof *ways->fits);
    ways->left = calloc((2 + GROWTH_MET_BITS) * ways->words, sizeof *ways->left);
    for (size_t b = 0; ways->left && b < GROWTH_MET_BITS; b++)
        ways->met[b] = ways->left + (b + 1) * ways->words;
    ways->best = ways->left ? ways->met[GROWTH_MET_BITS - 1] + ways->words : NULL;
    /* Find the needs of all ways. A mandatory side that faces nothing needs ground to lead
     * to. */
    size_t room = 0;
    bool ok = ways->fits && ways->left;
    for (size_t n = 0; n < count && ok; n++)
        ok = add_need(ways, &room, GROWTH_OWN_CELL, ways->forms[n].piece->allows, words, n);
    for (size_t n = 0; n < count && ok; n++)
        for (int side = 0; side < PTL_SIDES && ok; side++) {
            const cat_side *use = growth_form_side(&ways->forms[n], side);
            if (ways->forms[n].open >> side & 1 && use->type == PTL_JOIN_MANDATORY)
                ok = add_need(ways, &room, side, layout->joins[use->join].into, words, n);
        }
    return ok;
}

/* Makes the ways of a phase. False when memory is out. */
static bool ways_init(growth_ways *out, const cat_mutable *layout, const cat_phase *phase,
                      size_t words)
{
    /* The number of states in which a side can be. */
    growth_ways ways = {.states = (2 * TYPES * (KINDS + layout->join_count))};
    ways.first = calloc(phase->rule_count + 1, sizeof *ways.first);
    ways.rules = calloc(phase->rule_count + 1, sizeof *ways.rules);
    for (size_t i = 0; ways.first && i < phase->rule_count; i++)
        ways.first[i + 1] =
            ways.first[i] + rotations_of(&phase->rules[i]) * phase->rules[i].piece_count;
    const size_t count = ways.first ? ways.first[phase->rule_count] : 0;
    ways.forms = malloc((count + 1) * sizeof *ways.forms);
    bool ok = ways.first && ways.rules && ways.forms;
    for (size_t i = 0; ok && i < phase->rule_count; i++) {
        find_forms(layout, &phase->rules[i], &ways.forms[ways.first[i]]);
        const cat_rule *rule = &phase->rules[i];
        const size_t first = ways.first[i];
        const size_t end = ways.first[i + 1];
        const growth_span none = {0, 0};
        ways.rules[i] =
            (growth_rule){.span = rule->piece_count == 1 ? growth_span_of(first, end) : none,
                          .ways = (uint32_t)(end - first),
                          .weight = rule->weight >= 0 ? rule->weight : INT32_MAX,
                          .choosy = rule->z.kind != PTL_HEIGHT_ANY || rule->join >= 0};
    }
    if (!ok || !make_sets(&ways, layout, count, words)) {
        ways_dispose(&ways, 0);
        return false;
    }
    ways.plain = growth_cases_may(&ways, phase->rule_count);
    for (size_t i = 0; ways.plain && i < ways.need_count; i++)
        ways.needs_at[growth_place_of(&ways.needs[i])] |= UINT64_C(1) << i;
    *out = ways;
    return true;
}

/* ---- a special's plan ---- */

/* Fills in the arms of each piece in each rotation. */
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
                                     .bit = (uint8_t)(1u << side),
                                     .back_bit = (uint8_t)(1u << back),
                                     .asked = (uint8_t)((unsigned)asks << back),
                                     .mandatory = (uint8_t)((unsigned)mandatory << back)};
                }
            }
        }
}

/* Returns the plan of the special in work, made when first needed; NULL when memory is out. */
static growth_plan *plan_of(growth *w)
{
    const cat_mutable *layout = w->layout;
    growth_plan *plan = w->plans[w->number];
    if (plan)
        return plan;
    plan = calloc(1, sizeof *plan + layout->phase_count * sizeof *plan->phases);
    if (!plan)
        return NULL;
    plan->phase_count = layout->phase_count;
    plan->arms = calloc(4 * layout->piece_count + 1, sizeof *plan->arms);
    if (!plan->arms) {
        growth_plan_free(plan);
        return NULL;
    }
    find_arms(plan->arms, layout);
    w->plans[w->number] = plan;
    return plan;
}

const growth_arms *growth_arms_of(growth *w)
{
    const growth_plan *plan = plan_of(w);
    return plan ? plan->arms : NULL;
}

growth_ways *growth_ways_of(growth *w, size_t words)
{
    const cat_mutable *layout = w->layout;
    growth_plan *plan = plan_of(w);
    growth_ways *ways = plan ? &plan->phases[w->phase] : NULL;
    if (ways && !ways->first && !ways_init(ways, layout, &layout->phases[w->phase], words))
        return NULL;
    return ways;
}

void growth_plan_free(growth_plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->phase_count; i++)
        ways_dispose(&plan->phases[i], plan->phases[i].states);
    free(plan->arms);
    free(plan);
}

/* ---- what sides allow ---- */

/* May a piece be on an OMT whose side faces f, given what it has on that side? `use` is NULL
 * if the piece has nothing open there. `resolves` is the join that its rule must meet. The
 * ground is not considered. */
static bool may_face(const cat_mutable *layout, const cat_side *use, growth_facing f,
                     bool demanded, int16_t resolves)
{
    if (!use)
        return !demanded;
    if (growth_meets(layout, use, f.join))
        return use->type != PTL_JOIN_REJECT && f.type != PTL_JOIN_REJECT;
    if (demanded || (resolves >= 0 && use->join == resolves))
        return false;
    if (f.join >= 0)
        return use->type != PTL_JOIN_MANDATORY && f.type != PTL_JOIN_MANDATORY;
    return use->type != PTL_JOIN_MANDATORY || f.join != GROWTH_FACES_BORDER;
}

/* Makes the two sets for a side that faces f. NULL when memory is out. */
static uint64_t *find_fits(const growth *w, int side, growth_facing f, bool demanded)
{
    const growth_ways *ways = w->ways;
    const cat_phase *phase = &w->layout->phases[w->phase];
    uint64_t *fits = calloc(2 * ways->words, sizeof *fits);
    if (!fits)
        return NULL;
    uint64_t *met = fits + ways->words;
    for (size_t i = 0; i < phase->rule_count; i++)
        for (size_t n = ways->first[i]; n < ways->first[i + 1]; n++) {
            const growth_form *form = &ways->forms[n];
            const uint64_t bit = UINT64_C(1) << n % 64;
            const cat_side *use = form->open >> side & 1 ? growth_form_side(form, side) : NULL;
            if (!may_face(w->layout, use, f, demanded, phase->rules[i].join))
                continue;
            fits[n / 64] |= bit;
            if (use && use->type == PTL_JOIN_MANDATORY && growth_meets(w->layout, use, f.join))
                met[n / 64] |= bit;
        }
    return fits;
}

/* Returns the sets of a side, made when first needed; NULL when memory is out. */
static inline const uint64_t *fits_of(const growth *w, int side, growth_facing f, bool demanded)
{
    uint64_t **set = &w->ways->fits[PTL_SIDES * state_of(f, demanded) + (size_t)side];
    if (!*set)
        *set = find_fits(w, side, f, demanded);
    return *set;
}

bool growth_ways_facing(growth *w, const growth_facing faced[PTL_SIDES], unsigned demanded)
{
    growth_ways *ways = w->ways;
    const uint64_t *sets[PTL_SIDES];
    if (!ways->fits)
        return false;
    for (int side = 0; side < PTL_SIDES; side++) {
        sets[side] = fits_of(w, side, faced[side], demanded >> side & 1);
        if (!sets[side]) {
            w->nomem = true;
            return false;
        }
    }
    if (ways->words > 1) {
        /* Intersect the sets of all sides, and count the joins that are met. */
        for (size_t i = 0; i < ways->words; i++) {
            uint64_t left = ~UINT64_C(0), met[PTL_SIDES], count[GROWTH_MET_BITS];
            for (int side = 0; side < PTL_SIDES; side++) {
                left &= sets[side][i];
                met[side] = sets[side][ways->words + i];
            }
            growth_count_bits(met, count);
            ways->left[i] = left;
            for (int b = 0; b < GROWTH_MET_BITS; b++)
                ways->met[b][i] = count[b];
        }
        return true;
    }
    uint64_t left = ~UINT64_C(0), met[PTL_SIDES], count[GROWTH_MET_BITS];
    for (int side = 0; side < PTL_SIDES; side++) {
        left &= sets[side][0];
        met[side] = sets[side][1];
    }
    growth_count_bits(met, count);
    *ways->left = left;
    for (int b = 0; b < GROWTH_MET_BITS; b++)
        *ways->met[b] = count[b];
    return true;
}

/* ---- a rule's ways ---- */

size_t growth_ways_best(growth_ways *ways, size_t from, size_t end)
{
    const size_t first = from / 64, words = (end + 63) / 64;
    uint64_t any = 0;
    size_t count = 0;
    for (size_t i = first; i < words; i++)
        ways->best[i] = ways->left[i];
    ways->best[first] &= ~UINT64_C(0) << from % 64;
    if (end % 64)
        ways->best[words - 1] &= ~(~UINT64_C(0) << end % 64);
    for (size_t i = first; i < words; i++)
        any |= ways->best[i];
    for (int b = GROWTH_MET_BITS - 1; any && b >= 0; b--) {
        uint64_t more = 0;
        for (size_t i = first; i < words; i++)
            more |= ways->best[i] & ways->met[b][i];
        for (size_t i = first; more && i < words; i++)
            ways->best[i] &= ways->met[b][i];
    }
    for (size_t i = first; any && i < words; i++)
        count += (size_t)bits_in_word(ways->best[i]);
    return count;
}

size_t growth_ways_nth(growth_ways *ways, size_t from, size_t end, size_t n)
{
    size_t i = from / 64;
    growth_ways_best(ways, from, end);
    for (; n >= (size_t)bits_in_word(ways->best[i]); i++)
        n -= (size_t)bits_in_word(ways->best[i]);
    uint64_t set = ways->best[i];
    while (n-- > 0)
        set &= set - 1;
    return 64 * i + (size_t)__builtin_ctzll(set);
}

size_t growth_next_way(const uint64_t *ways, size_t from, size_t end)
{
    while (from < end) {
        const uint64_t rest = ways[from / 64] >> from % 64;
        if (rest) {
            from += (size_t)__builtin_ctzll(rest);
            return from < end ? from : end;
        }
        from += 64 - from % 64;
    }
    return end;
}
