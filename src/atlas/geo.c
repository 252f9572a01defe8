/*
 * Finds the features of a map (geo.h), chunk by chunk: first the chunk's border, then its
 * cities, buildings and specials, then level by level its ground, its ways (roads and other
 * connections) and its rivers.
 *
 * An area of ground is a set of cells of one region (kind of terrain), linked by their sides,
 * within one chunk. The first ring of its polygon is the outer one, counterclockwise if north
 * is up (RFC 7946, 3.1.6); the other rings are holes. Where two of its cells touch only at a
 * corner, rings touch there but do not cross: a ring is walked with the area to its left, and
 * turns right wherever it can.
 */
#include "atlas/geo.h"
#include "core/array.h"
#include "core/error.h"
#include "render/legend.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>

#define COLUMN_X      "column of the OMT, absolute, counted to the east"
#define COLUMN_Y      "row of the OMT, absolute, counted to the south"
#define COLUMN_Z      "level, 0 is the ground"
#define COLUMN_TURN   "the side to which its north is turned"
#define COLUMN_COLOUR "colour on pictures, #rrggbb"

const geo_layer_info geo_layers[GEO_LAYERS] = {
    [GEO_BORDER] = {"border",
                    "borders",
                    "outlines of the overmaps, of 180 x 180 OMTs",
                    GEO_POLYGON,
                    {{"overmap_x", false, "column of the overmap, counted to the east"},
                     {"overmap_y", false, "row of the overmap, counted to the south"},
                     {"origin", true, "generated, or imported from a game's save"},
                     {"generator", false, "version of the generator that made it"}}},
    [GEO_GROUND] = {"region",
                    "ground",
                    "areas of one terrain on the ground, or of river, lake or ocean",
                    GEO_POLYGON,
                    {{"ground", true, "id of the terrain; or river, lake, ocean"},
                     {"color", true, COLUMN_COLOUR},
                     {"omts", false, "number of OMTs"},
                     {"z", false, COLUMN_Z}}},
    [GEO_RIVER] = {"river",
                   "rivers",
                   "rivers from border to border, along their deepest water",
                   GEO_LINE,
                   {{"z", false, COLUMN_Z}}},
    [GEO_WAY] = {"way",
                 "ways",
                 "roads, trails, rails, sewers and all other connections",
                 GEO_LINE,
                 {{"terrain", true, "id of the terrain"},
                  {"name", true, "name of the terrain"},
                  {"connection", true, "id of the first connection that has the terrain"},
                  {"color", true, COLUMN_COLOUR},
                  {"z", false, COLUMN_Z}}},
    [GEO_BUILDING] = {"building",
                      "buildings",
                      "buildings of cities, at their origins",
                      GEO_POINT,
                      {{"building", true, "id of the building"},
                       {"rotation", true, COLUMN_TURN},
                       {"x", false, COLUMN_X},
                       {"y", false, COLUMN_Y},
                       {"z", false, COLUMN_Z}}},
    [GEO_SPECIAL] = {"special",
                     "specials",
                     "specials, at their origins",
                     GEO_POINT,
                     {{"special", true, "id of the special"},
                      {"rotation", true, COLUMN_TURN},
                      {"omts", false, "number of OMTs"},
                      {"x", false, COLUMN_X},
                      {"y", false, COLUMN_Y},
                      {"z", false, COLUMN_Z}}},
    [GEO_CITY] = {"city",
                  "cities",
                  "cities, at their middles",
                  GEO_POINT,
                  {{"name", true, "name of the city"},
                   {"radius", false, "radius in OMTs"},
                   {"buildings", false, "number of buildings"},
                   {"x", false, COLUMN_X},
                   {"y", false, COLUMN_Y},
                   {"z", false, COLUMN_Z}}},
};

/* ---- features ---- */

void geo_begin(geo *g, geo_layer layer)
{
    g->layer = layer;
    g->value_count = 0;
}

void geo_text(geo *g, const char *value)
{
    g->values[g->value_count++] = (geo_value){.text = value};
}

void geo_number(geo *g, int64_t value)
{
    g->values[g->value_count++] = (geo_value){.number = value};
}

void geo_colour(geo *g, ptl_oter oter)
{
    const rgb c = palette_of_style(look_of(g->looks, g->atlas->cat, oter)->colours.area,
                                   g->atlas->options->style);
    snprintf(g->colour, sizeof g->colour, "#%02x%02x%02x", c.r, c.g, c.b);
    geo_text(g, g->colour);
}

