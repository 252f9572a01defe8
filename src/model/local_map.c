#include "model/local_map.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

void local_map_init(local_map *map)
{
    memset(map, 0, sizeof *map);
}

void local_map_dispose(local_map *map)
{
    free(map->entities);
    map->entities = NULL;
}

void local_map_add(local_map *map, const local_entity *entity)
{
    if (map->count == LOCAL_ENTITIES_MAX) {
        map->cut = true;
        return;
    }
    if (!ARRAY_ROOM(map->entities, map->room, map->count + 1)) {
        map->failed = true;
        return;
    }
    map->entities[map->count++] = *entity;
}

void local_map_remove(local_map *map, size_t number)
{
    local_entity *gone = &map->entities[number];
    memmove(gone, gone + 1, (map->count - number - 1) * sizeof *gone);
    map->count--;
}

/* Turns one layer by a quarter. */
static void turn_layer(uint32_t cells[LOCAL_CELLS])
{
    uint32_t before[LOCAL_CELLS];
    memcpy(before, cells, sizeof before);
    for (int y = 0; y < LOCAL_SIDE; y++)
        for (int x = 0; x < LOCAL_SIDE; x++)
            cells[x * LOCAL_SIDE + LOCAL_SIDE - 1 - y] = before[y * LOCAL_SIDE + x];
}

static void turn_radiation(uint8_t cells[LOCAL_CELLS])
{
    uint8_t before[LOCAL_CELLS];
    memcpy(before, cells, sizeof before);
    for (int y = 0; y < LOCAL_SIDE; y++)
        for (int x = 0; x < LOCAL_SIDE; x++)
            cells[x * LOCAL_SIDE + LOCAL_SIDE - 1 - y] = before[y * LOCAL_SIDE + x];
}

void local_map_rotate(local_map *map, int turns)
{
    for (int i = 0; i < (turns & 3); i++) {
        turn_layer(map->terrain);
        turn_layer(map->furniture);
        turn_layer(map->trap);
        turn_radiation(map->radiation);
        for (size_t k = 0; k < map->count; k++) {
            /* The corners of a rectangle change places: x must stay the smaller one. */
            local_entity *e = &map->entities[k];
            enum { FULL = 360, QUARTER = 90, LAST = LOCAL_SIDE - 1 };
            const local_entity before = *e;
            e->x = (uint8_t)(LAST - before.y2);
            e->x2 = (uint8_t)(LAST - before.y);
            e->y = before.x;
            e->y2 = before.x2;
            if (e->kind == LOCAL_VEHICLE)
                e->count = (before.count % FULL + QUARTER) % FULL;
        }
    }
}

const char *local_kind_name(local_kind kind)
{
    static const char *const names[LOCAL_KINDS] = {
        "item", "item group", "monster",  "monster group", "vehicle", "npc",    "field",
        "sign", "graffiti",   "computer", "zone",          "owner",   "corpse", "remark"};
    return names[kind];
}
