/* One digest over many local maps (portolan/local_area.h): stored ones are read, others made
 * and thrown away. */
#include "codec/digest_local.h"
#include "core/error.h"
#include "core/sized.h"
#include "world/chunk_cache.h"
#include "world/local.h"

#include <stdlib.h>
#include <string.h>

typedef struct digesting {
    ptl_world *world;
    ptl_cache *cache; /* owned; of what maps are made of */
    local_map *made;  /* owned */
    digest_local digest;
    uint64_t made_count;
} digesting;

ptl_status world_local_area(const ptl_local_area *a, ptl_error *err)
{
    ptl_status status = world_local_place((ptl_omt){a->x0, a->y0, a->z0}, err);
    if (status == PTL_OK)
        status = world_local_place((ptl_omt){a->x1, a->y1, a->z1}, err);
    if (status == PTL_OK && (a->x1 < a->x0 || a->y1 < a->y0 || a->z1 < a->z0))
        status = error_set(err, PTL_ERR_ARGUMENT,
                           "an area of local maps that ends before it "
                           "begins");
    return status;
}

static void add(digesting *d, const local_map *map, const id_pool *pool, const map_info *info)
{
    const int64_t place[3] = {info->at.x, info->at.y, info->at.z};
    digest_local_map(&d->digest, map, pool, place, info->oter, info->fallback);
}

/* *found false, and nothing is added, where there is none. */
static ptl_status add_stored(digesting *d, ptl_omt at, bool *found, ptl_error *err)
{
    stored_map stored = {.map = {.count = 0}};
    ptl_status status =
        store_map_read(&stored, found, d->world->store, d->world->row.id, at, err);
    if (status != PTL_OK || !*found)
        return status;
    add(d, &stored.map, stored.pool, &stored.info);
    stored_map_dispose(&stored);
    return status;
}

/* ---- what is not stored ---- */

static ptl_status cell(ptl_oter *out, digesting *d, ptl_omt at, ptl_error *err)
{
    cached_chunk held;
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    *out = PTL_OTER_NONE;
    if (at.z < PTL_Z_MIN || at.z > PTL_Z_MAX)
        return PTL_OK;
    const ptl_status status = cache_fetch(&held, d->cache, pos, false, err);
    if (status != PTL_OK)
        return status;
    if (!held.chunk || !held.whole)
        return error_set(err, PTL_ERR_NOT_FOUND,
                         "chunk %d,%d is not generated, and local maps hang on it", pos.x,
                         pos.y);
    *out = ptl_chunk_oter(held.chunk, (int32_t)(at.x - (int64_t)pos.x * PTL_CHUNK_SIZE),
                          (int32_t)(at.y - (int64_t)pos.y * PTL_CHUNK_SIZE), at.z);
    return PTL_OK;
}

static ptl_status look_in_cache(local_around *out, void *payload, ptl_omt at, ptl_error *err)
{
    digesting *d = payload;
    ptl_status status = PTL_OK;
    for (int i = 0; i < 9 && status == PTL_OK; i++)
        status =
            cell(&out->cells[i], d, (ptl_omt){at.x + i % 3 - 1, at.y + i / 3 - 1, at.z}, err);
    if (status == PTL_OK)
        status = cell(&out->above, d, (ptl_omt){at.x, at.y, at.z + 1}, err);
    return status == PTL_OK ? cell(&out->below, d, (ptl_omt){at.x, at.y, at.z - 1}, err)
                            : status;
}

static ptl_status begin_making(digesting *d, ptl_error *err)
{
    if (d->cache)
        return PTL_OK;
    d->made = malloc(sizeof *d->made);
    ptl_status status = d->made ? world_local_prepare(d->world, err) : error_nomem(err);
    return status == PTL_OK ? ptl_cache_new(&d->cache, d->world, NULL, err) : status;
}

static ptl_status add_made(digesting *d, ptl_omt at, ptl_error *err)
{
    map_info info;
    ptl_status status = begin_making(d, err);
    if (status != PTL_OK)
        return status;
    const local_maker maker = {d->world, d->world->mapgen, look_in_cache, d};
    local_map_init(d->made);
    status = world_local_run(d->made, &info, &maker, at, err);
    if (status == PTL_OK && (d->made->failed || id_pool_failed(d->world->mapgen->pool)))
        status = error_nomem(err);
    if (status == PTL_OK)
        add(d, d->made, d->world->mapgen->pool, &info);
    d->made_count++;
    local_map_dispose(d->made);
    return status;
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
                bool found = false;
                status = stop_check(&stop, err);
                if (status == PTL_OK)
                    status = add_stored(d, at, &found, err);
                if (status == PTL_OK && !found)
                    status = add_made(d, at, err);
            }
    return status;
}

static ptl_status on_stored(void *payload, const map_info *info, ptl_error *err)
{
    digesting *d = payload;
    bool found = false;
    const stop_hook stop = store_stop_hook(d->world->store);
    const ptl_status status = stop_check(&stop, err);
    return status == PTL_OK ? add_stored(d, info->at, &found, err) : status;
}

static ptl_status add_all(digesting *d, ptl_error *err)
{
    const map_area all = {INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, .after = 0};
    return store_map_visit(d->world->store, d->world->row.id, &all, on_stored, d, err);
}

ptl_status ptl_local_digest(ptl_world *world, const ptl_local_area *area,
                            ptl_local_digest_result *out, ptl_error *err)
{
    ptl_local_digest_result r = PTL_LOCAL_DIGEST_RESULT_INIT;
    digesting d = {.world = world};
    bool own = false;
    error_clear(err);
    ptl_status status = SIZED_CHECK(ptl_local_digest_result, out, err);
    if (status == PTL_OK && area)
        status = world_local_area(area, err);
    if (status == PTL_OK)
        status = store_begin_snapshot(world->store, &own, err);
    if (status != PTL_OK)
        return status;
    digest_local_begin(&d.digest);
    status = area ? add_area(&d, area, err) : add_all(&d, err);
    store_end_snapshot(world->store, own);
    r.maps = d.digest.maps;
    r.made = d.made_count;
    if (!digest_local_end(&d.digest, r.hex) && status == PTL_OK)
        status = error_nomem(err);
    ptl_cache_free(d.cache);
    free(d.made);
    if (status == PTL_OK)
        SIZED_FILL(ptl_local_digest_result, out, &r);
    return status;
}
