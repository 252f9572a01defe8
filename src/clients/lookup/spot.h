/* What stands on a tile: of a chunk's specials and buildings the one that has it, and the city
 * that is the nearest. */
#ifndef LOOKUP_SPOT_H
#define LOOKUP_SPOT_H

#include "portolan/portolan.h"

/* A tile, in its chunk. */
typedef struct spot {
    const ptl_catalogue *catalogue; /* borrowed, as the features */
    const ptl_features *features;
    int32_t x, y, z;
} spot;

/* Finds the special that has the tile, and of a mutable one the piece that lies there; piece's
 * id is "" of a fixed one. */
bool spot_special(const spot *p, size_t *number, ptl_placed_special *out,
                  ptl_placed_piece *piece);
/* Finds the building of a city that has the tile. */
bool spot_building(const spot *p, ptl_building *out);
/* Finds the nearest of the chunk's own cities, and how far away its centre is. */
bool spot_city(const spot *p, ptl_city *out, double *distance);

#endif
