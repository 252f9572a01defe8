/*
 * Regions as polygons. An area is a set of cells of one region, linked by their sides, within
 * one chunk. Its first ring is the outer one, counterclockwise if north is up (RFC 7946,
 * 3.1.6); the other rings are holes. Where two of its cells touch only at a corner, rings
 * touch there but do not cross: a ring is walked with the area to its left, and turns right
 * wherever it can.
 */
#include "atlas/geojson_impl.h"
#include "render/legend.h"

#include <string.h>

static uint16_t region_at(const geojson *g, uint32_t cell)
{
    const uint16_t terrain = geojson_terrain(g, cell);
    return terrain == NO_KIND ? terrain : g->kinds[terrain].region;
}

static bool is_of_region(const geojson *g, uint32_t cell, uint32_t first)
{
    return region_at(g, cell) == region_at(g, first);
}

/* Does the cell (x, y) belong to the area? */
static bool is_in(const geojson *g, int32_t x, int32_t y, uint32_t area)
{
    return x >= 0 && y >= 0 && x < PTL_CHUNK_SIZE && y < PTL_CHUNK_SIZE &&
           g->label[y * PTL_CHUNK_SIZE + x] == area;
}

/* Is the cell's northern side a border of its area? */
static bool has_border(const geojson *g, uint32_t cell)
{
    const int32_t x = (int32_t)(cell % PTL_CHUNK_SIZE), y = (int32_t)(cell / PTL_CHUNK_SIZE);
    return !is_in(g, x, y - 1, g->label[cell]);
}

/* Returns in which direction (N, E, S, W) a ring goes on from the corner (x, y) that it
 * reached in direction `way`. */
static int next_way(const geojson *g, int32_t x, int32_t y, int way, uint32_t area)
{
    static const int32_t left_x[4] = {-1, 0, 0, -1}, left_y[4] = {-1, -1, 0, 0};
    /* For each direction, the cell to the left of the step in it. */
    const int right = (way + 1) % 4;
    if (is_in(g, x + left_x[right], y + left_y[right], area))
        return right;
    return is_in(g, x + left_x[way], y + left_y[way], area) ? way : (way + 3) % 4;
}

/* Walks the ring that contains the northern side of a cell, beginning to the west. Sides to
 * the north that it passes are marked, so that no ring is walked twice. */
static void walk_ring(geojson *g, uint32_t cell)
{
    const int64_t west = (int64_t)g->pos.x * PTL_CHUNK_SIZE;
    const int64_t north = (int64_t)g->pos.y * PTL_CHUNK_SIZE;
    const uint32_t area = g->label[cell];
    const int32_t x0 = (int32_t)(cell % PTL_CHUNK_SIZE) + 1;
    const int32_t y0 = (int32_t)(cell / PTL_CHUNK_SIZE);
    int32_t x = x0, y = y0;
    int way = 3;
    geojson_clear(g);
    do {
        geojson_add(g, (twice){2 * (west + x), 2 * (north + y)});
        if (way == 3)
            g->marks[y * PTL_CHUNK_SIZE + x - 1] = 1;
        x += step_x[way];
        y += step_y[way];
        way = next_way(g, x, y, way, area);
    } while (x != x0 || y != y0 || way != 3);
    geojson_add(g, (twice){2 * (west + x), 2 * (north + y)});
}

static const char *ground_name(const geojson *g, uint16_t region)
{
    const cat_terrain *t = &g->atlas->cat->terrains[region];
    if (g->groups[region] != GROUP_WATER)
        return t->id;
    return t->flags & CAT_FLAG_RIVER ? "river" : t->flags & CAT_FLAGS_OCEAN ? "ocean" : "lake";
}

static void put_area(geojson *g, uint32_t first)
{
    const uint32_t count = geojson_fill(g, first, is_of_region);
    const uint16_t region = region_at(g, first);
    geojson_begin(g, "region");
    emit_put(&g->j, "ground:%s, omts:%u, z:%d", ground_name(g, region), count, g->z);
    geojson_begin_polygon(g);
    walk_ring(g, first); /* cells are scanned from the north, so this is the outer ring */
    geojson_ring(g);
    for (uint32_t i = 1; i < count; i++)
        if (has_border(g, g->order[i]) && !g->marks[g->order[i]]) {
            walk_ring(g, g->order[i]);
            geojson_ring(g);
        }
    geojson_end_polygon(g);
}

void geojson_regions(geojson *g)
{
    memset(g->label, 0xff, sizeof g->label);
    memset(g->marks, 0, sizeof g->marks);
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++) {
        const uint16_t region = region_at(g, cell);
        if (region != NO_KIND && g->label[cell] == GEOJSON_NONE &&
            g->groups[region] <= GROUP_WATER)
            put_area(g, cell);
    }
}
