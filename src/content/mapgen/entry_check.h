/* What is to be told of mapgen entries that only the other definitions of a content know. */
#ifndef CONTENT_MAPGEN_ENTRY_CHECK_H
#define CONTENT_MAPGEN_ENTRY_CHECK_H

#include "content/import/import.h"
#include "mapgen/compile/compile.h"

/* What the checks work with; all is borrowed. */
typedef struct entry_check {
    import *im;
    const mapgen_context *context; /* its pool and callback are used */
    const mapgen_marks *marks;
    bytes text; /* owned: of messages */
} entry_check;

/* ", did you mean 'x'?" for an unknown id in the import's arena, or "". */
const char *entry_suggest(const entry_check *k, const char *id, mapgen_reference what);
/* Keys and predecessors that are no terrain's, and the conditions of its nested chunks.
 * `object` is where it begins in the text. */
void entry_check_references(entry_check *k, const mapgen_entry *entry, size_t object);
/* The conditions of nested chunks alone: palettes have them, too. */
void entry_check_conditions(entry_check *k, const mapgen_unit *unit);

/* Which keys of terrains have an entry that can be used. */
typedef struct entry_keys {
    bool *have; /* owned; by id of the pool */
    size_t count;
} entry_keys;

/* False when memory is out. */
bool entry_keys_add(entry_keys *keys, const id_pool *pool, const mapgen_entry *entry);
/* Tells of terrains of which nothing makes a map. */
void entry_keys_check(entry_check *k, const entry_keys *keys);

#endif
