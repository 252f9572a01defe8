/* What monster groups and vehicle groups give. */
#include "mapgen/odds/odds_impl.h"

enum { UNIT = 100000, BUDGET_MAX = 5000 };

/* A list of all choices that a monster group offers. */
typedef struct packs {
    odds *o;
    mapgen_pack_choice *choices; /* owned */
    size_t count, room;
    /* For each group that lies inside the monster group: how likely something is drawn from
     * it. */
    odds_sum *drawn;
} packs;

static void on_choice(void *payload, const mapgen_pack_choice *choice)
{
    packs *p = payload;
    p->o->failed = p->o->failed || !ARRAY_ROOM(p->choices, p->room, p->count + 1);
    if (!p->o->failed && odds_go(p->o, 1))
        p->choices[p->count++] = *choice;
}

static void on_drawn(void *payload, uint32_t id, double share)
{
    packs *p = payload;
    const uint32_t slot = odds_slot(p->o, PTL_LOOT_GROUP, id);
    const bool again = p->drawn && slot < p->drawn->reach && p->drawn->cells[slot].there;
    odds_part part = {slot, again ? ODDS_PARAMETERS : 0, share, share};
    const odds_set set = {&part, 1};
    if (p->drawn)
        sum_blend(p->o, p->drawn, &set, 1);
}

/* Finds all choices of a monster group, and how likely something is drawn from each group
 * inside it. False: there is no such group. The caller must free p->choices. */
static bool find_packs(packs *p, odds *o, uint32_t group, odds_set *drawn)
{
    *p = (packs){.o = o, .drawn = sum_begin(o)};
    const bool known =
        mapgen_packs_visit(o->source.groups, group, o->source.time, on_choice, on_drawn, p);
    *drawn = sum_take(o, p->drawn);
    return known;
}

/* Returns the figures of one choice's monsters: how many come on average when it is drawn. */
static odds_part part_of(odds *o, const mapgen_pack_choice *c)
{
    const int64_t low = c->low < c->high ? c->low : c->high;
    const int64_t high = c->low < c->high ? c->high : c->low;
    /* Numbers of monsters below 1 count as 1. */
    const int64_t from = low < 1 ? 1 : low, to = high < 1 ? 1 : high;
    const double count = (double)(high - low) + 1, ones = (double)(from - low);
    const double sum =
        to == 1 && high <= 1 ? 0 : (double)(to - from + 1) * (double)(from + to) / 2;
    const double mean = to == 1 && high <= 1 ? 1 : (ones + sum) / count;
    const odds_part part = {odds_slot(o, PTL_LOOT_MONSTER, c->monster), 0, c->share * mean,
                            c->share};
    return part;
}

static odds_set set_of_packs(odds *o, const packs *p, const odds_set *drawn)
{
    odds_sum *sum = sum_begin(o);
    sum_join(o, sum, drawn, ODDS_ONCE);
    for (size_t i = 0; i < p->count && odds_go(o, 1); i++) {
        odds_part part = {0, 0, 0, 0};
        if (p->choices[i].monster == ID_NONE)
            continue;
        part = part_of(o, &p->choices[i]);
        node_leaf(o, ODDS_STEP_MONSTER, part.slot, part.mean);
        const odds_set one = {&part, 1};
        sum_blend(o, sum, &one, 1);
    }
    for (size_t i = 0; i < drawn->count; i++)
        node_leaf(o, ODDS_STEP_GROUP, drawn->parts[i].slot, drawn->parts[i].mean);
    return sum_take(o, sum);
}

odds_set odds_pack(odds *o, uint32_t group, bool *known)
{
    packs p;
    odds_set drawn, set = {NULL, 0};
    *known = find_packs(&p, o, group, &drawn);
    if (*known)
        set = set_of_packs(o, &p, &drawn);
    free(p.choices);
    set_free(&drawn);
    return set;
}

/* ---- monsters until a budget is spent ---- */

/* Monsters are chosen from a group, one choice after the other, until their costs have used up
 * a budget. This holds the probability of each cost that one choice may have. */
