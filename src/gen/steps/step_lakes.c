/*
 * Lakes. Reads: the lake field to one OMT beyond the chunk, the edges' strips beyond the
 * border. Writes: z = 0 (over rivers too), and water and bed below. Guarantees: a lake goes on
 * across every border. Links each lake's northmost and southmost cell to the nearest river
 * of the chunk, if that stays clear of the borders; the walk never leaves the inner part.
 */
#include "gen/steps/steps.h"
#include "gen/steps/waters.h"

#include <string.h>

/* The step's own memory. */
typedef struct lakes_scratch {
    uint8_t lake[SIZE * SIZE];  /* NO_LAKE, SHORE, SURFACE */
    int32_t cells[SIZE * SIZE]; /* lake cells; then those of one component */
} lakes_scratch;

static lakes_scratch *scratch(const generator *g)
{
    return g->scratch;
}

enum { NO_LAKE, SHORE, SURFACE };

/* Lake, or river as it was before lakes were drawn; beyond the border the plans know. Within,
 * scratch(g)->lake holds the lakes already. */
static bool wet(generator *g, int32_t x, int32_t y)
{
    if (inside(x, y))
        return scratch(g)->lake[y * SIZE + x] != NO_LAKE ||
               g->ground[y * SIZE + x] == g->config->oters->river_center;
    return lake_is(g, x, y) || strip_river(g, x, y);
}

/* Of a cell that has all its neighbours in the chunk. */
static bool all_round_wet_inside(const generator *g, int32_t cell)
{
    const ptl_oter river = g->config->oters->river_center;
    for (int32_t row = cell - SIZE; row <= cell + SIZE; row += SIZE)
        for (int32_t at = row - 1; at <= row + 1; at++)
            if (scratch(g)->lake[at] == NO_LAKE && g->ground[at] != river)
                return false;
    return true;
}

/* Are a cell and the eight around it wet? */
static bool all_round_wet(generator *g, int32_t x, int32_t y)
{
    if (x > 0 && x < SIZE - 1 && y > 0 && y < SIZE - 1)
        return all_round_wet_inside(g, y * SIZE + x);
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++)
            if (!wet(g, x + dx, y + dy))
                return false;
    return true;
}

/* Marks the lake cells of a square as SHORE and puts them on scratch(g)->cells; its new length.
 */
static int32_t find_lake(generator *g, int32_t count, int32_t x0, int32_t y0)
{
    const int32_t x1 = x0 + NOISE_SQUARE < SIZE ? x0 + NOISE_SQUARE : SIZE;
    const int32_t y1 = y0 + NOISE_SQUARE < SIZE ? y0 + NOISE_SQUARE : SIZE;
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++)
            if (lake_is(g, x, y)) {
                scratch(g)->lake[y * SIZE + x] = SHORE;
                scratch(g)->cells[count++] = y * SIZE + x;
            }
    return count;
}

/* Fills scratch(g)->lake and scratch(g)->cells; the number of lake cells. Rivers are read
 * before any lake is written. */
static int32_t classify(generator *g)
{
    int32_t count = 0;
    memset(scratch(g)->lake, NO_LAKE, SIZE * SIZE);
    for (int32_t y = 0; y < SIZE; y += NOISE_SQUARE)
        for (int32_t x = 0; x < SIZE; x += NOISE_SQUARE)
            if (lake_possible(g, x, y))
                count = find_lake(g, count, x, y);
    for (int32_t i = 0; i < count; i++)
        if (all_round_wet(g, scratch(g)->cells[i] % SIZE, scratch(g)->cells[i] / SIZE))
            scratch(g)->lake[scratch(g)->cells[i]] = SURFACE;
    return count;
}

static void draw(generator *g, int32_t count, int32_t z, ptl_oter surface, ptl_oter shore)
{
    ptl_oter *cells = cells_at(g, z);
    for (int32_t i = 0; cells && i < count; i++) {
        const int32_t at = scratch(g)->cells[i];
        if (scratch(g)->lake[at] == SURFACE)
            cells[at] = surface;
        else if (shore != CAT_NONE)
            cells[at] = shore;
    }
}

static void draw_levels(generator *g, int32_t count)
{
    const gen_oters *o = g->config->oters;
    int32_t depth = g->config->region->lake_depth;
    draw(g, count, 0, depth == 0 ? o->lake_bed : o->lake_surface, o->lake_shore);
    for (int32_t z = -1; z >= depth; z--)
        draw(g, count, z, z == depth ? o->lake_bed : o->lake_water_cube,
             o->lake_underwater_shore);
}

/* Takes the lake cell out of scratch(g)->lake and puts it on scratch(g)->cells; its new length.
 */
