/*
 * The ocean as planned (generation.md 4.7): a function of seed and place alone. Behind the
 * lines that the region draws around the origin, the farther the likelier, a cell is sea where
 * noise says so. Whether a patch of it is large enough to be drawn is asked by step "oceans".
 *
 * x and y are absolute OMTs.
 */
#ifndef GEN_PLAN_OCEAN_H
#define GEN_PLAN_OCEAN_H

#include "gen/noise/noise.h"
#include "model/catalogue.h"
#include "portolan/types.h"

typedef struct ocean_plan {
    const cat_ocean *settings; /* NULL: there is none */
    const noise_kernels *kernels;
    uint64_t bend_key;
    noise_layer noise;
} ocean_plan;

/* settings are borrowed, and kernels. */
void ocean_plan_init(ocean_plan *out, uint64_t seed, const cat_ocean *settings,
                     const noise_kernels *kernels);

typedef enum ocean_share {
    OCEAN_NONE,  /* all of it is land */
    OCEAN_MIXED, /* noise has a say */
    OCEAN_ALL
} ocean_share;

/* Of the cells (x0, y0) .. (x1, y1), by their distances from the lines, without any noise. */
ocean_share ocean_in(const ocean_plan *plan, int64_t x0, int64_t y0, int64_t x1, int64_t y1);
ocean_share ocean_in_chunk(const ocean_plan *plan, ptl_chunk_pos pos);

/* Is the cell sea? */
bool ocean_at(const ocean_plan *plan, int64_t x, int64_t y);
/* 1 where one of the eight cells (x .. x + 7, y) is sea, else 0. */
void ocean_block(const ocean_plan *plan, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK]);
/* The same of NOISE_SQUARE rows from y on. */
void ocean_square(const ocean_plan *plan, int64_t x, int64_t y,
                  uint8_t out[NOISE_SQUARE][NOISE_SQUARE]);
/* What squares side by side are, as noise_kernels.squares. */
void ocean_squares(const ocean_plan *plan, int64_t x, int64_t y, uint8_t out[NOISE_SQUARES]);

/* Is it deep, far above the threshold? (Asked of what is sea.) */
bool ocean_deep(const ocean_plan *plan, int64_t x, int64_t y);

#endif
