/* What a world's file says beside its tiles, for who draws it. */
#ifndef WORLD_PLACES_H
#define WORLD_PLACES_H

#include "portolan/world.h"

typedef struct world_city {
    const char
        *name;    /* as the file has it; "" if the content gave none; borrowed for the call */
    int64_t x, y; /* its centre, absolute OMTs */
    int32_t size; /* nominal radius, OMTs */
} world_city;

typedef void (*world_city_visit)(void *payload, const world_city *city);

/*
 * Visits the cities of saved chunks whose centres lie in a rectangle of absolute OMTs, x0, y0,
 * x1, y1, both ends included, in no order. PTL_ERR_CORRUPT where a row's values are out of
 * range.
 */
ptl_status world_cities(ptl_world *world, const int64_t rect[4], world_city_visit visit,
                        void *payload, ptl_error *err);

/* The digest of the content that the world was made with, hex; "" if the file lacks its row. */
ptl_status world_content_digest(ptl_world *world, char out[65], ptl_error *err);

#endif
