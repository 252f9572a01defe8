/*
 * Vehicles on roads, as content states them. A `vehicle_spawn` object has several things of
 * which one is drawn by weight; a `vehicle_placement` object says where on a map vehicles
 * stand and how. Ids are numbers of the pool that they were read with.
 */
#ifndef MAPGEN_GROUPS_TRAFFIC_H
#define MAPGEN_GROUPS_TRAFFIC_H

#include "core/hash.h"
#include "model/id_pool.h"
#include "json/view.h"

#include <stdbool.h>

/* A vehicle that stands on a map which is not rotated yet. */
typedef struct mapgen_parked {
    uint32_t vehicle; /* id of a vehicle, or of a vehicle group */
    int32_t x, y;     /* place of its tile (0, 0) */
    int32_t facing;   /* in degrees */
    int32_t fuel, status;
} mapgen_parked;

enum { MAPGEN_PARKED_MAX = 8 };

typedef struct mapgen_traffic mapgen_traffic;

mapgen_traffic *mapgen_traffic_new(id_pool *pool); /* NULL when memory is out */
void mapgen_traffic_free(mapgen_traffic *traffic);
/* Adds an object of one of these types; others are ignored. If an id comes again, the last
 * object counts. False when memory is out. */
bool mapgen_traffic_add(mapgen_traffic *traffic, json_view object);
/* Draws the vehicles that a spawn puts on a road of a shape (for example `road_straight`),
 * which replaces "%t" in the names of its placements. Returns how many; 0 also if there is no
 * such spawn. */
size_t mapgen_traffic_draw(mapgen_parked out[MAPGEN_PARKED_MAX], const mapgen_traffic *traffic,
                           rng *random, const char *spawn, const char *shape);

#endif
