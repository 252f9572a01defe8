/* The palettes that may give the characters of an entry or chunk a meaning, whatever is drawn.
 */
#ifndef MAPGEN_COMPILE_LAYERS_H
#define MAPGEN_COMPILE_LAYERS_H

#include "mapgen/compile/library.h"

enum { MAPGEN_LAYERS_MAX = 64 };

/* In the order in which their meanings count, and the unit itself last. */
typedef struct mapgen_layers {
    const mapgen_unit *units[MAPGEN_LAYERS_MAX];
    uint32_t count;
    bool cut; /* there were more */
} mapgen_layers;

/* All palettes that may be used by the unit, directly and by palettes. */
void mapgen_layers_possible(mapgen_layers *out, mapgen_library *library,
                            const mapgen_unit *unit);
/* Returns what the character means in the unit; NULL: nothing. */
const mapgen_meaning *mapgen_meaning_of(const mapgen_unit *unit, uint32_t symbol);
/* Calls back for each id that a value may give. Of a parameter: what it is drawn from, in any
 * of the layers. False: memory ran out before all were told. */
bool mapgen_value_visit(const mapgen_layers *layers, const mapgen_unit *unit, uint32_t value,
                        void (*visit)(void *payload, uint32_t id), void *payload);
/* Likewise for each chunk that a piece may place; other pieces have none. */
bool mapgen_chunks_visit(const mapgen_layers *layers, const mapgen_unit *unit,
                         const mapgen_piece *piece, void (*visit)(void *payload, uint32_t id),
                         void *payload);
/* Likewise for each that any piece of the layers may place. */
bool mapgen_layers_chunks(const mapgen_layers *layers,
                          void (*visit)(void *payload, uint32_t id), void *payload);
/* The unit's own definition of a parameter; NULL: it has none. */
const mapgen_parameter *mapgen_parameter_of(const mapgen_unit *unit, uint32_t name);

#endif
