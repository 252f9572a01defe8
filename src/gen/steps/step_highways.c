/*
 * Highways (generation.md 5.13), in two steps: highways and highway_segments. Reads: the
 * chunk's four edges, its ground and, in the second step, what roads and specials have made of
 * the OMTs that the first step reserved. Writes: z = 0, z = 1, and supports on the levels below
 * a raised highway; the first step also writes g->reserved, and the second one writes
 * placements.
 */
#include "gen/cities/city_map.h"
#include "gen/connect/connect.h"
#include "gen/highways/highway.h"
#include "gen/mutable/growth.h"
#include "gen/specials/rules.h"
#include "gen/steps/steps.h"

static void lay_out(generator *g)
{
    if (g->config->highways.columns > 0 && highway_lay_out(g))
        highway_draw(g);
}

const gen_step step_highways = {
    .info = {"highways", 0, false},
    .run = lay_out,
    .needs = {&highways_part},
};

static void finish(generator *g)
{
    if (g->highways->count == 0)
        return;
    if (!g->watching)
        site_map_begin(g);
    highway_finish(g);
}

const gen_step step_highway_segments = {
    .info = {"highway_segments", 0, false},
    .run = finish,
    .needs = {&highways_part, &connector_part, &city_map_part, &special_rules_part,
              &site_map_part, &placer_part, &growth_part},
};
