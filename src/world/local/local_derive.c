/*
 * Worlds that derive their local maps (ptl_world_options.derive). A map that no game has
 * edited is not stored: it is made at each reading, for turn 0, and looks as it would have
 * been stored then.
 */
#include "mapgen/compile/text_id.h"
#include "world/local/local.h"

enum { REVISION_MADE = 1 }; /* revision of a map that is stored as it was made */

static ptl_status take_map(ptl_local_map *out, const local_map *made, const map_info *info,
                           const id_pool *from, ptl_error *err)
{
    stored_map *stored = &out->stored;
    local_map_init(&stored->map);
    stored->pool = id_pool_new();
    if (!stored->pool)
        return error_nomem(err);
    world_local_move_tiles(&stored->map, stored->pool, made, from);
    stored->map.palette = mapgen_word_id(stored->pool, id_pool_text(from, made->palette));
    for (size_t k = 0; k < made->count; k++) {
        local_entity e = made->entities[k];
        world_local_move_thing(&e, stored->pool, from);
        local_map_add(&stored->map, &e);
    }
    const uint32_t oter = mapgen_word_id(stored->pool, info->oter);
    stored->info = *info;
    stored->info.oter = id_pool_text(stored->pool, oter);
    stored->info.revision = REVISION_MADE;
    return made->failed || stored->map.failed || id_pool_failed(stored->pool) ? error_nomem(err)
                                                                              : PTL_OK;
}

ptl_status world_local_derive(ptl_local_map **out, ptl_world *world, ptl_omt at, ptl_error *err)
{
    map_info info;
    local_map *made = world_local_new();
    ptl_local_map *map = calloc(1, sizeof *map);
    ptl_status status = made && map ? PTL_OK : error_nomem(err);
    THEN(status, world_local_make(made, &info, world, at, 0, err));
    THEN(status, take_map(map, made, &info, world->mapgen->pool, err));
    world_local_free(made);
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
    TRY(store_begin(world->store, err));
    ptl_status status = store_world_renew(world->store, &now, err);
    status = world_end_writing(world->store, status, err);
    if (status != PTL_OK) {
        return status;
    }
    world->row.derive = world->options.derive = false;
    return PTL_OK;
}
