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

/* Rotates a layer of a local map clockwise by a quarter turn. The layer has one value for each
 * tile, of `size` bytes. */
static void turn_layer(void *layer, size_t size)
{
    unsigned char before[LOCAL_CELLS * sizeof(uint32_t)], *cells = layer;
    memcpy(before, cells, LOCAL_CELLS * size);
    for (size_t y = 0; y < LOCAL_SIDE; y++)
        for (size_t x = 0; x < LOCAL_SIDE; x++)
            memcpy(cells + (x * LOCAL_SIDE + LOCAL_SIDE - 1 - y) * size,
                   before + (y * LOCAL_SIDE + x) * size, size);
}

void local_map_rotate(local_map *map, int turns)
{
    for (int i = 0; i < (turns & 3); i++) {
        turn_layer(map->terrain, sizeof *map->terrain);
        turn_layer(map->furniture, sizeof *map->furniture);
        turn_layer(map->trap, sizeof *map->trap);
        turn_layer(map->radiation, sizeof *map->radiation);
        for (size_t k = 0; k < map->count; k++) {
            /* A quarter turn moves the corners of the thing's rectangle. x and y become those
             * of the corner that is now the north-western one, x2 and y2 those of the opposite
             * one. */
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

/* ---- palettes ----
 *
 * A palette says how often each id of terrain and furniture occurs in the local maps of one
 * overmap terrain. A map that is stored with the help of its palette takes fewer bytes. A
 * palette is written as a text, which the file keeps as a name, so that each map can name the
 * palette it was coded with (schema/format.md, "Palettes"). */

/* Writes a line for each id, the id's weight in front; an empty line ends each plane (terrain,
 * furniture). */
void local_palette_put(bytes *out, const local_palette *palette, const id_pool *pool)
{
    for (size_t k = 0; k < LOCAL_PALETTE_PLANES; k++) {
        const local_palette_plane *p = &palette->planes[k];
        for (uint32_t i = 0; i < p->count; i++)
            bytes_printf(out, "%u %s\n", (unsigned)p->weights[i],
                         id_pool_text(pool, p->ids[i]));
        bytes_put_u8(out, '\n');
    }
}

bool local_palette_take(local_palette *out, id_pool *pool, const char *text)
{
    const char *at = text;
    for (size_t k = 0; k < LOCAL_PALETTE_PLANES; k++, at++) {
        local_palette_plane *p = &out->planes[k];
        uint32_t whole = 0;
        for (p->count = 0; *at != '\n'; p->count++) {
            uint32_t weight = 0;
            for (; *at >= '0' && *at <= '9' && weight <= LOCAL_PALETTE_WHOLE_MAX; at++)
                weight = 10 * weight + (uint32_t)(*at - '0');
            const char *end = strchr(at, '\n');
            if (p->count == LOCAL_PALETTE_MAX || weight < LOCAL_PALETTE_WEIGHT_LEAST ||
                (whole += weight) > LOCAL_PALETTE_WHOLE_MAX || *at != ' ' || !end ||
                end == at + 1)
                return false;
            p->weights[p->count] = (uint16_t)weight;
            p->ids[p->count] = id_pool_put(pool, at + 1, (size_t)(end - at - 1));
            at = end + 1;
        }
    }
    return *at == '\0';
}

/* The lowest and highest value of each number. -1 stands for a number that the content does not
 * state: monster groups then have the density of the OMT, and the tanks of vehicles are nearly
 * empty. */
static const local_range ranges[LOCAL_NUMBERS] = {
    [LOCAL_NUMBER_X] = {"x", 0, LOCAL_SIDE - 1},
    [LOCAL_NUMBER_Y] = {"y", 0, LOCAL_SIDE - 1},
    [LOCAL_NUMBER_X2] = {"x2", 0, LOCAL_SIDE - 1},
    [LOCAL_NUMBER_Y2] = {"y2", 0, LOCAL_SIDE - 1},
    [LOCAL_NUMBER_COUNT] = {"count", -1, INT32_MAX},
    [LOCAL_NUMBER_CHARGES] = {"charges", -1, INT32_MAX},
    [LOCAL_NUMBER_STATUS] = {"status", -1, INT32_MAX},
    [LOCAL_NUMBER_RADIATION] = {"radiation", 0, UINT8_MAX}};

const local_range *local_range_of(local_number number)
{
    return &ranges[number];
}

bool local_range_has(local_number number, int64_t value)
{
    return value >= ranges[number].least && value <= ranges[number].most;
}

local_number local_range_fault(const int32_t numbers[LOCAL_THING_NUMBERS])
{
    for (int i = 0; i < LOCAL_THING_NUMBERS; i++)
        if (!local_range_has((local_number)i, numbers[i]))
            return (local_number)i;
    if (numbers[LOCAL_NUMBER_X2] < numbers[LOCAL_NUMBER_X])
        return LOCAL_NUMBER_X2;
    return numbers[LOCAL_NUMBER_Y2] < numbers[LOCAL_NUMBER_Y] ? LOCAL_NUMBER_Y2 : LOCAL_NUMBERS;
}
