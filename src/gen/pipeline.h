/*
 * Pipelines: lists of steps that make one chunk. A step reads the chunk and plans. Each step
 * declares its reach: how far from the chunk it reads plans at most. A step writes nothing but
 * the chunk.
 *
 * Each step has a source file of its own. It also declares the size of its scratch memory, and
 * which memory (gen_part) it shares with other steps.
 */
#pragma once

#include "gen/work/context.h"
#include "model/chunk.h"
#include "model/feature.h"

/* Finds the region that ptl_world_options.region names, by the region's id or by the id of a
 * dimension that uses the region. A NULL name means the region that the content chooses.
 * Returns NULL if there is no such region. */
const cat_region *gen_region(const catalogue *cat, const char *name);
/* Compiles the settings of a world from its content and options. *out is new and borrows cat.
 * The message of PTL_ERR_CONTENT names what the content lacks for these settings; the message
 * of PTL_ERR_NOT_FOUND names the unknown region. */
ptl_status gen_config_new(gen_config **out, const catalogue *cat,
                          const ptl_world_options *options, ptl_error *err);
/* Compiles only the settings that plan_cities and plan_city_names need, which takes
 * microseconds. No generator can be made of the result. */
ptl_status gen_config_for_towns(gen_config **out, const catalogue *cat,
                                const ptl_world_options *options, ptl_error *err);
void gen_config_free(gen_config *config);
/*
 * Makes, in a microsecond, settings that equal `from` but for another seed. *out borrows the
 * compiled content of `from`, which must outlive *out; *out owns its cache of plans, which
 * depend on the seed. Call gen_config_dispose_seed on *out before setting *out again, also
 * after an error. A generator made of *out stays valid when *out is set again between the
 * generator's runs.
 */
ptl_status gen_config_for_seed(gen_config *out, const gen_config *from, uint64_t seed,
                               ptl_error *err);
void gen_config_dispose_seed(gen_config *config);

/* A callback that gets an oter, and whether it may be put on other levels than the ground. */
typedef void gen_own_oter(void *payload, ptl_oter oter, bool deep);
/* Visits the oters that code of generation names by their ids and that the world's settings
 * use. The default oters of levels (gen_config.defaults) are not among them. */
void gen_own_visit(const gen_config *config, gen_own_oter *visit, void *payload);

/* Returns a new generator for the pipeline of the config, or NULL when memory is out. */
generator *generator_new(const gen_config *config);
void generator_free(generator *g);

typedef struct generator_times {
    double seconds[GEN_STEPS_MAX];
} generator_times;

/* Returns a clock's time in seconds. The caller provides the clock, since generation is pure
 * and reads none. */
typedef double (*generator_clock)(void);

/*
 * Makes the chunk at `pos` by the first step_count steps of the pipeline. `edges` has the
 * chunk's north, east, south and west edges (borrowed). *out is new. If clock is not NULL, the
 * time that each step took is added to *times. Afterwards generator_events gives the chunk's
 * events, borrowed until the next run.
 */
ptl_status generator_run(ptl_chunk **out, generator *g, ptl_chunk_pos pos, edge *const edges[4],
                         size_t step_count, generator_clock clock, generator_times *times,
                         ptl_error *err);
const gen_event *generator_events(const generator *g, size_t *count);
/* Returns why the generator gave up a chunk, or a trial of a mutable special: PTL_ERR_CANCELLED
 * if the config's stop hook asked for that, otherwise PTL_ERR_NOMEM. */
ptl_status generator_why(const generator *g, ptl_error *err);

/* Returns the specials, cities and other features of the chunk that was made last; borrowed
 * until the next run. */
const gen_features *generator_features(const generator *g);

/* Sets the trace, whose callbacks follow one special through the next runs. The trace is
 * borrowed; NULL sets none. */
void generator_trace(generator *g, const gen_trace *trace);

/*
 * Lets tests check that each step declares truly how far from the chunk it reads plans (its
 * reach). With `on`, a step that asks for a plan beyond its declared reach gets the plan of
 * another world, so that the chunk differs.
 */
void generator_scramble(generator *g, bool on);

/* The pipeline that makes overmaps. Every world uses it. */
extern const pipeline overmap_pipeline;

size_t pipeline_step_count(const pipeline *p);
/* Returns the description of the step with this index; NULL beyond the last step. */
const step_info *pipeline_step(const pipeline *p, size_t index);
