/*
 * Where somebody can go on a local map: through doors, into rooms, over stairs. It is judged by
 * the terrain alone, tile by tile.
 */
#pragma once

#include "world/local/local.h"

/* What a person can do on a tile. */
enum {
    TILE_WALK = 1, /* stand there */
    TILE_OPEN = 2, /* go through after opening or breaking it: a door, a window, a fence */
    TILE_DOOR = 4,
    TILE_UP = 8, /* stairs and the like */
    TILE_DOWN = 16,
    TILE_WALL = 32, /* nobody can reach things that lie on the tile */
    TILE_FALL = 64, /* it leads to another level without stairs */
    TILE_WAY = TILE_UP | TILE_DOWN | TILE_FALL
};

/* Fills in what a person can do on each tile: a sum of TILE_WALK and so on. */
void local_ways(uint8_t out[LOCAL_CELLS], const world_mapgen *m, const local_map *map);
/* Returns the first tile with a door that has at most one side to which somebody can go; -1:
 * there is none. What is outside of the map can be gone to. */
int local_ways_shut_door(const uint8_t tiles[LOCAL_CELLS]);
/* Returns a tile of the first room to which no way leads from the map's border or from stairs,
 * and its size in tiles; -1: there is none. */
int local_ways_shut_room(const uint8_t tiles[LOCAL_CELLS], int *size);
/* Returns the first tile of a map with stairs (`way`: TILE_UP or TILE_DOWN) to which none on
 * the other level (`there`) answer, a few tiles off at most; -1: there is none. Stairs at the
 * border may be answered on the next OMT. */
int local_ways_lost_stair(const uint8_t here[LOCAL_CELLS], const uint8_t there[LOCAL_CELLS],
                          uint8_t way, uint8_t answer);
