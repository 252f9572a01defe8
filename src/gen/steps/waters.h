/* What several steps need of lakes, oceans and rivers. */
#pragma once

#include "gen/work/generator.h"

/* Is the cell lake (lake_is) or sea (ocean_is), by its noise and by the size of the body of
 * water that the cell belongs to? The cell may lie up to REACH + 1 OMTs outside of the chunk. A
 * cell that is both is drawn as sea. */
bool lake_is(generator *g, int32_t x, int32_t y);
bool ocean_is(generator *g, int32_t x, int32_t y);
/* Is the cell lake or sea? */
static inline bool still_water_is(generator *g, int32_t x, int32_t y)
{
    return lake_is(g, x, y) || ocean_is(g, x, y);
}
/* Do the plans say that the cell is any kind of water? Meant for cells beyond the border. */
static inline bool water_is_planned(generator *g, int32_t x, int32_t y)
{
    return strip_river(g, x, y) || still_water_is(g, x, y);
}
/* How much of a square of NOISE_SQUARE x NOISE_SQUARE cells is water. water_share_of tells it
 * for the square that begins at (x, y), for lakes (f = g->lakes) or the sea (f = g->oceans); x
 * and y are multiples of NOISE_SQUARE in the chunk. */
typedef enum water_share {
    WATER_NONE,
    WATER_SOME, /* some cells of the square may be water */
    WATER_ALL
} water_share;
water_share water_share_of(generator *g, water_field *f, int32_t x, int32_t y);
/* Sets each cell of the square that begins at (x, y) to 1 if it is lake (f = g->lakes) or sea
 * (f = g->oceans), else to 0. Cells outside of the chunk are left unchanged. */
typedef uint8_t water_square[NOISE_SQUARE][NOISE_SQUARE];
void water_square_of(generator *g, water_field *f, int32_t x, int32_t y, water_square out);
/* Tells whether the chunk is all sea or all land whatever the noise is. OCEAN_ALL and
 * OCEAN_NONE hold for the cells around the chunk as well. */
ocean_share ocean_here(const generator *g);
/* Makes g->lakes and g->oceans, which tell which cells are lake and sea, for steps of
 * generation that need them. */
extern const gen_part water_fields_part;
void water_fields_reset(generator *g);

/*
 * Finding lakes and oceans and linking them to rivers (still_water.c). A cell of the water is
 * shore if one of the eight cells around it is neither lake, sea nor river.
 */
enum { WATER_DRY, WATER_SHORE, WATER_SURFACE };
typedef struct still_water {
    uint8_t kind[SIZE * SIZE]; /* by cell: WATER_DRY, WATER_SHORE or WATER_SURFACE */
    /* A list of cells. First it has all cells that are water; later only those of the one lake
     * or body of sea that is being linked. */
    int32_t cells[SIZE * SIZE];
    /* still_water_mouths copies `kind` and `cells` to these arrays, because linking destroys
     * them. */
    uint8_t found_kind[SIZE * SIZE];
    int32_t found_cells[SIZE * SIZE];
    /* For still_water_find: 1 where the cell is lake, sea or river. */
    uint8_t wet[SIZE * SIZE];
    uint8_t along[SIZE * SIZE]; /* for still_water_find: 1 where `wet` is 1 for the cell and for
                                 * its two neighbours to the west and east */
    water_field *field;         /* the water that is looked for: g->lakes or g->oceans */
} still_water;
/* Fills w->kind and w->cells for the lakes or the sea that w->field describes. Returns the
 * number of their cells. Must run before any of this water is written, because it reads the
 * rivers. */
int32_t still_water_find(generator *g, still_water *w);
/* Links each lake, or each connected part of the sea, to the nearest river of the chunk: from
 * its northmost and southmost cell or, with `anywhere`, from a random cell. A link is drawn
 * only if river_inner would not move its ends. The call destroys w->kind and w->cells. Returns
 * whether any link was drawn. */
bool still_water_link(generator *g, still_water *w, rng *r, bool anywhere);
/* Draws the rivers that lead to lakes or to the sea. This comes before the lakes or the sea are
 * drawn, so that there is no shore where a river comes in. `count` is what still_water_find
 * returned; returns the new count. */
int32_t still_water_mouths(generator *g, still_water *w, rng *r, bool anywhere, int32_t count);

/*
 * An end of a curved river. The ends of these rivers keep away from the chunk's borders, where
 * rivers are painted as the edges plan them (step_rivers.c).
 */
typedef struct river_end {
    point at; /* the cell at which the river begins or ends: at a border the last cell of the
                 course that is planned for the river's crossing, else any cell inside the chunk
               */
    /* The direction in which the curve leaves `at`: steps along x and y, in 1 / COURSE_ONE of a
     * cell. (0, 0) means that no direction is set. */
    point lean;
    int32_t straightness; /* used if `lean` sets no direction: the curve's control point is
                           * moved aside at random, by at most the distance to the other end
                           * divided by this number, which is at least 1 */
} river_end;
/* Paints a curved river three cells wide, without branches (step_rivers.c). Cells of lakes and
 * of the sea stay as they are. */
void river_link(generator *g, rng *r, point from, point to);

/* Paints a river from a to b by a random walk (the games' older form), away from the borders
 * of the chunk: its centre stays where river_inner allows it (step_rivers.c). Cells of lakes
 * and of the sea stay as they are. */
void river_walk(generator *g, rng *r, point a, point b);
/* Returns the point nearest to p at which a river drawn by a random walk may have its centre
 * in the chunk. */
point river_inner(const generator *g, point p);
