/* Local maps that a game has made: ../shared/reference/dda-0F-maps, dda-0I-maps. */
#ifndef TRUTH_GAME_MAPS_H
#define TRUTH_GAME_MAPS_H

#include "model/id_pool.h"
#include "model/local_map.h"

/* A game of which the reference has local maps. */
typedef struct truth_game {
    const char *name;      /* as it is printed */
    const char *directory; /* of its content; NULL: `today` is it */
    const char *today;     /* of ../shared/content/today */
    const char *maps;      /* of ../shared/reference */
    size_t maps_size;      /* of their text, in bytes */
    bool has_overmaps;     /* that say what stood there before */
} truth_game;

extern const truth_game truth_0F, truth_0I;

typedef enum game_thing_kind {
    GAME_ITEM,
    GAME_MONSTER,
    GAME_VEHICLE,
    GAME_FIELD,
    GAME_THINGS
} game_thing_kind;

/* So many of an id on a map; of items those in others as well. */
typedef struct game_thing {
    game_thing_kind kind;
    uint32_t id;
    int32_t count;
} game_thing;

typedef struct game_map {
    uint32_t oter; /* the id with its direction */
    uint32_t
        before;   /* the terrain that stood there until the last one; ID_NONE: none is known */
    int64_t x, y; /* OMT, from the origin of all overmaps */
    int32_t z;
    uint32_t terrain[LOCAL_CELLS], furniture[LOCAL_CELLS]; /* ids of the pool */
    size_t first, thing_count;                             /* among the things */
} game_map;

/* An overmap's level z = 0. */
typedef struct game_overmap {
    int64_t x, y;
    uint32_t *oters; /* owned; 180 x 180 ids with their directions, row by row */
} game_overmap;

typedef struct game_maps {
    game_map *items; /* owned; by x, y, z */
    size_t count;
    game_thing *things; /* owned; of all maps */
    size_t thing_count;
    game_overmap *overmaps; /* owned; where the reference has them */
    size_t overmap_count;
} game_maps;

/* Reads the maps of a game, or skips with a word about it: false. */
bool game_maps_read(game_maps *out, id_pool *pool, const truth_game *game);
void game_maps_free(game_maps *maps);
/* Returns the map of a place; NULL if the game saved none. */
const game_map *game_maps_at(const game_maps *maps, int64_t x, int64_t y, int32_t z);
/* Returns the terrain of a place, by its map or, at z = 0, by its overmap; ID_NONE: the
 * reference has neither. */
uint32_t game_maps_oter(const game_maps *maps, int64_t x, int64_t y, int32_t z);

#endif
