/*
 * What all parts of generation need to know: the settings of a chunk, the terrains that the
 * program names, what a step declares and reports, and callbacks that tell what becomes of one
 * special.
 */
#pragma once

#include "gen/plan/plan.h"
#include "portolan/why.h"

/* One thread's memory for making chunks, with the chunk that is being made. Every step may use
 * all of it. */
typedef struct generator generator;

/* The terrains that the engine itself names; CAT_NONE where the content has none. */
typedef struct gen_oters {
    ptl_oter open_air, empty_rock;
    ptl_oter forest, forest_thick, forest_water;
    ptl_oter river_center;
    ptl_oter river_side[4];   /* river with land to the north, east, south, west */
    ptl_oter river_corner[4]; /* river with water on two sides and land at the corner between
                               * the other two: NE, SE, SW, NW */
    ptl_oter river_inner[4];  /* river with water all around except for one corner, where land
                               * is; by that corner: NE, SE, SW, NW */
    ptl_oter lake_surface, lake_shore, lake_water_cube, lake_bed, lake_underwater_shore;
    ptl_oter ocean_surface, ocean_shore, ocean_water_cube, ocean_bed;
    ptl_oter shoals_island, shoals_beach, shoals_cliff;
    ptl_oter ravine, ravine_edge, ravine_floor, ravine_floor_edge;
    ptl_oter manhole; /* a street OMT with a way down to the sewers */
} gen_oters;

/* Something that a step could not do as asked. */
typedef struct gen_event {
    const char *step, *kind; /* constant texts */
    int16_t x, y;            /* OMT in the chunk, 0..179; -1 if the event has no place */
    int8_t z;
    char detail[80];
} gen_event;

/* Values of gen_growth_step.rule for the event PTL_GROWTH_UNDONE, if no join stayed open:
 * the growth had too many pieces (GEN_UNDONE_LARGE) or took too much work (GEN_UNDONE_COSTLY).
 * All other values for this event name the join that stayed open. */
enum { GEN_UNDONE_LARGE = -1, GEN_UNDONE_COSTLY = -2 };

typedef struct gen_growth_step {
    ptl_growth_event event; /* decides what the other members mean */
    uint16_t special, piece;
    int16_t x, y;
    int8_t z;
    uint8_t rotation;
    int32_t phase, rule, count;
} gen_growth_step;

/* Callbacks that follow what becomes of one special. Each may be NULL. */
typedef struct gen_trace {
    void *payload;
    uint16_t special;
    void (*on_verdict)(void *payload, ptl_verdict verdict);
    void (*on_growth)(void *payload, const gen_growth_step *step);
    /* Called after each test of the special. `words` are the words of a bitmap (site_bits,
     * gen/sites/sites.h) of the origins that passed the test; they are borrowed. */
    void (*on_origins)(void *payload, ptl_why_test test, const uint64_t *words);
} gen_trace;

/* A callback that gets an oter. */
typedef void gen_oter_visit(void *payload, ptl_oter oter);

enum { GEN_STEPS_MAX = 32 }; /* the most steps of a pipeline */

/* What a step may read beyond the chunk. The chunk's own four edges may always be read. */
typedef struct step_info {
    const char *name;
    /* The greatest distance beyond the border, in OMTs, at which the step reads noise. With
     * `lake_reach` the step may read noise still farther away. */
    int32_t noise_reach;
    bool lake_reach; /* the step also asks which cells are lake; to find out, noise is read up
                      * to lake_size_min OMTs farther away than noise_reach */
} step_info;
