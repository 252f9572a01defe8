/*
 * What everyone who takes part in generating a chunk knows: the settings, the terrains that the
 * engine names, what a step declares, what it reports, and who listens.
 */
#ifndef GEN_WORK_CONTEXT_H
#define GEN_WORK_CONTEXT_H

#include "gen/plan/plan.h"
#include "portolan/why.h"

/* One thread's scratch memory and the chunk in work. Steps see all of it. */
typedef struct generator generator;

/* The terrains that the engine itself names; CAT_NONE where the content has none. */
typedef struct gen_oters {
    ptl_oter open_air, empty_rock;
    ptl_oter forest, forest_thick, forest_water;
    ptl_oter river_center;
    ptl_oter river_side[4];   /* land to the north, east, south, west */
    ptl_oter river_corner[4]; /* water on two sides; land at NE, SE, SW, NW */
    ptl_oter river_inner[4];  /* water all round but for the diagonal NE, SE, SW, NW */
    ptl_oter lake_surface, lake_shore, lake_water_cube, lake_bed, lake_underwater_shore;
    ptl_oter ocean_surface, ocean_shore, ocean_water_cube, ocean_bed;
    ptl_oter shoals_island, shoals_beach, shoals_cliff;
    ptl_oter ravine, ravine_edge, ravine_floor, ravine_floor_edge;
    ptl_oter manhole; /* a street's way down to the sewers */
} gen_oters;

/* Something that a step could not do as asked. */
typedef struct gen_event {
    const char *step, *kind; /* constants */
    int16_t x, y;            /* chunk-local; -1 where none applies */
    int8_t z;
    char detail[80];
} gen_event;

/* What PTL_GROWTH_UNDONE has for a rule where no join stayed open, but there were too many
 * pieces or too much work; else rule is the join. */
enum { GEN_UNDONE_LARGE = -1, GEN_UNDONE_COSTLY = -2 };

typedef struct gen_growth_step {
    ptl_growth_event event; /* what the others mean follows from it */
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
    void (*on_verdict)(void *payload, ptl_verdict verdict);
    void (*on_growth)(void *payload, const gen_growth_step *step);
    /* The origins that are left after a test, as a site_bits (gen/sites/sites.h). Borrowed. */
    void (*on_origins)(void *payload, ptl_why_test test, const uint64_t *words);
} gen_trace;

enum { GEN_STEPS_MAX = 32 }; /* of a pipeline */

/* What a step may read beyond the chunk: edges are always the chunk's own four. */
typedef struct step_info {
    const char *name;
    int32_t noise_reach; /* OMTs beyond the border at which it reads noise, less lake size */
    bool lake_reach;     /* it reads the lake field: lake_size_min OMTs farther */
} step_info;

#endif
