/*
 * The compiled mapgen of a content: entries by the keys that they are registered under,
 * palettes by id. A library holds either all of it, or, if it has a source (source.h), what it
 * was asked for so far. Entries and palettes are borrowed; if a palette is added twice, the
 * later one counts.
 */
#pragma once

#include "mapgen/compile/compile.h"
#include "mapgen/compile/source.h"

/* Only one thread at a time may use a library while something is added to it. A library with a
 * source may always be used by one thread only, as any question may add something. */
typedef struct mapgen_library mapgen_library;

/* An entry under one of its keys. If the entry is a grid of several OMTs, `row` and `column`
 * say which OMT of the grid has the key. */
typedef struct mapgen_candidate {
    const mapgen_entry *entry;
    uint16_t row, column;
    /* The next entry of the same key, in the order in which they were added; NULL: this is the
     * last. */
    const struct mapgen_candidate *next;
} mapgen_candidate;

mapgen_library *mapgen_library_new(void); /* NULL when memory is out */
void mapgen_library_free(mapgen_library *library);
/* Adds a palette. False when memory is out. */
bool mapgen_library_add_palette(mapgen_library *library, const mapgen_palette *palette);
/* Adds an entry under all of its keys. An entry of weight 0 is left out, as it is never used.
 * False when memory is out. */
bool mapgen_library_add_entry(mapgen_library *library, const mapgen_entry *entry);
/* Adds an entry under only one of its keys. False when memory is out. */
bool mapgen_library_add_entry_of(mapgen_library *library, const mapgen_entry *entry,
                                 uint32_t key);
/* mapgen_library_set_uniform says that the whole map of a key consists of one terrain, whatever
 * entries the key has; false when memory is out. mapgen_library_uniform returns that terrain;
 * ID_NONE: none was set. */
bool mapgen_library_set_uniform(mapgen_library *library, uint32_t key, uint32_t terrain);
uint32_t mapgen_library_uniform(const mapgen_library *library, uint32_t key);
/* A key without entries gets its maps from code (mapgen/ground). mapgen_library_set_ground
 * names the overmap terrain whose maps are made by the same code; false when memory is out.
 * mapgen_library_ground returns that terrain, or the key itself if none was set. */
bool mapgen_library_set_ground(mapgen_library *library, uint32_t key, uint32_t type);
uint32_t mapgen_library_ground(const mapgen_library *library, uint32_t key);
/* Did memory run out when the library was asked for something? */
bool mapgen_library_failed(const mapgen_library *library);
/* Gives the library a source, from which it reads whatever it is asked for and does not have.
 * Must be called before the library is asked for anything. */
void mapgen_library_set_source(mapgen_library *library, const mapgen_source *source);

/* Returns the palette with this id, or NULL if the library has none. */
const mapgen_palette *mapgen_library_palette(mapgen_library *library, uint32_t id);
/* Returns the first entry that is registered under a key as an overmap terrain, a chunk or an
 * update (mapgen_role); NULL: there is none. What is returned keeps its address. */
const mapgen_candidate *mapgen_library_first(mapgen_library *library, mapgen_role role,
                                             uint32_t key);

enum { MAPGEN_LAYERS_MAX = 64 };

/* Units (palettes, entries or chunks) that give characters meanings. A meaning in a later unit
 * counts over one in an earlier unit. The last unit is the entry, chunk or palette itself, the
 * others are the palettes that it uses. */
typedef struct mapgen_layers {
    const mapgen_unit *units[MAPGEN_LAYERS_MAX];
    uint32_t count;
    bool cut; /* there were more palettes than `units` has room for */
} mapgen_layers;

/* Finds all palettes that a palette, entry or chunk may use, directly or through other
 * palettes. */
void mapgen_layers_possible(mapgen_layers *out, mapgen_library *library,
                            const mapgen_unit *unit);
/* Returns the meaning that a character has in one palette, entry or chunk; NULL: it has none
 * there. */
const mapgen_meaning *mapgen_meaning_of(const mapgen_unit *unit, uint32_t symbol);
/* Calls `visit` for each id that a value may have. A parameter may have every value that any
 * of the palettes and entries in `layers` lists for it. False if memory ran out before all
 * ids were visited. */
bool mapgen_value_visit(const mapgen_layers *layers, const mapgen_unit *unit, uint32_t value,
                        mapgen_visit *visit, void *payload);
/* Returns a hash of what a value says. Equal values have the same hash, in whatever palette or
 * entry they stand. */
uint64_t mapgen_value_hash(const id_pool *pool, const mapgen_unit *unit, uint32_t value);
/* Calls `visit` for each chunk that a piece of mapgen may place; only pieces of the kind
 * MAPGEN_NESTED place chunks. False if memory ran out. */
bool mapgen_chunks_visit(const mapgen_layers *layers, const mapgen_unit *unit,
                         const mapgen_piece *piece, mapgen_visit *visit, void *payload);
/* Calls `visit` for each chunk that any piece of the palettes and entries in `layers` may
 * place. False if memory ran out. */
bool mapgen_layers_chunks(const mapgen_layers *layers, mapgen_visit *visit, void *payload);
/* Returns a parameter that the palette, entry or chunk itself defines; NULL: it does not define
 * it. */
const mapgen_parameter *mapgen_parameter_of(const mapgen_unit *unit, uint32_t name);

enum {
    MAPGEN_HEIGHT_MAX = 20
}; /* the greatest distance, in levels, between a map and what it puts on another level */

/* May a map that is made by the entries of this key put something on the map `up` levels above
 * it, or below it if `up` is negative? `up` must not be 0. Also true when memory is out. */
bool mapgen_heights_reach(mapgen_library *library, uint32_t key, int up);
/* May a map that is made by the entries of this key put something on any other level? */
bool mapgen_heights_reach_any(mapgen_library *library, uint32_t key);
/* Returns the set of levels on which an update, which is mapgen that changes a finished map,
 * may put something: the bit MAPGEN_HEIGHT_MAX + n stands for the level n above the updated
 * map. All levels when memory is out. The answer is computed anew at each call. */
uint64_t mapgen_heights_of_update(mapgen_library *library, uint32_t update);
