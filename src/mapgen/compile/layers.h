/* Finds the palettes that may give the characters of an entry or chunk a meaning, whatever is
 * drawn. */
#ifndef MAPGEN_COMPILE_LAYERS_H
#define MAPGEN_COMPILE_LAYERS_H

#include "mapgen/compile/library.h"

enum { MAPGEN_LAYERS_MAX = 64 };

/* Units with meanings: a later one's count over those of the earlier. The last is the unit
 * itself. */
typedef struct mapgen_layers {
    const mapgen_unit *units[MAPGEN_LAYERS_MAX];
    uint32_t count;
    bool cut; /* there were more than fit */
} mapgen_layers;

/* Finds all palettes that the unit may use, directly or through other palettes. */
void mapgen_layers_possible(mapgen_layers *out, mapgen_library *library,
                            const mapgen_unit *unit);
/* Returns the meaning of a character in one unit; NULL: it has none. */
const mapgen_meaning *mapgen_meaning_of(const mapgen_unit *unit, uint32_t symbol);
/* Calls back for each id that a value may come to. A parameter may come to all that it is
 * drawn from in any of the layers. False: memory was out before all were told. */
bool mapgen_value_visit(const mapgen_layers *layers, const mapgen_unit *unit, uint32_t value,
                        void (*visit)(void *payload, uint32_t id), void *payload);
/* Calls back for each chunk that a piece may place; only nested pieces have some. False as
 * above. */
bool mapgen_chunks_visit(const mapgen_layers *layers, const mapgen_unit *unit,
                         const mapgen_piece *piece, void (*visit)(void *payload, uint32_t id),
                         void *payload);
/* Calls back for each chunk that any piece of the layers may place. False as above. */
bool mapgen_layers_chunks(const mapgen_layers *layers,
                          void (*visit)(void *payload, uint32_t id), void *payload);
/* Returns a parameter that the unit itself defines; NULL: it does not define it. */
const mapgen_parameter *mapgen_parameter_of(const mapgen_unit *unit, uint32_t name);

#endif
