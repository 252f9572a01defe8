/*
 * Vehicles on roads, as content states them: `vehicle_spawn` objects, of which one of several
 * things is drawn by weight, and `vehicle_placement` objects, which say where on a map and how
 * they stand. Ids are numbers of the pool that they were read with.
 */
#ifndef MAPGEN_GROUPS_TRAFFIC_H
#define MAPGEN_GROUPS_TRAFFIC_H

#include "core/hash.h"
#include "model/id_pool.h"
#include "json/view.h"

#include <stdbool.h>

/* What stands there, on a drawing that is not turned yet. */
typedef struct mapgen_parked {
    uint32_t vehicle; /* or a vehicle group */
    int32_t x, y;     /* of its own tile (0, 0) */
    int32_t facing;   /* in degrees */
    int32_t fuel, status;
} mapgen_parked;

enum { MAPGEN_PARKED_MAX = 8 };

typedef struct mapgen_traffic mapgen_traffic;

mapgen_traffic *mapgen_traffic_new(id_pool *pool); /* NULL when memory is out */
void mapgen_traffic_free(mapgen_traffic *traffic);
/* Adds an object of these types; others are passed over. Of one id the last counts. False when
 * memory is out. */
bool mapgen_traffic_add(mapgen_traffic *traffic, json_view object);
/* Draws what a spawn has on a road of a shape (`road_straight`, ...), which stands for "%t" in
 * the names of its placements. Returns how many; 0 also where there is no such spawn. */
size_t mapgen_traffic_draw(mapgen_parked out[MAPGEN_PARKED_MAX], const mapgen_traffic *traffic,
                           rng *random, const char *spawn, const char *shape);

#endif
