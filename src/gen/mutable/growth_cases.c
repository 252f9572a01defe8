/*
 * Cases of a growth: most tiles of a large one have sides as many before them had. What then
 * fits is remembered, as far as content alone tells it; what the ground has a say in is asked
 * anew. A case has one place where it may stand, from which it drives another one.
 */
#include "gen/mutable/growth_impl.h"

#include <stdlib.h>
#include <string.h>

bool growth_cases_may(const growth_ways *ways, size_t rule_count)
{
    bool plain = ways->words == 1 && ways->need_count <= 64;
    for (size_t i = 0; i < rule_count && plain; i++)
        plain = ways->rules[i].span.mask != 0 && !ways->rules[i].choosy;
    return plain;
}

/* Returns the place of a case. */
static inline size_t place_of(const growth_tile *t, uint64_t unmet)
{
    uint64_t key[3];
    memcpy(key, t->faces, sizeof key);
    const uint64_t sum = (key[0] ^ key[1] << 5 ^ key[2] << 11) + t->mandatory + (unmet << 17);
    return (size_t)((sum * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}
_Static_assert(GROWTH_CASES == 1 << 8, "a place has eight bits");
_Static_assert(sizeof(growth_facing[PTL_SIDES]) == 3 * sizeof(uint64_t), "they are the key");

static inline bool is_of(const growth_case *c, const growth_tile *t, uint64_t unmet)
{
    return c->known && c->mandatory == t->mandatory && c->unmet == unmet &&
           memcmp(c->faces, t->faces, sizeof c->faces) == 0;
}

static void add_rules(growth_case *c, const growth *w)
{
    const growth_ways *ways = w->ways;
    const size_t count = w->layout->phases[w->phase].rule_count;
    for (size_t i = 0; i < count && c->count <= GROWTH_CASE_RULES; i++) {
        const uint64_t best = growth_ways_best_word(ways, &ways->rules[i].span);
        if (best == 0)
            continue;
        if (c->count < GROWTH_CASE_RULES) {
            c->rules[c->count] = (uint8_t)i; /* of 63 ways at most */
            c->best[c->count] = best;
        }
        c->count++;
    }
}

/* What ways need of the ground beyond a side matters where the side faces nothing. */
static void add_needs(growth_case *c, const growth_ways *ways)
{
    for (size_t i = 0; i < ways->need_count; i++) {
        const growth_need *need = &ways->needs[i];
        if (need->ways[0] & *ways->left && (need->side == GROWTH_OWN_CELL ||
                                            c->faces[need->side].join == GROWTH_FACES_NOTHING))
            c->needs |= UINT64_C(1) << i;
    }
    for (int place = 0; place < GROWTH_PLACES; place++)
        c->places |= (uint8_t)((unsigned)((c->needs & ways->needs_at[place]) != 0) << place);
}

static bool find_case(growth_case *c, growth *w, const growth_tile *t, uint64_t unmet)
{
    growth_ways *ways = w->ways;
    *c = (growth_case){.mandatory = t->mandatory, .unmet = unmet};
    memcpy(c->faces, t->faces, sizeof c->faces);
    if (!growth_ways_facing(w, t->faces, t->mandatory))
        return false;
    for (uint64_t left = unmet; left; left &= left - 1)
        growth_ways_drop(ways, &ways->needs[__builtin_ctzll(left)]);
    add_rules(c, w);
    add_needs(c, ways);
    c->known = true;
    return true;
}

const growth_case *growth_case_of(growth *w, const growth_tile *t, uint64_t unmet)
{
    growth_ways *ways = w->ways;
    if (!ways->cases)
        ways->cases = calloc(GROWTH_CASES, sizeof *ways->cases);
    w->nomem = w->nomem || !ways->cases;
    if (w->nomem)
        return NULL;
    growth_case *c = &ways->cases[place_of(t, unmet)];
    return is_of(c, t, unmet) || find_case(c, w, t, unmet) ? c : NULL;
}
