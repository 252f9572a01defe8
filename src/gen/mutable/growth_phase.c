/* Phases of a growth: how often each rule may be used, at which levels, and how likely it is.
 */
#include "core/distribution.h"
#include "gen/mutable/growth_impl.h"

static int32_t scaled(int32_t value, int32_t scale)
{
    const int64_t product = (int64_t)value * scale;
    return product < 0 ? 0 : product > INT32_MAX ? INT32_MAX : (int32_t)product;
}

static bool comes_true(rng *r, double probability)
{
    return (double)(rng_next(r) >> 11) < probability * 9007199254740992.0; /* 2^53 steps */
}

/* Returns one draw for each trial: the same on every machine. */
static int32_t binomial_draw(rng *r, int32_t trials, double probability)
{
    int32_t count = 0;
    for (int32_t i = 0; i < trials; i++)
        count += comes_true(r, probability);
    return count;
}

static int32_t within(const ptl_amount *amount, int32_t drawn)
{
    if (!amount->bounded)
        return drawn;
    const int32_t value = drawn < amount->high ? drawn : amount->high;
    return value > amount->low ? value : amount->low;
}

int32_t growth_amount(rng *r, const ptl_amount *amount, int32_t scale)
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
        const int32_t trials = scaled(amount->trials, scale);
        return within(
            amount,
            binomial_draw(r, trials < CAT_TRIALS_MAX ? trials : CAT_TRIALS_MAX, amount->mean));
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

/* Counts the work of a rule's number, and of looking at its pieces. */
static uint64_t rule_work(const cat_rule *rule)
{
    enum { DRAW = 32 /* of the mean, for one unit of work */ };
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
    w->ways = growth_ways_of(w, (g->config->cat->terrain_count + 63) / 64);
    if (!w->ways || !growth_room(&w->left, &w->left_room, count, sizeof *w->left) ||
        !growth_room(&w->entries, &w->entry_room, count, sizeof *w->entries))
        return false;
    w->looks = 0;
    for (size_t i = 0; i < count; i++) {
        const cat_rule *rule = &phase->rules[i];
        if (!growth_spend(g, w, rule_work(rule)))
            return false;
        const bool here =
            !rule->has_overmap || (rule->overmap_x == pos.x && rule->overmap_y == pos.y);
        const int32_t scale = rule->scale >= 0 ? w->shared[rule->scale] : 1;
        w->left[i] = here ? growth_amount(&w->random, &rule->max, scale) : 0;
        w->looks += growth_look(w, i);
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
