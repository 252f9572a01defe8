/*
 * Roads and whatever else connects, as lines through the middles of their cells. Two cells are
 * linked where both lead to the other (a line's arms; a bridge leads anywhere) and one network
 * has them. A line is of one terrain, and goes from one cell where other than two of its links
 * meet to the next; at a chunk's border it ends in the middle of the side, where the
 * neighbour's goes on.
 */
#include "atlas/geojson_impl.h"

#include <string.h>

static bool is_line(const geojson *g, uint16_t terrain)
{
    return g->atlas->cat->terrains[terrain].flags & CAT_FLAG_LINEAR;
}

static uint16_t network_of(const geojson *g, uint16_t terrain)
{
    return terrain == NO_KIND ? (uint16_t)NO_KIND : g->kinds[terrain].network;
}

static bool leads(const geojson *g, uint32_t cell, uint16_t terrain, int side)
{
    return !is_line(g, terrain) || g->atlas->cat->oters[g->cells[cell]].line >> side & 1;
}

/* Of which terrain the link from a cell to the next one is; NO_KIND: there is none. */
static uint16_t link_of(const geojson *g, uint32_t cell, uint32_t next, int side)
{
    const uint16_t a = geojson_terrain(g, cell), b = geojson_terrain(g, next);
    const uint16_t network = network_of(g, a);
    if (network == NO_KIND || network != network_of(g, b) || !leads(g, cell, a, side) ||
        !leads(g, next, b, (side + 2) % 4))
        return NO_KIND;
    if (is_line(g, a) != is_line(g, b))
        return is_line(g, a) ? a : b;
    return a < b ? a : b;
}

/* Is there a crossing of the cell's network at its side of the chunk? */
static bool crosses(const geojson *g, uint32_t cell, int side, uint16_t network)
{
    const catalogue *cat = g->atlas->cat;
    const int32_t at = (int32_t)(side % 2 ? cell / PTL_CHUNK_SIZE : cell % PTL_CHUNK_SIZE);
    ptl_crossing c = PTL_CROSSING_INIT;
    for (size_t i = 0; ptl_features_crossing(g->features, (size_t)side, i, &c) == PTL_OK; i++) {
        size_t number;
        if (c.z != g->z || c.position != at ||
            ptl_catalogue_find(cat, PTL_CONTENT_CONNECTION, c.kind, &number) != PTL_OK)
            continue;
        for (size_t t = 0; t < catalogue_all_terrains(cat); t++)
            if (cat_terrain_in(cat->connections[number].terrains, (uint16_t)t) &&
                g->kinds[t].network == network)
                return true;
    }
    return false;
}

static uint16_t link_out(const geojson *g, uint32_t cell, int side)
{
    const uint16_t terrain = geojson_terrain(g, cell), network = network_of(g, terrain);
    if (network == NO_KIND)
        return NO_KIND;
    if (is_line(g, terrain))
        return leads(g, cell, terrain, side) ? terrain : (uint16_t)NO_KIND;
    return crosses(g, cell, side, network) ? terrain : (uint16_t)NO_KIND;
}

static bool find_links(geojson *g)
{
    bool found = false;
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
        for (int side = 0; side < 4; side++) {
            uint32_t next;
            g->links[cell][side] = geojson_beside(&next, cell, side)
                                       ? link_of(g, cell, next, side)
                                       : link_out(g, cell, side);
            found = found || g->links[cell][side] != NO_KIND;
        }
    return found;
}

/* Takes the link away on both sides; false: it leaves the chunk. */
static bool take_link(geojson *g, uint32_t *cell, int side)
{
    uint32_t next;
    const bool inside = geojson_beside(&next, *cell, side);
    g->links[*cell][side] = NO_KIND;
    if (!inside) {
        geojson_add(g, geojson_side(g, *cell, side));
        return false;
    }
    g->links[next][(side + 2) % 4] = NO_KIND;
    geojson_add(g, geojson_centre(g, next));
    *cell = next;
    return true;
}

/* The only link of the terrain that is left at a cell whose other one was taken; -1: none. */
static int link_left(const geojson *g, uint32_t cell, uint16_t terrain)
{
    int found = -1;
    for (int side = 0; side < 4; side++)
        if (g->links[cell][side] == terrain)
            found = side;
    return found;
}

/* Walks from a cell as far as the line goes. ends: which cells end lines, as bits of marks. */
static void walk(geojson *g, uint32_t cell, int side, uint16_t terrain)
{
    while (side >= 0 && take_link(g, &cell, side))
        side = g->marks[cell] ? -1 : link_left(g, cell, terrain);
}

/* Lines that begin at an end; and then, of what is left, rings and those that begin at a
 * border. */
static void put_ways(geojson *g, uint16_t terrain)
{
    /* Marks the cells where lines of the terrain end, before links are taken. */
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++) {
        /* Does a line of the terrain end in the cell? */
        int count = 0;
        for (int side = 0; side < 4; side++)
            count += g->links[cell][side] == terrain;
        g->marks[cell] = count != 2;
    }
    for (int ends = 1; ends >= 0; ends--)
        for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
            for (int side = 0; side < 4; side++)
                if (g->links[cell][side] == terrain && g->marks[cell] >= ends) {
                    const catalogue *cat = g->atlas->cat;
                    geojson_clear(g);
                    geojson_begin(g, "way");
                    emit_put(&g->j, "terrain:%s, name:%s, connection:%s, z:%d",
                             cat->terrains[terrain].id, cat->terrains[terrain].name,
                             cat->connections[g->kinds[terrain].network].id, g->z);
                    geojson_add(g, geojson_centre(g, cell));
                    walk(g, cell, side, terrain);
                    geojson_end_line(g);
                }
}

void geojson_ways(geojson *g)
{
    if (!find_links(g))
        return;
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
        for (int side = 0; side < 4; side++)
            if (g->links[cell][side] != NO_KIND)
                put_ways(g, g->links[cell][side]);
}
