/*
 * Finds where somebody can go on a local map: through doors, into rooms, over stairs. Only the
 * terrain of each tile is looked at.
 */
#pragma once

#include "world/local/local.h"

/* What a person can do on a tile. */
enum {
    TILE_WALK = 1, /* stand there */
    TILE_OPEN = 2, /* a tile that one can go through after opening or breaking it: a door, a
                      window, a fence */
    TILE_DOOR = 4,
    TILE_UP = 8, /* go up by stairs, a ladder and the like */
    TILE_DOWN = 16,
    TILE_WALL = 32, /* nobody can reach things that lie on the tile */
    TILE_FALL = 64, /* get to another level without stairs: a ramp, a hole in the floor */
    TILE_WAY = TILE_UP | TILE_DOWN | TILE_FALL
};

/* Fills in what a person can do on each tile: a sum of TILE_WALK and so on. */
void local_ways(uint8_t out[LOCAL_CELLS], const world_mapgen *m, const local_map *map);
/* Returns the first tile with a door that somebody can reach from at most one side; -1: there
 * is none. Tiles outside of the map count as tiles where somebody can go. */
int local_ways_shut_door(const uint8_t tiles[LOCAL_CELLS]);
/* Returns a tile of the first room to which no way leads from the map's border or from stairs;
 * *size is the number of tiles of the room. -1: there is no such room. */
int local_ways_shut_room(const uint8_t tiles[LOCAL_CELLS], int *size);
/* Finds stairs that lead to nothing. Returns the first tile of a map with stairs in the
 * direction `way` (TILE_UP or TILE_DOWN), if on the other level (`there`) no stairs back
 * (`answer`) are at most a few tiles away. -1: there is no such tile. Stairs at the border
 * don't count, because the stairs back may be on the next OMT. */
int local_ways_lost_stair(const uint8_t here[LOCAL_CELLS], const uint8_t there[LOCAL_CELLS],
                          uint8_t way, uint8_t answer);
