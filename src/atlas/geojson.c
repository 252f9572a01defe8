/*
 * The map as a GeoJSON FeatureCollection (RFC 7946, except that coordinates are no degrees).
 * Coordinates are those of absolute OMTs: the first is x, which grows to the east, and the
 * second is minus y, so that north is up in any program. Chunks are written in the order of y
 * and x: first a chunk's cities and specials, then level by level its regions, its ways (roads
 * and other connections) and its rivers.
 *
 * Regions (kinds of terrain) are written as polygons. An area is a set of cells of one region,
 * linked by their sides, within one chunk. The first ring of its polygon is the outer one,
 * counterclockwise if north is up (RFC 7946, 3.1.6); the other rings are holes. Where two of
 * its cells touch only at a corner, rings touch there but do not cross: a ring is walked with
 * the area to its left, and turns right wherever it can.
 */
#include "atlas/geojson_impl.h"
#include "core/array.h"
#include "core/error.h"
#include "render/legend.h"
#include "world/world.h"

#include <stdlib.h>

/* ---- numbers and geometries ---- */

/* Writes half of a number exactly, as "3" or "3.5". */
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

uint32_t geojson_fill(geojson *g, uint32_t first,
                      bool (*belongs)(const geojson *g, uint32_t cell, uint32_t first))
{
    uint32_t count = 1;
    g->order[0] = first;
    g->label[first] = first;
    for (uint32_t i = 0; i < count; i++)
        for (int side = 0; side < 4; side++) {
            uint32_t next;
            if (!geojson_beside(&next, g->order[i], side) || g->label[next] != GEOJSON_NONE ||
                !belongs(g, next, first))
                continue;
            g->label[next] = first;
            g->order[count++] = next;
        }
    return count;
}

void geojson_begin(geojson *g, const char *layer)
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

/* geojson_end_point ends a feature whose geometry is a point, geojson_end_line one whose
 * geometry is the line that was made last. Both end the feature's properties first. */
static void geojson_end_point(geojson *g, twice at)
{
    begin_geometry(g, "Point");
    put_place(g->j.out, at);
    bytes_put_text(g->j.out, "}}");
}

void geojson_end_line(geojson *g)
{
    begin_geometry(g, "LineString");
    put_line(g);
    bytes_put_text(g->j.out, "}}");
}

static void geojson_ring(geojson *g)
{
    if (g->j.after)
        bytes_put_u8(g->j.out, ',');
    g->j.after = true;
    put_line(g);
}

/* ---- the line that is being made ---- */

/* Is b on a straight line from a to c? Lines run along the axes only. */
static bool is_between(twice a, twice b, twice c)
{
    return (a.x == b.x && b.x == c.x) || (a.y == b.y && b.y == c.y);
}

void geojson_add(geojson *g, twice at)
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

/* Returns the centre of an OMT of the present chunk. */
static twice place_in(const geojson *g, int32_t x, int32_t y)
{
    return (twice){2 * ((int64_t)g->pos.x * PTL_CHUNK_SIZE + x) + 1,
                   2 * ((int64_t)g->pos.y * PTL_CHUNK_SIZE + y) + 1};
}

twice geojson_centre(const geojson *g, uint32_t cell)
{
    return place_in(g, (int32_t)(cell % PTL_CHUNK_SIZE), (int32_t)(cell / PTL_CHUNK_SIZE));
}

