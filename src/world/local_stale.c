#include "world/local_stale.h"

#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

void stale_maps_clear(stale_maps *maps)
{
    for (size_t i = 0; i < maps->count; i++)
        free(maps->list[i].was);
    free(maps->list);
    memset(maps, 0, sizeof *maps);
}

map_area world_maps_of(ptl_chunk_pos pos)
{
    const int64_t x = (int64_t)pos.x * PTL_CHUNK_SIZE, y = (int64_t)pos.y * PTL_CHUNK_SIZE;
    return (map_area){x, x + PTL_CHUNK_SIZE - 1, y, y + PTL_CHUNK_SIZE - 1, .after = 1};
}

map_area world_spills_of(ptl_chunk_pos pos)
{
    map_area area = world_maps_of(pos);
    area.x0 -= WORLD_SPILLS_AROUND;
    area.y0 -= WORLD_SPILLS_AROUND;
    area.x1 += WORLD_SPILLS_AROUND;
    area.y1 += WORLD_SPILLS_AROUND;
    area.after = 0;
    return area;
}

static ptl_status add_map(void *payload, const map_info *info, ptl_error *err)
{
    stale_maps *maps = payload;
    if (!ARRAY_ROOM(maps->list, maps->room, maps->count + 1))
        return error_nomem(err);
    stale_map *added = &maps->list[maps->count];
    *added = (stale_map){.at = info->at, .was = strdup(info->oter)};
    if (!added->was)
        return error_nomem(err);
    maps->count++;
    return PTL_OK;
}

/* Of the edited maps from `first` on, keeps those in the list whose OMT has another terrain
 * now, and sets `now` of these. */
static ptl_status compare(stale_maps *maps, size_t first, ptl_world *world, ptl_chunk_pos pos,
                          ptl_error *err)
{
    const map_area area = world_maps_of(pos);
    ptl_oter *cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    ptl_status status = cells ? PTL_OK : error_nomem(err);
    size_t kept = first;
    int32_t z = PTL_Z_MIN - 1;
    for (size_t i = first; i < maps->count; i++) {
        stale_map *m = &maps->list[i];
        bool found = true;
        if (status == PTL_OK && m->at.z != z) {
            z = m->at.z;
            status = store_level_read(cells, &found, world->store, world->row.id, pos, z,
                                      world->cat, err);
        }
        if (status == PTL_OK)
            m->now =
                world->cat
                    ->oters[cells[(m->at.y - area.y0) * PTL_CHUNK_SIZE + m->at.x - area.x0]]
                    .id;
        if (status != PTL_OK || strcmp(m->now, m->was) == 0)
            free(m->was);
        else
            maps->list[kept++] = *m;
    }
    maps->count = kept;
    free(cells);
    return status;
}

ptl_status world_maps_follow(stale_maps *maps, ptl_world *world, ptl_chunk_pos pos,
                             ptl_error *err)
{
    const map_area area = world_maps_of(pos);
    const size_t first = maps->count;
    uint64_t dropped = 0;
    ptl_status status = store_map_visit(world->store, world->row.id, &area, add_map, maps, err);
    if (status == PTL_OK && maps->count > first)
        status = compare(maps, first, world, pos, err);
    THEN(status, store_map_drop(&dropped, world->store, world->row.id, &area, err));
    const map_area near = world_spills_of(pos);
    THEN(status, store_spill_drop(world->store, world->row.id, &near, err));
    maps->dropped += dropped;
    return status;
}
