/*
 * Compiled mapgen of a content: entries by what they are registered under, palettes by id; all
 * of it, or what has been asked for until now of a source. What is added is borrowed; of one
 * palette added twice the later counts.
 */
#ifndef MAPGEN_COMPILE_LIBRARY_H
#define MAPGEN_COMPILE_LIBRARY_H

#include "mapgen/compile/compile.h"
#include "mapgen/compile/source.h"

/* For one thread while it is added to, and as long as it has a source. */
typedef struct mapgen_library mapgen_library;

/* One entry of a key: of a grid the block that is the key's. */
typedef struct mapgen_candidate {
    const mapgen_entry *entry;
    uint16_t row, column;
    /* Of the same key, in the order of adding; NULL: the last one. */
    const struct mapgen_candidate *next;
} mapgen_candidate;

mapgen_library *mapgen_library_new(void); /* NULL when memory is out */
void mapgen_library_free(mapgen_library *library);
/* False when memory is out. An entry that is never used, of weight 0, is not added. */
bool mapgen_library_add_palette(mapgen_library *library, const mapgen_palette *palette);
bool mapgen_library_add_entry(mapgen_library *library, const mapgen_entry *entry);
/* Likewise, under one of its keys alone. */
bool mapgen_library_add_entry_of(mapgen_library *library, const mapgen_entry *entry,
                                 uint32_t key);
/* The terrain that a key's whole map is of, whatever entries are registered for it; ID_NONE:
 * none is set. False when memory is out. */
bool mapgen_library_set_uniform(mapgen_library *library, uint32_t key, uint32_t terrain);
uint32_t mapgen_library_uniform(const mapgen_library *library, uint32_t key);
/* The overmap terrain whose ground a key's is, where it has no entry: itself, unless another is
 * set. */
bool mapgen_library_set_ground(mapgen_library *library, uint32_t key, uint32_t type);
uint32_t mapgen_library_ground(const mapgen_library *library, uint32_t key);
/* Was memory out when something was asked for? */
bool mapgen_library_failed(const mapgen_library *library);
/* From now on what is asked for first comes of the source; to be said before anything is. */
void mapgen_library_set_source(mapgen_library *library, const mapgen_source *source);

/* Returns NULL if there is none. */
const mapgen_palette *mapgen_library_palette(mapgen_library *library, uint32_t id);
/* Returns the first of a key's candidates, which mapgen_library_next goes on from; NULL: there
 * are none, or no more. They stay where they are. */
const mapgen_candidate *mapgen_library_first(mapgen_library *library, mapgen_role role,
                                             uint32_t key);
const mapgen_candidate *mapgen_library_next(const mapgen_candidate *candidate);

#endif
