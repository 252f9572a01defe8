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

/* OMTs around one: what the plan says of them, and which are wet on the overmap. */
enum { COAST_SQUARE_MAX = 7 };
typedef struct coast_square {
    int32_t side; /* OMTs, odd: the one asked about is in the middle */
    coast_omt planned[COAST_SQUARE_MAX * COAST_SQUARE_MAX]; /* row by row, as the next */
    bool wet[COAST_SQUARE_MAX * COAST_SQUARE_MAX];
} coast_square;

/* Heights of the OMTs around one, cell by cell. Spills want those of nine OMTs, and of 25 where
 * nine do not tell what is open sea. */
enum {
    COAST_WINDOW_MAX = COAST_SQUARE_MAX - 2, /* OMTs a side */
    COAST_WINDOW_CELLS = COAST_WINDOW_MAX * COAST_SIDE * COAST_WINDOW_MAX * COAST_SIDE
};
typedef struct coast_window {
    int32_t side; /* OMTs; cells lie row by row, side * COAST_SIDE in each */
    int16_t heights[COAST_WINDOW_CELLS];
    uint8_t sea[COAST_WINDOW_CELLS]; /* 1: water comes from there */
} coast_window;

/* Makes the window inside a square, whose side is two OMTs more: corners lie where the overmap
 * has them, which is otherwise than planned where an OMT is. The sea is what plan and overmap
 * call so and lies below the lowest tide. */
void coast_window_of(coast_window *out, const coast *c, int64_t x, int64_t y,
                     const coast_square *square);

/* Puts the heights of an OMT of the window that works have changed (coast_plan.h). What is
 * lifted above the lowest tide is sea no longer, and nothing that is dug becomes sea. */
void coast_window_put(coast_window *w, int32_t column, int32_t row,
                      const int16_t heights[COAST_SIDE * COAST_SIDE]);
/* Gives the same. */
void coast_window_get(int16_t heights[COAST_SIDE * COAST_SIDE], const coast_window *w,
                      int32_t column, int32_t row);

/*
 * Takes from the sea what is no open sea: bodies, over eight neighbours, that fit in a square
 * of COAST_SIDE cells, as lagoons and what a dam encloses. So of the nine OMTs in the middle it
 * is said by heights alone, the same in all windows. False: the window is too small to tell of
 * a body at its edge, and one of COAST_WINDOW_MAX is wanted; that tells always.
 */
bool coast_window_close(coast_window *w);

/*
 * Finds the spills of the OMT in the middle of a window of three OMTs a side, or five. A spill
 * is the least, over all ways of at most COAST_STEPS steps to eight neighbours from the sea, of
 * the greatest height on the way, the cell's own included; rock lets nothing pass.
 */
typedef struct coast_ground {
    int16_t heights[COAST_SIDE * COAST_SIDE];
    int16_t spills[COAST_SIDE * COAST_SIDE];
    /* The same over ways of at most so many steps: never less than the spill, which is the last
     * one. */
    int16_t within[COAST_STEPS + 1][COAST_SIDE * COAST_SIDE];
    uint8_t raise[COAST_SIDE * COAST_SIDE]; /* of the water, by local tides */
} coast_ground;

/*
 * Where raise is not NULL water stands higher than the tide by so much as it says of the cells
 * of the middle OMT and its eight neighbours, COAST_AROUND a side, row by row: on its way it
 * rises above the height less that of each cell, and so spills are counted from there.
 */
enum { COAST_AROUND = 3 * COAST_SIDE };
void coast_flood(coast_ground *out, const coast_window *w, const uint8_t *raise);

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
 * is -1. Where the ground is raised the water of the sea stands higher by that.
 */
int32_t coast_level_now(int32_t *lag, const coast_ground *ground, int32_t cell,
                        const coast_moment *moment);

#endif
