/* Where somebody can go on a local map: see local_ways.h. */
#include "world/local/local_ways.h"

#include "mapgen/compile/text_id.h"

#include <string.h>

enum { ROOM_LEAST = 9 }; /* only rooms with at least so many tiles are reported */

static bool has_flag(const world_mapgen *m, uint32_t terrain, const char *flag)
{
    return mapgen_tile_has(m->tiles, false, terrain, mapgen_word_id(m->pool, flag));
}

static bool has_word(const char *id, const char *const *words)
{
    bool found = false;
    for (size_t i = 0; words[i] && !found; i++)
        found = strstr(id, words[i]) != NULL;
    return found;
}

/* Returns what a person can do on a terrain. Only walls close a room; trees, pipes and the like
 * do not. Whether a wall can be opened or easily broken is found from flags and, because
 * content has many sorts of doors, from words in the id. */
static uint8_t tile_of(const world_mapgen *m, uint32_t terrain)
{
    static const char *const opens[] = {"door",  "gate",       "window", "curtain",  "hatch",
                                        "glass", "paper",      "fence",  "elevator", "screen",
                                        "card",  "secret",     "bars",   "shutter",  "resin",
                                        "wax",   "portcullis", NULL};
    static const char *const vertical[] = {"trapdoor", "hatch",    "cellar",
                                           "frame",    "elevator", NULL};
    /* A cover of stairs: it can be opened, but need not have stairs under it. */
    static const char *const covers[] = {"manhole_cover", NULL};
    static const char *const flags[] = {"DOOR", "WINDOW", "CLIMBABLE", "OPENCLOSE_INSIDE",
                                        NULL};
    const uint16_t known = mapgen_terrain_tile(m->tiles, terrain).flags;
    const char *id = id_pool_text(m->pool, terrain);
    bool open = (known & MAPGEN_TILE_OPENS) || has_word(id, opens);
    for (size_t i = 0; flags[i] && !open; i++)
        open = has_flag(m, terrain, flags[i]);
    const bool blocked = (known & MAPGEN_TILE_IMPASSABLE) != 0;
    /* A room has no tiles of water, as those of a tank. */
    const bool water = known & (MAPGEN_TILE_WATER | MAPGEN_TILE_DEEP);
    const bool wall = blocked && !open && (known & MAPGEN_TILE_WALL);
    const bool door = (has_flag(m, terrain, "DOOR") || strncmp(id, "t_door", 6) == 0) &&
                      !has_word(id, vertical);
    const bool cover = has_word(id, covers);
    uint8_t tile = 0;
    tile |= !blocked && !water && !cover ? TILE_WALK : 0;
    tile |= water || cover || (blocked && !wall) ? TILE_OPEN : 0;
    tile |= door ? TILE_DOOR : 0;
    tile |= has_flag(m, terrain, "GOES_UP") ? TILE_UP : 0;
    tile |= has_flag(m, terrain, "GOES_DOWN") || cover ? TILE_DOWN : 0;
    tile |= has_flag(m, terrain, "NO_FLOOR") || strstr(id, "ramp") ? TILE_FALL : 0;
    tile |= wall && !(known & MAPGEN_TILE_PLACE_ITEM) ? TILE_WALL : 0;
    return tile;
}

void local_ways(uint8_t out[LOCAL_CELLS], const world_mapgen *m, const local_map *map)
{
    uint32_t last = ID_NONE;
    uint8_t tile = 0;
    for (int i = 0; i < LOCAL_CELLS; i++) {
        if (i == 0 || map->terrain[i] != last)
            tile = tile_of(m, map->terrain[i]);
        last = map->terrain[i];
        out[i] = tile;
    }
}

/* Returns the cell beside another in one of eight directions, of which the even ones are the
 * sides; -1: it lies outside of the map. */
static int beside(int cell, int direction)
{
    static const int8_t steps[][2] = {{0, -1}, {1, -1}, {1, 0},  {1, 1},
                                      {0, 1},  {-1, 1}, {-1, 0}, {-1, -1}};
    const int x = cell % LOCAL_SIDE + steps[direction][0];
    const int y = cell / LOCAL_SIDE + steps[direction][1];
    return x < 0 || y < 0 || x >= LOCAL_SIDE || y >= LOCAL_SIDE ? -1 : y * LOCAL_SIDE + x;
}

int local_ways_shut_door(const uint8_t tiles[LOCAL_CELLS])
{
    for (int cell = 0; cell < LOCAL_CELLS; cell++) {
        int ways = 0;
        for (int k = 0; k < 8; k += 2) {
            const int other = beside(cell, k);
            ways += other < 0 || (tiles[other] & (TILE_WALK | TILE_OPEN | TILE_WAY));
        }
        if ((tiles[cell] & TILE_DOOR) && ways < 2)
            return cell;
    }
    return -1;
}

/* Sets `reached` for all tiles to which a person can walk from the tile `from`; returns their
 * number. */
static int flood(const uint8_t tiles[LOCAL_CELLS], bool reached[LOCAL_CELLS], int from)
{
    int list[LOCAL_CELLS], count = 0, next = 0;
    if (reached[from])
        return 0;
    reached[from] = true;
    list[count++] = from;
    while (next < count) {
        const int cell = list[next++];
        for (int k = 0; k < 8; k++) {
            const int other = beside(cell, k);
            if (other < 0 || reached[other] ||
                !(tiles[other] & (TILE_WALK | TILE_OPEN | TILE_WAY)))
                continue;
            reached[other] = true;
            list[count++] = other;
        }
    }
    return count;
}

int local_ways_shut_room(const uint8_t tiles[LOCAL_CELLS], int *size)
{
    bool reached[LOCAL_CELLS] = {false};
    for (int cell = 0; cell < LOCAL_CELLS; cell++) {
        const int x = cell % LOCAL_SIDE, y = cell / LOCAL_SIDE;
        const bool border = x == 0 || y == 0 || x == LOCAL_SIDE - 1 || y == LOCAL_SIDE - 1;
        const bool way = tiles[cell] & TILE_WAY;
        if (way || (border && (tiles[cell] & (TILE_WALK | TILE_OPEN))))
            (void)flood(tiles, reached, cell);
    }
    for (int cell = 0; cell < LOCAL_CELLS; cell++) {
        if (reached[cell] || !(tiles[cell] & TILE_WALK))
            continue;
        *size = flood(tiles, reached, cell);
        if (*size >= ROOM_LEAST)
            return cell;
    }
    return -1;
}

int local_ways_lost_stair(const uint8_t here[LOCAL_CELLS], const uint8_t there[LOCAL_CELLS],
                          uint8_t way, uint8_t answer)
{
    enum { NEAR = 2 };
    for (int cell = 0; cell < LOCAL_CELLS; cell++) {
        /* Who swims may come up anywhere, so water that leads up or down is no stairs; nor is
         * a cover. */
        bool found = !(here[cell] & way) || !(here[cell] & TILE_WALK);
        for (int dy = -NEAR; dy <= NEAR && !found; dy++)
            for (int dx = -NEAR; dx <= NEAR && !found; dx++) {
                const int x = cell % LOCAL_SIDE + dx, y = cell / LOCAL_SIDE + dy;
                const bool out = x < 0 || y < 0 || x >= LOCAL_SIDE || y >= LOCAL_SIDE;
                found = out || (there[y * LOCAL_SIDE + x] & answer);
            }
        if (!found)
            return cell;
    }
    return -1;
}