void geo_end(geo *g)
{
    if (g->status != PTL_OK || g->atlas->failed)
        return;
    g->atlas->report.features++;
    g->status = g->put(g, g->err);
}

uint32_t geo_fill(geo *g, uint32_t first,
                  bool (*belongs)(const geo *g, uint32_t cell, uint32_t first))
{
    uint32_t count = 1;
    g->order[0] = first;
    g->label[first] = first;
    for (uint32_t i = 0; i < count; i++)
        for (int side = 0; side < 4; side++) {
            uint32_t next;
            if (!geo_beside(&next, g->order[i], side) || g->label[next] != GEO_NONE ||
                !belongs(g, next, first))
                continue;
            g->label[next] = first;
            g->order[count++] = next;
        }
    return count;
}

/* ---- the line that is being made ---- */

/* Is b on a straight line from a to c? Lines run along the axes only. */
static bool is_between(twice a, twice b, twice c)
{
    return (a.x == b.x && b.x == c.x) || (a.y == b.y && b.y == c.y);
}

void geo_clear(geo *g)
{
    g->line.count = g->line.start = g->line.ring_count = 0;
}

void geo_add(geo *g, twice at)
{
    drawn_line *l = &g->line;
    if (l->count - l->start >= 2 &&
        is_between(l->points[l->count - 2], l->points[l->count - 1], at))
        l->count--;
    if (!ARRAY_ROOM(l->points, l->room, l->count + 1)) {
        g->atlas->failed = true;
        return;
    }
    l->points[l->count++] = at;
}

void geo_end_ring(geo *g)
{
    drawn_line *l = &g->line;
    if (!ARRAY_ROOM(l->ends, l->ring_room, l->ring_count + 1)) {
        g->atlas->failed = true;
        return;
    }
    l->ends[l->ring_count++] = l->start = l->count;
}

/* Returns the centre of an OMT of the present chunk. */
static twice place_in(const geo *g, int32_t x, int32_t y)
{
    return (twice){2 * ((int64_t)g->pos.x * PTL_CHUNK_SIZE + x) + 1,
                   2 * ((int64_t)g->pos.y * PTL_CHUNK_SIZE + y) + 1};
}

twice geo_centre(const geo *g, uint32_t cell)
{
    return place_in(g, (int32_t)(cell % PTL_CHUNK_SIZE), (int32_t)(cell / PTL_CHUNK_SIZE));
}

twice geo_side(const geo *g, uint32_t cell, int side)
{
    const twice at = geo_centre(g, cell);
    return (twice){at.x + step_x[side], at.y + step_y[side]};
}

/* ---- kinds of terrains ---- */

/* Makes exactly those terrains water that have a flag of water and are no bridges: a building
 * in a lake lies in the lake's polygon, and a brook has no polygon, because it is narrower than
 * an OMT. */
static void set_waters(uint8_t *groups, const catalogue *cat)
{
    for (size_t t = 0; t < catalogue_all_terrains(cat); t++) {
        const uint32_t flags = cat->terrains[t].flags;
        if (flags & (uint32_t)CAT_FLAGS_WATER && !(flags & CAT_FLAG_BRIDGE))
            groups[t] = GROUP_WATER;
        else if (groups[t] == GROUP_WATER)
            groups[t] = GROUP_WAYS;
    }
}

/* Returns the terrain by whose id the region of `terrain` is named. All terrains of rivers form
 * one region, as do those of lakes and those of oceans. Any other terrain is a region of its
 * own. */
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

/* ---- ground ---- */

static uint16_t region_at(const geo *g, uint32_t cell)
{
    const uint16_t terrain = geo_terrain(g, cell);
    return terrain == NO_KIND ? terrain : g->kinds[terrain].region;
}

static bool is_of_region(const geo *g, uint32_t cell, uint32_t first)
{
    return region_at(g, cell) == region_at(g, first);
}

/* Does the cell (x, y) belong to the area whose label is `area`? */
static bool is_in(const geo *g, int32_t x, int32_t y, uint32_t area)
{
    return x >= 0 && y >= 0 && x < PTL_CHUNK_SIZE && y < PTL_CHUNK_SIZE &&
           g->label[y * PTL_CHUNK_SIZE + x] == area;
}

/* Returns in which direction (N, E, S, W) a ring goes on from the corner (x, y), which it
 * reached in the direction `way`. */
