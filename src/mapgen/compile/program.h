/*
 * A mapgen entry, compiled: what a local map is made by, without any text to be looked up. Ids
 * are numbers of an id_pool (model/id_pool.h). A unit is what palettes, entries, nested chunks
 * and updates have in common: values, and what each character of rows means.
 *
 * Numbers that count (of values, pieces, conditions) are places in the unit's arrays, which
 * begin with an unused one: 0 is none. All of it lives in the arena it was compiled into, and
 * never changes after.
 */
#ifndef MAPGEN_COMPILE_PROGRAM_H
#define MAPGEN_COMPILE_PROGRAM_H

#include "model/id_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAPGEN_SIDE = 24 }; /* tiles of a local map's side */

typedef struct mapgen_range {
    int32_t low, high; /* both included, low <= high */
} mapgen_range;

/* ---- values: what may stand where an id is expected ---- */

typedef enum mapgen_value_kind {
    MAPGEN_LITERAL, /* id */
    MAPGEN_CHOICE, /* one of the choices, drawn anew at each use; key: running sum of weights */
    MAPGEN_PARAM, /* what the parameter `id` is; the fallback where there is none of the name */
    MAPGEN_SWITCH /* of the choices that whose key is the text of the parameter `id` */
} mapgen_value_kind;

typedef struct mapgen_value {
    mapgen_value_kind kind;
    uint32_t id;
    uint32_t first, count; /* among the unit's choices */
    uint32_t fallback;     /* a value */
    /* Of those by a parameter: where it stands in the text, and what its ids are to name
     * (mapgen_reference). */
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
    uint32_t value; /* what it is drawn from */
    uint32_t type;  /* as it is written, an id of the pool */
    uint32_t place; /* in the text */
} mapgen_parameter;

/* ---- pieces: what is put on tiles ---- */

/* In the order in which they are put on one tile (schema/mapgen.md). */
typedef enum mapgen_kind {
    MAPGEN_TERRAIN,
    MAPGEN_FURNITURE,
    MAPGEN_FIELD,
    MAPGEN_NPC,
    MAPGEN_SIGN,
    MAPGEN_VENDING,
    MAPGEN_TOILET,
    MAPGEN_GASPUMP,
    MAPGEN_ITEMS, /* of a group */
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
    MAPGEN_SET, /* of the member `set`: a shape and a subject */
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
    MAPGEN_ONE_IN = 1,        /* the chance is one in N, else percent */
    MAPGEN_FRIENDLY = 2,      /* a monster */
    MAPGEN_ONE_OR_NONE = 4,   /* at most one monster, whatever the world's density */
    MAPGEN_TARGET = 8,        /* of a mission */
    MAPGEN_REINFORCED = 16,   /* a vending machine */
    MAPGEN_WITH_ITEMS = 32,   /* rubble */
    MAPGEN_OVERWRITE = 64,    /* rubble */
    MAPGEN_AT_HEIGHT = 128,   /* not on the map's own level: z says how far above */
    MAPGEN_HAS_AMOUNT = 256,  /* else the kind's own default */
    MAPGEN_HAS_DENSITY = 512, /* else the tile's */
    MAPGEN_HAS_CHARGES = 1024 /* items: else what their type has */
};

typedef struct mapgen_piece {
    mapgen_kind kind;
    uint32_t flags;
    mapgen_range x, y; /* of one by coordinates, from the north-west of the drawing */
    mapgen_range z, repeat, chance, amount;
    uint32_t what; /* a value: the id that the kind is about */
    uint32_t with; /* a second one: furniture, floor, faction, else_chunks, group */
    uint32_t text; /* an id of the pool: a sign's, a name */
    uint32_t next; /* piece of the same character */
    /* Conditions of a nested chunk; facings of a vehicle, as choices; likewise ids of what is
     * removed, none: all. */
    uint32_t first, count;
    /* What one kind or its kin alone has: of all others it is zeroes. */
    union {
        struct {                          /* items, of groups and by themselves */
            mapgen_range charges, damage; /* charges with MAPGEN_HAS_CHARGES */
            int32_t ammo, magazine;       /* percent */
            uint32_t variant, own_flags;  /* JSON, ids of the pool */
        };
        struct {                 /* MAPGEN_SET */
            mapgen_range x2, y2; /* the other end of lines and squares */
            mapgen_shape shape;
            mapgen_subject subject;
        };
        struct { /* MAPGEN_VEHICLE */
            int32_t fuel, status;
        };
        struct { /* MAPGEN_SEALED_ITEM: pieces inside */
            uint32_t item, items;
        };
        int32_t age;         /* of a field, a corpse */
        int32_t security;    /* of a computer */
        uint32_t density;    /* of monsters, in hundred thousandths */
        uint32_t spawn_data; /* of a monster: JSON, an id of the pool */
    };
} mapgen_piece;