static inline int32_t take_cell(generator *g, int32_t count, int32_t cell)
{
    if (scratch(g)->lake[cell] == NO_LAKE)
        return count;
    scratch(g)->lake[cell] = NO_LAKE;
    scratch(g)->cells[count] = cell;
    return count + 1;
}

/* One 4-connected component of the lake within the chunk, taken out of scratch(g)->lake.
 * Returns the last southmost cell. */
static int32_t take_component(generator *g, int32_t start)
{
    int32_t count = take_cell(g, 0, start), south = start;
    for (int32_t head = 0; head < count; head++) {
        const int32_t at = scratch(g)->cells[head], x = at % SIZE;
        south = at > south ? at : south;
        if (at >= SIZE)
            count = take_cell(g, count, at - SIZE);
        if (x < SIZE - 1)
            count = take_cell(g, count, at + 1);
        if (at < (SIZE - 1) * SIZE)
            count = take_cell(g, count, at + SIZE);
        if (x > 0)
            count = take_cell(g, count, at - 1);
    }
    return south;
}

/* The first lake cell in scratch(g)->lake from a cell on; SIZE * SIZE if there is none. Most of
 * a chunk is land, which is passed over by eights. */
static int32_t next_lake(const generator *g, int32_t from)
{
    while (from < SIZE * SIZE) {
        uint64_t eight = 1;
        if (from % (int32_t)sizeof eight == 0)
            memcpy(&eight, &scratch(g)->lake[from], sizeof eight);
        if (eight != 0 && scratch(g)->lake[from] != NO_LAKE)
            break;
        from += eight == 0 ? (int32_t)sizeof eight : 1;
    }
    return from;
}
_Static_assert(NO_LAKE == 0 && SIZE * SIZE % sizeof(uint64_t) == 0, "no lake is zeros");

/* Does the point lie where an inner river may begin or end? */
static bool is_inner(const generator *g, int32_t x, int32_t y)
{
    point p = river_inner(g, (point){x, y});
    return p.x == x && p.y == y;
}

/* Is there river at the cell that an inner river may begin at? */
static bool is_inner_river(const generator *g, int32_t x, int32_t y)
{
    return is_inner(g, x, y) &&
           g->config->cat->oters[g->ground[y * SIZE + x]].flags & CAT_FLAG_RIVER;
}

/* The first river of the ring of cells at a chebyshev distance, by columns as in the
 * games; -1 if there is none. */
static int32_t river_on_ring(const generator *g, point at, int32_t ring)
{
    const point low = river_inner(g, (point){at.x - ring, at.y - ring});
    const point high = river_inner(g, (point){at.x + ring, at.y + ring});
    for (int32_t x = low.x; x <= high.x; x++) {
        const bool side = x == at.x - ring || x == at.x + ring;
        for (int32_t y = low.y; side && y <= high.y; y++)
            if (is_inner_river(g, x, y))
                return y * SIZE + x;
        for (int32_t y = at.y - ring; !side && y <= at.y + ring; y += 2 * ring)
            if (is_inner_river(g, x, y))
                return y * SIZE + x;
    }
    return -1;
}

/* The nearest inner river cell, and how far it is; -1 if there is none. */
static int32_t nearest_river(const generator *g, int32_t to, int32_t *distance)
{
    const point at = {to % SIZE, to / SIZE};
    int32_t found = -1;
    for (*distance = 0; *distance < SIZE; ++*distance)
        if ((found = river_on_ring(g, at, *distance)) >= 0)
            break;
    return found;
}

static void link_to_river(generator *g, rng *r, int32_t lake_cell)
{
    point to = {lake_cell % SIZE, lake_cell / SIZE};
    if (!is_inner(g, to.x, to.y))
        return; /* the lake goes on across a border, or nearly so */
    int32_t distance, river = nearest_river(g, lake_cell, &distance);
    if (river >= 0 && distance > 0)
        river_walk(g, r, (point){river % SIZE, river / SIZE}, to);
}

static void run(generator *g)
{
    const int32_t count = classify(g);
    if (count == 0)
        return;
    draw_levels(g, count);
    if (g->config->river_width == 0 || g->failed)
        return;
    rng r = step_stream(g, "lakes");
    for (int32_t i = next_lake(g, 0); i < SIZE * SIZE; i = next_lake(g, i)) {
        const int32_t south = take_component(g, i); /* its first cell is its northmost */
        link_to_river(g, &r, i);
        link_to_river(g, &r, south);
    }
}

const gen_step step_lakes = {
    .info = {"lakes", 1, true},
    .run = run,
    .scratch = sizeof(lakes_scratch),
    .needs = {&lake_field_part},
};
