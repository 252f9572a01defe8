/*
 * The map as a GeoJSON FeatureCollection (RFC 7946, except that coordinates are no degrees).
 * They are absolute OMTs: x to the east, and minus y, so that north is up in any program.
 * Chunks come ordered by y and x, each with its cities, its specials, and then level by level
 * regions, ways and rivers.
 */
#include "atlas/atlas_impl.h"
#include "core/array.h"
#include "core/emit.h"
#include "core/error.h"
#include "render/legend.h"
#include "world/world.h"

#include <stdlib.h>

enum { NO_KIND = 0xffff };
/* No cell, no label, no cost. */
static const uint32_t NONE = UINT32_MAX;

/* An absolute place times two, so that it is whole: centres of cells are odd, corners even. y
 * grows to the south. */
typedef struct twice {
    int64_t x, y;
} twice;

/* A way, a river or a ring while it is made. */
typedef struct drawn_line {
    twice *points; /* owned */
    size_t count, room;
} drawn_line;

/* What regions and ways need to know about a terrain. */
typedef struct terrain_kind {
    uint16_t region;  /* the terrain that stands for its region */
    uint16_t network; /* the first connection of its network; NO_KIND: it is no way */
} terrain_kind;

/* The state of the GeoJSON writer: the file, the present chunk and level, and the present
 * line. */
typedef struct geojson {
    atlas *atlas;
    emitter j;
    terrain_kind *kinds; /* owned; by terrain */
    uint8_t *groups;     /* owned; by terrain, values of enum terrain_group */
    ptl_chunk_pos pos;   /* the present chunk */
    int32_t z;           /* the present level */
    ptl_oter cells[PTL_LEVEL_CELLS];
    const ptl_features *features; /* borrowed; of the present chunk */
    drawn_line line;              /* the line that is being made */
    /* Scratch space for regions, ways and rivers. */
    uint16_t links[PTL_LEVEL_CELLS][4]; /* terrain of the link to N, E, S, W; NO_KIND: none */
    uint32_t label[PTL_LEVEL_CELLS];
    uint32_t order[PTL_LEVEL_CELLS];
    uint32_t from[PTL_LEVEL_CELLS];
    uint32_t cost[PTL_LEVEL_CELLS];
    uint8_t marks[PTL_LEVEL_CELLS];
} geojson;

static const int32_t step_x[4] = {0, 1, 0, -1}, step_y[4] = {-1, 0, 1, 0};

/* Returns the terrain of a cell of the present level; NO_KIND if it has none. */
static uint16_t terrain_at(const geojson *g, uint32_t cell)
{
    const catalogue *cat = g->atlas->cat;
    const ptl_oter oter = g->cells[cell];
    return oter < catalogue_all_oters(cat) ? cat->oters[oter].terrain : (uint16_t)NO_KIND;
}

/* Gives the neighbour of a cell. False: that lies in another chunk. */
static bool beside(uint32_t *out, uint32_t cell, int side)
{
    const int32_t x = (int32_t)(cell % PTL_CHUNK_SIZE) + step_x[side];
    const int32_t y = (int32_t)(cell / PTL_CHUNK_SIZE) + step_y[side];
    *out = (uint32_t)(y * PTL_CHUNK_SIZE + x);
    return x >= 0 && y >= 0 && x < PTL_CHUNK_SIZE && y < PTL_CHUNK_SIZE;
}

/* ---- numbers and geometries ---- */

/* Puts half of a number exactly, as "3" or "3.5". */
static void put_half(bytes *out, int64_t doubled)
{
    const uint64_t size = doubled < 0 ? 0 - (uint64_t)doubled : (uint64_t)doubled;
    bytes_printf(out, "%s%llu%s", doubled < 0 ? "-" : "", (unsigned long long)(size / 2),
                 size % 2 ? ".5" : "");
}

static void put_place(bytes *out, twice at)
{
    bytes_put_u8(out, '[');
    put_half(out, at.x);
    bytes_put_u8(out, ',');
    put_half(out, -at.y);
    bytes_put_u8(out, ']');
}

