/*
 * Step "specials": decides which specials this chunk asks for, then runs the world's rule of
 * placement. What became of each special that was asked for is recorded, whether it was placed
 * or not.
 */
#include "gen/connect/connect.h"
#include "gen/mutable/growth.h"
#include "gen/plan/plan.h"
#include "gen/specials/place.h"
#include "gen/specials/rules.h"
#include "gen/specials/rules_impl.h"
#include "gen/steps/steps.h"

#include <string.h>

/* Tells whether the chunk may ask for the special, as far as that does not depend on chance. */
static ptl_verdict judge(const generator *g, uint16_t special, const rule_census *census)
{
    const gen_config *config = g->config;
    const cat_special *s = &config->cat->specials[special];
    if (s->occurrences_max <= 0 || s->occurrences_min > s->occurrences_max)
        return PTL_VERDICT_NO_OCCURRENCES;
    if (s->omt_count == 0 && !s->layout)
        return PTL_VERDICT_NO_OMTS;
    if (s->conditional)
        return PTL_VERDICT_CONDITION;
    if (config->city_size <= 0 && s->city_sizes.min > 0)
        return PTL_VERDICT_NO_CITIES;
    const uint64_t *set = config->region->excluded;
    if (set && set[special / 64] >> special % 64 & 1)
        return PTL_VERDICT_EXCLUDED;
    /* Specials on lake, sea or river need such water on the chunk's ground. */
    if ((s->flags & PTL_SPECIAL_LAKE && census->lake == 0) ||
        (s->flags & PTL_SPECIAL_OCEAN && census->ocean == 0) ||
        (s->flags & PTL_SPECIAL_RIVER && census->river == 0))
        return PTL_VERDICT_NO_WATER;
    if (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) {
        const ptl_chunk_pos home = special_home(config, special);
        if (home.x != g->chunk->pos.x || home.y != g->chunk->pos.y)
            return PTL_VERDICT_NOT_HOME;
    }
    return PTL_VERDICT_ASKED;
}

/* Returns whether the chunk is at sea and the world has the setting `compat`. Then the minimum
 * of a special is subtracted from the numbers of it that the chunk asks for: the minimum
 * becomes 0, and the maximum is lowered by it. The reason: DDA makes the sea in rows of
 * overmaps. An overmap that has no room for a special of the land makes a neighbouring one at
 * once, and tells it how many of each special it has placed. So most overmaps of a row get only
 * what goes beyond the minimum. Of 33 overmaps of 0.I that are at least half sea, 30 have one
 * kelp forest ("1 to 2"). */
static bool is_in_a_row_at_sea(const generator *g, const rule_census *census)
{
    const ptl_world_options *options = &g->config->options;
    return options->compat && options->placement == PTL_PLACEMENT_SECTORS &&
           g->config->region->levelled && census->ocean > SIZE * SIZE / 2;
}

/* Makes a special's entry in the batch, the list of the specials that the chunk asks for. False
 * if the special is unique and chance does not give it to the chunk. */
static bool make_entry(generator *g, uint16_t special, bool in_a_row, batch_entry *e)
{
    const cat_special *s = &g->config->cat->specials[special];
    *e = (batch_entry){.special = special,
                       .random = rng_from_key(rules_key(g, special)),
                       .min = s->occurrences_min > 0 ? s->occurrences_min : 0,
                       .max = s->occurrences_max,
                       .attempt = {.special = special}};
    if (!(s->flags & (PTL_SPECIAL_UNIQUE | PTL_SPECIAL_GLOBALLY_UNIQUE))) {
        if (in_a_row && e->min < e->max) {
            e->max -= e->min;
            e->min = 0;
        }
        return true;
    }
    /* Decide at random whether the unique special comes. Its chance is x in y, where y is
     * its occurrences_max. As in DDA since 0.I, overmaps take random cards from a deck of y
     * cards, of which x are successes (plan_deck_has). A special of which a world has only
     * one is placed if any card of its deck is a success. */
    const cat_region *region = g->config->region;
    const double x = special_successes(s, region, &g->config->options);
    bool up;
    if (region->levelled && s->occurrences_max > 0 && !(s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE))
        up = plan_deck_has(g->config, special, x, s->occurrences_max, g->chunk->pos);
    else if (special_is_certain(s, region, &g->config->options))
        up = x > 0;
    else
        up = rules_unit(&e->random) * s->occurrences_max < x;
    /* A unique special whose chance came up gets the minimum 1, because the rule `sectors`
     * first places the specials of which there are fewer than their minimum. With `compat` the
     * minimum is 1 only if the special is certain to come (its least and greatest number are
     * equal), as in the games. */
    e->min = !g->config->options.compat || s->occurrences_min == s->occurrences_max;
    e->max = 1;
    return up;
}

static size_t make_batch(generator *g)
{
    special_rules *r = g->rules;
    const size_t specials = g->config->cat->special_count;
    const rule_census census =
        rules_census(g, false); /* at this point only the counts of water are used; they decide
                                 * which specials are eligible */
    const bool in_a_row = is_in_a_row_at_sea(g, &census);
    size_t count = 0;
    memset(r->eligible, 0, (specials / 64 + 1) * sizeof *r->eligible);
    for (size_t i = 0; i < specials; i++) {
        const uint16_t special = (uint16_t)i;
        const ptl_verdict verdict = judge(g, special, &census);
        if (verdict == PTL_VERDICT_ASKED) {
            r->eligible[i / 64] |= UINT64_C(1) << i % 64;
            if (make_entry(g, special, in_a_row, &r->batch[count])) {
                /* A special is in the batch even if the number that is asked for is 0, since
                 * rule quota reports what was decided about it. */
                count++;
                continue;
            }
        }
        rules_verdict(g, special, verdict == PTL_VERDICT_ASKED ? PTL_VERDICT_CHANCE : verdict);
    }
    return count;
}

static void run(generator *g)
{
    place_building_links(g);
    site_map_begin(g);
    city_map_begin(g);
    const bool sea = cell_kinds_all_sea(g->config->cell_kinds, g->ground);
    const size_t count = g->config->region->no_specials ? 0 : make_batch(g);
    batch_entry *batch = g->rules->batch;
    if (g->config->options.placement == PTL_PLACEMENT_SECTORS)
        rule_sectors(g, batch, count);
    else
        rule_quota(g, batch, count);
    for (size_t i = 0; i < count; i++) {
        const batch_entry *e = &batch[i];
        gen_attempt *attempt =
            e->attempt.asked >= 1 ? features_add_attempt(&g->features) : NULL;
        g->failed = g->failed || (e->attempt.asked >= 1 && !attempt);
        if (!attempt)
            continue;
        *attempt = e->attempt;
        const cat_special *s = &g->config->cat->specials[e->special];
        const bool unique =
            (s->flags & (PTL_SPECIAL_UNIQUE | PTL_SPECIAL_GLOBALLY_UNIQUE)) != 0;
        /* In an overmap that is all sea, a special that fits nowhere is not reported as
         * missing. */
        const bool nowhere = sea && e->attempt.ground == 0;
        if (!unique && !nowhere && e->attempt.placed < e->min)
            add_event(g, "unmet_minimum", -1, -1, 0, s->id);
        if (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE && e->attempt.placed == 0)
            add_event(g, "unique_dropped", -1, -1, 0, s->id);
    }
    /* site_map_end is not called here, since step trailheads still asks the site map. */
}

const gen_step step_specials = {
    .info = {"specials", 0, false},
    .run = run,
    .needs = {&connector_part, &site_map_part, &city_map_part, &growth_part, &placer_part,
              &special_rules_part},
};
