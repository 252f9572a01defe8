/* Local maps (portolan/local.h): which terrain, which neighbours, which random numbers. */
#include "world/local.h"

#include "core/error.h"
#include "core/hash.h"
#include "core/sized.h"
#include "portolan/local.h"
#include "portolan/tiles.h"

#include <stdlib.h>
#include <string.h>

struct ptl_local_map {
    local_map map;
    const id_pool *pool; /* the world's */
    const char *oter;    /* the catalogue's */
    bool fallback;
};

/* An OMT, those around it and those above and below. */
typedef struct surroundings {
    const catalogue *cat;
    ptl_oter around[9]; /* row by row from the north-west */
    ptl_oter above, below;
} surroundings;

enum { MIDDLE = 4 };

/* ---- the OMT ---- */

static const char *oter_id(const catalogue *cat, ptl_oter oter)
{
    return oter < cat->oter_count ? cat->oters[oter].id : "";
}

static const char *neighbour(void *payload, int direction)
{
    static const int places[] = {1, 2, 5, 8, 7, 6, 3, 0}; /* from north on, clockwise */
    const surroundings *s = payload;
    if (direction == MAPGEN_ABOVE)
        return oter_id(s->cat, s->above);
    if (direction == MAPGEN_BELOW)
        return oter_id(s->cat, s->below);
    return oter_id(s->cat, s->around[places[direction]]);
}

static ptl_status tile_at(ptl_oter *out, ptl_world *world, ptl_omt at, int32_t dz,
                          ptl_error *err)
{
    const ptl_tiles_options o = {.size = sizeof o, .generate = true};
    const ptl_area area = {at.x, at.y, at.z + dz, 1, 1};
    *out = PTL_OTER_NONE;
    if (area.z < PTL_Z_MIN || area.z > PTL_Z_MAX)
        return PTL_OK;
    return ptl_tiles(out, world, &area, &o, NULL, err);
}

static ptl_status look_around(surroundings *s, ptl_world *world, ptl_omt at, ptl_error *err)
{
    const ptl_tiles_options o = {.size = sizeof o, .generate = true};
    const ptl_area area = {at.x - 1, at.y - 1, at.z, 3, 3};
    ptl_status status = ptl_tiles(s->around, world, &area, &o, NULL, err);
    if (status == PTL_OK)
        status = tile_at(&s->above, world, at, 1, err);
    if (status == PTL_OK)
        status = tile_at(&s->below, world, at, -1, err);
    s->cat = world->cat;
    return status;
}

/* ---- its entries ---- */

/* The shape of a linear terrain: what is behind its id in the keys of mapgen. */
static const char *shape_of(uint8_t line)
{
    static const char *const shapes[16] = {"_end",    "_end",      "_end",      "_curved",
                                           "_end",    "_straight", "_curved",   "_tee",
                                           "_end",    "_curved",   "_straight", "_tee",
                                           "_curved", "_tee",      "_tee",      "_four_way"};
    return shapes[line & 15];
}

static uint32_t key_of(const world_mapgen *m, const catalogue *cat, const cat_oter *oter)
{
    const char *type = cat->terrains[oter->terrain].id;
    bytes key;
    bytes_init(&key);
    bytes_put_text(&key, type);
    if (oter->line)
        bytes_put_text(&key, shape_of(oter->line));
    const uint32_t id = id_pool_put(m->pool, (const char *)key.data, key.size);
    bytes_dispose(&key);
    return id;
}

static uint64_t place_key(const ptl_world *world, const char *what, ptl_omt at)
{
    uint64_t key = hash_add((uint64_t)world->row.seed, hash_string(what));
    key = hash_add(key, (uint64_t)at.x);
    return hash_add(key, (uint64_t)at.y);
}

static void fill_fallback(ptl_local_map *map, id_pool *pool, int32_t z)
{
    const char *ground = z == 0 ? "t_grass" : z < 0 ? "t_rock" : "t_open_air";
    const uint32_t id = id_pool_put(pool, ground, strlen(ground));
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        map->map.terrain[i] = id;
    map->fallback = true;
}

/* The map without roofs. */
static ptl_status run_map(ptl_local_map *map, ptl_world *world, surroundings *s, ptl_omt at,
                          ptl_error *err)
{
    const world_mapgen *m = world->mapgen;
    const ptl_oter middle = s->around[MIDDLE];
    if (middle >= s->cat->oter_count)
        return error_set(err, PTL_ERR_NOT_FOUND, "there is no terrain at %lld,%lld,%d",
                         (long long)at.x, (long long)at.y, (int)at.z);
    const cat_oter *oter = &s->cat->oters[middle];
    const uint64_t column = place_key(world, "local column", at);
    const uint64_t tile = hash_add(place_key(world, "local", at), (uint64_t)(int64_t)at.z);
    const ground_site site = world_site(world, at, s->around, s->above, s->below);
    const mapgen_request request = {
        .library = m->library,
        .pool = m->pool,
        .terrain = key_of(m, s->cat, oter),
        .turns = oter->rotation,
        .z = at.z,
        .key = hash_add(tile, hash_string(s->cat->terrains[oter->terrain].id)),
        .stack_key = column,
        .special_key = column,
        .neighbour = neighbour,
        .payload = s,
        .tiles = m->tiles,
        .site = &site};
    map->oter = oter->id;
    map->pool = m->pool;
    const mapgen_outcome outcome = mapgen_run(&map->map, &request);
    if (outcome == MAPGEN_NO_ENTRY)
        fill_fallback(map, m->pool, at.z);
    if (outcome == MAPGEN_NO_MEMORY)
        return error_nomem(err);
    if (map->map.cut)
        return error_set(err, PTL_ERR_CONTENT,
                         "the mapgen of %s asks for more than is ever made of one map",
                         oter->id);
    return PTL_OK;
}