static void put_line(geojson *g)
{
    bytes *out = g->j.out;
    for (size_t i = 0; i < g->line.count; i++) {
        bytes_put_u8(out, i == 0 ? '[' : ',');
        put_place(out, g->line.points[i]);
    }
    bytes_put_u8(out, ']');
}

/* Gives a cell, and all cells that are linked with it by sides, the cell's number as label, and
 * lists them in g->order. Only cells without a label that belong with the first one are taken.
 * Returns how many there are. */
static uint32_t fill(geojson *g, uint32_t first,
                     bool (*belongs)(const geojson *g, uint32_t cell, uint32_t first))
{
    uint32_t count = 1;
    g->order[0] = first;
    g->label[first] = first;
    for (uint32_t i = 0; i < count; i++)
        for (int side = 0; side < 4; side++) {
            uint32_t next;
            if (!beside(&next, g->order[i], side) || g->label[next] != NONE ||
                !belongs(g, next, first))
                continue;
            g->label[next] = first;
            g->order[count++] = next;
        }
    return count;
}

/* Begins a feature of a layer. Its properties can be put next. */
static void begin_feature(geojson *g, const char *layer)
{
    g->j.after = g->atlas->report.features++ > 0;
    if (g->j.after)
        bytes_put_text(g->j.out, ",\n");
    g->j.after = false;
    emit_put(&g->j, "{type:%s, properties:{layer:%s", "Feature", layer);
}

static void begin_geometry(geojson *g, const char *type)
{
    emit_put(&g->j, "}");
    bytes_put_text(g->j.out, ",\"geometry\":{\"type\":\"");
    bytes_put_text(g->j.out, type);
    bytes_put_text(g->j.out, "\",\"coordinates\":");
}

/* These two end the properties and the feature, with a point or with the present line. */
static void end_point(geojson *g, twice at)
{
    begin_geometry(g, "Point");
    put_place(g->j.out, at);
    bytes_put_text(g->j.out, "}}");
}

static void end_line(geojson *g)
{
    begin_geometry(g, "LineString");
    put_line(g);
    bytes_put_text(g->j.out, "}}");
}

static void put_ring(geojson *g)
{
    if (g->j.after)
        bytes_put_u8(g->j.out, ',');
    g->j.after = true;
    put_line(g);
}

/* ---- the line that is being made ---- */

/* Begins a new line. */
static void clear_line(geojson *g)
{
    g->line.count = 0;
}

/* Is b on a straight line from a to c? Lines run along the axes only. */
static bool is_between(twice a, twice b, twice c)
{
    return (a.x == b.x && b.x == c.x) || (a.y == b.y && b.y == c.y);
}

/* Adds a point to the line. The previous one is dropped if it lies on a straight piece. */
static void add_point(geojson *g, twice at)
{
    drawn_line *l = &g->line;
    if (l->count >= 2 && is_between(l->points[l->count - 2], l->points[l->count - 1], at))
        l->count--;
    if (!ARRAY_ROOM(l->points, l->room, l->count + 1)) {
        g->atlas->failed = true;
        return;
    }
    l->points[l->count++] = at;
}

/* The centre of a cell of the present chunk, and the middle of one of its sides. */
static twice centre_of(const geojson *g, uint32_t cell)
{
    const int64_t x = (int64_t)g->pos.x * PTL_CHUNK_SIZE + cell % PTL_CHUNK_SIZE;
    const int64_t y = (int64_t)g->pos.y * PTL_CHUNK_SIZE + cell / PTL_CHUNK_SIZE;
    return (twice){2 * x + 1, 2 * y + 1};
}

static twice middle_of_side(const geojson *g, uint32_t cell, int side)
{
    const twice at = centre_of(g, cell);
    return (twice){at.x + step_x[side], at.y + step_y[side]};
}

/* ---- kinds of terrains ---- */

/* Returns the terrain that stands for the region of this one. All terrains of rivers are one
 * region, as are those of lakes and of oceans; any other terrain is a region of its own. */
