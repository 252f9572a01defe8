/* Checks of an entry that need all palettes and chunks of the content. */
#pragma once

#include "mapgen/compile/library.h"

/* Reports the characters in an entry's rows to which nothing gives a meaning. Of the context
 * only the pool of ids and the callback `tell` with its payload are used. */
void mapgen_check_entry(const mapgen_context *context, mapgen_library *library,
                        const mapgen_entry *entry);

/* Reports mistakes in the use of parameters by the values of a unit, which is a palette, entry
 * or nested chunk. The mistakes are: a parameter that is not defined; a parameter of another
 * type than its place in the JSON needs; a parameter that may have a text for which a switch
 * has no case. `palette`: the unit is a palette, whose values may use only its own parameters;
 * those of an entry may also use the parameters of all its palettes. */
void mapgen_check_parameters(const mapgen_context *context, mapgen_library *library,
                             const mapgen_unit *unit, bool palette);

/* A graph whose links lead from the id of a palette, nested chunk or group to the ids of the
 * palettes, chunks or groups inside of it. */
typedef struct mapgen_graph mapgen_graph;

mapgen_graph *mapgen_graph_new(void); /* NULL when memory is out */
void mapgen_graph_free(mapgen_graph *graph);
/* mapgen_graph_add adds a single link to the graph, mapgen_graph_add_palette the links from a
 * palette to the palettes that it names, mapgen_graph_add_entry those from a chunk to the
 * chunks that its entry may place. */
void mapgen_graph_add(mapgen_graph *graph, uint32_t from, uint32_t to);
void mapgen_graph_add_palette(mapgen_graph *graph, const mapgen_palette *palette);
void mapgen_graph_add_entry(mapgen_graph *graph, mapgen_library *library,
                            const mapgen_entry *entry);
/* Finds the cycles in the graph, and calls `found` with one id of each cycle. False when memory
 * was out. */
bool mapgen_graph_cycles(mapgen_graph *graph, mapgen_visit *found, void *payload);
