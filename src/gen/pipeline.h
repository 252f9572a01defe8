/*
 * Pipelines: lists of steps over ONE chunk. A step reads plans within its declared reach and
 * the chunk itself, and writes the chunk; nothing else. Every step is a file, and says what it
 * needs: parts of a generator, which it shares with other steps, and scratch memory of its own.
 */
#ifndef GEN_PIPELINE_H
#define GEN_PIPELINE_H

#include "gen/work/context.h"
#include "model/chunk.h"
#include "model/feature.h"

/* *out is new; borrows cat. PTL_ERR_CONTENT names what the content lacks for these settings,
 * PTL_ERR_NOT_FOUND an unknown region. */
/* Finds the region that ptl_world_options.region names: by its id, or by that of a dimension;
 * NULL: the content's choice. NULL if there is none. */
const cat_region *gen_region(const catalogue *cat, const char *name);
ptl_status gen_config_new(gen_config **out, const catalogue *cat,
                          const ptl_world_options *options, ptl_error *err);
/* As far as plan_cities and plan_city_names ask: nothing is compiled, in microseconds. No
 * generator can be made of it. */
ptl_status gen_config_for_towns(gen_config **out, const catalogue *cat,
                                const ptl_world_options *options, ptl_error *err);
void gen_config_free(gen_config *config);
/*
 * Gives the same settings for another seed, in a microsecond: what is compiled is borrowed from
 * `from`, which must outlive *out; what is remembered of a seed is its own. Dispose it by
 * gen_config_dispose_seed, also after an error, before it is set anew. A generator made of *out
 * stays good when *out is set anew between its runs.
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
 * Runs the first step_count steps. edges are the chunk's north, east, south and west edges
 * (borrowed). *out is new. times is added to where clock is not NULL. Afterwards
 * generator_events has the chunk's events, borrowed until the next run.
 */
ptl_status generator_run(ptl_chunk **out, generator *g, ptl_chunk_pos pos, edge *const edges[4],
                         size_t step_count, generator_clock clock, generator_times *times,
                         ptl_error *err);
const gen_event *generator_events(const generator *g, size_t *count);
/* Why a chunk, or a trial, was given up: PTL_ERR_NOMEM, or PTL_ERR_CANCELLED where the config's
 * stop hook said so. */
ptl_status generator_why(const generator *g, ptl_error *err);

/* What the chunk holds beside its tiles; borrowed until the next run. */
const gen_features *generator_features(const generator *g);

/* trace is borrowed for the runs that follow; NULL: nobody listens. */
void generator_trace(generator *g, const gen_trace *trace);

/*
 * For tests of the declared reach: plans farther away than the running step declares answer
 * with those of another world.
 */
void generator_scramble(generator *g, bool on);

/* What makes overmaps: the pipeline of every world as yet. */
extern const pipeline overmap_pipeline;

size_t pipeline_step_count(const pipeline *p);
/* Returns the step's description; NULL beyond the last. */
const step_info *pipeline_step(const pipeline *p, size_t index);

#endif
