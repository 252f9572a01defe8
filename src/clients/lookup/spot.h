/* Answers what stands on an OMT: the special or building of the chunk that covers it, and the
 * chunk's nearest city. */
#ifndef LOOKUP_SPOT_H
#define LOOKUP_SPOT_H

#include "portolan/portolan.h"

/* An OMT, by its coordinates within its chunk, with the chunk's features. */
typedef struct spot {
    const ptl_catalogue *catalogue; /* borrowed, like the features */
    const ptl_features *features;
    int32_t x, y, z;
} spot;

/* Finds the special that covers the OMT. *number is its index among the chunk's specials.
 * *piece is the piece on that OMT if the special is mutable; its id is "" for a fixed special.
 * Returns false if there is no special. */
bool spot_special(const spot *p, size_t *number, ptl_placed_special *out,
                  ptl_placed_piece *piece);
/* Finds the city building that covers the OMT. Returns false if there is none. */
bool spot_building(const spot *p, ptl_building *out);
/* Finds the nearest of the cities whose centre is in this chunk, and the distance to that
 * centre in OMTs. Returns false if the chunk has no city. */
bool spot_city(const spot *p, ptl_city *out, double *distance);

#endif
