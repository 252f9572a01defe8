/*
 * A pyramid of PNG tiles of 256 x 256 pixels. Zoom z has 2^z x 2^z tiles, counted to the east
 * and to the south. The north-western corner of OMT (0, 0) is in the middle. At the largest
 * zoom an OMT has scale x scale pixels; at each smaller zoom a pixel is the mean of four.
 * Areas without saved chunks are transparent, and tiles without any are left out.
 */
#ifndef ATLAS_PYRAMID_H
#define ATLAS_PYRAMID_H

#include "atlas/atlas_impl.h"

/* A finished tile. */
typedef struct pyramid_tile {
    int zoom;
    uint32_t x, y;
    const uint8_t *png; /* borrowed for the call */
    size_t size;
} pyramid_tile;

/* Receives the tiles, each after the four that it is made from. */
typedef ptl_status pyramid_sink(void *payload, const pyramid_tile *tile, ptl_error *err);

/* The properties of a pyramid, which are known before its tiles are made. */
typedef struct pyramid_shape {
    int32_t z, scale;
    int zoom_max; /* 0..31 */
    int64_t half; /* pixels from the border to the middle at the largest zoom */
    /* Of all saved chunks; degrees in the projection of web maps. */
    double west, south, east, north;
    char name[128];        /* name of the world; safe to print */
    char description[256]; /* says for people what the tiles show */
} pyramid_shape;

/* Finds the properties from the options. PTL_ERR_ARGUMENT: there is more than one level, or
 * the scale is not possible. */
ptl_status pyramid_plan(pyramid_shape *out, const atlas *a, ptl_error *err);
/* Makes all tiles and hands them to sink, whose first error is returned. */
ptl_status pyramid_write(atlas *a, const pyramid_shape *shape, pyramid_sink *sink,
                         void *payload, ptl_error *err);

#endif
