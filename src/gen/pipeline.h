/*
 * The pipeline: a fixed list of steps over ONE chunk. A step reads plans within its declared
 * reach and the chunk itself, and writes the chunk; nothing else. Every step is a file.
 */
#ifndef GEN_PIPELINE_H
#define GEN_PIPELINE_H

#include "gen/chunk.h"
#include "gen/feature.h"
#include "gen/plan.h"

/* The terrains that the engine itself names; CAT_NONE where the content has none. */
typedef struct gen_oters {
    ptl_oter open_air, empty_rock;
    ptl_oter forest, forest_thick, forest_water;
    ptl_oter river_center;
    ptl_oter river_side[4];   /* land to the north, east, south, west */
    ptl_oter river_corner[4]; /* water on two sides; land at NE, SE, SW, NW */
    ptl_oter river_inner[4];  /* water all round but for the diagonal NE, SE, SW, NW */
    ptl_oter lake_surface, lake_shore, lake_water_cube, lake_bed, lake_underwater_shore;
    ptl_oter ravine, ravine_edge, ravine_floor, ravine_floor_edge;
    ptl_oter manhole; /* a street's way down to the sewers */
} gen_oters;

/* *out is new; borrows cat. PTL_ERR_CONTENT names what the content lacks for these settings,
 * PTL_ERR_NOT_FOUND an unknown region. */
ptl_status gen_config_new(gen_config **out, const catalogue *cat,
                          const ptl_world_options *options, ptl_error *err);
void gen_config_free(gen_config *config);
/*
 * The same settings for another seed, in a microsecond: what is compiled is borrowed from
 * `from`, which must outlive *out; *out is not to be freed. A generator made of *out stays good
 * when *out is set anew between its runs.
 */
void gen_config_for_seed(gen_config *out, const gen_config *from, uint64_t seed);

/* Something that a step could not do as asked. */
typedef struct gen_event {
    const char *step, *kind; /* constants */
    int16_t x, y;            /* chunk-local; -1 where none applies */
    int8_t z;
    char detail[80];
} gen_event;

/* One thread's scratch memory and the chunk in work. Steps see all of it. */
typedef struct generator generator;

/* new; NULL when memory is out */
generator *generator_new(const gen_config *config);
void generator_free(generator *g);

enum { GEN_STEPS_MAX = PTL_LEVELS }; /* more than there are */

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
/* Sets the generator up around a chunk as it is, without a step: for trials of what the steps
 * do. chunk is borrowed until the next run or adoption; NULL gives it back. */
void generator_adopt(generator *g, ptl_chunk *chunk);
const gen_event *generator_events(const generator *g, size_t *count);
/* Why a chunk, or a trial, was given up: PTL_ERR_NOMEM, or PTL_ERR_CANCELLED where the config's
 * stop hook said so. */
ptl_status generator_why(const generator *g, ptl_error *err);

/* What the chunk holds beside its tiles; borrowed until the next run. */
const gen_features *generator_features(const generator *g);

/* Why a special is not asked for in a chunk. */
typedef enum gen_verdict {
    GEN_ASKED,
    GEN_NO_OCCURRENCES, /* other code places it: occurrences [x, 0] or min > max */
    GEN_NO_TILES,       /* a mod switched it off */
    GEN_NO_CITIES,      /* the world has none, and it wants one */
    GEN_EXCLUDED,       /* by the region's feature flags */
    GEN_NO_WATER,       /* LAKE, OCEAN or RIVER, and the chunk has none */
    GEN_CHANCE,         /* its x in y did not come up */
    GEN_NOT_HOME,       /* GLOBALLY_UNIQUE, and this is not its chunk */
    GEN_AMOUNT,         /* the number that was drawn is 0 */
    GEN_CONDITION       /* it has an effect_on_condition */
} gen_verdict;

typedef enum gen_growth_kind {
    GEN_GROWTH_BEGINS,    /* x, y, z, rotation; count: which growth here, from 0 */
    GEN_GROWTH_PHASE,     /* phase */
    GEN_GROWTH_PIECE,     /* piece, x, y, z, rotation; phase and rule (-1: the root) */
    GEN_GROWTH_POSTPONED, /* x, y, z: no rule of the phase closes what points here */
    GEN_GROWTH_DONE,      /* count: pieces */
    GEN_GROWTH_UNDONE     /* x, y, z: where a mandatory join stays open; rule: the join, or
                           * GEN_UNDONE_*; count: pieces */
} gen_growth_kind;

enum { GEN_UNDONE_LARGE = -1, GEN_UNDONE_COSTLY = -2 }; /* too many pieces; too much work */

typedef struct gen_growth_step {
    gen_growth_kind kind;
    uint16_t special, piece;
    int16_t x, y;
    int8_t z;
    uint8_t rotation;
    int32_t phase, rule, count;
} gen_growth_step;

/* Listens to what becomes of one special. Each may be NULL. */
typedef struct gen_trace {
    void *payload;
    uint16_t special;
    void (*on_verdict)(void *payload, gen_verdict verdict);
    void (*on_growth)(void *payload, const gen_growth_step *step);
} gen_trace;

/* trace is borrowed for the runs that follow; NULL: nobody listens. */
void generator_trace(generator *g, const gen_trace *trace);

/*
 * For tests of the declared reach: plans farther away than the running step declares answer
 * with those of another world.
 */
void generator_scramble(generator *g, bool on);

/* What a step may read beyond the chunk: edges are always the chunk's own four. */
typedef struct step_info {
    const char *name;
    int32_t noise_reach; /* OMTs beyond the border at which it reads noise, less lake size */
    bool lake_reach;     /* it reads the lake field: lake_size_min OMTs farther */
} step_info;

size_t pipeline_step_count(void);
const step_info *pipeline_step(size_t index);

#endif
