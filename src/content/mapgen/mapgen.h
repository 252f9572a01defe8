/* The module of mapgen and palette. Both are compiled, only to find errors, and kept as
 * text. */
#ifndef CONTENT_MAPGEN_MAPGEN_H
#define CONTENT_MAPGEN_MAPGEN_H

#include "content/import/import.h"

extern const content_module mapgen_module;

#endif
