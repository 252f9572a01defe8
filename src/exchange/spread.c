/*
 * Spreads monster groups (schema/generation.md 11). A stored group has a radius; the games'
 * files have many groups of one submap instead. All arithmetic is in whole numbers, so that
 * every machine writes the same.
 */
#include "core/array.h"
#include "core/error.h"
#include "core/hash.h"
#include "exchange/exchange.h"

#include <stdlib.h>
#include <string.h>

enum {
    RADIUS_MAX = SUBMAPS,
    RESOLUTION = 10000,
    WORK_MAX = 1 << 25 /* submaps that may be visited for one overmap */
};

static submap_group *add(submap_groups *g, ptl_error *err, ptl_status *status)
{
    if (g->count >= SAVE_GROUPS_MAX) {
        *status = error_set(err, PTL_ERR_LIMIT, "more than %d monster groups in one overmap",
                            SAVE_GROUPS_MAX);
        return NULL;
    }
    if (!ARRAY_ROOM(g->list, g->capacity, g->count + 1)) {
        *status = error_nomem(err);
        return NULL;
    }
    return &g->list[g->count++];
}

/* Returns what a submap at distance d gets, in units of 1 / RESOLUTION monster. The density is
 * a cone; that of a diffuse group is uniform. 355/113 is pi to seven digits. */
static int64_t share(const gen_group *g, int32_t radius, int32_t d)
{
    const int64_t population = g->population > 0 ? g->population : 0, r = radius;
    if (radius == 0)
        return population * RESOLUTION;
    if (g->diffuse)
        return population * RESOLUTION / ((r + 1) * (r + 1));
    return population * RESOLUTION * (r - d) / r * 113 / (355 * r * r + 113);
}

/* Returns the square root of n, rounded down. A guess that is close needs few steps. */
static int32_t root_near(int32_t guess, int32_t n)
{
    while (guess * guess > n)
        guess--;
    while ((guess + 1) * (guess + 1) <= n)
        guess++;
    return guess;
}

static ptl_status spread_one(submap_groups *out, const gen_group *g, rng *r, ptl_error *err)
{
    ptl_status status = PTL_OK;
    const int32_t radius = g->radius > RADIUS_MAX ? RADIUS_MAX : g->radius;
    int32_t near = radius;
    for (int32_t dx = -radius; dx <= radius; dx++)
        for (int32_t dy = -radius; dy <= radius; dy++) {
            int32_t ax = abs(dx), ay = abs(dy);
            near = root_near(near, dx * dx + dy * dy);
            int32_t d = g->diffuse ? (ax > ay ? ax : ay) : near;
            if (d > radius)
                continue;
            int64_t parts = share(g, radius, d), count = parts / RESOLUTION;
            count += (int64_t)rng_below(r, RESOLUTION) < parts % RESOLUTION;
            if (count == 0)
                continue;
            submap_group *one = add(out, err, &status);
            if (!one)
                return status;
            *one = (submap_group){.type = g->type,
                                  .population = (int32_t)count,
                                  .x = (int16_t)(g->x + dx),
                                  .y = (int16_t)(g->y + dy),
                                  .z = g->z,
                                  .horde = g->horde,
                                  .diffuse = g->diffuse};
        }
    return PTL_OK;
}

static int by_kind_and_place(const void *pa, const void *pb)
{
    const submap_group *a = pa, *b = pb;
    int types = strcmp(a->type, b->type);
    if (types != 0)
        return types;
    if (a->horde != b->horde)
        return a->horde - b->horde;
    if (a->diffuse != b->diffuse)
        return a->diffuse - b->diffuse;
    if (a->population != b->population)
        return a->population > b->population ? -1 : 1;
    if (a->x != b->x)
        return a->x - b->x;
    if (a->y != b->y)
        return a->y - b->y;
    return a->z - b->z; /* groups equal in all of these are identical */
}

ptl_status groups_spread(submap_groups *out, const gen_features *features, uint64_t seed,
                         ptl_chunk_pos pos, ptl_error *err)
{
    uint64_t key = hash_add(seed, hash_string("monster group spread"));
    key = hash_add(hash_add(key, (uint32_t)pos.x), (uint32_t)pos.y);
    ptl_status status = PTL_OK;
    int64_t work = 0;
    out->count = 0;
    for (size_t i = 0; i < features->group_count && status == PTL_OK; i++) {
        const gen_group *g = &features->groups[i];
        rng r = rng_from_key(hash_add(key, i));
        if (g->radius != 1) {
            int64_t radius = g->radius > RADIUS_MAX ? RADIUS_MAX : g->radius;
            work += (2 * radius + 1) * (2 * radius + 1);
            if (work > WORK_MAX)
                return error_set(err, PTL_ERR_LIMIT, "the monster groups are too large");
            status = spread_one(out, g, &r, err);
            continue;
        }
        submap_group *one = add(out, err, &status);
        if (one)
            *one = (submap_group){.type = g->type,
                                  .population = g->population,
                                  .x = g->x,
                                  .y = g->y,
                                  .z = g->z,
                                  .horde = g->horde,
                                  .diffuse = g->diffuse};
    }
    if (status == PTL_OK && out->list && out->count > 1)
        qsort(out->list, out->count, sizeof *out->list, by_kind_and_place);
    return status;
}
