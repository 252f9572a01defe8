/*
 * The ocean as planned (generation.md 4.7): a function of seed and place alone. For each side
 * of the world (north, east, south, west) the region may state a line at some distance from the
 * origin. Behind that line, as seen from the origin, a cell is planned as sea if its noise is
 * high enough; the farther behind the line, the less noise is needed. The step "oceans" decides
 * whether a patch of sea is large enough to be put on the map.
 *
 * x and y are absolute OMTs.
 */
#pragma once

#include "gen/noise/noise.h"
#include "model/catalogue.h"
#include "portolan/types.h"

typedef struct ocean_plan {
    const cat_ocean *settings; /* NULL: there is no ocean */
    const noise_kernels *kernels;
    uint64_t bend_key;
    noise_layer noise;
} ocean_plan;

/* Sets up the plan. settings and kernels are borrowed. */
void ocean_plan_init(ocean_plan *out, uint64_t seed, const cat_ocean *settings,
                     const noise_kernels *kernels);

typedef enum ocean_share {
    OCEAN_NONE,  /* all cells that were asked about are land */
    OCEAN_MIXED, /* some cells may be sea; only their noise can tell */
    OCEAN_ALL
} ocean_share;

/* Tells whether the cells (x0, y0) .. (x1, y1) are all sea, or all land, whatever the noise is.
 * Only their distances from the lines at which the region's ocean may begin are used.
 * OCEAN_MIXED: the distances do not decide it. */
ocean_share ocean_in(const ocean_plan *plan, int64_t x0, int64_t y0, int64_t x1, int64_t y1);
ocean_share ocean_in_chunk(const ocean_plan *plan, ptl_chunk_pos pos);

/* Is the cell sea? */
bool ocean_at(const ocean_plan *plan, int64_t x, int64_t y);
/* Sets out[i] to 1 where cell (x + i, y) is sea, else to 0, for eight cells. */
void ocean_block(const ocean_plan *plan, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK]);
/* Tells, for each of NOISE_SQUARES squares of NOISE_SQUARE x NOISE_SQUARE cells, whether it is
 * all sea (NOISE_ALL_ABOVE), all land (NOISE_ALL_BELOW), or may be either (NOISE_MIXED). The
 * squares lie side by side along x, from (x, y) on. */
void ocean_squares(const ocean_plan *plan, int64_t x, int64_t y, uint8_t out[NOISE_SQUARES]);

/* Returns whether this cell of the sea is deep: whether its noise, raised by an amount for its
 * distance beyond the lines where the ocean may begin, exceeds 1.25 times the region's
 * threshold for sea. */
bool ocean_deep(const ocean_plan *plan, int64_t x, int64_t y);
