/* What is done to a whole map: what it is drawn over, what its pseudo ids stand for, roofs. */
#include "mapgen/run/run_impl.h"

#include <string.h>

enum { PREDECESSORS_MAX = 8 };

bool run_ground(run *r, const char *type)
{
    const ground_site *site = r->request->site;
    const size_t before = r->map->count;
    const bool made = site && ground_make(r->map, site, type);
    if (made)
        run_ground_items(r, before);
    return made;
}

void run_predecessor(run *r, const mapgen_entry *entry, int turns)
{
    const mapgen_request *q = r->request;
    const uint32_t terrain = entry->predecessor;
    if (r->depth >= PREDECESSORS_MAX)
        return;
    r->depth++;
    const bool made =
        run_terrain(r, terrain, 0) || run_ground(r, id_pool_text(q->pool, terrain));
    if (!made && entry->fallback_predecessor != ID_NONE)
        run_ground(r, id_pool_text(q->pool, entry->fallback_predecessor));
    r->depth--;
    local_map_rotate(r->map, (4 - turns % 4) % 4);
}

static void resolve_layer(run *r, uint32_t *cells, rng *random)
{
    const ground_settings *s = r->request->site->settings;
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        if (cells[i] != ID_NONE && ground_pseudo_of(s, cells[i]))
            cells[i] = ground_resolve(s, random, cells[i]);
}

void run_resolve(run *r)
{
    const mapgen_request *q = r->request;
    if (!q->site || !q->site->settings)
        return;
    rng random = rng_from_key(hash_add(q->key, hash_string("region")));
    resolve_layer(r, r->map->terrain, &random);
    resolve_layer(r, r->map->furniture, &random);
}

void mapgen_fill_fallback(local_map *map, id_pool *pool, int z)
{
    const char *ground = z == 0 ? "t_grass" : z < 0 ? "t_rock" : "t_open_air";
    const uint32_t id = id_pool_put(pool, ground, strlen(ground));
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        map->terrain[i] = id;
}

/* ---- roofs ---- */

static uint32_t air_of(id_pool *pool)
{
    return id_pool_put(pool, "t_open_air", strlen("t_open_air"));
}

bool mapgen_wants_roof(const local_map *map, id_pool *pool)
{
    const uint32_t air = air_of(pool);
    bool found = false;
    for (size_t i = 0; i < LOCAL_CELLS && !found; i++)
        found = map->terrain[i] == air;
    return found;
}

void mapgen_put_roofs(local_map *map, const local_map *below, const mapgen_tiles *tiles,
                      id_pool *pool)
{
    const uint32_t air = air_of(pool);
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        const uint32_t roof = mapgen_terrain_tile(tiles, below->terrain[i]).roof;
        if (map->terrain[i] == air && roof != ID_NONE)
            map->terrain[i] = mapgen_terrain_now(tiles, roof);
    }
}
