/*
 * Worlds that derive their local maps (ptl_world_options.derive): a map that nobody has edited
 * is made at each reading, for turn 0, as it would have been stored then.
 */
#include "core/error.h"
#include "world/local/local.h"

#include <stdlib.h>
#include <string.h>

enum { REVISION_MADE = 1 }; /* of a map that was stored as it was made */

static uint32_t move_id(const id_pool *from, id_pool *to, uint32_t id)
{
    const char *text = id_pool_text(from, id);
    return id_pool_put(to, text, strlen(text));
}

/* Neighbours are mostly the same. */
static void move_cells(uint32_t *out, id_pool *to, const uint32_t *cells, const id_pool *from)
{
    for (int i = 0; i < LOCAL_CELLS; i++)
        out[i] = i > 0 && cells[i] == cells[i - 1] ? out[i - 1] : move_id(from, to, cells[i]);
}

/* The same map with a pool of its own. */
static void move_map(stored_map *out, const local_map *map, const id_pool *from)
{
    move_cells(out->map.terrain, out->pool, map->terrain, from);
    move_cells(out->map.furniture, out->pool, map->furniture, from);
    move_cells(out->map.trap, out->pool, map->trap, from);
    memcpy(out->map.radiation, map->radiation, sizeof map->radiation);
    out->map.palette = move_id(from, out->pool, map->palette);
    for (size_t i = 0; i < map->count; i++) {
        local_entity e = map->entities[i];
        e.id = move_id(from, out->pool, e.id);
        e.with = move_id(from, out->pool, e.with);
        e.text = move_id(from, out->pool, e.text);
        e.own = move_id(from, out->pool, e.own);
        local_map_add(&out->map, &e);
    }
}

static ptl_status take_map(ptl_local_map *out, const local_map *made, const map_info *info,
                           const id_pool *from, ptl_error *err)
{
    stored_map *stored = &out->stored;
    local_map_init(&stored->map);
    stored->pool = id_pool_new();
    if (!stored->pool)
        return error_nomem(err);
    move_map(stored, made, from);
    const uint32_t oter = id_pool_put(stored->pool, info->oter, strlen(info->oter));
    stored->info = *info;
    stored->info.oter = id_pool_text(stored->pool, oter);
    stored->info.revision = REVISION_MADE;
    return made->failed || stored->map.failed || id_pool_failed(stored->pool) ? error_nomem(err)
                                                                              : PTL_OK;
}

ptl_status world_local_derive(ptl_local_map **out, ptl_world *world, ptl_omt at, ptl_error *err)
{
    map_info info;
    local_map *made = malloc(sizeof *made);
    ptl_local_map *map = calloc(1, sizeof *map);
    ptl_status status = made && map ? PTL_OK : error_nomem(err);
    if (made)
        local_map_init(made);
    if (status == PTL_OK)
        status = world_local_make(made, &info, world, at, 0, err);
    if (status == PTL_OK)
        status = take_map(map, made, &info, world->mapgen->pool, err);
    if (made)
        local_map_dispose(made);
    free(made);
    if (status != PTL_OK) {
        ptl_local_free(map);
        return status;
    }
    map->world_id = world->row.id;
    map->derived = true;
    *out = map;
    return PTL_OK;
}

ptl_status world_local_enter(ptl_world *world, const map_write *map, ptl_error *err)
{
    int64_t is = 0;
    map_write first = *map;
    ptl_status status = store_map_revision(&is, world->store, world->row.id, map->info.at, err);
    if (status != PTL_OK || is != 0)
        return status;
    first.info.revision = 0;
    first.info.edited = false;
    return store_map_put(world->store, world->row.id, &first, 1, err);
}

ptl_status world_local_keep(ptl_world *world, ptl_error *err)
{
    const world_row now = {.id = world->row.id,
                           .derive = false,
                           .generator_version = world->row.generator_version,
                           .content_id = world->row.content_id};
    ptl_status status = store_begin(world->store, err);
    if (status != PTL_OK)
        return status;
    status = store_world_renew(world->store, &now, err);
    if (status == PTL_OK)
        status = store_commit(world->store, err);
    if (status != PTL_OK) {
        store_rollback(world->store);
        return status;
    }
    world->row.derive = world->options.derive = false;
    return PTL_OK;
}
