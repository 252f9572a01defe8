/*
 * Roads, other connections and rivers as lines. Lines of roads and other connections go through
 * the centres of cells. Two cells are linked if each leads to the other (by a line's arm; a
 * bridge leads in all directions) and both belong to one network. All links of a line have the
 * same terrain. A line ends at cells that do not have exactly two links of that terrain. At the
 * chunk's border it ends in the middle of the cell's side, where the neighbour chunk's line
 * goes on.
 */
#include "atlas/geo.h"

static bool is_line(const geo *g, uint16_t terrain)
{
    return g->atlas->cat->terrains[terrain].flags & CAT_FLAG_LINEAR;
}

static uint16_t network_of(const geo *g, uint16_t terrain)
{
    return terrain == NO_KIND ? (uint16_t)NO_KIND : g->kinds[terrain].network;
}

static bool leads(const geo *g, uint32_t cell, uint16_t terrain, int side)
{
    return !is_line(g, terrain) || g->atlas->cat->oters[g->cells[cell]].line >> side & 1;
}

/* Returns the terrain of the link between a cell and its neighbour; NO_KIND: they are not
 * linked. If one of the two cells is a bridge, the link has the terrain of the other cell. */
static uint16_t link_of(const geo *g, uint32_t cell, uint32_t next, int side)
{
    const uint16_t a = geo_terrain(g, cell), b = geo_terrain(g, next);
    const uint16_t network = network_of(g, a);
    if (network == NO_KIND || network != network_of(g, b) || !leads(g, cell, a, side) ||
        !leads(g, next, b, (side + 2) % 4))
        return NO_KIND;
    if (is_line(g, a) != is_line(g, b))
        return is_line(g, a) ? a : b;
    return a < b ? a : b;
}

/* Does the chunk have a crossing of a connection of this network at the cell's side? */
static bool crosses(const geo *g, uint32_t cell, int side, uint16_t network)
{
    const catalogue *cat = g->atlas->cat;
    const int32_t at = (int32_t)(side % 2 ? cell / PTL_CHUNK_SIZE : cell % PTL_CHUNK_SIZE);
    ptl_crossing c = PTL_CROSSING_INIT;
    for (size_t i = 0; ptl_features_crossing(&c, g->features, (size_t)side, i) == PTL_OK; i++) {
        size_t number;
        if (c.z != g->z || c.position != at ||
            ptl_catalogue_find(&number, cat, PTL_CONTENT_CONNECTION, c.kind) != PTL_OK)
            continue;
        for (size_t t = 0; t < catalogue_all_terrains(cat); t++)
            if (cat_terrain_in(cat->connections[number].terrains, (uint16_t)t) &&
                g->kinds[t].network == network)
                return true;
    }
    return false;
}

/* Returns the terrain of the link to a neighbour in another chunk, whose terrain is not known
 * here; NO_KIND: there is no link. */
static uint16_t link_out(const geo *g, uint32_t cell, int side)
{
    const uint16_t terrain = geo_terrain(g, cell), network = network_of(g, terrain);
    if (network == NO_KIND)
        return NO_KIND;
    if (is_line(g, terrain))
        return leads(g, cell, terrain, side) ? terrain : (uint16_t)NO_KIND;
    return crosses(g, cell, side, network) ? terrain : (uint16_t)NO_KIND;
}

/* Removes a link from both of its cells, adds the place where the link ends to the line, and
 * sets *cell to the cell there. False if the link leads out of the chunk. */
static bool take_link(geo *g, uint32_t *cell, int side)
{
    uint32_t next;
    const bool inside = geo_beside(&next, *cell, side);
    g->links[*cell][side] = NO_KIND;
    if (!inside) {
        geo_add(g, geo_side(g, *cell, side));
        return false;
    }
    g->links[next][(side + 2) % 4] = NO_KIND;
    geo_add(g, geo_centre(g, next));
    *cell = next;
    return true;
}

/* Returns the side by which a cell still has a link of this terrain, of which it has at most
 * one; -1: it has none. */