static int next_way(const geo *g, int32_t x, int32_t y, int way, uint32_t area)
{
    /* For each direction of a step from a corner (N, E, S, W): the cell to the left of the
     * step, as an offset in columns and rows from the corner. */
    static const int32_t left_x[4] = {-1, 0, 0, -1}, left_y[4] = {-1, -1, 0, 0};
    const int right = (way + 1) % 4;
    if (is_in(g, x + left_x[right], y + left_y[right], area))
        return right;
    return is_in(g, x + left_x[way], y + left_y[way], area) ? way : (way + 3) % 4;
}

/* Walks along the outline of an area, beginning at the northern side of a cell and going west,
 * and adds its corners to g->line. Each northern side that it passes is marked, so that no
 * outline is walked twice. */
static void walk_ring(geo *g, uint32_t cell)
{
    const int64_t west = (int64_t)g->pos.x * PTL_CHUNK_SIZE;
    const int64_t north = (int64_t)g->pos.y * PTL_CHUNK_SIZE;
    const uint32_t area = g->label[cell];
    const int32_t x0 = (int32_t)(cell % PTL_CHUNK_SIZE) + 1;
    const int32_t y0 = (int32_t)(cell / PTL_CHUNK_SIZE);
    int32_t x = x0, y = y0;
    int way = 3;
    do {
        geo_add(g, (twice){2 * (west + x), 2 * (north + y)});
        if (way == 3)
            g->marks[y * PTL_CHUNK_SIZE + x - 1] = 1;
        x += step_x[way];
        y += step_y[way];
        way = next_way(g, x, y, way, area);
    } while (x != x0 || y != y0 || way != 3);
    geo_add(g, (twice){2 * (west + x), 2 * (north + y)});
}

static const char *ground_name(const geo *g, uint16_t region)
{
    const cat_terrain *t = &g->atlas->cat->terrains[region];
    if (g->groups[region] != GROUP_WATER)
        return t->id;
    return t->flags & CAT_FLAG_RIVER ? "river" : t->flags & CAT_FLAGS_OCEAN ? "ocean" : "lake";
}

static void put_area(geo *g, uint32_t first)
{
    const uint32_t count = geo_fill(g, first, is_of_region);
    geo_clear(g);
    walk_ring(g, first); /* `first` is the northernmost cell of the area, so the ring through
                            its northern side is the outer one */
    geo_end_ring(g);
    for (uint32_t i = 1; i < count; i++) {
        const int32_t cell = (int32_t)g->order[i];
        /* If the area ends at the cell's northern side, and no ring has passed this side yet, a
         * further ring begins here: the outline of a hole. */
        if (!g->marks[cell] &&
            !is_in(g, cell % PTL_CHUNK_SIZE, cell / PTL_CHUNK_SIZE - 1, first)) {
            walk_ring(g, (uint32_t)cell);
            geo_end_ring(g);
        }
    }
    geo_begin(g, GEO_GROUND);
    /* All waters of a kind have one colour, that of the first of their terrains. */
    const uint16_t region = region_at(g, first);
    geo_text(g, ground_name(g, region));
    geo_colour(g, g->groups[region] == GROUP_WATER ? g->atlas->cat->terrains[region].first
                                                   : g->cells[first]);
    geo_number(g, count);
    geo_number(g, g->z);
    geo_end(g);
}

/* ---- the features of a chunk ---- */

/* Makes the features of each level. Ground and rivers are made of the level 0 only; ways of
 * other levels, too. */
static void put_levels(geo *g, const ptl_chunk *chunk)
{
    const ptl_atlas_options *o = g->atlas->options;
    const int32_t first = o->has_levels ? o->z_first : PTL_Z_MAX;
    const int32_t last = o->has_levels ? o->z_last : PTL_Z_MIN;
    for (g->z = first;; g->z += first <= last ? 1 : -1) {
        ptl_chunk_level(g->cells, chunk, g->z);
        if (g->z == 0) {
            /* An area of one kind of terrain is made when the first of its cells is met. */
            memset(g->label, 0xff, sizeof g->label);
            memset(g->marks, 0, sizeof g->marks);
            for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++) {
                const uint16_t region = region_at(g, cell);
                if (region != NO_KIND && g->label[cell] == GEO_NONE &&
                    g->groups[region] <= GROUP_WATER)
                    put_area(g, cell);
            }
        }
        geo_ways(g);
        if (g->z == 0)
            geo_rivers(g);
        if (g->z == last)
            return;
    }
}

static const char *const rotations[] = {"north", "east", "south", "west"};

/* Ends a feature whose geometry is the middle of an OMT, given as columns and rows from the
 * north-western OMT of the chunk. Its last columns are the OMT's place. */
