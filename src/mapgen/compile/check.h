/* What can be told of an entry only once all palettes and chunks are known. */
#ifndef MAPGEN_COMPILE_CHECK_H
#define MAPGEN_COMPILE_CHECK_H

#include "mapgen/compile/library.h"

/* Tells of characters without a meaning; the context's pool and callback are used. */
void mapgen_check_entry(const mapgen_context *context, mapgen_library *library,
                        const mapgen_entry *entry);

/* Tells of parameters that the unit's values name: none is defined so, or it is of another type
 * than what stands there, or a switch has no case for what it may be. A palette's values see
 * its own parameters alone; an entry's those of all its palettes, too. */
void mapgen_check_parameters(const mapgen_context *context, mapgen_library *library,
                             const mapgen_unit *unit, bool palette);

/* Who contains whom, by ids: palettes, nested chunks, or groups. */
typedef struct mapgen_graph mapgen_graph;

mapgen_graph *mapgen_graph_new(void); /* NULL when memory is out */
void mapgen_graph_free(mapgen_graph *graph);
void mapgen_graph_add(mapgen_graph *graph, uint32_t from, uint32_t to);
void mapgen_graph_add_palette(mapgen_graph *graph, const mapgen_palette *palette);
void mapgen_graph_add_entry(mapgen_graph *graph, mapgen_library *library,
                            const mapgen_entry *entry);
/* Calls back with one id of each cycle that a search meets. False when memory was out. */
bool mapgen_graph_cycles(mapgen_graph *graph, void (*found)(void *payload, uint32_t id),
                         void *payload);

#endif
