/* Checks of mapgen entries that need the other definitions of the content. */
#pragma once

#include "content/import/import.h"
#include "mapgen/compile/compile.h"

/* What the checks work with; all of it is borrowed but for the text. */
typedef struct entry_check {
    import *im;
    const mapgen_context *context; /* its pool and its callback are used */
    const mapgen_marks *marks;
    bytes text; /* owned; scratch for messages */
} entry_check;

/* Returns ", did you mean 'x'?" for an unknown id, in the import's arena, or "". */
const char *entry_suggest(const entry_check *k, const char *id, mapgen_reference what);
/* Checks an entry's keys and predecessors, which must be terrains, and the conditions of
 * its nested chunks. `object` is the offset at which its object begins. */
void entry_check_references(entry_check *k, const mapgen_entry *entry, size_t object);
/* Checks only the conditions of nested chunks, which palettes have, too. */
void entry_check_conditions(entry_check *k, const mapgen_unit *unit);

/* The terrain keys for which there is a usable entry. */
typedef struct entry_keys {
    bool *have; /* owned; index: the id's number in the pool */
    size_t count;
} entry_keys;

/* Adds an entry's keys. False when memory is out. */
bool entry_keys_add(entry_keys *keys, const id_pool *pool, const mapgen_entry *entry);
/* Remarks on terrains that no entry makes a map of. */
void entry_keys_check(entry_check *k, const entry_keys *keys);