static int link_left(const geo *g, uint32_t cell, uint16_t terrain)
{
    int found = -1;
    for (int side = 0; side < 4; side++)
        if (g->links[cell][side] == terrain)
            found = side;
    return found;
}

/* Follows the line from a cell until it ends. g->marks tells in which cells lines end. */
static void walk(geo *g, uint32_t cell, int side, uint16_t terrain)
{
    while (side >= 0 && take_link(g, &cell, side))
        side = g->marks[cell] ? -1 : link_left(g, cell, terrain);
}

/* Makes the line that begins in a cell with its link to one side. */
static void put_way(geo *g, uint32_t cell, int side, uint16_t terrain)
{
    const catalogue *cat = g->atlas->cat;
    geo_clear(g);
    geo_add(g, geo_centre(g, cell));
    walk(g, cell, side, terrain);
    geo_begin(g, GEO_WAY);
    geo_text(g, cat->terrains[terrain].id);
    geo_text(g, cat->terrains[terrain].name);
    geo_text(g, cat->connections[g->kinds[terrain].network].id);
    geo_colour(g, cat->terrains[terrain].first);
    geo_number(g, g->z);
    geo_end(g);
}

/* Makes all lines of a terrain. First it makes the lines that begin in a marked cell. The
 * lines that remain are rings, or begin and end at the chunk's border. */
static void put_ways(geo *g, uint16_t terrain)
{
    /* Mark the cells in which a line of the terrain ends. This must come before links are
     * removed, since a cell's number of links decides that. */
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++) {
        /* A line ends in a cell that does not have exactly two links of the line's terrain. */
        int count = 0;
        for (int side = 0; side < 4; side++)
            count += g->links[cell][side] == terrain;
        g->marks[cell] = count != 2;
    }
    for (int ends = 1; ends >= 0; ends--)
        for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
            for (int side = 0; side < 4; side++)
                if (g->links[cell][side] == terrain && g->marks[cell] >= ends)
                    put_way(g, cell, side, terrain);
}

void geo_ways(geo *g)
{
    bool found = false;
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
        for (int side = 0; side < 4; side++) {
            uint32_t next;
            g->links[cell][side] = geo_beside(&next, cell, side) ? link_of(g, cell, next, side)
                                                                 : link_out(g, cell, side);
            found = found || g->links[cell][side] != NO_KIND;
        }
    if (!found)
        return;
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
        for (int side = 0; side < 4; side++)
            if (g->links[cell][side] != NO_KIND)
                put_ways(g, g->links[cell][side]);
}

/*
 * Rivers. A water is a set of river cells of one chunk that are linked by their sides. Its ends
 * are the middles of its crossings at the chunk's border. If it has fewer than two crossings,
 * the cell farthest away is an end, too. Lines go from the first end to all others, along the
 * cheapest ways through the water. Cells near a bank are expensive, so that lines stay in the
 * middle. A line ends where it meets a line that was drawn before it.
 */

enum { BANK_COST = 48, ENDS_MAX = 64, RING = 64 };

static bool is_river(const geo *g, uint32_t cell)
{
    const uint16_t terrain = geo_terrain(g, cell);
    return terrain != NO_KIND && g->atlas->cat->terrains[terrain].flags & CAT_FLAG_RIVER;
}

static bool is_marked(const geo *g, uint32_t cell, uint32_t first)
{
    (void)first;
    return g->marks[cell] > 0;
}

/* An end of a river's line: a cell, or one of its sides. */
typedef struct river_end {
    uint32_t cell;
    int side; /* 0..3: the end is at the middle of this side of the cell (N, E, S, W); -1: it is
                 the cell's centre */
} river_end;

/* Finds the cheapest ways from a cell of a river to all river cells that are linked with it by
 * their sides, by Dijkstra's algorithm with a ring of buckets, into g->from and g->cost.
 * Returns the farthest cell. */
