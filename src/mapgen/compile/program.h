/*
 * A compiled mapgen entry: all that making a local map needs, without looking up texts. Ids
 * are numbers of an id_pool (model/id_pool.h). A unit is what palettes, entries, nested
 * chunks and updates have in common: values, and the meanings of characters in rows. Numbers
 * of values, pieces and conditions are indexes in the unit's arrays, in which number 0 is
 * unused and means none. All of it lies in the arena that it was compiled into, and never
 * changes.
 */
#pragma once

#include "model/id_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAPGEN_SIDE = 24 }; /* tiles along a side of a local map */

typedef struct mapgen_range {
    int32_t low, high; /* the lowest and the highest number, both included */
} mapgen_range;

/* In the game's maps 77 percent of ordinary vending machines stand open. Such a machine has
 * lost its contents, and of the nine tiles around it one in MAPGEN_SHARDS has shards of its
 * glass (schema/mapgen.md). */
enum {
    MAPGEN_VENDING_OPEN = 77,
    MAPGEN_SHARDS = 4,
    MAPGEN_SHARDS_MOST = 25,
    MAPGEN_TILES_AROUND = 9
};

/* Monsters that are chosen by a density may cost together between MAPGEN_COST_LOW and
 * MAPGEN_COST_HIGH times this density. The factor is drawn, as a multiple of
 * 1/MAPGEN_COST_STEPS. */
enum { MAPGEN_COST_STEPS = 1024, MAPGEN_COST_LOW = 10, MAPGEN_COST_HIGH = 50 };

/* ---- values: what may stand where an id is expected ---- */

typedef enum mapgen_value_kind {
    MAPGEN_LITERAL, /* the value is the id `id` */
    MAPGEN_CHOICE,  /* one of the choices, chosen at random at each use; their keys are
                     * running sums of weights */
    MAPGEN_PARAM,   /* the value that was chosen at random for the parameter `id`; the
                     * fallback if nothing defines the parameter */
    MAPGEN_SWITCH   /* the choice whose text is the value of the parameter `id` */
} mapgen_value_kind;

typedef struct mapgen_value {
    mapgen_value_kind kind;
    uint32_t id;
    uint32_t first, count; /* the value's choices: index of the first in the list of the unit
                            * (palette, entry or chunk), and how many */
    /* Of a parameter or a switch: number of the value that is used if the parameter has
     * none. */
    uint32_t fallback;
    /* For values that a parameter decides: their offset in the JSON text, and the kind of
     * things (mapgen_reference) that their ids must name. */
    uint32_t place, expects;
} mapgen_value;

typedef struct mapgen_choice {
    uint32_t value;
    uint32_t key;
} mapgen_choice;

typedef enum mapgen_scope {
    MAPGEN_OMT,
    MAPGEN_NEST,
    MAPGEN_STACK,
    MAPGEN_SPECIAL
} mapgen_scope;

typedef struct mapgen_parameter {
    uint32_t name;
    mapgen_scope scope;
    uint32_t value; /* number of the value (a list of choices) from which the parameter is
                     * chosen at random */
    uint32_t type;  /* the parameter's type as content states it, a number of the id_pool */
    uint32_t place; /* offset of the parameter in the JSON text */
    uint64_t hash;  /* of the name's text; maps ask for the value tile by tile */
} mapgen_parameter;

/* ---- pieces: what is put on tiles ---- */