/* Air over what has a roof is that roof, which hangs on the map below. */
static ptl_status put_roofs(ptl_local_map *map, ptl_world *world, ptl_omt at, ptl_error *err)
{
    const world_mapgen *m = world->mapgen;
    surroundings s;
    if (at.z == PTL_Z_MIN || !mapgen_wants_roof(&map->map, m->pool))
        return PTL_OK;
    at.z--;
    ptl_local_map below = {.pool = m->pool};
    local_map_init(&below.map);
    ptl_status status = look_around(&s, world, at, err);
    if (status == PTL_OK)
        status = run_map(&below, world, &s, at, err);
    if (status == PTL_OK)
        mapgen_put_roofs(&map->map, &below.map, m->tiles, m->pool);
    local_map_dispose(&below.map);
    return status;
}

/* ---- public ---- */

static ptl_status check_place(ptl_world *world, ptl_omt at, ptl_error *err)
{
    int64_t current = 0;
    if (at.z < PTL_Z_MIN || at.z > PTL_Z_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "level %d lies outside %d..%d", (int)at.z,
                         PTL_Z_MIN, PTL_Z_MAX);
    ptl_status status = store_content_current(&current, world->store, err);
    if (status == PTL_OK && current != world->row.content_id)
        status =
            error_set(err, PTL_ERR_MISMATCH,
                      "the file's content is not the one that the world was made with, and "
                      "its mapgen is that of another");
    return status;
}

ptl_status ptl_local_make(ptl_local_map **out, ptl_world *world, ptl_omt at, ptl_error *err)
{
    surroundings s;
    ptl_local_map *map = NULL;
    error_clear(err);
    *out = NULL;
    ptl_status status = check_place(world, at, err);
    if (status == PTL_OK)
        status = look_around(&s, world, at, err);
    if (status == PTL_OK && !world->mapgen)
        status = world_mapgen_load(&world->mapgen, world, err);
    if (status != PTL_OK)
        return status;
    map = calloc(1, sizeof *map);
    if (!map)
        return error_nomem(err);
    local_map_init(&map->map);
    status = run_map(map, world, &s, at, err);
    if (status == PTL_OK)
        status = put_roofs(map, world, at, err);
    if (status == PTL_OK)
        *out = map;
    else
        ptl_local_free(map);
    return status;
}

void ptl_local_free(ptl_local_map *map)
{
    if (!map)
        return;
    local_map_dispose(&map->map);
    free(map);
}

const char *ptl_local_oter(const ptl_local_map *map)
{
    return map->oter;
}

bool ptl_local_is_fallback(const ptl_local_map *map)
{
    return map->fallback;
}

static const char *text_at(const ptl_local_map *map, const uint32_t *cells, int32_t x,
                           int32_t y)
{
    const bool inside = x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
    return inside ? id_pool_text(map->pool, cells[y * LOCAL_SIDE + x]) : "";
}

const char *ptl_local_terrain(const ptl_local_map *map, int32_t x, int32_t y)
{
    return text_at(map, map->map.terrain, x, y);
}

const char *ptl_local_furniture(const ptl_local_map *map, int32_t x, int32_t y)
{
    return text_at(map, map->map.furniture, x, y);
}

const char *ptl_local_trap(const ptl_local_map *map, int32_t x, int32_t y)
{
    return text_at(map, map->map.trap, x, y);
}

int32_t ptl_local_radiation(const ptl_local_map *map, int32_t x, int32_t y)
{
    const bool inside = x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
    return inside ? map->map.radiation[y * LOCAL_SIDE + x] : 0;
}

size_t ptl_local_entity_count(const ptl_local_map *map)
{
    return map->map.count;
}

ptl_status ptl_local_entity_at(const ptl_local_map *map, size_t number, ptl_local_entity *out)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    const bool found = number < map->map.count;
    ptl_status status = SIZED_CHECK(ptl_local_entity, out, NULL);
    e.kind = e.id = e.with = e.text = "";
    if (found) {
        const local_entity *in = &map->map.entities[number];
        e.kind = local_kind_name(in->kind);
        e.id = id_pool_text(map->pool, in->id);
        e.with = id_pool_text(map->pool, in->with);
        e.text = id_pool_text(map->pool, in->text);
        e.x = in->x;
        e.y = in->y;
        e.x2 = in->x2;
        e.y2 = in->y2;
        e.count = in->count;
        e.charges = in->charges;
        e.status = in->status;
    }
    if (status != PTL_OK)
        return status;
    SIZED_FILL(ptl_local_entity, out, &e);
    return found ? PTL_OK : PTL_ERR_NOT_FOUND;
}
