/*
 * Finds how far the tide reaches (schema/shoals.md, "Tides in a world"). For each tile of an
 * OMT it finds the spill, which is the lowest tide that floods the tile. While a tide moves
 * inland step by step, it finds the level of the water at each tile. Both are functions of
 * heights alone; no state of the tide is kept.
 */
#pragma once

#include "gen/coast/coast.h"

enum {
    COAST_EBB = -18, /* the level of the lowest tide; COAST_FLOOD is that of the highest */
    COAST_FLOOD = 25,
    COAST_STEPS = 24 /* how many tiles inland the sea's water comes; at most COAST_SIDE */
};

/* The spills of tiles of the open sea, and of tiles that no tide reaches. */
enum { COAST_SPILL_SEA = INT16_MIN, COAST_SPILL_NEVER = INT16_MAX };

/* A square of OMTs around one OMT: what the plan says of each, and whether each is water on the
 * overmap. */
enum { COAST_SQUARE_MAX = 7 };
typedef struct coast_square {
    int32_t side; /* number of OMTs, odd; the OMT whose water is asked for is in the middle */
    coast_omt planned[COAST_SQUARE_MAX * COAST_SQUARE_MAX]; /* what the plan of the sea says of
                                                               each OMT, row by row */
    bool wet[COAST_SQUARE_MAX * COAST_SQUARE_MAX];
} coast_square;

/* A square of OMTs around one OMT, with the heights of their tiles. Which tides flood the
 * middle OMT follows from the heights of 3 x 3 OMTs, or of 5 x 5 where 3 x 3 OMTs do not show
 * what is open sea. */
enum {
    COAST_WINDOW_MAX = COAST_SQUARE_MAX - 2, /* side of the largest window, in OMTs */
    COAST_WINDOW_CELLS = COAST_WINDOW_MAX * COAST_SIDE * COAST_WINDOW_MAX * COAST_SIDE
};
typedef struct coast_window {
    int32_t side; /* length of a side in OMTs; the tiles of all OMTs lie row by row, side *
                   * COAST_SIDE tiles in a row */
    int16_t heights[COAST_WINDOW_CELLS];
    uint8_t sea[COAST_WINDOW_CELLS]; /* by tile: 1 if it is open sea, from which the tide comes;
                                        else 0 */
} coast_window;

/* Makes the window around the OMT (x, y). The window's side is two OMTs shorter than that of
 * `square`. The heights of OMTs' corners follow the overmap, which may differ from the plan. A
 * tile is sea if its OMT is sea both by the plan and on the overmap and the tile lies below the
 * lowest tide. */
void coast_window_of(coast_window *out, const coast *c, int64_t x, int64_t y,
                     const coast_square *square);

/* Replaces the heights of an OMT of the window by heights that structures and digging have
 * changed (coast_works in coast_plan.h). A tile of the sea that is lifted above the lowest tide
 * becomes land; digging never makes a tile sea. */
void coast_window_put(coast_window *w, int32_t column, int32_t row,
                      const int16_t heights[COAST_SIDE * COAST_SIDE]);
/* Copies the heights of an OMT out of the window. */
void coast_window_get(int16_t heights[COAST_SIDE * COAST_SIDE], const coast_window *w,
                      int32_t column, int32_t row);

/*
 * Clears coast_window.sea for bodies of water that are not open sea, such as lagoons and water
 * behind a dam. A body is a set of tiles that are connected over eight neighbours; it is not
 * open sea if it fits in a square of COAST_SIDE tiles. For the nine middle OMTs the result
 * depends on heights alone and is the same in all windows. Returns false if the window is too
 * small to tell whether a body at its border is open sea; the caller then uses a window of
 * COAST_WINDOW_MAX OMTs, which always suffices.
 */
bool coast_window_close(coast_window *w);

/*
 * The spills of an OMT. A tile's spill is the lowest tide at which water of the sea reaches it.
 * The water comes by paths of at most COAST_STEPS steps, each to one of eight neighbours. No
 * path leads through rock. A path is open when the tide is as high as its highest tile; the
 * spill is the lowest tide at which a path to the tile is open.
 */
typedef struct coast_ground {
    int16_t heights[COAST_SIDE * COAST_SIDE];
    int16_t spills[COAST_SIDE * COAST_SIDE];
    /* within[k] has the spill of each tile if only paths of at most k steps from the sea to the
     * tile are considered. `spills` is the same as within[COAST_STEPS]. */
    int16_t within[COAST_STEPS + 1][COAST_SIDE * COAST_SIDE];
    /* How much local tides lift the water, for each tile of the OMT. */
    uint8_t raise[COAST_SIDE * COAST_SIDE];
} coast_ground;

/*
 * Fills *out for the middle OMT of a window with a side of three or five OMTs. `raise` (may be
 * NULL) says by how much local tides lift the water above the tide, for each tile of the middle
 * OMT and its eight neighbours: row by row, COAST_AROUND tiles in a row. Where the water is
 * lifted, the ground counts as lower by that amount, so the spill is lower, too.
 */
enum { COAST_AROUND = 3 * COAST_SIDE };
void coast_flood(coast_ground *out, const coast_window *w, const uint8_t *raise);

typedef enum coast_feature { COAST_DEEP, COAST_SHALLOW, COAST_DRY, COAST_ROCK } coast_feature;

/* Returns the water level at a tile with this spill. If the tide reaches the tile, the level is
 * that of the tide. Otherwise it is the spill, or the mean sea level (0) if the spill is
 * higher. */
int32_t coast_level(int32_t spill, int32_t tide);

/* Returns what a tile of this height is when its water stands at `level`. With `full`, the
 * level decides which tiles are deep water; without it, exactly those tiles are deep that are
 * deep at the mean sea level. */
coast_feature coast_stands(int32_t height, int32_t level, bool full);

/* Returns what kind of ground or water a tile of this height and spill is at a tide that never
 * changes. If `full` is true, water is deep where it is deep at this tide, otherwise where it
 * is deep at the mean sea level. */
coast_feature coast_feature_of(int32_t height, int32_t spill, int32_t tide, bool full);

/* ---- a tide that moves inland ---- */

/* The level of the open sea: tide[0] is the present level, tide[k] the level k steps ago. A
 * step is the time in which the tide moves inland by one tile. */
typedef struct coast_moment {
    int32_t tide[COAST_STEPS + 1];
} coast_moment;

/*
 * Returns the water level at a tile while the tide moves inland, by one tile in each step.
 * Water that left the sea k steps ago can arrive at the tile by a path of k steps. It arrives
 * if it stands higher than all tiles of such a path, and if the path's highest tile is lower
 * than that of every shorter path. If waters of several steps arrive, the one that left the sea
 * last counts, and *lag becomes its k. If none arrives, the tile is cut off: the level is as by
 * coast_level, and *lag becomes -1. Water of the sea stands higher by ground->raise, where
 * local tides lift it.
 */
int32_t coast_level_now(int32_t *lag, const coast_ground *ground, int32_t cell,
                        const coast_moment *moment);
