/* Which local maps are stored. */
#include "world/lists/listing.h"
#include "world/world.h"

#include "portolan/local_area.h"

typedef struct map_reading {
    ptl_world *world;
    const ptl_local_area *area; /* NULL: all */
    listing list;               /* of ptl_omt */
} map_reading;

static ptl_status keep_map(void *payload, const map_info *map, ptl_error *err)
{
    map_reading *r = payload;
    const ptl_local_area *a = r->area;
    if (a && (map->at.z < a->z0 || map->at.z > a->z1))
        return PTL_OK;
    return listing_add(&r->list, &map->at, err);
}

static ptl_status read_maps(void *payload, ptl_error *err)
{
    map_reading *r = payload;
    const ptl_local_area *a = r->area;
    const map_area which = {.x0 = a ? a->x0 : INT64_MIN,
                            .x1 = a ? a->x1 : INT64_MAX,
                            .y0 = a ? a->y0 : INT64_MIN,
                            .y1 = a ? a->y1 : INT64_MAX};
    return store_map_visit(r->world->store, r->world->row.id, &which, keep_map, r, err);
}

ptl_status ptl_local_list(ptl_world *world, const ptl_local_area *area,
                          bool (*on_map)(void *payload, const ptl_omt *at), void *payload,
                          ptl_error *err)
{
    map_reading r = {.world = world, .area = area};
    error_clear(err);
    ptl_status status = listing_begin(&r.list, sizeof(ptl_omt), err);
    if (status == PTL_OK)
        status = listing_snapshot(world->store, read_maps, &r, err);
    LISTING_GIVE(status, &r.list, ptl_omt, on_map, payload, err);
    listing_end(&r.list);
    return status;
}
