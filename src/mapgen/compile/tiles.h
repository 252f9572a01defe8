/*
 * What terrain and furniture of the content are, as far as mapgen asks: present ids of those of
 * before, roofs, walls, what bashing leaves. Made of the objects as they are kept.
 */
#ifndef MAPGEN_COMPILE_TILES_H
#define MAPGEN_COMPILE_TILES_H

#include "model/id_pool.h"
#include "json/view.h"

#include <stdbool.h>

enum {
    MAPGEN_TILE_KNOWN = 1, /* there is such an object */
    MAPGEN_TILE_WALL = 2,
    MAPGEN_TILE_PLACE_ITEM = 4,
    MAPGEN_TILE_IMPASSABLE = 8,
    MAPGEN_TILE_BASHED = 16, /* it can be bashed: to `bashed`, or to nothing */
    MAPGEN_TILE_PLANT = 32,  /* it holds one seed */
    MAPGEN_TILE_FLAT = 64,
    MAPGEN_TILE_DEEP = 128, /* water, deep */
    MAPGEN_TILE_WATER = 256,
    MAPGEN_TILE_LEAKS = 512,   /* water goes through, as among trees */
    MAPGEN_TILE_HEIGHT = 1024, /* its content states how high it lies where there is a coast */
    MAPGEN_STATED_MAX = 9999   /* no stated height is farther from 0 */
};

/* Ids are numbers of the pool that the objects were read with. */
typedef struct mapgen_tile {
    uint32_t present; /* of an earlier id, the one that it is now; ID_NONE: itself */
    uint32_t roof;    /* the terrain above, where there would be air; ID_NONE: none */
    uint32_t bashed;  /* what bashing leaves; ID_NONE: nothing */
    uint32_t parent;  /* copied from; while objects are added */
    uint32_t origin;  /* the same, for ever */
    uint32_t names;   /* where its own flags begin, of all */
    uint16_t name_count;
    uint16_t flags; /* MAPGEN_TILE_* */
    int16_t height; /* of terrain, with MAPGEN_TILE_HEIGHT */
    uint8_t own;    /* which members it states itself; while objects are added */
} mapgen_tile;

typedef struct mapgen_tiles mapgen_tiles;

mapgen_tiles *mapgen_tiles_new(id_pool *pool); /* NULL when memory is out */
void mapgen_tiles_free(mapgen_tiles *tiles);
/* Adds an object of type terrain, furniture or a migration of them; others are passed over. An
 * id that comes again replaces the one before. False when memory is out. */
bool mapgen_tiles_add(mapgen_tiles *tiles, json_view object);
/* To be called once, when all are there. */
void mapgen_tiles_finish(mapgen_tiles *tiles);

/* What is known of an id: zeroes of an unknown one, and where tiles is NULL. */
mapgen_tile mapgen_terrain_tile(const mapgen_tiles *tiles, uint32_t id);
mapgen_tile mapgen_furniture_tile(const mapgen_tiles *tiles, uint32_t id);
/* Has it the flag, by whatever name? Also of what it was copied from, if it has no list of its
 * own. */
bool mapgen_terrain_has(const mapgen_tiles *tiles, uint32_t id, uint32_t flag);
bool mapgen_furniture_has(const mapgen_tiles *tiles, uint32_t id, uint32_t flag);
/* The present id. */
uint32_t mapgen_terrain_now(const mapgen_tiles *tiles, uint32_t id);
uint32_t mapgen_furniture_now(const mapgen_tiles *tiles, uint32_t id);

#endif