/* The kinds are in the order in which they are put on one tile (schema/mapgen.md). */
typedef enum mapgen_kind {
    MAPGEN_TERRAIN,
    MAPGEN_FURNITURE,
    MAPGEN_FIELD,
    MAPGEN_NPC,
    MAPGEN_SIGN,
    MAPGEN_VENDING,
    MAPGEN_TOILET,
    MAPGEN_GASPUMP,
    MAPGEN_ITEMS, /* items of an item group */
    MAPGEN_MONSTERS,
    MAPGEN_VEHICLE,
    MAPGEN_ITEM,
    MAPGEN_TRAP,
    MAPGEN_MONSTER,
    MAPGEN_COMPUTER,
    MAPGEN_SEALED_ITEM,
    MAPGEN_NESTED,
    MAPGEN_LIQUID,
    MAPGEN_GRAFFITI,
    MAPGEN_ZONE,
    MAPGEN_TRANSFORM,
    MAPGEN_LOOT,
    MAPGEN_RUBBLE,
    MAPGEN_TRANSLATE,
    MAPGEN_OWNER,
    MAPGEN_CORPSE,
    MAPGEN_REMOVE_ALL,
    MAPGEN_REMOVE_VEHICLES,
    MAPGEN_REMOVE_NPCS,
    MAPGEN_VARIABLE,
    MAPGEN_SET, /* an operation of `set`: a shape, and the terrain or the like that fills it */
    MAPGEN_KINDS
} mapgen_kind;

typedef enum mapgen_shape { MAPGEN_POINT, MAPGEN_LINE, MAPGEN_SQUARE } mapgen_shape;

typedef enum mapgen_subject {
    MAPGEN_SET_TERRAIN,
    MAPGEN_SET_FURNITURE,
    MAPGEN_SET_TRAP,
    MAPGEN_SET_RADIATION,
    MAPGEN_SET_BASH,
    MAPGEN_SET_TRAP_REMOVE,
    MAPGEN_SET_ITEM_REMOVE,
    MAPGEN_SET_FIELD_REMOVE,
    MAPGEN_SET_CREATURE_REMOVE,
    MAPGEN_SET_BURN,
    MAPGEN_SET_VARIABLE,
    MAPGEN_SUBJECTS
} mapgen_subject;

/* Flags of pieces. */
enum {
    MAPGEN_ONE_IN = 1,   /* the piece's chance N means one in N; without this bit it is a
                          * percentage */
    MAPGEN_FRIENDLY = 2, /* the piece's monster is friendly */
    /* The piece puts at most one monster, whatever the world's density is. */
    MAPGEN_ONE_OR_NONE = 4,
    MAPGEN_TARGET = 8,      /* the piece's monster or person is the target of a mission */
    MAPGEN_REINFORCED = 16, /* the piece's vending machine is reinforced */
    MAPGEN_WITH_ITEMS = 32, /* the piece's rubble comes with items */
    MAPGEN_OVERWRITE = 64,  /* the piece's rubble overwrites what is there */
    /* The piece lies on another level: `z` says how many levels above. */
    MAPGEN_AT_HEIGHT = 128,
    /* Content states how many things there are; otherwise the kind's default counts. */
    MAPGEN_HAS_AMOUNT = 256,
    MAPGEN_HAS_DENSITY = 512, /* the density of monsters is stated; otherwise that of the OMT
                                 counts */
    MAPGEN_HAS_CHARGES = 1024 /* the charges of items are stated; otherwise those of the item
                                 type count */
};

