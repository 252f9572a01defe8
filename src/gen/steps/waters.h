/* Lakes and rivers, as far as several steps ask for them. */
#ifndef GEN_STEPS_WATERS_H
#define GEN_STEPS_WATERS_H

#include "gen/work/generator.h"

/* Is the cell lake, by noise and size? Up to REACH + 1 outside. */
bool lake_is(generator *g, int32_t x, int32_t y);
/* False if none of the NOISE_SQUARE^2 cells from (x, y) on is lake; x and y are multiples of
 * NOISE_SQUARE in the chunk. */
bool lake_possible(generator *g, int32_t x, int32_t y);
extern const gen_part lake_field_part; /* for who asks about lakes */
void lake_field_reset(generator *g);

/* river_walk.c: a river from a to b, in the chunk's inner part; lake cells stay as they are. */
void river_walk(generator *g, rng *r, point a, point b);
/* The nearest point at which an inner river may have its centre. */
point river_inner(const generator *g, point p);

#endif
