/*
 * Vehicles on roads that ground makes, as the content's `vehicle_spawn` objects say: in town,
 * in the country, on highways and where a subway ends. A content without them has none there.
 * They have a stream of their own.
 */
#include "mapgen/run/run_impl.h"

#include <string.h>

void run_traffic(run *r, const char *type)
{
    enum { QUARTER = 90, ROUND = 360, LAST = LOCAL_SIDE - 1 };
    const mapgen_request *q = r->request;
    mapgen_parked parked[MAPGEN_PARKED_MAX];
    ground_road road;
    if (!q->groups || !q->site || !ground_road_of(&road, q->site, type))
        return;
    rng random = rng_from_key(hash_add(q->key, hash_string("traffic")));
    const mapgen_lists *groups = mapgen_groups_lists(q->groups, MAPGEN_LIST_VEHICLES);
    const size_t count = mapgen_traffic_draw(parked, mapgen_groups_traffic(q->groups), &random,
                                             road.spawn, road.shape);
    for (size_t i = 0; i < count; i++) {
        const uint32_t drawn =
            mapgen_lists_draw(groups, &random, MAPGEN_LIST_VEHICLES, parked[i].vehicle);
        local_entity e = {.kind = LOCAL_VEHICLE,
                          .id = drawn != ID_NONE ? drawn : parked[i].vehicle,
                          .charges = parked[i].fuel,
                          .status = parked[i].status};
        int32_t x = parked[i].x, y = parked[i].y;
        for (int turn = 0; turn < road.turns; turn++) {
            const int32_t before = x;
            x = LAST - y;
            y = before;
        }
        if (x < 0 || y < 0 || x > LAST || y > LAST)
            continue; /* no map holds what begins outside of it */
        const int32_t facing = (parked[i].facing + road.turns * QUARTER) % ROUND;
        e.count = facing < 0 ? facing + ROUND : facing;
        e.x = e.x2 = (uint8_t)x;
        e.y = e.y2 = (uint8_t)y;
        local_map_add(r->map, &e);
    }
}