typedef struct mapgen_piece {
    mapgen_kind kind;
    uint32_t flags;
    mapgen_range x, y; /* coordinates in tiles, from the north-west corner of the drawing */
    mapgen_range z, repeat, chance, amount;
    /* Number of the value that is put down, such as a terrain or an item group. */
    uint32_t what;
    /* Number of a second value that some kinds of pieces have: furniture, floor, faction,
     * else_chunks or group. */
    uint32_t with;
    uint32_t text;  /* a text's number in the id_pool: what a sign says, or a name */
    uint32_t next;  /* number of the piece that the same character puts down next; 0: none */
    uint32_t place; /* offset of the piece in the JSON text */
    /* The elements of a list that belong to this piece: index of the first, and how many. The
     * list is one of those of the unit (palette, entry or chunk): conditions for a nested
     * chunk, facings for a vehicle, ids of what is removed for a removal (none: everything is
     * removed). */
    uint32_t first, count;
    /* Members that only one kind of pieces, or a few similar kinds, have; for all other kinds
     * they are zero. */
    union {
        struct { /* for pieces that put items, of a group or of one type */
            mapgen_range charges, damage; /* charges count only with MAPGEN_HAS_CHARGES */
            /* Chances in percent that the item is loaded, and that it has a magazine. */
            int32_t ammo, magazine;
            /* Look and flags of an item: numbers in the id_pool of the JSON texts that state
             * them. */
            uint32_t variant, own_flags;
        };
        struct {                 /* only for pieces of the kind MAPGEN_SET */
            mapgen_range x2, y2; /* the other end of a line or square */
            mapgen_shape shape;
            mapgen_subject subject;
        };
        struct { /* only for pieces of the kind MAPGEN_VEHICLE */
            int32_t fuel, status;
        };
        /* For MAPGEN_SEALED_ITEM: numbers of two pieces, which put an item and the items of a
         * group into the sealed furniture. */
        struct {
            uint32_t item, items;
        };
        int32_t age;         /* age of a field or corpse, in turns */
        int32_t security;    /* how well a computer is secured */
        uint32_t density;    /* density of monsters; 100000 stands for a density of 1 */
        uint32_t spawn_data; /* number, in the id_pool, of the JSON text of a monster's
                                `spawn_data` */
    };
} mapgen_piece;

typedef enum mapgen_condition_kind {
    MAPGEN_NEIGHBORS, /* the neighbour in the condition's direction has the condition's id */
    MAPGEN_FLAGS,     /* in each listed direction the neighbour has one of the flags */
    MAPGEN_FLAGS_ANY, /* in at least one listed direction the neighbour has one of the flags */
    MAPGEN_JOINS,
    MAPGEN_CONNECTIONS,
    MAPGEN_PREDECESSORS, /* one of the OMT's predecessors has the condition's id; the condition
                            has no direction */
    MAPGEN_LEVELS /* the OMT's level z is one of those that the condition lists. The list has z
                     + 64 in place of z, so that no number is negative */
} mapgen_condition_kind;

typedef enum mapgen_match {
    MAPGEN_CONTAINS,
    MAPGEN_EXACT,
    MAPGEN_TYPE,
    MAPGEN_SUBTYPE,
    MAPGEN_PREFIX
} mapgen_match;

/* Directions: to the eight neighbours, from the north clockwise, then to the levels above and
 * below. */
enum { MAPGEN_ABOVE = 8, MAPGEN_BELOW, MAPGEN_DIRECTIONS };

/* One text of a condition of a nested chunk, for example the id that a neighbour must have.
 * Texts with the same kind and direction are alternatives: one of them must fit. */
typedef struct mapgen_condition {
    mapgen_condition_kind kind;
    uint8_t direction;
    mapgen_match match;
    uint32_t text;
    uint32_t place; /* offset of the text in the JSON text */
} mapgen_condition;

/* ---- units ---- */

/* What a character in rows means in one palette, entry or chunk. */
typedef struct mapgen_meaning {
    uint32_t symbol; /* the character's number in the id_pool */
    /* Numbers of the values that give the character's terrain and furniture; 0: the palette or
     * entry gives it none. */
    uint32_t terrain, furniture;
    /* Content gives the terrain, or the furniture, as a list of alternatives. It is put on
     * the map after the operations of `set`, not together with the rows. */
    bool terrain_list, furniture_list;
    /* Offsets in the JSON text of the values that name the terrain and the furniture. */
    uint32_t terrain_place, furniture_place;
    uint32_t pieces, last_piece; /* numbers of the first and the last piece that the character
                                    puts down */
} mapgen_meaning;

typedef struct mapgen_unit {
    const mapgen_value *values;
    const mapgen_choice *choices;
    const mapgen_piece *pieces;
    const mapgen_condition *conditions;
    /* Sorted by the number of the character; unlike most arrays of a unit, begins at index
     * 0. */
    const mapgen_meaning *meanings;
    /* Numbers of the values that name the palettes, in order; begins at index 0. */
    const uint32_t *palettes;
    /* The unit's parameters. Unlike most other arrays of a unit, this one has no unused element
     * 0. */
    const mapgen_parameter *parameters;
    uint32_t value_count, choice_count, piece_count, condition_count;
    uint32_t meaning_count, palette_count, parameter_count;
} mapgen_unit;