static uint16_t region_of(const catalogue *cat, const uint8_t *groups, uint16_t terrain)
{
    static const uint32_t waters[] = {CAT_FLAG_RIVER, CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE,
                                      CAT_FLAGS_OCEAN};
    for (size_t w = 0; w < 3 && groups[terrain] == GROUP_WATER; w++)
        for (uint16_t t = 0; cat->terrains[terrain].flags & waters[w] && t <= terrain; t++)
            if (groups[t] == GROUP_WATER && cat->terrains[t].flags & waters[w])
                return t;
    return terrain;
}

/*
 * Finds the networks of connections. Connections that share a terrain are in the same network.
 */
static void set_networks(terrain_kind *kinds, const catalogue *cat)
{
    const size_t count = catalogue_all_terrains(cat);
    for (size_t c = 0; c < cat->connection_count; c++) {
        uint16_t network = (uint16_t)c;
        for (uint16_t t = 0; t < count; t++)
            if (cat_terrain_in(cat->connections[c].terrains, t) && kinds[t].network < network)
                network = kinds[t].network;
        for (uint16_t t = 0; t < count; t++)
            if (cat_terrain_in(cat->connections[c].terrains, t)) {
                const uint16_t other = kinds[t].network;
                kinds[t].network = network;
                for (uint16_t u = 0; other != NO_KIND && u < count; u++)
                    if (kinds[u].network == other)
                        kinds[u].network = network;
            }
    }
}

/*
 * Regions as polygons. An area is a set of cells of one region, linked by their sides, within
 * one chunk. Its first ring is the outer one, counterclockwise if north is up (RFC 7946,
 * 3.1.6); the other rings are holes. Where two of its cells touch only at a corner, rings
 * touch there but do not cross: a ring is walked with the area to its left, and turns right
 * wherever it can.
 */

static uint16_t region_at(const geojson *g, uint32_t cell)
{
    const uint16_t terrain = terrain_at(g, cell);
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
    clear_line(g);
    do {
        add_point(g, (twice){2 * (west + x), 2 * (north + y)});
        if (way == 3)
            g->marks[y * PTL_CHUNK_SIZE + x - 1] = 1;
        x += step_x[way];
        y += step_y[way];
        way = next_way(g, x, y, way, area);
    } while (x != x0 || y != y0 || way != 3);
    add_point(g, (twice){2 * (west + x), 2 * (north + y)});
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
    const uint32_t count = fill(g, first, is_of_region);
    const uint16_t region = region_at(g, first);
    begin_feature(g, "region");
    emit_put(&g->j, "ground:%s, omts:%u, z:%d", ground_name(g, region), count, g->z);
    /* The geometry is a polygon: put_ring puts the present line as one of its rings. */
    begin_geometry(g, "Polygon");
    bytes_put_u8(g->j.out, '[');
    g->j.after = false;
    walk_ring(g, first); /* cells are scanned from the north, so this is the outer ring */
    put_ring(g);
    for (uint32_t i = 1; i < count; i++)
        if (has_border(g, g->order[i]) && !g->marks[g->order[i]]) {
            walk_ring(g, g->order[i]);
            put_ring(g);
        }
    bytes_put_text(g->j.out, "]}}");
}

/* ---- ways ---- */

/*
 * Roads, other connections and rivers as lines. Lines of ways go through the centres of cells.
 * Two cells are linked if both lead to each other (by a line's arm; a bridge leads in all
 * directions) and belong to one network. A line has one terrain. It runs between cells that do
 * not have exactly two of its links. At the chunk's border it ends in the middle of the cell's
 * side, where the neighbour chunk's line goes on.
 */

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

/* Returns the terrain of the link between a cell and its neighbour; NO_KIND: they are not
 * linked. If one of them is a bridge, the link has the terrain of the other. */
static uint16_t link_of(const geojson *g, uint32_t cell, uint32_t next, int side)
{
    const uint16_t a = terrain_at(g, cell), b = terrain_at(g, next);
    const uint16_t network = network_of(g, a);
    if (network == NO_KIND || network != network_of(g, b) || !leads(g, cell, a, side) ||
        !leads(g, next, b, (side + 2) % 4))
        return NO_KIND;
    if (is_line(g, a) != is_line(g, b))
        return is_line(g, a) ? a : b;
    return a < b ? a : b;
}