typedef enum mapgen_condition_kind {
    MAPGEN_NEIGHBORS, /* the neighbour there is called so */
    MAPGEN_FLAGS,     /* has one of the flags: in every listed direction */
    MAPGEN_FLAGS_ANY, /* in one of them */
    MAPGEN_JOINS,
    MAPGEN_CONNECTIONS,
    MAPGEN_PREDECESSORS, /* has no direction */
    MAPGEN_LEVELS        /* z is in the list: keys are z + 64 */
} mapgen_condition_kind;

typedef enum mapgen_match {
    MAPGEN_CONTAINS,
    MAPGEN_EXACT,
    MAPGEN_TYPE,
    MAPGEN_SUBTYPE,
    MAPGEN_PREFIX
} mapgen_match;

/* Directions: the eight around from north on, clockwise, then above and below. */
enum { MAPGEN_ABOVE = 8, MAPGEN_BELOW, MAPGEN_DIRECTIONS };

/* One text of a condition: those of one kind and direction are alternatives. */
typedef struct mapgen_condition {
    mapgen_condition_kind kind;
    uint8_t direction;
    mapgen_match match;
    uint32_t text;
    uint32_t place; /* in the text */
} mapgen_condition;

/* ---- units ---- */

/* What a character of rows means in one unit. */
typedef struct mapgen_meaning {
    uint32_t symbol;             /* the character, an id of the pool */
    uint32_t terrain, furniture; /* values; 0: not told here */
    /* Whether it is a list of alternatives, which are drawn after `set`, not with the rows. */
    bool terrain_list, furniture_list;
    uint32_t pieces, last_piece; /* the first and the last */
} mapgen_meaning;

typedef struct mapgen_unit {
    const mapgen_value *values;
    const mapgen_choice *choices;
    const mapgen_piece *pieces;
    const mapgen_condition *conditions;
    const mapgen_meaning *meanings;     /* sorted by symbol; from 0 */
    const uint32_t *palettes;           /* values, in order; from 0 */
    const mapgen_parameter *parameters; /* from 0 */
    uint32_t value_count, choice_count, piece_count, condition_count;
    uint32_t meaning_count, palette_count, parameter_count;
} mapgen_unit;

typedef struct mapgen_palette {
    mapgen_unit unit;
    uint32_t id;
} mapgen_palette;

typedef enum mapgen_role { MAPGEN_OM_TERRAIN, MAPGEN_CHUNK, MAPGEN_UPDATE } mapgen_role;

/* Where an entry is registered. */
typedef struct mapgen_key {
    uint32_t id;
    uint16_t row, column; /* of the grid: the block that is the key's */
} mapgen_key;

/* What an entry does with what lies on a tile whose terrain it changes: two bits each of
 * furniture, trap and items. */
enum { MAPGEN_KEEP, MAPGEN_DISMANTLE, MAPGEN_ERASE };
enum { MAPGEN_OLD_FURNITURE = 0, MAPGEN_OLD_TRAP = 2, MAPGEN_OLD_ITEMS = 4 };

/* A list of pieces, by their numbers in the unit. */
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
    bool json;        /* else it is made by a program: `script`, or the game's own `program` */
    uint32_t program; /* id of the pool */
    /* In Lua, a text of the pool: all of the map, or what JSON runs behind `add`. */
    uint32_t script;
    uint32_t fill;          /* a value */
    uint16_t width, height; /* tiles: of the whole grid, of a chunk */
    const uint16_t *cells;  /* row by row: places in `symbols`; NULL: no rows */
    const uint32_t *symbols;
    uint32_t symbol_count;
    mapgen_list set, groups, add, placed;       /* placed is in the order of its kinds */
    mapgen_range rotation;                      /* quarter turns */
    uint32_t predecessor, fallback_predecessor; /* ids of the pool */
    uint32_t predecessor_place, fallback_place; /* of these in the text */
    uint32_t old;                               /* policies */
    uint32_t place; /* offset in the text: of the rows, if there are any */
    bool unrotated; /* not turned as its terrain is */
    bool avoids_creatures,
        skips_air;   /* nothing is put on tiles with a creature; with open air */
    bool unfinished; /* something was recognised that is not carried out */
} mapgen_entry;

#endif
