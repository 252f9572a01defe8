#include "world/local/local_towns.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

static void clear(local_towns *towns)
{
    for (size_t i = 0; i < towns->count; i++)
        free(towns->list[i].name);
    towns->count = 0;
}

void local_towns_dispose(local_towns *towns)
{
    clear(towns);
    free(towns->list);
    *towns = (local_towns){.list = NULL};
}

static ptl_status add_city(void *payload, const city_row *city, ptl_error *err)
{
    local_towns *towns = payload;
    if (!city->name[0])
        return PTL_OK;
    if (towns->count == towns->room) {
        const size_t room = 2 * towns->room + 8;
        local_town *wider = realloc(towns->list, room * sizeof *wider);
        if (!wider)
            return error_nomem(err);
        towns->list = wider;
        towns->room = room;
    }
    const size_t size = strlen(city->name) + 1;
    local_town *town = &towns->list[towns->count];
    town->x = (int64_t)city->chunk.x * PTL_CHUNK_SIZE + city->x;
    town->y = (int64_t)city->chunk.y * PTL_CHUNK_SIZE + city->y;
    town->name = malloc(size);
    if (!town->name)
        return error_nomem(err);
    memcpy(town->name, city->name, size);
    towns->count++;
    return PTL_OK;
}

ptl_status local_towns_read(local_towns *towns, const ptl_world *world, ptl_omt at,
                            ptl_error *err)
{
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    clear(towns);
    return store_city_visit(world->store, world->row.id, pos, pos, add_city, towns, err);
}

const char *local_towns_nearest(const local_towns *towns, ptl_omt at)
{
    const char *nearest = NULL;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < towns->count; i++) {
        const int64_t dx = towns->list[i].x - at.x, dy = towns->list[i].y - at.y;
        if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            nearest = towns->list[i].name;
        }
    }
    return nearest;
}