static uint32_t find_ways(geo *g, uint32_t start, uint32_t water)
{
    static const uint32_t costs[5] = {0, BANK_COST, 12, 4, 1};
    uint32_t heads[RING], far = start, left = 1;
    /* Cells that are still to be visited wait in buckets, one for each cost. A bucket is a
     * linked list; a cell is in at most one of them. */
    uint32_t *next_in = g->order;
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
        g->cost[cell] = GEO_NONE;
    memset(heads, 0xff, sizeof heads);
    g->cost[start] = 0;
    g->from[start] = GEO_NONE;
    heads[0] = start;
    next_in[start] = GEO_NONE;
    for (uint32_t now = 0; left > 0; now++)
        while (heads[now % RING] != GEO_NONE) {
            const uint32_t cell = heads[now % RING];
            heads[now % RING] = next_in[cell];
            left--;
            far = cell;
            for (int side = 0; side < 4; side++) {
                uint32_t next;
                if (!geo_beside(&next, cell, side) || g->label[next] != water ||
                    g->cost[next] != GEO_NONE)
                    continue;
                /* Entering a cell costs the same from all sides, so the first path that
                 * reaches it is the cheapest. */
                g->cost[next] = now + costs[g->marks[next]];
                g->from[next] = cell;
                next_in[next] = heads[g->cost[next] % RING];
                heads[g->cost[next] % RING] = next;
                left++;
            }
        }
    return far;
}

/* Makes a line from an end of a river along the cheapest way (see find_ways), up to the first
 * cell of a line that was made before. Cells of lines get the cost 0, by which they are
 * recognised. */
static void put_river(geo *g, river_end end, const river_end *root)
{
    uint32_t cell = end.cell;
    geo_clear(g);
    if (end.side >= 0)
        geo_add(g, geo_side(g, cell, end.side));
    geo_add(g, geo_centre(g, cell));
    while (g->cost[cell] != 0) {
        g->cost[cell] = 0;
        cell = g->from[cell];
        geo_add(g, geo_centre(g, cell));
    }
    if (root && root->side >= 0 && cell == root->cell)
        geo_add(g, geo_side(g, cell, root->side));
    if (g->line.count < 2)
        return;
    geo_begin(g, GEO_RIVER);
    geo_number(g, g->z);
    geo_end(g);
}

static void put_water(geo *g, uint32_t first)
{
    river_end ends[ENDS_MAX + 2];
    (void)geo_fill(g, first, is_marked);
    /* Find the cells at the chunk's borders where this water has a crossing: these are ends
     * of lines. */
    size_t count = 0;
    for (int side = 0; side < 4; side++) {
        ptl_crossing c = PTL_CROSSING_INIT;
        for (size_t i = 0; ptl_features_crossing(&c, g->features, (size_t)side, i) == PTL_OK;
             i++) {
            if (strcmp(c.kind, "river") != 0 || c.z != 0 || count == ENDS_MAX)
                continue;
            const uint32_t last = PTL_CHUNK_SIZE - 1, place = (uint32_t)c.position;
            const uint32_t cells[4] = {place, place * PTL_CHUNK_SIZE + last,
                                       last * PTL_CHUNK_SIZE + place, place * PTL_CHUNK_SIZE};
            const uint32_t cell = cells[side];
            if (g->label[cell] == first)
                ends[count++] = (river_end){cell, side};
        }
    }

    if (count == 0)
        ends[count++] = (river_end){find_ways(g, first, first), -1};
    const uint32_t far = find_ways(g, ends[0].cell, first);
    if (count == 1)
        ends[count++] = (river_end){far, -1};
    for (size_t i = 1; i < count; i++)
        put_river(g, ends[i], i == 1 ? &ends[0] : NULL);
}

void geo_rivers(geo *g)
{
    /* Set the marks. A cell of a river gets its distance, at most 4, from the nearest cell
     * that is no river; a cell that is no river gets 0. */
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
        g->marks[cell] = is_river(g, cell) ? 4 : 0;
    for (uint8_t depth = 1; depth < 4; depth++)
        for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
            for (int side = 0; side < 4 && g->marks[cell] == 4; side++) {
                uint32_t next;
                if (geo_beside(&next, cell, side) && g->marks[next] == depth - 1)
                    g->marks[cell] = depth;
            }
    memset(g->label, 0xff, sizeof g->label);
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
        if (g->marks[cell] > 0 && g->label[cell] == GEO_NONE)
            put_water(g, cell);
}
