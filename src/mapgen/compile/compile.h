/*
 * Compiles mapgen entries and palettes from their JSON, one at a time. A mistake is reported by
 * the code of a remark (schema/checks.md) and the mistake's place in the text. The importer and
 * the maker of maps use the same compiler.
 */
#pragma once

#include "core/arena.h"
#include "mapgen/compile/program.h"
#include "model/remark_codes.h"
#include "json/view.h"

/* The kinds of things that an id can name. They are used as bits, as one id may name things
 * of several kinds. */
typedef enum mapgen_reference {
    MAPGEN_REF_NONE,
    MAPGEN_REF_TERRAIN,
    MAPGEN_REF_FURNITURE,
    MAPGEN_REF_TRAP,
    MAPGEN_REF_FIELD,
    MAPGEN_REF_ITEM,
    MAPGEN_REF_ITEM_GROUP,
    MAPGEN_REF_MONSTER,
    MAPGEN_REF_MONSTER_GROUP,
    MAPGEN_REF_VEHICLE, /* a vehicle, or a group of vehicles */
    MAPGEN_REF_NPC,
    MAPGEN_REF_SNIPPET,
    MAPGEN_REF_NESTED,
    MAPGEN_REF_PALETTE,
    MAPGEN_REF_TRANSFORM,
    MAPGEN_REF_FACTION,
    MAPGEN_REF_ZONE, /* a kind of zone: a player puts loot into zones, and each kind of zone
                      * takes one kind of loot */
    MAPGEN_REFERENCES
} mapgen_reference;

/* Which ids the content defines, and what kinds of things they name. Each id is given by its
 * number in the pool of ids. */
typedef struct mapgen_marks {
    uint32_t *bits; /* owned; indexed by the id's number: the bit 1 << r says that the id
                     * names a thing of the kind r (mapgen_reference) */
    size_t count;
    bool failed; /* memory was out */
} mapgen_marks;

/* mapgen_marks_add notes that the content defines a thing of the kind `what` under this id;
 * mapgen_marks_have tells whether that was noted. One id may name things of several kinds. */
void mapgen_marks_add(mapgen_marks *marks, uint32_t id, mapgen_reference what);
bool mapgen_marks_have(const mapgen_marks *marks, uint32_t id, mapgen_reference what);
void mapgen_marks_dispose(mapgen_marks *marks);

typedef struct mapgen_remark {
    /* Errors are mistakes that the games refuse, too. Warnings are about what the games load,
     * but change or ignore. Notes say what an entry needs; they are no mistakes. */
    ptl_severity severity;
    remark_code code;
    size_t offset;    /* place of what the remark is about, in bytes from the start of the JSON
                         text */
    const char *text; /* the message; borrowed until the callback returns */
    const char *what; /* of a remark MG310: the member, flag or method that is not carried out;
                         NULL in other remarks; borrowed until the callback returns */
} mapgen_remark;

/* What a compiler works with; all of it is borrowed. */
typedef struct mapgen_context {
    id_pool *pool;
    arena *memory; /* compiled entries and palettes are allocated in this arena */
    /* The ids that the content defines; NULL: ids are not checked. */
    const mapgen_marks *marks;
    void (*tell)(void *payload, const mapgen_remark *remark);
    /* Returns ", did you mean 'x'?" for an unknown id, or "" if no known id is similar. The
     * pointer may be NULL: then nothing is suggested. */
    const char *(*suggest)(void *payload, const char *id, mapgen_reference what);
    void *payload;
    /* How the chance of an `item` that a character stands for is meant. True: one in N, as in
     * the oldest games; false: percent. */
    bool item_one_in;
    /* Is a piece of the kind `items` without a chance always put down, as in DDA since 0.I?
     * Otherwise its chance is 1 percent. */
    bool items_always;
} mapgen_context;

