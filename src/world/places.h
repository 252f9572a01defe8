/* The cities of a world, and the digest of the content with which it was made, as the file has
 * them. Programs that draw a world need both, in addition to the oters. */
#pragma once

#include "portolan/world.h"

typedef struct world_city {
    /* The name as the file has it; "" if the content gave none; borrowed during the call. */
    const char *name;
    int64_t x, y; /* the city's centre, in absolute OMTs */
    int32_t size; /* the city's nominal radius in OMTs */
} world_city;

typedef void (*world_city_visit)(void *payload, const world_city *city);

/* Calls `visit` for each city of the saved chunks whose centre lies in the rectangle {x0,
 * y0, x1, y1}. These are absolute OMTs, both corners included. The order of cities is not
 * defined. PTL_ERR_CORRUPT if a city's row has values out of range. */
ptl_status world_cities(ptl_world *world, const int64_t rect[4], world_city_visit visit,
                        void *payload, ptl_error *err);

/* Gives the digest of the content that the world was made with, as hex digits; "" if the file
 * has no row for that content. */
ptl_status world_content_digest(ptl_world *world, char out[65], ptl_error *err);
