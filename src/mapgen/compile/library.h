/* The compiled palettes of a content, by id. What is added is borrowed; of one that is added
 * twice the later counts. */
#ifndef MAPGEN_COMPILE_LIBRARY_H
#define MAPGEN_COMPILE_LIBRARY_H

#include "mapgen/compile/compile.h"

typedef struct mapgen_library mapgen_library; /* for one thread while it is added to */

mapgen_library *mapgen_library_new(void); /* NULL when memory is out */
void mapgen_library_free(mapgen_library *library);
/* False when memory is out. */
bool mapgen_library_add_palette(mapgen_library *library, const mapgen_palette *palette);

/* Returns NULL if there is none. */
const mapgen_palette *mapgen_library_palette(const mapgen_library *library, uint32_t id);
#endif