/* Two options of a content (EXTERNAL_OPTION, true or false). If the first is true, the chance N
 * of an `item` for a character means one in N, else N percent. If the second is true, items of
 * `items` are put down again and again until the chance fails; else the chance is tried once.
 * An option that the content does not state is true if the content has no palettes, as the
 * oldest contents have none. */
#define MAPGEN_OPTION_ITEM  "MAPGEN_ITEM_ONE_IN"
#define MAPGEN_OPTION_ITEMS "MAPGEN_ITEMS_GEOMETRIC"

/* A compiler can compile many entries one after the other, in the same memory. */
typedef struct mapgen_compiler mapgen_compiler;

/* Returns a new compiler, or NULL when memory is out. The context is copied. */
mapgen_compiler *mapgen_compiler_new(const mapgen_context *context);
void mapgen_compiler_free(mapgen_compiler *c);
/* Has memory run out since the compiler was made? */
bool mapgen_compiler_failed(const mapgen_compiler *c);

/* Returns the name of the JSON member by which characters get pieces of this kind, such as
 * "loot". If the kind has no such member, returns the name of the one that holds pieces with
 * coordinates. */
const char *mapgen_kind_name(mapgen_kind kind);

/* Says in which file, and in which line of it, the objects that are compiled from now on begin;
 * entries keep that. NULL: it is not known. */
void mapgen_compiler_at(mapgen_compiler *c, const char *path, int64_t line);

/* Returns the weight of an entry, by which it is drawn among others of its id: 1000 if it
 * states none, 0 if it is never drawn. *wrong becomes a value that is no weight, or an object
 * that names no default; else it is absent. */
int32_t mapgen_weight_of(json_view entry, json_view *wrong);

/* Compiles the JSON object of a mapgen entry into the context's arena. Returns NULL if the
 * object has an error or is disabled, both of which are reported, or when memory is out. */
const mapgen_entry *mapgen_compile_entry(mapgen_compiler *c, json_view object);
/* Compiles an entry that stands in an overmap terrain's own `mapgen`; it is registered under
 * that terrain's key. */
const mapgen_entry *mapgen_compile_embedded(mapgen_compiler *c, json_view object, uint32_t key);
/* Compiles the JSON object of a palette. Returns NULL in the same cases as
 * mapgen_compile_entry. */
const mapgen_palette *mapgen_compile_palette(mapgen_compiler *c, json_view object);

/*
 * Limits of the numbers that content gives to things on a map. The import reports a number
 * outside of its limits, and the nearest allowed number is used in its place. All allowed
 * numbers fit into a local map (model/local_map.h).
 */
typedef enum mapgen_number {
    MAPGEN_NUMBER_AGE,    /* age of a field or corpse, in turns */
    MAPGEN_NUMBER_FUEL,   /* fuel of a vehicle, in percent; -1: nearly none */
    MAPGEN_NUMBER_STATUS, /* status of a vehicle; -1: lightly damaged, 0: undamaged, 1: heavily
                             damaged */
    MAPGEN_NUMBER_SECURITY, /* how well a computer is secured */
    MAPGEN_NUMBER_AMMO,     /* chance in percent that an item is loaded */
    MAPGEN_NUMBER_MAGAZINE, /* chance in percent that an item has a magazine */
    MAPGEN_NUMBER_RADIATION,
    MAPGEN_NUMBER_DENSITY, /* density of monsters; 100000 stands for a density of 1 */
    MAPGEN_NUMBERS
} mapgen_number;

typedef struct mapgen_number_rule {
    const char *name;
    int32_t least, most; /* the smallest and the largest allowed number */
} mapgen_number_rule;

/* Returns the limits of one kind of numbers, for example of ages. */
const mapgen_number_rule *mapgen_number_of(mapgen_number number);
/* Returns the value if it is within the limits of this kind of numbers, else the nearest
 * allowed value. */
int32_t mapgen_number_cut(mapgen_number number, int64_t value);
