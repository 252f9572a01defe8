/*
 * The ways in which a phase's rules can cover a tile: each of a rule's pieces in each rotation,
 * in this order: rules, rotations, pieces. A tile's sides rule nearly all of them out; so there
 * is a set of ways for each side and what it may face, of those whose piece on the tile can
 * face it there. Sets are made when they are asked for first, and kept for the next growth:
 * they depend on content alone.
 */
#include "gen/mutable/growth_impl.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Beyond these a phase has no sets: they would take too much memory. */
    WAYS_MAX = 4095,
    JOINS_MAX = 64,
    TYPES = 4, /* of joins */
    KINDS = 2  /* of what is faced that is no join */
};

struct growth_plan {
    size_t phase_count;
    growth_ways phases[];
};

static size_t rotations_of(const cat_rule *rule)
{
    return rule->rotate ? 4 : 1;
}

/* How many states a side can be in. */
static size_t state_count(const cat_mutable *layout)
{
    return 2 * (KINDS + TYPES * layout->join_count);
}

static size_t state_of(growth_facing f, bool demanded)
{
    const size_t kind = f.join >= 0 ? KINDS + TYPES * (size_t)f.join + f.type
                                    : (size_t)(f.join == GROWTH_FACES_BORDER);
    return 2 * kind + demanded;
}

/* Is there one of the rule's pieces beyond the side of another? */
static bool leads_to_own(const cat_rule *rule, const cat_rule_piece *from, int side)
{
    int32_t x = from->x, y = from->y, z = from->z;
    growth_beyond(side, &x, &y, &z);
    for (size_t k = 0; k < rule->piece_count; k++)
        if (rule->pieces[k].x == x && rule->pieces[k].y == y && rule->pieces[k].z == z)
            return true;
    return false;
}

/* The sides of a rule's piece, which is not rotated, that are open. */
static unsigned find_open(const cat_mutable *layout, const cat_rule *rule,
                          const cat_rule_piece *p)
{
    unsigned open = 0;
    for (int side = 0; side < PTL_SIDES; side++) {
        const int own = side < 4 ? (side - p->rotation) & 3 : side;
        if (layout->pieces[p->piece].sides[own].join >= 0 && !leads_to_own(rule, p, side))
            open |= 1u << side;
    }
    return open;
}

static void find_forms(const cat_mutable *layout, const cat_rule *rule, growth_form *forms)
{
    const size_t rotations = rotations_of(rule);
    for (size_t i = 0; i < rule->piece_count; i++) {
        const cat_rule_piece *p = &rule->pieces[i];
        const unsigned open = find_open(layout, rule, p);
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
    free(ways->any);
    free(ways->first);
    free(ways->forms);
}

static bool ways_init(growth_ways *out, const cat_mutable *layout, const cat_phase *phase)
{
    growth_ways ways = {.states = state_count(layout)};
    ways.first = calloc(phase->rule_count + 1, sizeof *ways.first);
    for (size_t i = 0; ways.first && i < phase->rule_count; i++)
        ways.first[i + 1] =
            ways.first[i] + rotations_of(&phase->rules[i]) * phase->rules[i].piece_count;
    const size_t count = ways.first ? ways.first[phase->rule_count] : 0;
    ways.forms = malloc((count + 1) * sizeof *ways.forms);
    bool ok = ways.first && ways.forms;
    if (count <= WAYS_MAX && layout->join_count <= JOINS_MAX) {
        ways.words = count / 64 + 1;
        ways.fits = calloc(PTL_SIDES * ways.states, sizeof *ways.fits);
        ways.any = calloc(ways.words, sizeof *ways.any);
        ok = ok && ways.fits && ways.any;
    }
    if (!ok) {
        ways_dispose(&ways, 0);
        return false;
    }
    for (size_t i = 0; i < phase->rule_count; i++)
        find_forms(layout, &phase->rules[i], &ways.forms[ways.first[i]]);
    *out = ways;
    return true;
}

growth_ways *growth_ways_of(growth *w)
{
    const cat_mutable *layout = w->layout;
    growth_plan **plan = &w->plans[w->number];
    if (!*plan) {
        *plan = calloc(1, sizeof **plan + layout->phase_count * sizeof *(*plan)->phases);
        if (!*plan)
            return NULL;
        (*plan)->phase_count = layout->phase_count;
    }
    growth_ways *ways = &(*plan)->phases[w->phase];
    if (!ways->first && !ways_init(ways, layout, &layout->phases[w->phase]))
        return NULL;
    return ways;
}

void growth_plan_free(growth_plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->phase_count; i++)
        ways_dispose(&plan->phases[i], plan->phases[i].states);
    free(plan);
}

/* Could a piece be on a tile whose side faces f, by what it has there? NULL: nothing that is
 * open. Said without the ground, and the join that a rule is to meet. */
static bool may_face(const cat_mutable *layout, const cat_side *use, growth_facing f,
                     bool demanded)
{
    if (!use)
        return !demanded;
    const bool meets = growth_meets(layout, use, f.join);
    if (demanded && !meets)
        return false;
    if (meets)
        return use->type != PTL_JOIN_REJECT && f.type != PTL_JOIN_REJECT;
    if (f.join >= 0)
        return use->type != PTL_JOIN_MANDATORY && f.type != PTL_JOIN_MANDATORY;
    return use->type != PTL_JOIN_MANDATORY || f.join != GROWTH_FACES_BORDER;
}

static uint64_t *find_fits(const growth *w, int side, growth_facing f, bool demanded)
{
    const growth_ways *ways = w->ways;
    const size_t count = ways->first[w->layout->phases[w->phase].rule_count];
    uint64_t *set = calloc(ways->words, sizeof *set);
    for (size_t n = 0; set && n < count; n++) {
        const growth_form *form = &ways->forms[n];
        const bool open = form->open >> side & 1;
        if (may_face(w->layout, open ? growth_form_side(form, side) : NULL, f, demanded))
            set[n / 64] |= UINT64_C(1) << n % 64;
    }
    return set;
}

const uint64_t *growth_ways_facing(growth *w, const growth_facing faced[PTL_SIDES],
                                   unsigned demanded)
{
    growth_ways *ways = w->ways;
    const uint64_t *sets[PTL_SIDES];
    if (!ways->fits)
        return NULL;
    for (int side = 0; side < PTL_SIDES; side++) {
        const bool asked = demanded >> side & 1;
        uint64_t **set =
            &ways->fits[(size_t)side * ways->states + state_of(faced[side], asked)];
        if (!*set)
            *set = find_fits(w, side, faced[side], asked);
        if (!*set) {
            w->nomem = true;
            return NULL;
        }
        sets[side] = *set;
    }
    for (size_t i = 0; i < ways->words; i++)
        ways->any[i] =
            sets[0][i] & sets[1][i] & sets[2][i] & sets[3][i] & sets[4][i] & sets[5][i];
    return ways->any;
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
