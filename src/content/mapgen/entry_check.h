/* Checks of mapgen entries that need the other definitions of the content. */
#pragma once

#include "content/import/import.h"
#include "mapgen/compile/compile.h"

/* The state of the checks. Members are borrowed unless a comment says something else. */
typedef struct entry_check {
    import *im;
    const mapgen_context *context; /* only the context's pool and callback are used */
    const mapgen_marks *marks;
    bytes text; /* owned; scratch for messages */
    /* Owned; for each id of the pool, the ways (mapgen_match) in which a terrain was found to
     * match it. Many entries ask for the same few terrains. */
    uint8_t *matched;
    size_t matched_count;
} entry_check;

/* Returns ", did you mean 'x'?" for an unknown id, or ", which is an item" if the id exists as
 * another kind of thing; "" for neither. In the import's arena. */
const char *entry_suggest(const entry_check *k, const char *id, mapgen_reference what);
/* Checks an entry's keys and predecessors, which must be terrains, and the conditions of the
 * nested chunks in it. `object` is the offset, in the file, at which the entry's object begins.
 */
void entry_check_references(entry_check *k, const mapgen_entry *entry, size_t object);
/* Checks the conditions of nested chunks only. Palettes have such conditions, too. */
void entry_check_conditions(entry_check *k, const mapgen_unit *unit);

/* The overmap terrains that are keys of some entry that can be used. */
typedef struct entry_keys {
    /* Owned; indexed by an id's number in the id_pool: is the id a key of an entry? */
    bool *have;
    size_t count;
} entry_keys;

/* Adds the keys under which an entry is registered to `keys`. False when memory is out. */
bool entry_keys_add(entry_keys *keys, const id_pool *pool, const mapgen_entry *entry);
/* Warns of terrains for which no entry makes a map. */
void entry_keys_check(entry_check *k, const entry_keys *keys);
