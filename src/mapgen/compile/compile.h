/*
 * Compiles mapgen entries and palettes, one at a time, from their JSON. What is wrong is told
 * by a code of the validator (schema/mapgen.md) and the place in the text. The importer and who
 * makes maps use the same.
 */
#ifndef MAPGEN_COMPILE_COMPILE_H
#define MAPGEN_COMPILE_COMPILE_H

#include "core/arena.h"
#include "mapgen/compile/program.h"
#include "json/view.h"

/* What ids name, as bits: one id may be several things. */
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
    MAPGEN_REF_VEHICLE, /* or a group of them */
    MAPGEN_REF_NPC,
    MAPGEN_REF_SNIPPET,
    MAPGEN_REF_NESTED,
    MAPGEN_REF_PALETTE,
    MAPGEN_REF_TRANSFORM,
    MAPGEN_REFERENCES
} mapgen_reference;

/* What is known, by id of the pool. */
typedef struct mapgen_marks {
    uint16_t *bits; /* owned; of mapgen_reference, 1 << it */
    size_t count;
    bool failed; /* memory was out */
} mapgen_marks;

void mapgen_marks_add(mapgen_marks *marks, uint32_t id, mapgen_reference what);
bool mapgen_marks_have(const mapgen_marks *marks, uint32_t id, mapgen_reference what);
void mapgen_marks_dispose(mapgen_marks *marks);

typedef enum mapgen_severity { MAPGEN_ERROR, MAPGEN_WARNING, MAPGEN_NOTE } mapgen_severity;

typedef struct mapgen_remark {
    mapgen_severity severity;
    int code;         /* 101: MG101 */
    size_t offset;    /* in the text */
    const char *text; /* borrowed until the callback returns */
    const char *what; /* likewise; of MG310 the member, flag or method; else NULL */
} mapgen_remark;

/* What a compiler works with; borrowed. */
typedef struct mapgen_context {
    id_pool *pool;
    arena *memory; /* for what is compiled */
    /* What is known; NULL: no reference is looked up. */
    const mapgen_marks *marks;
    void (*tell)(void *payload, const mapgen_remark *remark);
    /* Returns ", did you mean 'x'?" for an unknown id, or ""; NULL: nothing is offered. */
    const char *(*suggest)(void *payload, const char *id, mapgen_reference what);
    void *payload;
    /* Is the chance of a character's `item` one in N, as the oldest games have it? */
    bool item_one_in;
} mapgen_context;

/* Options of a content (EXTERNAL_OPTION, true or false) that say so, and whether `items` goes
 * on while its chance holds. Without them both hold of contents that have no palettes, as the
 * oldest have none. */
#define MAPGEN_OPTION_ITEM  "MAPGEN_ITEM_ONE_IN"
#define MAPGEN_OPTION_ITEMS "MAPGEN_ITEMS_GEOMETRIC"

typedef struct mapgen_compiler mapgen_compiler; /* its memory is used again for each entry */

/* *context is copied. Returns a new one; NULL when memory is out. */
mapgen_compiler *mapgen_compiler_new(const mapgen_context *context);
void mapgen_compiler_free(mapgen_compiler *c);
/* Was memory out, ever? */
bool mapgen_compiler_failed(const mapgen_compiler *c);

/* Returns what the object is compiled to, in the context's arena; NULL if it has an error or is
 * disabled, which is told, or when memory is out. */
const mapgen_entry *mapgen_compile_entry(mapgen_compiler *c, json_view object);
/* The same of one that stands in an overmap terrain's own `mapgen`, for that terrain's key. */
const mapgen_entry *mapgen_compile_embedded(mapgen_compiler *c, json_view object, uint32_t key);
const mapgen_palette *mapgen_compile_palette(mapgen_compiler *c, json_view object);

#endif
