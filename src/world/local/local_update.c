/* Updates of the content on local maps that are there (portolan/local.h). */
#include "world/local/local.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

static uint32_t move_id(const id_pool *from, id_pool *to, uint32_t id)
{
    const char *text = id_pool_text(from, id);
    return id_pool_put(to, text, strlen(text));
}

/* Tiles of a map with the same ids in another pool. */
static void move_tiles(local_map *out, id_pool *to, const local_map *map, const id_pool *from)
{
    for (int i = 0; i < LOCAL_CELLS; i++) {
        out->terrain[i] = move_id(from, to, map->terrain[i]);
        out->furniture[i] = move_id(from, to, map->furniture[i]);
        out->trap[i] = move_id(from, to, map->trap[i]);
        out->radiation[i] = map->radiation[i];
    }
}

/* What stands on the map goes through an update without its texts, which would stay in the
 * mapgen's pool for good: in place of what the game adds is its number + 1. */
static void lend_things(local_map *out, const local_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        local_entity e = map->entities[i];
        e.id = e.with = e.text = ID_NONE;
        e.own = (uint32_t)i + 1;
        local_map_add(out, &e);
    }
}

/* Things of before have their texts again; new ones have theirs in the map's pool. */
static void take_things(local_map *out, id_pool *to, const local_map *updated,
                        const id_pool *from, const local_map *before)
{
    for (size_t i = 0; i < updated->count; i++) {
        local_entity e = updated->entities[i];
        if (e.own != ID_NONE) {
            const local_entity *old = &before->entities[e.own - 1];
            e.id = old->id;
            e.with = old->with;
            e.text = old->text;
            e.own = old->own;
        } else {
            e.id = move_id(from, to, e.id);
            e.with = move_id(from, to, e.with);
            e.text = move_id(from, to, e.text);
        }
        local_map_add(out, &e);
    }
}

/* Gives the map as it is after the update. */
static ptl_status run_update(local_map *out, ptl_world *world, const ptl_local_map *map,
                             const char *id, ptl_error *err)
{
    local_maker maker;
    local_map *work = malloc(sizeof *work);
    if (!work)
        return error_nomem(err);
    local_map_init(work);
    ptl_status status = world_local_maker(&maker, world, map->stored.info.turn, err);
    if (status == PTL_OK) {
        id_pool *pool = maker.mapgen->pool;
        move_tiles(work, pool, &map->stored.map, map->stored.pool);
        lend_things(work, &map->stored.map);
        status = work->failed || id_pool_failed(pool)
                     ? error_nomem(err)
                     : world_local_update(work, &map->stored.info, &maker, id, err);
        if (status == PTL_OK) {
            move_tiles(out, map->stored.pool, work, pool);
            take_things(out, map->stored.pool, work, pool, &map->stored.map);
        }
        if (status == PTL_OK && (out->failed || id_pool_failed(map->stored.pool)))
            status = error_nomem(err);
    }
    local_map_dispose(work);
    free(work);
    return status;
}

static void swap(local_map *a, local_map *b)
{
    const local_map kept = *a;
    *a = *b;
    *b = kept;
}

ptl_status ptl_local_update(ptl_world *world, ptl_local_map *map, const char *id,
                            ptl_error *err)
{
    error_clear(err);
    if (!world || !map || !id || !id[0])
        return error_set(err, PTL_ERR_ARGUMENT,
                         "world, map and the id of an update must be given");
    if (map->world_id != world->row.id)
        return error_set(err, PTL_ERR_ARGUMENT, "a local map of another world than '%s'",
                         world->row.name);
    local_map *updated = malloc(sizeof *updated);
    if (!updated)
        return error_nomem(err);
    world_local_still(map);
    local_map_init(updated);
    ptl_status status = run_update(updated, world, map, id, err);
    if (status == PTL_OK) {
        swap(&map->stored.map, updated);
        status = ptl_local_put(world, &map, 1, err);
        if (status != PTL_OK)
            swap(&map->stored.map, updated);
    }
    local_map_dispose(updated);
    free(updated);
    return status;
}
