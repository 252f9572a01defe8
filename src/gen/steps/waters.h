/* Lakes, oceans and rivers, as far as several steps ask for them. */
#ifndef GEN_STEPS_WATERS_H
#define GEN_STEPS_WATERS_H

#include "gen/work/generator.h"

/* Is the cell lake, or sea, by noise and size? Up to REACH + 1 outside. What is both is drawn
 * as sea. */
bool lake_is(generator *g, int32_t x, int32_t y);
bool ocean_is(generator *g, int32_t x, int32_t y);
static inline bool still_water_is(generator *g, int32_t x, int32_t y)
{
    return lake_is(g, x, y) || ocean_is(g, x, y);
}
/* Is there any water, as the plans know it beyond the border? */
static inline bool water_is_planned(generator *g, int32_t x, int32_t y)
{
    return strip_river(g, x, y) || still_water_is(g, x, y);
}
/* Which of the NOISE_SQUARE^2 cells from (x, y) on are; x and y are multiples of NOISE_SQUARE
 * in the chunk. */
typedef enum water_share {
    WATER_NONE,
    WATER_SOME /* or none, or all */,
    WATER_ALL
} water_share;
water_share lake_share(generator *g, int32_t x, int32_t y);
water_share ocean_share_of(generator *g, int32_t x, int32_t y);
/* Says of each cell of such a square whether it is: 1 or 0. What lies outside of the chunk is
 * left alone. */
typedef uint8_t water_square[NOISE_SQUARE][NOISE_SQUARE];
void lake_square(generator *g, int32_t x, int32_t y, water_square out);
void ocean_square_of(generator *g, int32_t x, int32_t y, water_square out);
/* What is known of the chunk without any noise. OCEAN_ALL: and of what lies around it. */
ocean_share ocean_here(const generator *g);
extern const gen_part water_fields_part; /* for who asks about lakes and oceans */
void water_fields_reset(generator *g);

/*
 * still_water.c: how lakes and oceans are found and linked to rivers. A cell of the water is
 * shore where one of the eight around it is neither lake, sea nor river.
 */
enum { WATER_DRY, WATER_SHORE, WATER_SURFACE };
typedef struct still_water {
    uint8_t kind[SIZE * SIZE];       /* WATER_DRY .. */
    int32_t cells[SIZE * SIZE];      /* of the water; then those of one component */
    uint8_t found_kind[SIZE * SIZE]; /* of still_water_mouths */
    int32_t found_cells[SIZE * SIZE];
    uint8_t wet[SIZE * SIZE];   /* of still_water_find: 1 where there is water or river */
    uint8_t along[SIZE * SIZE]; /* and beside it in the row, too */
    void (*square)(generator *g, int32_t x, int32_t y, water_square out);
    water_share (*share)(generator *g, int32_t x, int32_t y);
} still_water;
/* Fills kind and cells; the number of cells. Rivers are read before any water is written. */
int32_t still_water_find(generator *g, still_water *w);
/* Links the northmost and the southmost cell of each component, or any one of its cells, to the
 * nearest river of the chunk, if both lie where an inner river may be. Uses up what was found.
 * Returns whether any was. */
bool still_water_link(generator *g, still_water *w, rng *r, bool anywhere);
/* The same before the water is drawn, so that its shore is open where a link comes in. count is
 * of what was found; returns how much there is then. */
int32_t still_water_mouths(generator *g, still_water *w, rng *r, bool anywhere, int32_t count);

/* shoals.c: turns sea that is mostly land into islands, once the sea and its rivers are drawn.
 * It uses the scratch memory of a still_water. */
void shoals_draw(generator *g);

/*
 * river_curve.c paints a curved river in the chunk's inner part, behind the strips; lake cells
 * stay as they are.
 */
typedef struct river_end {
    point at;             /* the last cell of a strip, or a cell of the inner part */
    point lean;           /* the direction into the curve, in parts of COURSE_ONE; 0, 0: none */
    int32_t straightness; /* without a lean: it strays by the way's length over this; from 1 */
} river_end;
/* With its branches. */
void river_curve(generator *g, rng *r, const river_end *from, const river_end *to,
                 int32_t radius);
/* Paints one of three cells' width, without branches. */
void river_link(generator *g, rng *r, point from, point to);

/* river_walk.c paints a river from a to b, in the chunk's inner part; lake cells stay as they
 * are. */
void river_walk(generator *g, rng *r, point a, point b);
/* The nearest point at which an inner river may have its centre. */
point river_inner(const generator *g, point p);

#endif
