/*
 * Where the tide comes to (schema/shoals.md, "Tides in a world"): of each cell of an OMT its
 * spill, and what stands there at a tide that comes in step by step. Functions of heights
 * alone: no tide is kept.
 */
#ifndef GEN_COAST_COAST_WATER_H
#define GEN_COAST_COAST_WATER_H

#include "gen/coast/coast.h"

enum {
    COAST_EBB = -18, /* the lowest tide; the highest is COAST_FLOOD */
    COAST_FLOOD = 25,
    COAST_STEPS = 24 /* that water comes from the sea, in cells; not more than COAST_SIDE */
};

/* Spills of the sea itself, and of what it never comes to. */
enum { COAST_SPILL_SEA = INT16_MIN, COAST_SPILL_NEVER = INT16_MAX };

/*
 * Makes the heights and spills of an OMT. A spill is the least, over all ways of at most
 * COAST_STEPS steps to eight neighbours from the sea, of the greatest height on the way, the
 * cell's own included; rock lets nothing pass. The sea is what the plan calls so and lies below
 * the lowest tide. It hangs on the OMT and its eight neighbours.
 */
typedef struct coast_ground {
    int16_t heights[COAST_SIDE * COAST_SIDE];
    int16_t spills[COAST_SIDE * COAST_SIDE];
    /* The same over ways of at most so many steps: never less than the spill, which is the last
     * one. */
    int16_t within[COAST_STEPS + 1][COAST_SIDE * COAST_SIDE];
} coast_ground;
void coast_ground_of(coast_ground *out, const coast *c, int64_t x, int64_t y);

/* Moves the corners of an OMT to where the overmap has them, by what of nine OMTs, row by row
 * from the north-west, is wet there: where that is otherwise than planned. */
void coast_ground_settle(coast_ground *ground, const coast_omt planned[9], const bool wet[9]);

typedef enum coast_feature { COAST_DEEP, COAST_SHALLOW, COAST_DRY, COAST_ROCK } coast_feature;

/* How high the water stands at a cell of this spill: at the tide where that comes in, else
 * where the last one left it, but not above the mean sea. */
int32_t coast_level(int32_t spill, int32_t tide);

/* What a cell is whose water stands at a level. Where `full` is not set deep water is what lies
 * deep at the mean sea, whatever the level. */
coast_feature coast_stands(int32_t height, int32_t level, bool full);

/* The same at a tide that stays for ever. */
coast_feature coast_feature_of(int32_t height, int32_t spill, int32_t tide, bool full);

/* ---- the tide as it moves ---- */

/* How high the open sea stands now, and stood so many steps of the tide before. */
typedef struct coast_moment {
    int32_t tide[COAST_STEPS + 1];
} coast_moment;

/*
 * How high the water stands at a cell when the tide goes one cell inland in each of its steps:
 * what left the sea k steps before comes to a cell whose ways of k steps are lower than all
 * shorter ones, if all of such a way lies below that water. So the water of a cell that is
 * joined to the sea was at one of its neighbours a step before. Of several the one that left
 * last counts; *lag is its k. Where none comes the cell is cut off, as by coast_level, and *lag
 * is -1.
 */
int32_t coast_level_now(int32_t *lag, const coast_ground *ground, int32_t cell,
                        const coast_moment *moment);

#endif
