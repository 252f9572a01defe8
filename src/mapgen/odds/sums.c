/* Adds up figures, and gathers the nodes of trees. */
#include "mapgen/odds/odds_impl.h"

/* ---- slots ---- */

uint32_t odds_slot(odds *o, ptl_loot_kind kind, uint32_t id)
{
    uint32_t *slot = by_id_make(&o->slots[kind], id, sizeof *slot);
    o->failed = o->failed || !slot || !ARRAY_ROOM(o->things, o->slot_room, o->slot_count + 1);
    if (o->failed)
        return SLOT_ANY;
    if (*slot == 0) {
        *slot = (uint32_t)o->slot_count++;
        o->things[*slot] = (struct slot_thing){kind, id};
    }
    return *slot;
}

bool odds_go(odds *o, size_t steps)
{
    enum { LOOK = 1 << 16, MOST = 1 << 28 };
    const uint64_t before = o->steps / LOOK;
    o->steps += steps;
    if (o->steps / LOOK != before)
        o->stopped = o->stopped || stop_asked(&o->source.stop);
    if (o->steps > MOST)
        o->doubts |= ODDS_LARGE;
    return !o->failed && !o->stopped && o->steps <= MOST;
}

/* ---- sums ---- */

odds_sum *sum_begin(odds *o)
{
    odds_sum *sum = o->free_sums;
    if (sum)
        o->free_sums = sum->outer;
    else
        sum = calloc(1, sizeof *sum);
    o->failed = o->failed || !sum;
    return sum;
}

/* Makes the figure of a slot, of zeroes. NULL when memory is out. */
static odds_cell *new_cell(odds *o, odds_sum *sum, uint32_t slot)
{
    o->failed =
        !ARRAY_ROOM_ZEROED(sum->cells, sum->reach, slot < 1024 ? 2048 : 2 * (size_t)slot) ||
        !ARRAY_ROOM(sum->touched, sum->room, sum->count + 1);
    if (o->failed)
        return NULL;
    sum->touched[sum->count++] = slot;
    sum->cells[slot] = (odds_cell){.there = true};
    return &sum->cells[slot];
}

/* Returns the figure of a slot; NULL if it is not asked for, or when memory is out. */
static inline odds_cell *cell_of(odds *o, odds_sum *sum, uint32_t slot)
{
    if (!sum || o->failed || (o->only && slot != o->only && slot != SLOT_ANY))
        return NULL;
    return slot < sum->reach && sum->cells[slot].there ? &sum->cells[slot]
                                                       : new_cell(o, sum, slot);
}

odds_set sum_take(odds *o, odds_sum *sum)
{
    odds_set set = {NULL, 0};
    if (!sum)
        return set;
    set.parts = malloc((sum->count + 1) * sizeof *set.parts);
    o->failed = o->failed || !set.parts;
    for (size_t i = 0; i < sum->count; i++) {
        const uint32_t slot = sum->touched[i];
        odds_cell *cell = &sum->cells[slot];
        cell->there = false;
        if (set.parts)
            set.parts[set.count++] = (odds_part){slot, cell->doubts, cell->mean, cell->some};
    }
    sum->count = 0;
    sum->outer = o->free_sums;
    o->free_sums = sum;
    (void)odds_go(o, set.count);
    return set;
}

void sum_put(odds *o, odds_sum *sum, odds_part part)
{
    odds_cell *cell = cell_of(o, sum, part.slot);
    if (!cell)
        return;
    cell->mean += part.mean;
    cell->some += part.some - cell->some * part.some;
    cell->doubts |= part.doubts;
}

double odds_mean_times(odds_times t)
{
    const double low = t.low > 0 ? (double)t.low : 0, high = t.high > 0 ? (double)t.high : 0;
    if (t.high <= 0)
        return 0;
    const double count = (double)(t.high - t.low) + 1;
    return t.low == t.high ? high : (high - low + 1) * (low + high) / 2 / count;
}

/*
 * Returns the chance of at least one thing if there are `t` tries, each of which gives one with
 * the chance `some`.
 */
static double some_times(double some, odds_times t)
{
    const double count = (double)(t.high - t.low) + 1;
    const double low = t.low > 0 ? (double)t.low : 0;
    const double zero = t.low < 0 ? (double)(t.high < 0 ? t.high - t.low + 1 : -t.low) : 0;
    /* How many of the numbers from low to high are at least 0. */
    const double left = count - zero;
    if (some <= 0 || left <= 0)
        return 0;
    if (some >= 1) /* each try that takes place gives one */
        return (left - (t.low <= 0)) / count;
    enum { FEW = 16 };
    /* This is as exact as the formulas for any number of tries, and quicker. */
    if (t.low == t.high && t.low <= FEW) {
        double any = 0;
        for (int64_t i = 0; i < t.low; i++)
            any += some - any * some;
        return any;
    }
    const double log_miss = log1p(-some);
    if (t.low == t.high)
        return -expm1(low * log_miss);
    /* The number of tries, n, is drawn from low to high, and (1 - some)^n is the chance that
     * all fail. The mean of that chance is a geometric sum. If `some` is very small, rounding
     * would lose the sum's distance from 1: then the mean number of things is as good. */
    if (some * (double)t.high < 1e-7)
        return some * odds_mean_times(t);
    const double sum = exp(low * log_miss) * expm1(left * log_miss) / expm1(log_miss);
    return 1 - (zero + sum) / count;
}