/* Does the chunk have a crossing of this network at the cell's side? */
static bool crosses(const geojson *g, uint32_t cell, int side, uint16_t network)
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

/* As link_of, for a neighbour in another chunk, whose terrain is not known here. */
static uint16_t link_out(const geojson *g, uint32_t cell, int side)
{
    const uint16_t terrain = terrain_at(g, cell), network = network_of(g, terrain);
    if (network == NO_KIND)
        return NO_KIND;
    if (is_line(g, terrain))
        return leads(g, cell, terrain, side) ? terrain : (uint16_t)NO_KIND;
    return crosses(g, cell, side, network) ? terrain : (uint16_t)NO_KIND;
}

/* Removes a link from both of its cells, and moves *cell along it. False: it leads out of the
 * chunk. */
static bool take_link(geojson *g, uint32_t *cell, int side)
{
    uint32_t next;
    const bool inside = beside(&next, *cell, side);
    g->links[*cell][side] = NO_KIND;
    if (!inside) {
        add_point(g, middle_of_side(g, *cell, side));
        return false;
    }
    g->links[next][(side + 2) % 4] = NO_KIND;
    add_point(g, centre_of(g, next));
    *cell = next;
    return true;
}

/* Returns the side of the terrain's remaining link at a cell that has at most one; -1: none
 * remains. */
static int link_left(const geojson *g, uint32_t cell, uint16_t terrain)
{
    int found = -1;
    for (int side = 0; side < 4; side++)
        if (g->links[cell][side] == terrain)
            found = side;
    return found;
}

/* Follows the line from a cell until it ends. g->marks says in which cells lines end. */
static void walk(geojson *g, uint32_t cell, int side, uint16_t terrain)
{
    while (side >= 0 && take_link(g, &cell, side))
        side = g->marks[cell] ? -1 : link_left(g, cell, terrain);
}

/* Puts all lines of a terrain. First those that begin in an end are taken. What remains are
 * rings, and lines that begin and end at the chunk's border. */
static void put_ways(geojson *g, uint16_t terrain)
{
    /* Marks the cells in which lines of the terrain end. This must come before links are
     * removed. */
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++) {
        /* A line ends where it does not have exactly two links. */
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
                    clear_line(g);
                    begin_feature(g, "way");
                    emit_put(&g->j, "terrain:%s, name:%s, connection:%s, z:%d",
                             cat->terrains[terrain].id, cat->terrains[terrain].name,
                             cat->connections[g->kinds[terrain].network].id, g->z);
                    add_point(g, centre_of(g, cell));
                    walk(g, cell, side, terrain);
                    end_line(g);
                }
}

