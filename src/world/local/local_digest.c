/* One digest over many local maps (portolan/local_area.h). Stored maps are read; the others
 * are made, counted and thrown away. */
#include "codec/digest_world.h"
#include "core/sized.h"
#include "world/local/local.h"
#include "world/local/local_reader.h"

typedef struct digesting {
    ptl_world *world;
    local_reader *reader; /* owned */
    digest_local digest;
} digesting;

ptl_status world_local_area(const ptl_local_area *a, ptl_error *err)
{
    TRY(world_local_place((ptl_omt){a->x0, a->y0, a->z0}, err));
    TRY(world_local_place((ptl_omt){a->x1, a->y1, a->z1}, err));
    if (a->x1 < a->x0 || a->y1 < a->y0 || a->z1 < a->z0)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "an area of local maps that ends before it "
                         "begins");
    return PTL_OK;
}

static void add(digesting *d, ptl_omt at, const local_read *read)
{
    const int64_t place[3] = {at.x, at.y, at.z};
    digest_local_map(&d->digest, read->map, read->pool, place, read->oter, read->fallback);
}

/* ---- all of them ---- */

static ptl_status add_area(digesting *d, const ptl_local_area *a, ptl_error *err)
{
    const stop_hook stop = store_stop_hook(d->world->store);
    ptl_status status = PTL_OK;
    for (int64_t x = a->x0; x <= a->x1 && status == PTL_OK; x++)
        for (int64_t y = a->y0; y <= a->y1 && status == PTL_OK; y++)
            for (int32_t z = a->z0; z <= a->z1 && status == PTL_OK; z++) {
                const ptl_omt at = {x, y, z};
                local_read read;
                status = stop_check(&stop, err);
                THEN(status, local_reader_get(&read, d->reader, at, err));
                if (status == PTL_OK)
                    add(d, at, &read);
            }
    return status;
}

static ptl_status on_stored(void *payload, const map_info *info, ptl_error *err)
{
    digesting *d = payload;
    local_read read = {.map = NULL};
    const stop_hook stop = store_stop_hook(d->world->store);
    ptl_status status = stop_check(&stop, err);
    THEN(status, local_reader_stored(&read, d->reader, info->at, err));
    if (status == PTL_OK && read.map)
        add(d, info->at, &read);
    return status;
}

ptl_status ptl_local_digest_get(ptl_local_digest_result *out, ptl_world *world,
                                const ptl_local_area *area, ptl_error *err)
{
    const map_area all = {INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, .after = 0};
    ptl_local_digest_result r = PTL_LOCAL_DIGEST_RESULT_INIT;
    digesting d = {.world = world};
    bool own = false;
    error_clear(err);
    ptl_status status = SIZED_CHECK(ptl_local_digest_result, out, err);
    if (status == PTL_OK && area)
        status = world_local_area(area, err);
    THEN(status, store_begin_snapshot(world->store, &own, err));
    if (status != PTL_OK)
        return status;
    digest_local_begin(&d.digest);
    d.reader = local_reader_new(world);
    if (!d.reader)
        status = error_nomem(err);
    else
        status = area ? add_area(&d, area, err)
                      : store_map_visit(world->store, world->row.id, &all, on_stored, &d, err);
    store_end_snapshot(world->store, own);
    r.maps = d.digest.maps;
    r.made = d.reader ? local_reader_made(d.reader) : 0;
    if (!digest_local_end(&d.digest, r.hex) && status == PTL_OK)
        status = error_nomem(err);
    local_reader_free(d.reader);
    if (status == PTL_OK)
        SIZED_FILL(ptl_local_digest_result, out, &r);
    return status;
}