typedef struct mapgen_palette {
    mapgen_unit unit;
    uint32_t id;
    uint32_t path; /* number in the id_pool: path of the palette's file; ID_NONE: not known */
    int32_t line;
} mapgen_palette;

typedef enum mapgen_role { MAPGEN_OM_TERRAIN, MAPGEN_CHUNK, MAPGEN_UPDATE } mapgen_role;

/* A key that an entry is registered under. */
typedef struct mapgen_key {
    uint32_t id;
    uint16_t row, column; /* which OMT of the entry's grid has the key */
} mapgen_key;

/* What an entry does with the things on a tile whose terrain it changes. There are two bits for
 * furniture, two for traps and two for items. */
enum { MAPGEN_KEEP, MAPGEN_DISMANTLE, MAPGEN_ERASE };
enum { MAPGEN_OLD_FURNITURE = 0, MAPGEN_OLD_TRAP = 2, MAPGEN_OLD_ITEMS = 4 };

/* A list of pieces, by their numbers in the unit (palette, entry or chunk) that it belongs to.
 */
typedef struct mapgen_list {
    const uint32_t *items;
    uint32_t count;
} mapgen_list;

typedef struct mapgen_entry {
    mapgen_unit unit;
    mapgen_role role;
    const mapgen_key *keys;
    uint32_t key_count;
    int32_t weight;
    bool json; /* the map is drawn by JSON; otherwise by a program: `script`, or the game's own
                  `program` */
    uint32_t program; /* number of the program's name in the id_pool */
    /* A script in Lua, as the number of its text in the id_pool. It makes all of the map, or,
     * in an entry drawn by JSON, runs after the pieces of `add`. */
    uint32_t script;
    uint32_t fill; /* number of the value that names the terrain of all tiles, before the rows
                      are drawn */
    uint32_t fill_place;    /* offset of the value `fill` in the JSON text */
    uint16_t width, height; /* size in tiles: of the whole grid of OMTs, or of the chunk */
    const uint16_t *cells;  /* row by row, indexes in `symbols`; NULL: the entry has no rows */
    const uint32_t *symbols;
    uint32_t symbol_count;
    /* Pieces of the JSON members `set`, `place_groups` and `add`; `placed` has those of all
     * other members with coordinates, such as place_items, sorted by kind. */
    mapgen_list set, groups, add, placed;
    mapgen_range rotation; /* quarter turns by which the drawing is rotated: a range */
    /* The entry is drawn over the map of one of these terrains (numbers of the id_pool): over
     * `predecessor` if it is stated; otherwise over the terrain that stood there before, or, if
     * that is not known, over `fallback_predecessor`. */
    uint32_t predecessor, fallback_predecessor;
    /* Offsets in the JSON text of the values that name `predecessor` and
     * `fallback_predecessor`. */
    uint32_t predecessor_place, fallback_place;
    /* What becomes of things on tiles that the entry changes: see MAPGEN_OLD_FURNITURE. */
    uint32_t old;
    /* Where the rows begin in the JSON text, as an offset; if there are no rows, where the
     * object begins. */
    uint32_t place;
    uint32_t path; /* the file that the entry stands in, a number of the id_pool; ID_NONE: not
                      known */
    int32_t line;
    bool unrotated; /* the entry's map is not rotated when its terrain is */
    bool avoids_creatures,
        skips_air;   /* the entry leaves tiles with a creature, or with open air, as they are */
    bool unfinished; /* some part of the entry is known to Portolan, but has no effect in it */
} mapgen_entry;

/* Returns the weight by which an entry is drawn; 0 if the entry stands for code of the game, as
 * Portolan can't run that. */
static inline uint32_t mapgen_weight(const mapgen_entry *e)
{
    return e->json || e->script != ID_NONE ? (uint32_t)e->weight : 0;
}
