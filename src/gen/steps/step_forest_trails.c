/*
 * Forest trails: large forests get a net of trails between points in them. Reads: the chunk's
 * forest cells, without the outermost ones. Writes: z = 0, forest_trail.
 *
 * A forest is a set of forest cells of the chunk that are linked by their sides. Each has a
 * random stream of its own, keyed by its first cell, so that a change in one forest leaves the
 * trails of other forests as they are. The first cell is the westernmost one and, of several,
 * the northernmost of these, as in the games.
 */
#include "gen/connect/ends.h"
#include "gen/steps/steps.h"

#include <stdlib.h>

/* The step's own memory. */
typedef struct forest_trails_scratch {
    uint8_t forest[SIZE * SIZE]; /* 1: a forest cell of the chunk that is in none of the forests
                                  * found so far */
    int32_t cells[SIZE * SIZE];  /* the cells of the forest for which trails are being drawn */
    end_list ends;               /* the points of the forest that the trails are to link */
} forest_trails_scratch;

enum { POINTS_MAX = 1000 }; /* the most points in one forest, whatever the content asks for */

/* A forest: its cells, and for each side the cell that lies farthest to it. Of several cells
 * that lie equally far, it is the westernmost one, and among these the northernmost. */
typedef struct forest {
    int32_t *cells; /* the forest's cells, by their index y * SIZE + x */
    int32_t size;
    int32_t first; /* the forest's westernmost cell; of several the northernmost */
    int32_t north, south, west, east; /* the forest's outermost cell on each side */
} forest;

/* Marks the chunk's forest cells. False if there are none. */
static bool mark_forest(generator *g)
{
    const gen_oters *o = g->config->oters;
    const ptl_oter plain = o->forest, thick = o->forest_thick, wet = o->forest_water;
    const ptl_oter *restrict ground = g->ground;
    uint8_t *restrict mask = ((forest_trails_scratch *)g->scratch)->forest;
    if (ground[0] != plain && ground[0] != thick && ground[0] != wet && level_is_even(ground))
        return false;
    for (int32_t i = 0; i < SIZE * SIZE; i++) {
        const ptl_oter oter = ground[i];
        mask[i] = (oter == plain) | (oter == thick) | (oter == wet);
    }
    memset(mask, 0, SIZE);
    memset(mask + SIZE * (SIZE - 1), 0, SIZE);
    for (int32_t y = 1; y < SIZE - 1; y++)
        mask[y * SIZE] = mask[y * SIZE + SIZE - 1] = 0;
    return true;
}

/* The forest that the cell `start` belongs to consists of cells linked by their sides. Removes
 * them from the mask, lists them and returns their number. The mask has no cells along the
 * border, so that no neighbour of a cell lies outside of it. Neighbours are written to the list
 * before it is known whether they belong to the forest, which avoids branches that no processor
 * could predict. */
