/*
 * The ocean as planned (generation.md 4.7): a function of seed and place alone. The region
 * draws lines around the origin. Behind them a cell is sea where noise says so, the more
 * likely the farther it lies behind. Whether a patch of sea is large enough to be drawn is
 * decided by step "oceans".
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
    OCEAN_NONE,  /* all of it is land */
    OCEAN_MIXED, /* noise decides */
    OCEAN_ALL
} ocean_share;

/* Tells what the cells (x0, y0) .. (x1, y1) are as far as their distances from the lines
 * decide, without any noise. */
ocean_share ocean_in(const ocean_plan *plan, int64_t x0, int64_t y0, int64_t x1, int64_t y1);
ocean_share ocean_in_chunk(const ocean_plan *plan, ptl_chunk_pos pos);

/* Is the cell sea? */
bool ocean_at(const ocean_plan *plan, int64_t x, int64_t y);
/* Sets out[i] to 1 where cell (x + i, y) is sea, else to 0, for eight cells. */
void ocean_block(const ocean_plan *plan, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK]);
/* Tells what adjacent squares are, as noise_kernels.squares does. */
void ocean_squares(const ocean_plan *plan, int64_t x, int64_t y, uint8_t out[NOISE_SQUARES]);

/* Is a cell of the sea deep, that is, far above the threshold? */
bool ocean_deep(const ocean_plan *plan, int64_t x, int64_t y);
