/*
 * The local maps of a save (portolan/save.h). A save holds a copy of each, with the revision of
 * the stored map that it replaces. The map in memory goes on with the next revision, so that
 * the caller's next save replaces what this one stores.
 */
#include "codec/local/local_codec.h"
#include "core/array.h"
#include "world/save/save_impl.h"

#include <string.h>

static ptl_local_map **find(const ptl_save *save, ptl_omt at)
{
    for (size_t i = 0; i < save->map_count; i++) {
        const ptl_omt other = save->maps[i]->stored.info.at;
        if (other.x == at.x && other.y == at.y && other.z == at.z)
            return &save->maps[i];
    }
    return NULL;
}

/* Returns the bytes of a map's texts, as they are stored at most. */
static size_t text_bytes(const id_pool *pool)
{
    enum { LENGTH = 5 }; /* bytes of the number that says how long a text is */
    size_t sum = 0;
    for (uint32_t i = 0; i < id_pool_count(pool); i++)
        sum += strlen(id_pool_text(pool, i)) + LENGTH;
    return sum;
}

/* Returns what a map takes in memory. */
static size_t map_bytes(const ptl_local_map *map)
{
    return sizeof *map + map->stored.map.count * sizeof *map->stored.map.entities +
           text_bytes(map->stored.pool);
}

/* Puts the copy into the place of a state of the same map, which is freed. */
static void replace(ptl_local_map **held, ptl_local_map *copy)
{
    copy->stored.info.revision = (*held)->stored.info.revision;
    copy->stored.info.edited = (*held)->stored.info.edited;
    copy->derived = (*held)->derived;
    ptl_local_free(*held);
    *held = copy;
}

static ptl_status check_map(const ptl_save *save, const ptl_local_map *map,
                            ptl_local_map *const *held, ptl_error *err)
{
    const map_info *info = &map->stored.info;
    if (map->world_id != save->world->row.id)
        return local_other_world(save->world, err);
    const int64_t before = held ? (*held)->stored.info.revision : info->revision;
    if (info->revision != before && info->revision != before + 1)
        return error_set(err, PTL_ERR_EXISTS,
                         "the save has the local map at %lld,%lld,%d already, changed from "
                         "revision %lld; this one has revision %lld",
                         (long long)info->at.x, (long long)info->at.y, (int)info->at.z,
                         (long long)before, (long long)info->revision);
    return PTL_OK;
}

/* `taken` and `freed`: bytes of the copy, and of the state whose place it takes. */
static ptl_status check_copy(const ptl_save *save, const ptl_local_map *copy, size_t taken,
                             size_t freed, ptl_error *err)
{
    if (text_bytes(copy->stored.pool) > LOCAL_TEXTS_MAX)
        return error_set(err, PTL_ERR_LIMIT,
                         "a local map has more than the %d bytes of texts that are kept",
                         (int)LOCAL_TEXTS_MAX);
    return save_check_size(save, taken > freed ? taken - freed : 0, err);
}

ptl_status ptl_save_local_set(ptl_save *save, ptl_local_map *map, ptl_error *err)
{
    ptl_local_map *copy = NULL;
    error_clear(err);
    if (!ARRAY_ROOM(save->maps, save->map_room, save->map_count + 1))
        return error_nomem(err);
    ptl_local_map **held = find(save, map->stored.info.at);
    TRY(check_map(save, map, held, err));
    world_local_still(map);
    TRY(world_local_copy(&copy, map, err));
    const size_t taken = map_bytes(copy), freed = held ? map_bytes(*held) : 0;
    const ptl_status status = check_copy(save, copy, taken, freed, err);
    if (status != PTL_OK) {
        ptl_local_free(copy);
        return status;
    }
    if (held)
        replace(held, copy);
    else
        save->maps[save->map_count++] = copy;
    save->map_bytes += taken - freed;
    local_changed(map, copy->stored.info.revision + 1);
    return PTL_OK;
}
