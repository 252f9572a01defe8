/* The module of mapgen and palette: compiled to find what is wrong, and kept as text. */
#ifndef CONTENT_MAPGEN_MAPGEN_H
#define CONTENT_MAPGEN_MAPGEN_H

#include "content/import/import.h"

extern const content_module mapgen_module;

#endif