typedef struct costs {
    double *share; /* owned; share[c] is the probability of the cost c, up to `most` */
    /* The greatest cost that is needed: any choice that costs this much or more uses up the
     * budget. */
    int32_t most;
} costs;

/* Adds the probabilities of the costs that a choice of a monster group may have to c->share.
 * They are multiplied by `times`, which is negative if they are to be subtracted again. */
static void add_costs(const costs *c, const mapgen_pack_choice *choice, double times)
{
    const int64_t low = choice->low < choice->high ? choice->low : choice->high;
    const int64_t high = choice->low < choice->high ? choice->high : choice->low;
    const double share = times * choice->share;
    const double each = share / ((double)(high - low) + 1);
    if (choice->cost <= 0) { /* all monsters of this choice together cost 1 */
        c->share[1] += share;
        return;
    }
    for (int64_t n = low; n <= high; n++) {
        const int32_t cost = mapgen_pack_cost(choice, (int32_t)n);
        if (cost >= c->most) { /* any more monsters than n would cost `most`, too */
            c->share[c->most] += each * ((double)(high - n) + 1);
            return;
        }
        c->share[cost] += each;
    }
}

/* Sets in[b] for each budget b. If `misses` is false: to the mean number of draws until their
 * costs use up the budget. If `misses` is true: to the chance that the budget is used up by
 * draws that are counted in `c` alone (cost_without leaves out the draws that give a thing). */
static void spend(double *in, const costs *c, bool misses)
{
    in[0] = misses ? 1 : 0;
    for (int32_t b = 1; b <= c->most; b++) {
        double sum = misses ? 0 : 1;
        for (int32_t k = 1; k <= c->most; k++)
            sum += c->share[k] * in[k < b ? b - k : 0];
        in[b] = sum;
    }
}

/* Sets `c` to the costs of those draws from a monster group that do not give the thing, which
 * is a monster or a group. `once` is the probability that one draw gives it. */
static void cost_without(const costs *c, odds *o, const packs *all, struct slot_thing thing,
                         double once)
{
    const bool group = thing.kind == PTL_LOOT_GROUP;
    packs inner = {.o = o};
    odds_set drawn = {NULL, 0};
    memset(c->share, 0, ((size_t)c->most + 1) * sizeof *c->share);
    for (size_t k = 0; k < all->count; k++)
        if (group || all->choices[k].monster != thing.id)
            add_costs(c, &all->choices[k], 1);
    /* If the thing is a group, `c` now has the costs of all draws. Subtract those of the draws
     * that give this group: they are the costs of what is then chosen from it. */
    if (group && find_packs(&inner, o, thing.id, &drawn))
        for (size_t k = 0; k < inner.count; k++)
            add_costs(c, &inner.choices[k], -once);
    free(inner.choices);
    set_free(&drawn);
}

/* Computes what monsters of the group come if their costs may use up a budget. The budget is b
 * with the probability share[b]. */
static odds_set buy(odds *o, uint32_t group, const double *share, int32_t most)
{
    packs p;
    odds_set drawn, set = {NULL, 0};
    costs c = {calloc((size_t)most + 1, sizeof(double)), most};
    double *in = calloc((size_t)most + 1, sizeof *in);
    const bool known = find_packs(&p, o, group, &drawn);
    o->failed = o->failed || !c.share || !in;
    if (!known || o->failed)
        goto out;
    for (size_t i = 0; i < p.count && odds_go(o, (size_t)most); i++)
        add_costs(&c, &p.choices[i], 1);
    spend(in, &c, false);
    double draws = 0;
    for (int32_t b = 0; b <= most; b++)
        draws += share[b] * in[b];
    const size_t node =
        node_begin(o, (odds_node){.step = ODDS_STEP_GROUP, .id = group, .times = draws});
    set = set_of_packs(o, &p, &drawn);
    node_end(o, node, &set);
    for (size_t i = 0; i < set.count && odds_go(o, (size_t)most * 64); i++) {
        /* A thing is missed if the budget is used up by draws alone that do not give the
         * thing. */
        odds_part *part = &set.parts[i];
        const struct slot_thing thing = o->things[part->slot];
        cost_without(&c, o, &p, thing, part->some);
        double missed = 0;
        spend(in, &c, true);
        for (int32_t b = 0; b <= most; b++)
            missed += share[b] * in[b];
        part->mean *= draws;
        part->some =
            thing.kind == PTL_LOOT_GROUP && part->some >= 1 ? 1 - share[0] : 1 - missed;
    }
out:
    free(c.share);
    free(in);
    free(p.choices);
    set_free(&drawn);
    return set;
}

