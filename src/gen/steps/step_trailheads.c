/*
 * Trailheads (generation.md 5.9). Where a forest trail ends near a road, one of the region's
 * trailhead specials is placed one cell beyond the end; in regions of DDA since 0.I
 * (cat_region.levelled), on the end itself. The trailhead is rotated so that the trail reaches
 * it from behind, since the games' definitions have the road in front, to the north. Reads: z =
 * 0, cities. Writes: what place_special writes. If the special does not fit, nothing is placed,
 * and no event tells of it. With the world's `compat` a mistake of the games up to DDA 0.F is
 * repeated: the trailhead is always placed to the north of the end. The site map that step
 * specials began is still in use.
 *
 * Each end of a trail has a random stream of its own, keyed by its cell.
 */
#include "gen/cities/city_map.h"
#include "gen/connect/connect_impl.h"
#include "gen/mutable/growth.h"
#include "gen/specials/rules_impl.h"
#include "gen/steps/steps.h"

/* The least distance of a trail's end from the border, since the cell beyond the end must not
 * be on the border ring. */
enum { MARGIN = 2 };

static bool road_is_near(const generator *g, int32_t x, int32_t y, int32_t distance)
{
    const int32_t reach = distance < SIZE ? distance : SIZE;
    const int32_t x0 = x > reach ? x - reach : 0, y0 = y > reach ? y - reach : 0;
    const int32_t x1 = x + reach < SIZE ? x + reach : SIZE - 1;
    const int32_t y1 = y + reach < SIZE ? y + reach : SIZE - 1;
    const oter_class *road = compiled(g, g->config->road)->classes;
    for (int32_t ny = y0; ny <= y1; ny++)
        for (int32_t nx = x0; nx <= x1; nx++)
            if (road[g->ground[ny * SIZE + nx]].has)
                return true;
    return false;
}

/* Tries to place a trailhead at a trail's end, which is open in the direction `open`. */
static void try_end(generator *g, uint64_t key, int32_t x, int32_t y, int open)
{
    const cat_trail_settings *s = &g->config->region->trails;
    rng r = cell_stream(g, key, x, y);
    const size_t drawn = rng_by_weight(&r, s->trailheads.upto, s->trailheads.count);
    const bool wanted = rng_one_in(&r, s->trailhead_chance);
    const bool on_it = g->config->region->levelled;
    /* May a trailhead replace the trail's end? In regions of DDA since 0.I
     * (cat_region.levelled) it takes the place of the trail's last OMT. It may not if the OMT
     * behind that one is no trail: then the trail is a single OMT, which a special has made. It
     * may not either if a road lies right in front of it: then the road has cut the trail, and
     * in the games the last OMT still has its arm towards the road, so it is no end. */
    const ptl_oter ahead = g->ground[(y + step_y(open)) * SIZE + x + step_x(open)];
    const ptl_oter behind = g->ground[(y - step_y(open)) * SIZE + x - step_x(open)];
    if (on_it && (compiled(g, g->config->road)->classes[ahead].has ||
                  !compiled(g, g->config->trail)->classes[behind].has))
        return;
    place_order order = {.special = s->trailheads.specials[drawn],
                         .x = (int16_t)(x + (on_it ? 0 : step_x(open))),
                         .y = (int16_t)(y + (on_it ? 0 : step_y(open))),
                         .rotation = (uint8_t)open};
    /* A special of which a world has only one is left to the step "specials". */
    if (!wanted ||
        g->config->cat->specials[order.special].flags & PTL_SPECIAL_GLOBALLY_UNIQUE ||
        !road_is_near(g, order.x, order.y, s->trailhead_road_distance))
        return;
    if (!g->config->cat->specials[order.special].rotate)
        order.rotation = 0;
    if (!g->watching)
        site_map_begin(g);
    if (!site_fits(g, order.special, order.rotation, order.x, order.y))
        return;
    order.city = city_map_of(g, order.special, order.x, order.y);
    bool no_way;
    order.no_way = g->config->options.compat ? NULL : &no_way;
    place_special(g, &order);
}

static void look_for_ends(generator *g)
{
    const gen_config *config = g->config;
    const cat_bin *bin = &config->region->trails.trailheads;
    if (config->city_size == 0 || config->trail == CAT_NONE || config->road == CAT_NONE ||
        bin->count == 0 || bin->upto[bin->count - 1] == 0)
        return;
    const uint64_t key = step_key(g, "trailheads");
    const uint8_t *ends = g->rules->trail_ends;
    const ptl_oter *ground = g->ground;
    const bool north = config->options.compat && !config->region->levelled;
    if (ends[ground[0]] == 0 && level_is_even(ground))
        return;
    for (int32_t i = 0; (i = cell_kinds_next(ends, ground, i, UINT8_MAX)) < SIZE * SIZE; i++) {
        const int end = ends[ground[i]];
        const int32_t x = i % SIZE, y = i / SIZE;
        if (x >= MARGIN && x < SIZE - MARGIN && y >= MARGIN && y < SIZE - MARGIN && !g->failed)
            try_end(g, key, x, y, north ? 0 : end - 1);
    }
}

static void run(generator *g)
{
    look_for_ends(g);
    if (g->watching)
        site_map_end(g);
}

const gen_step step_trailheads = {
    .info = {"trailheads", 0, false},
    .run = run,
    .needs = {&connector_part, &city_map_part, &special_rules_part, &site_map_part,
              &placer_part, &growth_part},
};
