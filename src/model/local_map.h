/*
 * A local map: the 24 x 24 tiles of one OMT, and what stands and lies on them. Ids are numbers
 * of an id_pool (id_pool.h), ID_NONE means none. x grows to the east, y to the south; tile (x,
 * y) has the index y * LOCAL_SIDE + x.
 */
#pragma once

#include "core/bytes.h"
#include "model/id_pool.h"

#include <stdbool.h>

enum { LOCAL_SIDE = 24, LOCAL_CELLS = LOCAL_SIDE * LOCAL_SIDE };

/* The layers of a local map: each tile has at most one terrain, one furniture and one trap. A
 * tile may have several fields, which are entities. */
typedef enum local_layer {
    LOCAL_LAYER_TERRAIN,
    LOCAL_LAYER_FURNITURE,
    LOCAL_LAYER_TRAP,
    LOCAL_LAYER_FIELD,
    LOCAL_LAYERS
} local_layer;

typedef enum local_kind {
    /* An item, `count` items, or an item with charges. `status` is its depth in containers, 0
     * on the tile itself; an item of depth n is in the last item before it of depth n - 1.
     * `text` has further facts about the item, as JSON. */
    LOCAL_ITEM,
    /* An item group from which items were chosen once; all of these items are on the tile. */
    LOCAL_ITEM_GROUP,
    LOCAL_MONSTER, /* `count` monsters; `text` is a name, `with` is JSON of what each carries */
    /* A monster group, which stands somewhere in the rectangle. `count` is its density in
     * hundred thousandths, or -1 for the OMT's density. */
    LOCAL_MONSTER_GROUP,
    /* A vehicle. `count` is the direction in which it faces, in degrees clockwise from east;
     * `charges` is its fuel in percent, `status` its condition, as the content states it. */
    LOCAL_VEHICLE,
    LOCAL_NPC,   /* a person of the kind `id`; `with` is the person's own id */
    LOCAL_FIELD, /* a field (smoke); `count` is its intensity, `charges` its age in turns */
    LOCAL_SIGN,  /* a sign that says `text` or a snippet (a ready text) of the category `id` */
    LOCAL_GRAFFITI, /* graffiti with `text` or a snippet (a ready text) of the category `id` */
    LOCAL_COMPUTER, /* a computer named `id`; `text` is the JSON that the content has for it */
    /* A zone, which is a rectangle of tiles. `with` is the zone's faction. A zone of the type
     * `variable` marks a place that has a name. */
    LOCAL_ZONE,
    LOCAL_OWNER,  /* a rectangle whose items belong to a faction */
    LOCAL_CORPSE, /* a dead monster of a monster group */
    LOCAL_REMARK, /* a script's message is `text`; `status` is 1 if the script failed */
    LOCAL_KINDS
} local_kind;

typedef struct local_entity {
    local_kind kind;
    /* The far corner of a rectangle is (x2, y2); for anything else it is equal to (x, y). */
    uint8_t x, y, x2, y2;
    /* The member `own` is data that only the game understands, as a text; it is kept unchanged.
     */
    uint32_t id, with, text, own;
    int32_t count, charges, status; /* local_range_of gives the range of each number */
} local_entity;

enum { LOCAL_ENTITIES_MAX = 100000 };

typedef struct local_map {
    uint32_t terrain[LOCAL_CELLS], furniture[LOCAL_CELLS], trap[LOCAL_CELLS];
    /* Radiation of each tile; content states values from 0 to 100. */
    uint8_t radiation[LOCAL_CELLS];
    /* Number of the palette (local_palette below) by which local maps of this overmap terrain
     * are stored; ID_NONE: there is none, or it is not known. */
    uint32_t palette;
    local_entity *entities; /* owned; in the order in which they were added */
    size_t count, room;
    bool failed; /* memory was out: the map must not be used */
    bool cut;    /* content wanted more than LOCAL_ENTITIES_MAX entities: some are left out */
} local_map;

/* Makes the map empty, without entities. */
void local_map_init(local_map *map);
void local_map_dispose(local_map *map);
/* Appends a copy of the entity. Sets map->failed when memory is out. */
void local_map_add(local_map *map, const local_entity *entity);
/* Removes an entity. The numbers of the entities behind it decrease by one. */
void local_map_remove(local_map *map, size_t number);
/* Turns the whole map clockwise by `turns` quarter turns. */
void local_map_rotate(local_map *map, int turns);
/* Returns a kind's name, as it is printed. */
const char *local_kind_name(local_kind kind);

enum {
    LOCAL_PALETTE_TERRAIN,
    LOCAL_PALETTE_FURNITURE,
    LOCAL_PALETTE_PLANES,
    LOCAL_PALETTE_MAX = 62,         /* the most ids in a plane of a palette */
    LOCAL_PALETTE_WEIGHT_LEAST = 4, /* the lowest weight that an id of a palette may have */
    /* The greatest sum that the weights of one palette may have, for terrain and for furniture
     * alike. */
    LOCAL_PALETTE_WHOLE_MAX = 8192
};

typedef struct local_palette_plane {
    /* The palette's ids, as numbers of an id_pool, in the order of the palette's text. */
    uint32_t ids[LOCAL_PALETTE_MAX];
    uint16_t weights[LOCAL_PALETTE_MAX];
    uint32_t count;
} local_palette_plane;

typedef struct local_palette {
    local_palette_plane planes[LOCAL_PALETTE_PLANES];
} local_palette;

/* Appends the palette's text, without a NUL behind it. */
void local_palette_put(bytes *out, const local_palette *palette, const id_pool *pool);
/* Reads a palette's text and puts its ids into the pool. False if the text is no palette. */
bool local_palette_take(local_palette *out, id_pool *pool, const char *text);

typedef enum local_number {
    LOCAL_NUMBER_X,
    LOCAL_NUMBER_Y,
    LOCAL_NUMBER_X2,
    LOCAL_NUMBER_Y2,
    LOCAL_NUMBER_COUNT,
    LOCAL_NUMBER_CHARGES,
    LOCAL_NUMBER_STATUS,
    /* The radiation of a tile; all earlier numbers of this enum belong to entities. */
    LOCAL_NUMBER_RADIATION,
    LOCAL_NUMBERS
} local_number;

enum { LOCAL_THING_NUMBERS = LOCAL_NUMBER_RADIATION };

typedef struct local_range {
    const char *name;
    int32_t least, most; /* the smallest and the greatest allowed value */
} local_range;

const local_range *local_range_of(local_number number);
/* May this number of an entity or of a tile have the value? */
bool local_range_has(local_number number, int64_t value);
/* Returns the first of an entity's numbers that is wrong: out of its range, or an x2 below x,
 * or a y2 below y. Returns LOCAL_NUMBERS if no number is wrong. */
local_number local_range_fault(const int32_t numbers[LOCAL_THING_NUMBERS]);