static void put_all_ways(geojson *g)
{
    bool found = false;
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
        for (int side = 0; side < 4; side++) {
            uint32_t next;
            g->links[cell][side] = beside(&next, cell, side) ? link_of(g, cell, next, side)
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

/* ---- rivers ---- */

/*
 * Rivers. Within a chunk, each connected water of a river has ends: the middles of its
 * crossings at the border. If it has fewer than two, the cell farthest away is an end, too.
 * From the first end the cheapest ways through the water lead to the other ends. Cells near a
 * bank are expensive, so that lines stay in the middle. A line ends where it meets an earlier
 * one.
 */

enum { BANK_COST = 48, ENDS_MAX = 64, RING = 64 };

static bool is_river(const geojson *g, uint32_t cell)
{
    const uint16_t terrain = terrain_at(g, cell);
    return terrain != NO_KIND && g->atlas->cat->terrains[terrain].flags & CAT_FLAG_RIVER;
}

static bool is_marked(const geojson *g, uint32_t cell, uint32_t first)
{
    (void)first;
    return g->marks[cell] > 0;
}

/* An end of a river's line: a cell, or one of its sides. */
typedef struct river_end {
    uint32_t cell;
    int side; /* -1: the cell's centre */
} river_end;

/* Finds the cheapest ways from a cell to all cells of its water, by Dijkstra's algorithm with
 * a ring of buckets. Returns the farthest cell. */
static uint32_t find_ways(geojson *g, uint32_t start, uint32_t water)
{
    static const uint32_t costs[5] = {0, BANK_COST, 12, 4, 1};
    uint32_t heads[RING], far = start, left = 1;
    /* The lists of the buckets, linked; each cell is in at most one. */
    uint32_t *next_in = g->order;
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
        g->cost[cell] = NONE;
    memset(heads, 0xff, sizeof heads);
    g->cost[start] = 0;
    g->from[start] = NONE;
    heads[0] = start;
    next_in[start] = NONE;
    for (uint32_t now = 0; left > 0; now++)
        while (heads[now % RING] != NONE) {
            const uint32_t cell = heads[now % RING];
            heads[now % RING] = next_in[cell];
            left--;
            far = cell;
            for (int side = 0; side < 4; side++) {
                uint32_t next;
                if (!beside(&next, cell, side) || g->label[next] != water ||
                    g->cost[next] != NONE)
                    continue;
                /* The cost of entering a cell does not depend on where one comes from, so the
                 * first way that is found is the cheapest. */
                g->cost[next] = now + costs[g->marks[next]];
                g->from[next] = cell;
                next_in[next] = heads[g->cost[next] % RING];
                heads[g->cost[next] % RING] = next;
                left++;
            }
        }
    return far;
}

/* Puts a line from an end along the ways, up to the first cell of an earlier line. Cells of
 * lines get the cost 0, by which they are recognized. */
static void put_river(geojson *g, river_end end, const river_end *root)
{
    uint32_t cell = end.cell;
    clear_line(g);
    if (end.side >= 0)
        add_point(g, middle_of_side(g, cell, end.side));
    add_point(g, centre_of(g, cell));
    while (g->cost[cell] != 0) {
        g->cost[cell] = 0;
        cell = g->from[cell];
        add_point(g, centre_of(g, cell));
    }
    if (root && root->side >= 0 && cell == root->cell)
        add_point(g, middle_of_side(g, cell, root->side));
    if (g->line.count < 2)
        return;
    begin_feature(g, "river");
    emit_key_int(&g->j, "z", g->z);
    end_line(g);
}

static void put_water(geojson *g, uint32_t first)
{
    river_end ends[ENDS_MAX + 2];
    (void)fill(g, first, is_marked);
    /* Finds the ends of this water at the chunk's borders. */
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

static void put_rivers(geojson *g)
{
    /* Sets marks to the distance from a river's cell to the nearest cell that is no river, up
     * to 4; 0: the cell itself is none. */
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
        g->marks[cell] = is_river(g, cell) ? 4 : 0;
    for (uint8_t depth = 1; depth < 4; depth++)
        for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
            for (int side = 0; side < 4 && g->marks[cell] == 4; side++) {
                uint32_t next;
                if (beside(&next, cell, side) && g->marks[next] == depth - 1)
                    g->marks[cell] = depth;
            }
    memset(g->label, 0xff, sizeof g->label);
    for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
        if (g->marks[cell] > 0 && g->label[cell] == NONE)
            put_water(g, cell);
}

/* ---- the file ---- */

/* Returns the centre of an OMT of the present chunk. */
static twice place_in(const geojson *g, int32_t x, int32_t y)
{
    return (twice){2 * ((int64_t)g->pos.x * PTL_CHUNK_SIZE + x) + 1,
                   2 * ((int64_t)g->pos.y * PTL_CHUNK_SIZE + y) + 1};
}

/* Regions and rivers are put for the ground only; ways exist on other levels, too. */
static void put_levels(geojson *g, const ptl_chunk *chunk)
{
    const ptl_atlas_options *o = g->atlas->options;
    const int32_t first = o->has_levels ? o->z_first : PTL_Z_MAX;
    const int32_t last = o->has_levels ? o->z_last : PTL_Z_MIN;
    for (g->z = first;; g->z += first <= last ? 1 : -1) {
        ptl_chunk_level(g->cells, chunk, g->z);
        if (g->z == 0) {
            /* Puts the regions of the ground, each from the first of its cells. */
            memset(g->label, 0xff, sizeof g->label);
            memset(g->marks, 0, sizeof g->marks);
            for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++) {
                const uint16_t region = region_at(g, cell);
                if (region != NO_KIND && g->label[cell] == NONE &&
                    g->groups[region] <= GROUP_WATER)
                    put_area(g, cell);
            }
        }
        put_all_ways(g);
        if (g->z == 0)
            put_rivers(g);
        if (g->z == last)
            return;
    }
}

static ptl_status put_chunk(geojson *g, ptl_error *err)
{
    ptl_features *features = NULL;
    ptl_chunk *chunk = NULL;
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    ptl_status status = ptl_features_load(&features, g->atlas->world, g->pos, err);
    THEN(status, ptl_chunk_load(&chunk, g->atlas->world, g->pos, err));
    if (status == PTL_OK) {
        g->features = features;
        (void)ptl_features_describe(&info, features);
        for (size_t i = 0; i < info.cities; i++) {
            ptl_city c = PTL_CITY_INIT;
            (void)ptl_features_city(&c, g->features, i);
            begin_feature(g, "city");
            emit_put(&g->j, "name:%s, radius:%d, buildings:%d, z:%d", c.name, c.radius,
                     c.buildings, 0);
            end_point(g, place_in(g, c.x, c.y));
        }
        static const char *const rotations[] = {"north", "east", "south", "west"};
        for (size_t i = 0; i < info.specials; i++) {
            ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
            (void)ptl_features_special(&s, g->features, i);
            begin_feature(g, "special");
            emit_put(&g->j, "special:%s, rotation:%s, omts:%d, z:%d", s.id,
                     rotations[s.rotation & 3], s.omts, s.z);
            end_point(g, place_in(g, s.x, s.y));
        }
        put_levels(g, chunk);
        if (g->atlas->failed)
            status = error_nomem(err);
    }
    ptl_chunk_free(chunk);
    ptl_features_free(features);
    return status;
}

static ptl_status put_all(geojson *g, ptl_error *err)
{
    atlas *a = g->atlas;
    ptl_status status = PTL_OK;
    const catalogue *cat = g->atlas->cat;
    const size_t count = catalogue_all_terrains(cat);
    g->kinds = calloc(count + 1, sizeof *g->kinds);
    g->groups = terrain_groups_new(cat);
    if (!g->kinds || !g->groups) {
        status = error_nomem(err);
    } else {
        for (uint16_t t = 0; t < count; t++)
            g->kinds[t] = (terrain_kind){region_of(cat, g->groups, t), NO_KIND};
        set_networks(g->kinds, cat);
    }
    a->progress.total = a->chunk_count;
    ptl_world_options made = PTL_WORLD_OPTIONS_INIT;
    (void)ptl_world_settings(&made, g->atlas->world, NULL);
    emit_put(&g->j,
             "{type:%s, portolan:{world:%s, seed:%ju, region:%s, coordinates:%s}, features:",
             "FeatureCollection", ptl_world_name(g->atlas->world), made.seed, made.region,
             "absolute OMTs: x to the east, and minus y, so that north is up");
    bytes_put_text(g->j.out, "[\n");
    for (size_t i = 0; i < a->chunk_count && status == PTL_OK; i++) {
        g->pos = a->chunks[i];
        status = put_chunk(g, err);
        THEN(status, atlas_drain(a, err));
        THEN(status, atlas_advance(a, err));
    }
    bytes_put_text(g->j.out, "\n]}\n");
    return status;
}

ptl_status atlas_geojson(atlas *a, ptl_error *err)
{
    geojson *g = calloc(1, sizeof *g);
    if (!g)
        return error_nomem(err);
    g->atlas = a;
    g->j = (emitter){&a->out, false};
    const ptl_status status = put_all(g, err);
    free(g->kinds);
    free(g->groups);
    free(g->line.points);
    free(g);
    return status;
}
