/*
 * All compiled mapgen of a content: entries by what they are registered under, palettes by id.
 * What is added is borrowed; of one palette added twice the later counts.
 */
#ifndef MAPGEN_COMPILE_LIBRARY_H
#define MAPGEN_COMPILE_LIBRARY_H

#include "mapgen/compile/compile.h"

typedef struct mapgen_library mapgen_library; /* for one thread while it is added to */

/* One entry of a key: of a grid the block that is the key's. */
typedef struct mapgen_candidate {
    const mapgen_entry *entry;
    uint16_t row, column;
    uint32_t next; /* of the same key, in the order of adding; 0: the last one */
} mapgen_candidate;

mapgen_library *mapgen_library_new(void); /* NULL when memory is out */
void mapgen_library_free(mapgen_library *library);
/* False when memory is out. An entry that is never used, of weight 0, is not added. */
bool mapgen_library_add_palette(mapgen_library *library, const mapgen_palette *palette);
bool mapgen_library_add_entry(mapgen_library *library, const mapgen_entry *entry);

/* Returns NULL if there is none. */
const mapgen_palette *mapgen_library_palette(const mapgen_library *library, uint32_t id);
/* Returns the first of a key's candidates, which mapgen_library_next goes on from; NULL: there
 * are none, or no more. */
const mapgen_candidate *mapgen_library_first(const mapgen_library *library, mapgen_role role,
                                             uint32_t key);
const mapgen_candidate *mapgen_library_next(const mapgen_library *library,
                                            const mapgen_candidate *candidate);

#endif