twice geojson_side(const geojson *g, uint32_t cell, int side)
{
    const twice at = geojson_centre(g, cell);
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

/* ---- the file ---- */

static uint16_t region_at(const geojson *g, uint32_t cell)
{
    const uint16_t terrain = geojson_terrain(g, cell);
    return terrain == NO_KIND ? terrain : g->kinds[terrain].region;
}

static bool is_of_region(const geojson *g, uint32_t cell, uint32_t first)
{
    return region_at(g, cell) == region_at(g, first);
}

/* Does the cell (x, y) belong to the area whose label is `area`? */
static bool is_in(const geojson *g, int32_t x, int32_t y, uint32_t area)
{
    return x >= 0 && y >= 0 && x < PTL_CHUNK_SIZE && y < PTL_CHUNK_SIZE &&
           g->label[y * PTL_CHUNK_SIZE + x] == area;
}

/* Returns in which direction (N, E, S, W) a ring goes on from the corner (x, y), which it
 * reached in the direction `way`. */
static int next_way(const geojson *g, int32_t x, int32_t y, int way, uint32_t area)
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
static void walk_ring(geojson *g, uint32_t cell)
{
    const int64_t west = (int64_t)g->pos.x * PTL_CHUNK_SIZE;
    const int64_t north = (int64_t)g->pos.y * PTL_CHUNK_SIZE;
    const uint32_t area = g->label[cell];
    const int32_t x0 = (int32_t)(cell % PTL_CHUNK_SIZE) + 1;
    const int32_t y0 = (int32_t)(cell / PTL_CHUNK_SIZE);
    int32_t x = x0, y = y0;
    int way = 3;
    g->line.count = 0;
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
    /* Begins the area's polygon. The function geojson_ring adds the line that was made last to
     * the polygon, as one of its rings. */
    begin_geometry(g, "Polygon");
    bytes_put_u8(g->j.out, '[');
    g->j.after = false;
    walk_ring(g, first); /* `first` is the northernmost cell of the area, so the ring through
                            its northern side is the outer one */
    geojson_ring(g);
    for (uint32_t i = 1; i < count; i++) {
        const int32_t cell = (int32_t)g->order[i];
        /* If the area ends at the cell's northern side, and no ring has passed this side yet, a
         * further ring begins here: the outline of a hole. */
        if (!g->marks[cell] &&
            !is_in(g, cell % PTL_CHUNK_SIZE, cell / PTL_CHUNK_SIZE - 1, first)) {
            walk_ring(g, (uint32_t)cell);
            geojson_ring(g);
        }
    }
    bytes_put_text(g->j.out, "]}}");
}

/* Writes the features of each level. Regions and rivers are written for the ground only;
 * roads and other ways for other levels, too. */
static void put_levels(geojson *g, const ptl_chunk *chunk)
{
    const ptl_atlas_options *o = g->atlas->options;
    const int32_t first = o->has_levels ? o->z_first : PTL_Z_MAX;
    const int32_t last = o->has_levels ? o->z_last : PTL_Z_MIN;
    for (g->z = first;; g->z += first <= last ? 1 : -1) {
        ptl_chunk_level(g->cells, chunk, g->z);
        if (g->z == 0) {
            /* An area of one kind of terrain is written when the first of its cells is met. */
            memset(g->label, 0xff, sizeof g->label);
            memset(g->marks, 0, sizeof g->marks);
            for (uint32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++) {
                const uint16_t region = region_at(g, cell);
                if (region != NO_KIND && g->label[cell] == GEOJSON_NONE &&
                    g->groups[region] <= GROUP_WATER)
                    put_area(g, cell);
            }
        }
        geojson_ways(g);
        if (g->z == 0)
            geojson_rivers(g);
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
            geojson_begin(g, "city");
            emit_put(&g->j, "name:%s, radius:%d, buildings:%d, z:%d", c.name, c.radius,
                     c.buildings, 0);
            geojson_end_point(g, place_in(g, c.x, c.y));
        }
        static const char *const rotations[] = {"north", "east", "south", "west"};
        for (size_t i = 0; i < info.specials; i++) {
            ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
            (void)ptl_features_special(&s, g->features, i);
            geojson_begin(g, "special");
            emit_put(&g->j, "special:%s, rotation:%s, omts:%d, z:%d", s.id,
                     rotations[s.rotation & 3], s.omts, s.z);
            geojson_end_point(g, place_in(g, s.x, s.y));
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
        set_waters(g->groups, cat);
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