/* Is called if a budget for monsters is too large for an exact computation. All figures of the
 * group are then marked as doubtful. */
static odds_set buy_much(odds *o, uint32_t group, double mean)
{
    bool known;
    odds_set set = odds_pack(o, group, &known);
    for (size_t i = 0; i < set.count; i++) {
        set.parts[i].mean *= mean;
        set.parts[i].doubts |= ODDS_POPULATION;
    }
    return set;
}

odds_set odds_population(odds *o, uint32_t group, int64_t least, int64_t most)
{
    const int64_t low = least < most ? least : most, high = least < most ? most : least;
    odds_set set = {NULL, 0};
    if (high <= 0 || !odds_wants(o, PTL_LOOT_MONSTER))
        return set;
    if (high > BUDGET_MAX)
        return buy_much(o, group, (double)(low + high) / 2);
    double *share = calloc((size_t)high + 1, sizeof *share);
    o->failed = o->failed || !share;
    for (int64_t b = low; b <= high && share; b++)
        share[b > 0 ? b : 0] += 1 / ((double)(high - low) + 1);
    if (share)
        set = buy(o, group, share, (int32_t)high);
    free(share);
    return set;
}

odds_set odds_monsters(odds *o, uint32_t group, uint32_t density)
{
    const int64_t scale = (int64_t)UNIT * MAPGEN_COST_STEPS;
    const int64_t high = (int64_t)MAPGEN_COST_HIGH * MAPGEN_COST_STEPS * density / scale + 1;
    odds_set set = {NULL, 0};
    if (group == ID_NONE || density == 0 || !odds_wants(o, PTL_LOOT_MONSTER))
        return set;
    if (high > BUDGET_MAX)
        return buy_much(o, group, (double)high / 2);
    double *share = calloc((size_t)high + 1, sizeof *share);
    o->failed = o->failed || !share;
    const int count = (MAPGEN_COST_HIGH - MAPGEN_COST_LOW) * MAPGEN_COST_STEPS + 1;
    for (int i = 0; i < count && share && odds_go(o, 1); i++) {
        const int64_t wanted = (int64_t)(MAPGEN_COST_LOW * MAPGEN_COST_STEPS + i) * density;
        const double rest = (double)(wanted % scale) / (double)scale;
        share[wanted / scale] += (1 - rest) / count;
        if (rest > 0)
            share[wanted / scale + 1] += rest / count;
    }
    if (share)
        set = buy(o, group, share, (int32_t)high);
    free(share);
    return set;
}

static void on_vehicle(void *payload, uint32_t id, double share)
{
    on_choice(payload, &(mapgen_pack_choice){id, 1, 1, 1, share});
}

odds_set odds_vehicle(odds *o, uint32_t id)
{
    packs p = {.o = o};
    odds_sum *sum = sum_begin(o);
    const bool group =
        mapgen_lists_visit(o->source.groups, MAPGEN_LIST_VEHICLES, id, on_vehicle, &p);
    if (!group)
        on_vehicle(&p, id, 1);
    for (size_t i = 0; i < p.count; i++) {
        odds_part part = {odds_slot(o, PTL_LOOT_VEHICLE, p.choices[i].monster), 0,
                          p.choices[i].share, p.choices[i].share};
        const odds_set one = {&part, 1};
        node_leaf(o, ODDS_STEP_VEHICLE, part.slot, part.mean);
        sum_blend(o, sum, &one, 1);
    }
    if (group) {
        const uint32_t slot = odds_slot(o, PTL_LOOT_GROUP, id);
        node_leaf(o, ODDS_STEP_GROUP, slot, 1);
        sum_put(o, sum, (odds_part){slot, 0, 1, 1});
    }
    free(p.choices);
    return sum_take(o, sum);
}
