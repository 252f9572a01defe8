/*
 * Pipelines: lists of steps that make one chunk. A step reads the chunk itself, and plans
 * within its declared reach; it writes nothing but the chunk. Every step has its own file. It
 * declares what it needs: parts of a generator, which it may share with other steps, and
 * scratch memory of its own.
 */
#pragma once

#include "gen/work/context.h"
#include "model/chunk.h"
#include "model/feature.h"

/* Finds the region that ptl_world_options.region names, by its id or by that of a dimension; a
 * NULL name means the content's choice. Returns NULL if there is none. */
const cat_region *gen_region(const catalogue *cat, const char *name);
/* Compiles the settings of a world. *out is new and borrows cat. PTL_ERR_CONTENT names what
 * the content lacks for these settings; PTL_ERR_NOT_FOUND names an unknown region. */
ptl_status gen_config_new(gen_config **out, const catalogue *cat,
                          const ptl_world_options *options, ptl_error *err);
/* Compiles only what plan_cities and plan_city_names need, which takes microseconds. No
 * generator can be made of the result. */
ptl_status gen_config_for_towns(gen_config **out, const catalogue *cat,
                                const ptl_world_options *options, ptl_error *err);
void gen_config_free(gen_config *config);
/*
 * Makes the same settings for another seed, in a microsecond. What is compiled is borrowed
 * from `from`, which must outlive *out; what is remembered of a seed is *out's own. Dispose
 * *out by gen_config_dispose_seed, also after an error, before it is set again. A generator
 * made of *out stays valid when *out is set again between its runs.
 */
ptl_status gen_config_for_seed(gen_config *out, const gen_config *from, uint64_t seed,
                               ptl_error *err);
void gen_config_dispose_seed(gen_config *config);

/* Returns a new generator for the pipeline of the config, or NULL when memory is out. */
generator *generator_new(const gen_config *config);
void generator_free(generator *g);

typedef struct generator_times {
    double seconds[GEN_STEPS_MAX];
} generator_times;

/* Reads a clock in seconds; gen itself has none. */
typedef double (*generator_clock)(void);

/*
 * Makes a chunk by the first step_count steps. edges are the chunk's north, east, south and
 * west edges (borrowed). *out is new. If clock is not NULL, the time of each step is added to
 * times. Afterwards generator_events gives the chunk's events, borrowed until the next run.
 */
ptl_status generator_run(ptl_chunk **out, generator *g, ptl_chunk_pos pos, edge *const edges[4],
                         size_t step_count, generator_clock clock, generator_times *times,
                         ptl_error *err);
const gen_event *generator_events(const generator *g, size_t *count);
/* Returns why a chunk or a trial was given up: PTL_ERR_NOMEM, or PTL_ERR_CANCELLED where the
 * config's stop hook asked for it. */
ptl_status generator_why(const generator *g, ptl_error *err);

/* Returns what the chunk holds beside its OMTs; borrowed until the next run. */
const gen_features *generator_features(const generator *g);

/* Sets the listener for the runs that follow; it is borrowed. NULL: nobody listens. */
void generator_trace(generator *g, const gen_trace *trace);

/*
 * Serves tests of the declared reach: with `on`, plans beyond the running step's reach answer
 * with those of another world.
 */
void generator_scramble(generator *g, bool on);

/* The pipeline that makes overmaps; as yet every world uses it. */
extern const pipeline overmap_pipeline;

size_t pipeline_step_count(const pipeline *p);
/* Returns the step's description; NULL beyond the last step. */
const step_info *pipeline_step(const pipeline *p, size_t index);