static int32_t flood(uint8_t *mask, int32_t *list, int32_t start)
{
    int32_t count = 0;
    list[count++] = start;
    mask[start] = 0;
    for (int32_t head = 0; head < count; head++) {
        const int32_t at = list[head];
        const int32_t near[4] = {at - SIZE, at + 1, at + SIZE, at - 1};
        for (int d = 0; d < 4; d++) {
            list[count] = near[d];
            count += mask[near[d]];
            mask[near[d]] = 0;
        }
    }
    return count;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Returns the cell nearest to the centre of the forest's bounding box. Of several cells equally
 * near, it is the westernmost one, and among these the northernmost. */
static int32_t central_cell(const forest *f)
{
    int32_t cx = (f->west % SIZE + f->east % SIZE) / 2;
    int32_t cy = (f->north / SIZE + f->south / SIZE) / 2;
    int32_t nearest = INT32_MAX;
    for (int32_t i = 0; i < f->size; i++) {
        const int32_t x = f->cells[i] % SIZE, y = f->cells[i] / SIZE;
        const int32_t dx = abs(x - cx), dy = abs(y - cy), distance = dx > dy ? dx : dy;
        nearest = least(nearest, (distance * SIZE + x) * SIZE + y);
    }
    return nearest % SIZE * SIZE + nearest / SIZE % SIZE;
}

static void add_point(end_list *list, int32_t at)
{
    list->ends[list->count++] = (connect_end){
        .x = (int16_t)(at % SIZE), .y = (int16_t)(at / SIZE), .heading = CONNECT_ANY};
}

/* Returns how many random points the forest gets, at most POINTS_MAX. If the region's settings
 * ask for more, an event says so. */
static int32_t random_points(generator *g, const cat_trail_settings *s, const forest *f)
{
    int32_t scalar = s->random_point_size_scalar;
    int64_t wanted = (int64_t)s->random_point_min + (scalar > 0 ? f->size / scalar : 0);
    wanted = wanted < s->random_point_max ? wanted : s->random_point_max;
    wanted = wanted < 0 ? 0 : wanted < f->size ? wanted : f->size;
    if (wanted <= POINTS_MAX)
        return (int32_t)wanted;
    add_event(g, "too_many_points", f->first % SIZE, f->first / SIZE, 0,
              "trails join the first 1000 points of this forest");
    return POINTS_MAX;
}

/* Draws the trails of a forest. Returns whether there were any points. `first`: no trails were
 * drawn before in this chunk, so the search for paths must look for cells that other steps have
 * changed. */
static bool draw_trails(generator *g, forest *f, bool first)
{
    const cat_trail_settings *s = &g->config->region->trails;
    if (f->size < s->minimum_forest_size)
        return false;
    /* Find the outermost cell on each side. A cell's number for a side is the lower, the nearer
     * the cell lies to that side; so the outermost cell has the lowest number. */
    int32_t north = INT32_MAX, south = INT32_MAX, west = INT32_MAX, east = INT32_MAX;
    for (int32_t i = 0; i < f->size; i++) {
        const int32_t x = f->cells[i] % SIZE, y = f->cells[i] / SIZE;
        north = least(north, y * SIZE + x);
        south = least(south, (SIZE - 1 - y) * SIZE + x);
        west = least(west, x * SIZE + y);
        east = least(east, (SIZE - 1 - x) * SIZE + y);
    }
    f->north = north;
    f->south = (SIZE - 1 - south / SIZE) * SIZE + south % SIZE;
    f->west = west % SIZE * SIZE + west / SIZE;
    f->east = east % SIZE * SIZE + SIZE - 1 - east / SIZE;
    f->first = f->west;
    rng r = cell_stream(g, step_key(g, "forest trails"), f->first % SIZE, f->first / SIZE);
    if (!rng_one_in(&r, s->chance))
        return false;
    end_list *list = &((forest_trails_scratch *)g->scratch)->ends;
    /* Choose the forest's central cell and random other cells as the points to link. Each
     * chosen cell is swapped to the front of the list of cells, so that it is not chosen twice.
     */
    list->count = list->exit_count = 0;
    add_point(list, central_cell(f));
    int32_t wanted = random_points(g, s, f);
    for (int32_t i = 0; i < wanted; i++) {
        int32_t k = i + (int32_t)rng_below(&r, (uint64_t)(f->size - i)), at = f->cells[k];
        f->cells[k] = f->cells[i];
        f->cells[i] = at;
        add_point(list, at);
    }
    const int32_t extremes[4] = {f->north, f->south, f->west, f->east};
    for (int i = 0; i < 4; i++)
        if (rng_one_in(&r, s->border_point_chance))
            add_point(list, extremes[i]);
    (first ? connect_points : connect_more_points)(g, g->config->trail, 0, list->ends,
                                                   list->count, list->results);
    return true;
}

static void run(generator *g)
{
    if (g->config->trail == CAT_NONE || g->config->region->trails.chance <= 0 ||
        !mark_forest(g))
        return;
    forest_trails_scratch *s = g->scratch;
    const uint8_t *end = s->forest + SIZE * SIZE, *at = s->forest;
    bool first = true;
    while (!g->failed && (at = memchr(at, 1, (size_t)(end - at))) != NULL) {
        forest f = {.cells = s->cells};
        f.size = flood(s->forest, s->cells, (int32_t)(at - s->forest));
        first = !draw_trails(g, &f, first) && first;
    }
}

const gen_step step_forest_trails = {
    .info = {"forest_trails", 0, false},
    .run = run,
    .scratch = sizeof(forest_trails_scratch),
    .needs = {&connector_part},
};
