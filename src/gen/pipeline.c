#include "gen/pipeline.h"

#include "core/error.h"
#include "gen/steps/steps.h"
#include "gen/steps/waters.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The steps in the order in which they run. River banks come after every step that makes
 * water. */
static const gen_step *const OVERMAP_STEPS[] = {
    /* Rivers run between the places where they cross the chunk's borders, or from a spring to
     * such a place. Which cells along a border are river is decided by the edge there, which
     * both chunks share. */
    &step_rivers,
    /* Lakes lie on cells where the noise is above the region's threshold, if enough such cells
     * hang together. A lake has water on all levels down to its bed. */
    &step_lakes,
    /* Oceans begin at the distances from the world's origin that the region gives. The farther
     * from the origin, the more likely they are. They replace lakes and rivers. */
    &step_oceans,
    /* Forests lie where the noise of forests is high, on cells that still have the default
     * terrain. */
    &step_forests,
    /* Swamps replace forest where a river floods it or the noise of floodplains is high. */
    &step_swamps,
    /* Ravines are made only if the region asks for them. They stay inside the chunk. */
    &step_ravines,
    /* Highways lead from side to side of the chunk, or to an intersection. This step reserves
     * the ground for their segments; a later step draws the segments. */
    &step_highways,
    /* Cities, made of streets and buildings, grow at the planned sites. A site moves if a river
     * or the ground reserved for a highway is in its way. */
    &step_cities,
    /* Trails lead between points of large forests. */
    &step_forest_trails,
    /* Roads, railroads and subways link cities with each other, and with the crossings on the
     * chunk's edges. A neighbouring chunk that another program made may have crossings of other
     * connections; these are linked too. */
    &step_roads,
    /* The world's rule of placement places fixed and mutable specials, with their connections
     * on the ground. The rule looks at the planned cities of the eight chunks around. */
    &step_specials,
    /* Draws the segments of highways where the ground is still reserved, with bridges for the
     * roads that cross, and places interchanges. */
    &step_highway_segments,
    /* Trailheads stand at the open ends of trails, near roads. */
    &step_trailheads,
    /* River cells beside land get the oters of river banks. */
    &step_river_banks,
    /* Makes what terrains ask for on the levels below them: sewers, subways, laboratories,
     * mines, ant hills. */
    &step_sublevels,
    /* Bridges get their upper level, and feet and ramps at both of their ends. */
    &step_bridges,
    &step_monster_groups,
    &step_radios,
};

enum { OVERMAP_STEP_COUNT = sizeof OVERMAP_STEPS / sizeof OVERMAP_STEPS[0] };
_Static_assert((int)OVERMAP_STEP_COUNT <= (int)GEN_STEPS_MAX, "times have room for every step");

const pipeline overmap_pipeline = {"overmap", OVERMAP_STEPS, OVERMAP_STEP_COUNT};

size_t pipeline_step_count(const pipeline *p)
{
    return p->count;
}

const step_info *pipeline_step(const pipeline *p, size_t index)
{
    return index < p->count ? &p->steps[index]->info : NULL;
}

/* ---- a generator and its parts ---- */

static bool has_part(const generator *g, const gen_part *part)
{
    for (size_t i = 0; i < g->part_count; i++)
        if (g->parts[i] == part)
            return true;
    return false;
}

/* Makes the memory that the pipeline's steps need: that which several steps may share
 * (gen_part), and the scratch memory that all steps use in turn. */
static void make_steps(generator *g, const pipeline *p)
{
    size_t scratch = 1;
    for (size_t i = 0; i < p->count; i++) {
        const gen_step *step = p->steps[i];
        for (size_t j = 0; step->needs[j] && !g->failed; j++) {
            if (has_part(g, step->needs[j]))
                continue;
            assert(g->part_count < GEN_PARTS_MAX);
            g->parts[g->part_count++] = step->needs[j];
            step->needs[j]->make(g);
        }
        scratch = step->scratch > scratch ? step->scratch : scratch;
    }
    g->scratch = generator_memory(g, 1, scratch);
}

generator *generator_new(const gen_config *config)
{
    generator *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->config = config;
    g->memory = arena_new();
    if (!g->memory) {
        free(g);
        return NULL;
    }
    g->before.kept = predecessors_wanted(config->cat);
    g->reserved = generator_memory(g, SIZE, SIZE);
    g->safe = generator_memory(g, SIZE * SIZE, sizeof *g->safe);
    for (int i = 0; i < 4; i++)
        g->strips[i] = generator_memory(g, 1, STRIP_CELLS);
    make_steps(g, config->pipeline);
    if (!g->failed)
        return g;
    generator_free(g);
    return NULL;
}

void generator_free(generator *g)
{
    if (!g)
        return;
    while (g->part_count > 0)
        if (g->parts[--g->part_count]->drop)
            g->parts[g->part_count]->drop(g);
    free(g->deep_links);
    features_dispose(&g->features);
    predecessors_dispose(&g->before);
    free(g->events);
    arena_free(g->memory);
    free(g);
}

void generator_scramble(generator *g, bool on)
{
    const cat_region *region = g->config->region;
    g->scramble = on;
    noise_land_init(&g->other_noise, ~g->config->seed, region->lake_threshold,
                    region->forest_threshold, region->forest_thick_threshold);
    ocean_plan_init(&g->other_ocean, ~g->config->seed, &region->ocean, g->config->kernels);
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

ptl_status generator_run(ptl_chunk **out, generator *g, ptl_chunk_pos pos, edge *const edges[4],
                         size_t step_count, generator_clock clock, generator_times *times,
                         ptl_error *err)
{
    *out = NULL;
    ptl_chunk *chunk = chunk_new(pos);
    if (!chunk)
        return error_nomem(err);
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&chunk->levels[i], g->config->defaults[i]);
    generator_adopt(g, chunk);
    g->edges = edges;
    for (int i = 0; i < 4; i++) {
        memset(g->strips[i], 0, STRIP_CELLS);
        plan_river_strip(g->strips[i], g->config, edges[i]);
    }
    double before = clock ? clock() : 0;
    const pipeline *p = g->config->pipeline;
    for (size_t i = 0; i < p->count && i < step_count && work_ask(g); i++) {
        g->running = &p->steps[i]->info;
        /* The fields of noise may hold noise that an earlier step computed far from the chunk.
         * A test (`scramble`) empties them before each step, so that a step can't use noise
         * from farther away than it declares. */
        if (g->scramble && has_part(g, &water_fields_part))
            water_fields_reset(g);
        p->steps[i]->run(g);
        if (clock && times) {
            double after = clock();
            times->seconds[i] += after - before;
            before = after;
        }
    }
    if (!g->failed && !predecessors_finish(&g->features, &g->before, g->config->cat, chunk))
        g->failed = true;
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