void sum_join(odds *o, odds_sum *sum, const odds_set *set, odds_times times)
{
    if (times.low > times.high)
        times = (odds_times){times.high, times.low};
    const double mean = odds_mean_times(times);
    const bool once = times.low == 1 && times.high == 1;
    for (size_t i = 0; i < set->count && mean > 0; i++) {
        odds_part p = set->parts[i];
        p.mean *= mean;
        p.some = once ? p.some : some_times(p.some, times);
        sum_put(o, sum, p);
    }
}

void sum_blend(odds *o, odds_sum *sum, const odds_set *set, double share)
{
    for (size_t i = 0; i < set->count && share > 0; i++) {
        const odds_part *p = &set->parts[i];
        odds_cell *cell = cell_of(o, sum, p->slot);
        if (!cell)
            return;
        cell->mean += share * p->mean;
        cell->some += share * p->some;
        cell->doubts |= p->doubts;
    }
}

void set_free(odds_set *set)
{
    free(set->parts);
    *set = (odds_set){NULL, 0};
}

odds_set without_any(odds_set set)
{
    size_t kept = 0;
    for (size_t i = 0; i < set.count; i++)
        if (set.parts[i].slot != SLOT_ANY)
            set.parts[kept++] = set.parts[i];
    set.count = kept;
    return set;
}

odds_set set_copy(odds *o, const odds_set *set)
{
    odds_set copy = {malloc((set->count + 1) * sizeof *copy.parts), set->count};
    o->failed = o->failed || !copy.parts;
    if (copy.parts && set->count > 0)
        memcpy(copy.parts, set->parts, set->count * sizeof *copy.parts);
    copy.count = copy.parts ? copy.count : 0;
    (void)odds_go(o, copy.count);
    return copy;
}

void set_scale(odds_set *set, double share)
{
    for (size_t i = 0; i < set->count; i++) {
        set->parts[i].mean *= share;
        set->parts[i].some *= share;
    }
}

void set_doubt(odds_set *set, uint32_t doubts)
{
    for (size_t i = 0; i < set->count && doubts; i++)
        set->parts[i].doubts |= doubts;
}

odds_part set_part(const odds_set *set, uint32_t slot)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->parts[i].slot == slot)
            return set->parts[i];
    return (odds_part){.slot = slot};
}

/* ---- trees ---- */

size_t node_begin(odds *o, odds_node node)
{
    odds_tree_state *t = &o->tree;
    if (!t->active || o->failed || !ARRAY_ROOM(t->nodes, t->room, t->count + 1)) {
        o->failed = o->failed || t->active;
        return 0;
    }
    node.depth = t->depth++;
    /* Until node_end is called, `mean` keeps how often the step around this one happens. */
    node.mean = t->factor;
    t->nodes[t->count] = node;
    t->factor *= node.times;
    return t->count++;
}

void node_end(odds *o, size_t number, const odds_set *set)
{
    odds_tree_state *t = &o->tree;
    if (!t->active || o->failed)
        return;
    odds_node *n = &t->nodes[number];
    const double around = n->mean;
    n->mean = t->factor * set_part(set, t->slot).mean;
    /* A step is dropped if it has only one step inside, of the same kind for the same thing,
     * which is taken exactly once. */
    const odds_node *inner = &t->nodes[t->count - 1];
    if (t->count == number + 2 && inner->id == n->id && inner->times == 1 &&
        inner->step == n->step)
        t->count--;
    if (n->mean <= 0)
        t->count = number;
    t->factor = around;
    t->depth--;
}

void node_back(odds *o, const odds_tree_state *before)
{
    o->tree.count = before->count;
    o->tree.factor = before->factor;
    o->tree.depth = before->depth;
}

void node_leaf(odds *o, odds_step step, uint32_t slot, double mean)
{
    if (!o->tree.active || slot != o->tree.slot || mean <= 0)
        return;
    odds_part part = {.slot = slot, .mean = 1};
    const odds_set one = {&part, 1};
    const size_t node =
        node_begin(o, (odds_node){.step = step, .id = o->things[slot].id, .times = mean});
    node_end(o, node, &one);
}