static void end_point(geo *g, int32_t x, int32_t y, int32_t z)
{
    const twice at = place_in(g, x, y);
    geo_number(g, (at.x - 1) / 2);
    geo_number(g, (at.y - 1) / 2);
    geo_number(g, z);
    geo_clear(g);
    geo_add(g, at);
    geo_end(g);
}

static void put_points(geo *g, const ptl_features_info *info)
{
    for (size_t i = 0; i < info->cities; i++) {
        ptl_city c = PTL_CITY_INIT;
        (void)ptl_features_city(&c, g->features, i);
        geo_begin(g, GEO_CITY);
        geo_text(g, c.name);
        geo_number(g, c.radius);
        geo_number(g, c.buildings);
        end_point(g, c.x, c.y, 0);
    }
    for (size_t i = 0; i < info->buildings; i++) {
        ptl_building b = PTL_BUILDING_INIT;
        (void)ptl_features_building(&b, g->features, i);
        geo_begin(g, GEO_BUILDING);
        geo_text(g, b.id);
        geo_text(g, rotations[b.rotation & 3]);
        end_point(g, b.x, b.y, b.z);
    }
    for (size_t i = 0; i < info->specials; i++) {
        ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
        (void)ptl_features_special(&s, g->features, i);
        geo_begin(g, GEO_SPECIAL);
        geo_text(g, s.id);
        geo_text(g, rotations[s.rotation & 3]);
        geo_number(g, s.omts);
        end_point(g, s.x, s.y, s.z);
    }
}

static void put_border(geo *g, const ptl_features_info *info)
{
    static const int32_t corners[5][2] = {{1, 0}, {0, 0}, {0, 1}, {1, 1}, {1, 0}};
    geo_clear(g);
    for (size_t i = 0; i < 5; i++)
        geo_add(g, (twice){2 * PTL_CHUNK_SIZE * ((int64_t)g->pos.x + corners[i][0]),
                           2 * PTL_CHUNK_SIZE * ((int64_t)g->pos.y + corners[i][1])});
    geo_end_ring(g);
    geo_begin(g, GEO_BORDER);
    geo_number(g, g->pos.x);
    geo_number(g, g->pos.y);
    geo_text(g, info->imported ? "imported" : "generated");
    geo_number(g, info->generator_version);
    geo_end(g);
}

static ptl_status put_chunk(geo *g, ptl_error *err)
{
    ptl_features *features = NULL;
    ptl_chunk *chunk = NULL;
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    ptl_status status = ptl_features_load(&features, g->atlas->world, g->pos, err);
    THEN(status, ptl_chunk_load(&chunk, g->atlas->world, g->pos, err));
    if (status == PTL_OK) {
        g->features = features;
        (void)ptl_features_describe(&info, features);
        put_border(g, &info);
        put_points(g, &info);
        put_levels(g, chunk);
        status = g->atlas->failed ? error_nomem(err) : g->status;
    }
    ptl_chunk_free(chunk);
    ptl_features_free(features);
    return status;
}

static ptl_status put_all(geo *g, ptl_error *err)
{
    atlas *a = g->atlas;
    const catalogue *cat = a->cat;
    const size_t count = catalogue_all_terrains(cat);
    ptl_status status = PTL_OK;
    g->kinds = calloc(count + 1, sizeof *g->kinds);
    g->groups = terrain_groups_new(cat);
    g->looks = looks_new(cat);
    if (!g->kinds || !g->groups || !g->looks)
        return error_nomem(err);
    if (a->options->style != PTL_STYLE_TERMINAL)
        looks_on_paper(g->looks, cat);
    set_waters(g->groups, cat);
    for (uint16_t t = 0; t < count; t++)
        g->kinds[t] = (terrain_kind){region_of(cat, g->groups, t), NO_KIND};
    set_networks(g->kinds, cat);
    a->progress.total = a->chunk_count;
    for (size_t i = 0; i < a->chunk_count && status == PTL_OK; i++) {
        g->pos = a->chunks[i];
        status = put_chunk(g, err);
        THEN(status, atlas_advance(a, err));
    }
    return status;
}

ptl_status geo_each(atlas *a, ptl_status (*put)(geo *g, ptl_error *err), void *writer,
                    ptl_error *err)
{
    geo *g = calloc(1, sizeof *g);
    if (!g)
        return error_nomem(err);
    g->atlas = a;
    g->put = put;
    g->writer = writer;
    g->err = err;
    const ptl_status status = put_all(g, err);
    free(g->kinds);
    free(g->groups);
    free(g->looks);
    free(g->line.points);
    free(g->line.ends);
    free(g);
    return status;
}
