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

/* The rule is one of 64 ways at most, and of four itself. */
static void add_rule(growth_case *c, size_t rule, uint64_t best)
{
    c->rules[c->count] = (uint8_t)rule;
    for (; best; best &= best - 1)
        c->best[c->count][c->bests[c->count]++] = (uint8_t)__builtin_ctzll(best);
}

static void add_rules(growth_case *c, const growth *w)
{
    const growth_ways *ways = w->ways;
    const size_t count = w->layout->phases[w->phase].rule_count;
    for (size_t i = 0; i < count && c->count <= GROWTH_CASE_RULES; i++) {
        const uint64_t best = growth_ways_best_word(ways, &ways->rules[i].span);
        if (best == 0)
            continue;
        if (c->count < GROWTH_CASE_RULES)
            add_rule(c, i, best);
        c->count++;
    }
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
    /* What ways need of the ground beyond a side matters where the side faces nothing. */
    for (size_t i = 0; i < ways->need_count; i++) {
        const growth_need *need = &ways->needs[i];
        if (need->ways[0] & *ways->left && (need->side == GROWTH_OWN_CELL ||
                                            c->faces[need->side].join == GROWTH_FACES_NOTHING))
            c->needs |= UINT64_C(1) << i;
    }
    for (int place = 0; place < GROWTH_PLACES; place++)
        c->places |= (uint8_t)((unsigned)((c->needs & ways->needs_at[place]) != 0) << place);
    c->known = true;
    return true;
}

const growth_case *growth_case_find(growth *w, const growth_tile *t, uint64_t unmet)
{
    growth_ways *ways = w->ways;
    if (!ways->cases)
        ways->cases = calloc(GROWTH_CASES, sizeof *ways->cases);
    w->nomem = w->nomem || !ways->cases;
    if (w->nomem)
        return NULL;
    growth_case *c =
        &ways->cases[growth_case_place(growth_key_of(t->faces), t->mandatory, unmet)];
    return find_case(c, w, t, unmet) ? c : NULL;
}
