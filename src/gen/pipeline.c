#include "gen/pipeline.h"

#include "core/error.h"
#include "gen/below/sublevels_rules.h"
#include "gen/connect/ends.h"
#include "gen/mutable/growth.h"
#include "gen/specials/rules.h"
#include "gen/steps/steps.h"
#include "gen/steps/waters.h"

#include <stdlib.h>
#include <string.h>

typedef struct step {
    step_info info;
    void (*run)(generator *g);
} step;

/* In order. River banks look at all water, whatever made it. */
static const step STEPS[] = {
    /* From crossing to crossing, or from a spring; strips at the borders by the edges. */
    {{"rivers", 0, false}, step_rivers},
    /* Noise above its threshold in components that are large enough, down to the bed. */
    {{"lakes", 1, true}, step_lakes},
    /* Noise on what is still the default terrain. */
    {{"forests", 0, false}, step_forests},
    /* Forest that rivers flood, or that lies low. */
    {{"swamps", REACH - 1, true}, step_swamps},
    /* Off unless the region asks for them; inside the chunk. */
    {{"ravines", 0, false}, step_ravines},
    /* At the planned sites, moved where rivers or corridors hit them: streets and buildings. */
    {{"cities", 0, false}, step_cities},
    /* Between points of large forests. */
    {{"forest_trails", 0, false}, step_forest_trails},
    /* Between cities and exits; railroads and subways likewise, and what foreign edges bring.
     */
    {{"roads", 0, false}, step_roads},
    /* Fixed and mutable ones by the world's rule, with their connections on the ground. They
     * look at the city plans of the eight chunks around. */
    {{"specials", 0, false}, step_specials},
    /* At the open ends of trails, near roads. */
    {{"trailheads", 0, false}, step_trailheads},
    /* Which river cells have which bank. */
    {{"river_banks", 1, true}, step_river_banks},
    /* What content asks for below: sewers, subways, laboratories, mines, ants. */
    {{"sublevels", 0, false}, step_sublevels},
    /* What lies above the bridges, and their heads. */
    {{"bridges", 0, false}, step_bridges},
    {{"monster_groups", 0, false}, step_monster_groups},
    {{"radios", 0, false}, step_radios},
};

enum { STEP_COUNT = sizeof STEPS / sizeof STEPS[0] };

size_t pipeline_step_count(void)
{
    return STEP_COUNT;
}

const step_info *pipeline_step(size_t index)
{
    return index < STEP_COUNT ? &STEPS[index].info : NULL;
}

generator *generator_new(const gen_config *config)
{
    generator *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->config = config;
    bool ok = lake_field_init(&g->lakes, config->region->lake_size_min);
    for (int i = 0; i < 4; i++) {
        g->strips[i] = malloc(STRIP_CELLS);
        ok = ok && g->strips[i];
    }
    g->mask = malloc(SIZE * SIZE);
    g->flood = malloc((SIZE + 1) * (SIZE + 1) * sizeof *g->flood);
    g->list = malloc(SIZE * SIZE * sizeof *g->list);
    g->reserved = malloc(SIZE * SIZE);
    g->sites = malloc(CITY_SITES_MAX * sizeof *g->sites);
    g->ends = malloc(sizeof *g->ends);
    g->noise_grid = malloc(sizeof *g->noise_grid);
    g->noise_column = malloc(sizeof *g->noise_column);
    g->connector = connector_new();
    g->safe = calloc(SIZE * SIZE, sizeof *g->safe);
    g->site_map = site_map_new(config);
    g->city_map = city_map_new();
    g->growth = growth_new(config->cat->special_count);
    g->placer = placer_new();
    g->rules = special_rules_new(config);
    g->sublevels = sublevels_new();
    ok = ok && g->sublevels;
    ok = ok && g->safe && g->site_map && g->city_map && g->growth && g->placer && g->rules;
    ok = ok && g->reserved && g->sites && g->ends && g->noise_grid && g->noise_column &&
         g->connector;
    if (ok && g->mask && g->flood && g->list)
        return g;
    generator_free(g);
    return NULL;
}

void generator_free(generator *g)
{
    if (!g)
        return;
    lake_field_dispose(&g->lakes);
    for (int i = 0; i < 4; i++)
        free(g->strips[i]);
    free(g->mask);
    free(g->flood);
    free(g->list);
    free(g->reserved);
    free(g->sites);
    free(g->ends);
    free(g->noise_grid);
    free(g->noise_column);
    connector_free(g->connector);
    site_map_free(g->site_map);
    city_map_free(g->city_map);
    growth_free(g->growth);
    placer_free(g->placer);
    special_rules_free(g->rules);
    sublevels_free(g->sublevels);
    free(g->safe);
    free(g->deep_links);
    features_dispose(&g->features);
    free(g->events);
    free(g);
}

void generator_scramble(generator *g, bool on)
{
    const cat_region *region = g->config->region;
    g->scramble = on;
    noise_land_init(&g->other_noise, ~g->config->seed, region->lake_threshold,
                    region->forest_threshold, region->forest_thick_threshold);
}

void generator_trace(generator *g, const gen_trace *trace)
{
    g->trace = trace;
}

const gen_event *generator_events(const generator *g, size_t *count)
{
    *count = g->event_count;
    return g->events;
}

const gen_features *generator_features(const generator *g)
{
    return &g->features;
}

void generator_adopt(generator *g, ptl_chunk *chunk)
{
    g->chunk = chunk;
    g->edges = NULL;
    g->event_count = 0;
    if (chunk) /* else who gave it up is still to be asked why */
        g->failed = g->stopped = false;
    features_reset(&g->features);
    memset(g->reserved, 0, SIZE * SIZE);
    memset(g->safe, 0, SIZE * SIZE * sizeof *g->safe);
    g->deep_link_count = 0;
    growth_reset(g->growth);
    g->watching = false;
    g->running = &STEPS[0].info;
    lake_field_reset(&g->lakes);
    g->ground = chunk ? cells_at(g, 0) : NULL;
}

static void begin(generator *g, ptl_chunk *chunk, edge *const edges[4])
{
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&chunk->levels[i], g->config->defaults[i]);
    generator_adopt(g, chunk);
    g->edges = edges;
    for (int i = 0; i < 4; i++) {
        memset(g->strips[i], 0, STRIP_CELLS);
        plan_river_strip(g->strips[i], g->config, edges[i]);
    }
}

ptl_status generator_run(ptl_chunk **out, generator *g, ptl_chunk_pos pos, edge *const edges[4],
                         size_t step_count, generator_clock clock, generator_times *times,
                         ptl_error *err)
{
    *out = NULL;
    ptl_chunk *chunk = chunk_new(pos);
    if (!chunk)
        return error_nomem(err);
    begin(g, chunk, edges);
    double before = clock ? clock() : 0;
    for (size_t i = 0; i < STEP_COUNT && i < step_count && work_ask(g); i++) {
        g->running = &STEPS[i].info;
        if (g->scramble)
            lake_field_reset(&g->lakes); /* what an earlier step saw is not this step's reach */
        STEPS[i].run(g);
        if (clock && times) {
            double after = clock();
            times->seconds[i] += after - before;
            before = after;
        }
    }
    g->chunk = NULL;
    g->ground = NULL;
    if (g->failed) {
        ptl_chunk_free(chunk);
        return generator_why(g, err);
    }
    *out = chunk;
    return PTL_OK;
}

ptl_status generator_why(const generator *g, ptl_error *err)
{
    return g->stopped ? error_set(err, PTL_ERR_CANCELLED, "stopped") : error_nomem(err);
}
