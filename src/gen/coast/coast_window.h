/*
 * Where the tide reaches (schema/shoals.md, "Tides in a world"): the spill of each cell of an
 * OMT, and the water at each cell while a tide moves inland step by step. All are functions of
 * heights alone; no state of the tide is kept.
 */
#pragma once

#include "gen/coast/coast.h"

enum {
    COAST_EBB = -18, /* the lowest tide; COAST_FLOOD is the highest */
    COAST_FLOOD = 25,
    COAST_STEPS = 24 /* how far water comes from the sea, in cells; at most COAST_SIDE */
};

/* Spills of the sea itself, and of cells that it never reaches. */
enum { COAST_SPILL_SEA = INT16_MIN, COAST_SPILL_NEVER = INT16_MAX };

/* A square of OMTs around one: what the plan says of them, and which are wet on the
 * overmap. */
enum { COAST_SQUARE_MAX = 7 };
typedef struct coast_square {
    int32_t side; /* side in OMTs, odd: the OMT asked about is in the middle */
    coast_omt planned[COAST_SQUARE_MAX * COAST_SQUARE_MAX]; /* row by row, as is `wet` */
    bool wet[COAST_SQUARE_MAX * COAST_SQUARE_MAX];
} coast_square;

/* A square of OMTs around one OMT, with the height of each of their tiles (here a tile is
 * called a cell). How the sea spills over an OMT follows from the heights of 3 x 3 OMTs, or of
 * 5 x 5 where 3 x 3 do not show what is open sea. */
enum {
    COAST_WINDOW_MAX = COAST_SQUARE_MAX - 2, /* OMTs a side */
    COAST_WINDOW_CELLS = COAST_WINDOW_MAX * COAST_SIDE * COAST_WINDOW_MAX * COAST_SIDE
};
typedef struct coast_window {
    int32_t side; /* side in OMTs; cells lie row by row, side * COAST_SIDE in a row */
    int16_t heights[COAST_WINDOW_CELLS];
    uint8_t sea[COAST_WINDOW_CELLS]; /* 1: open sea, from which water comes */
} coast_window;

/* Makes the window inside a square that is two OMTs wider. Heights of corners follow the
 * overmap, which may differ from the plan. A cell is sea if plan and overmap both say so and
 * it lies below the lowest tide. */
void coast_window_of(coast_window *out, const coast *c, int64_t x, int64_t y,
                     const coast_square *square);

/* Replaces the heights of an OMT of the window that works have changed (coast_plan.h). A cell
 * that is lifted above the lowest tide is no longer sea; digging never makes a cell sea. */
void coast_window_put(coast_window *w, int32_t column, int32_t row,
                      const int16_t heights[COAST_SIDE * COAST_SIDE]);
/* Copies the heights of an OMT out of the window. */
void coast_window_get(int16_t heights[COAST_SIDE * COAST_SIDE], const coast_window *w,
                      int32_t column, int32_t row);

/*
 * Unmarks bodies of sea that are not open sea: those, connected over eight neighbours, that
 * fit in a square of COAST_SIDE cells, such as lagoons and water behind a dam. For the nine
 * middle OMTs the result depends on heights alone and is the same in all windows. False if the
 * window is too small to judge a body at its edge; the caller then uses one of
 * COAST_WINDOW_MAX, which always suffices.
 */
bool coast_window_close(coast_window *w);

/*
 * The spills of an OMT. A spill is the lowest tide level at which water reaches a cell: over
 * all paths of at most COAST_STEPS steps to eight neighbours from the sea, the least of the
 * greatest height on the path, the cell included. Rock blocks paths.
 */
typedef struct coast_ground {
    int16_t heights[COAST_SIDE * COAST_SIDE];
    int16_t spills[COAST_SIDE * COAST_SIDE];
    /* within[k] is the spill over paths of at most k steps. It is never below `spills`, which
     * is the last one. */
    int16_t within[COAST_STEPS + 1][COAST_SIDE * COAST_SIDE];
    uint8_t raise[COAST_SIDE * COAST_SIDE]; /* by how much local tides raise the water */
} coast_ground;

/*
 * Fills *out for the middle OMT of a window of three or five OMTs a side. `raise` (may be
 * NULL) says by how much local tides lift the water above the tide at each cell of the middle
 * OMT and its eight neighbours, row by row, COAST_AROUND cells a side. Raised water passes
 * over a height lower by that amount, so spills are reduced accordingly.
 */
enum { COAST_AROUND = 3 * COAST_SIDE };
void coast_flood(coast_ground *out, const coast_window *w, const uint8_t *raise);

typedef enum coast_feature { COAST_DEEP, COAST_SHALLOW, COAST_DRY, COAST_ROCK } coast_feature;

/* Returns the water level at a cell of this spill. Where the tide comes in, it is the tide;
 * elsewhere it is the level that the last tide left, but at most the mean sea level. */
int32_t coast_level(int32_t spill, int32_t tide);

/* Returns what a cell is when its water stands at a level. Without `full`, deep water is what
 * lies deep at the mean sea level, whatever the present level. */
coast_feature coast_stands(int32_t height, int32_t level, bool full);

/* Returns the same for a tide that never changes. */
coast_feature coast_feature_of(int32_t height, int32_t spill, int32_t tide, bool full);

/* ---- the tide as it moves ---- */

/* The level of the open sea now, and at each of the last COAST_STEPS steps of the tide. */
typedef struct coast_moment {
    int32_t tide[COAST_STEPS + 1];
} coast_moment;

/*
 * Returns the water level at a cell while the tide moves inland by one cell per step. Water
 * that left the sea k steps ago arrives over paths of k steps, if these are lower than all
 * shorter ones and some such path lies wholly below that water. So the water of a cell joined
 * to the sea was at one of its neighbours a step earlier. If several arrive, the one that left
 * last counts; *lag becomes its k. If none arrives, the cell is cut off: the level is as by
 * coast_level, and *lag is -1. Where ground->raise is set, the sea's water stands higher by
 * that.
 */
int32_t coast_level_now(int32_t *lag, const coast_ground *ground, int32_t cell,
                        const coast_moment *moment);
