/*
 * A local map: the 24 x 24 tiles inside one OMT, and what stands on them. Ids are numbers of an
 * id_pool (id_pool.h), ID_NONE is none; x grows to the east, y to the south, and tile (x, y) is
 * cell y * LOCAL_SIDE + x.
 */
#ifndef MODEL_LOCAL_MAP_H
#define MODEL_LOCAL_MAP_H

#include "model/id_pool.h"

#include <stdbool.h>

enum { LOCAL_SIDE = 24, LOCAL_CELLS = LOCAL_SIDE * LOCAL_SIDE };

/* What a tile has one of each of; of fields the first intensity is what is shown. */
typedef enum local_layer {
    LOCAL_LAYER_TERRAIN,
    LOCAL_LAYER_FURNITURE,
    LOCAL_LAYER_TRAP,
    LOCAL_LAYER_FIELD,
    LOCAL_LAYERS
} local_layer;

typedef enum local_kind {
    LOCAL_ITEM, /* count of them, or with charges; status: how deep it lies, 0 on the tile, else
                 * in the last one before it that is one less deep; text: JSON of its own */
    LOCAL_ITEM_GROUP,    /* one run of a group, all of it on the tile */
    LOCAL_MONSTER,       /* count of them; text: its name; with: JSON of what it has with it */
    LOCAL_MONSTER_GROUP, /* somewhere in the rectangle; count: its density in hundred
                          * thousandths, -1: the OMT's */
    LOCAL_VEHICLE,  /* count: facing in degrees, 0 is east; fuel and status as content has them
                     */
    LOCAL_NPC,      /* with: the id of its own */
    LOCAL_FIELD,    /* count: intensity; charges: age in turns */
    LOCAL_SIGN,     /* text, or the category of a snippet as id */
    LOCAL_GRAFFITI, /* likewise */
    LOCAL_COMPUTER, /* id: its name; text: JSON as the content has it */
    LOCAL_ZONE,     /* a rectangle; with: its faction; of type `variable` a place with a name */
    LOCAL_OWNER,    /* a rectangle whose items are a faction's */
    LOCAL_CORPSE,   /* of a monster group */
    LOCAL_REMARK,   /* text: what a script said of the map; status 1: what it failed of */
    LOCAL_KINDS
} local_kind;

typedef struct local_entity {
    local_kind kind;
    uint8_t x, y, x2, y2; /* x2, y2: the far corner of a rectangle; else the same again */
    uint32_t id, with, text, own;   /* own: what a game adds, JSON of its own */
    int32_t count, charges, status; /* local_ranges.h says what they may be */
} local_entity;

enum { LOCAL_ENTITIES_MAX = 100000 };

typedef struct local_map {
    uint32_t terrain[LOCAL_CELLS], furniture[LOCAL_CELLS], trap[LOCAL_CELLS];
    uint8_t radiation[LOCAL_CELLS]; /* content's: 0 to 100 */
    uint32_t palette; /* what maps of its terrain are made of (local_palette.h), by which it is
                       * stored; ID_NONE: nobody knows */
    local_entity *entities; /* owned; in the order in which they were put there */
    size_t count, room;
    bool failed; /* memory was out: the map is not to be used */
    bool cut;    /* content wanted more than is ever made: something is missing */
} local_map;

void local_map_init(local_map *map);
void local_map_dispose(local_map *map);
void local_map_add(local_map *map, const local_entity *entity);
/* Of those behind it the numbers become one less. */
void local_map_remove(local_map *map, size_t number);
/* Turns all of it clockwise by quarter turns. */
void local_map_rotate(local_map *map, int turns);
/* Returns the name of a kind, as it is printed. */
const char *local_kind_name(local_kind kind);

#endif
