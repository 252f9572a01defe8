/*
 * A pyramid of PNG tiles, 256 x 256 pixels each. Zoom z has 2^z x 2^z tiles, x to the east and
 * y to the south; OMT (0, 0) has its north-western corner in the middle of all. The largest
 * zoom shows an OMT as scale x scale pixels, each smaller one four of its pixels as their mean;
 * where nothing is saved it is clear. Tiles without a saved chunk are left out.
 */
#ifndef ATLAS_PYRAMID_H
#define ATLAS_PYRAMID_H

#include "atlas/atlas_impl.h"

typedef struct pyramid_tile {
    int zoom;
    uint32_t x, y;
    const uint8_t *png; /* borrowed for the call */
    size_t size;
} pyramid_tile;

/* Takes tiles, each after those that it is the mean of. */
typedef ptl_status pyramid_sink(void *payload, const pyramid_tile *tile, ptl_error *err);

/* What a pyramid is of, known before its tiles are made. */
typedef struct pyramid_shape {
    int32_t z, scale;
    int zoom_max; /* 0..31 */
    int64_t half; /* pixels of the largest zoom from its border to the middle */
    double west, south, east, north; /* degrees of all saved chunks, as web maps lay tiles */
    char name[128];                  /* of the world; safe to print */
    char description[256];           /* of what tiles are, for people */
} pyramid_shape;

/* PTL_ERR_ARGUMENT: more than one level, or a scale that there is not. */
ptl_status pyramid_plan(pyramid_shape *out, const atlas *a, ptl_error *err);
ptl_status pyramid_write(atlas *a, const pyramid_shape *shape, pyramid_sink *sink,
                         void *payload, ptl_error *err);

#endif
