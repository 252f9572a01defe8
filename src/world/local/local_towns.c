#include "codec/digest_world.h"
#include "core/array.h"
#include "core/error.h"
#include "core/sized.h"
#include "gen/plan/plan.h"
#include "world/local/local.h"
#include "world/local/local_reader.h"

enum { AROUND = 9, MIDDLE = AROUND / 2 };

static void clear(local_towns *towns)
{
    towns->planned = 0;
    for (size_t i = 0; i < towns->count; i++)
        free(towns->list[i].name);
    towns->count = 0;
}

void local_towns_dispose(local_towns *towns)
{
    clear(towns);
    free(towns->list);
    *towns = (local_towns){.list = NULL};
}

/* One digest over many local maps (portolan/local_area.h). Stored maps are read; the others
 * are made, counted and thrown away. */

static ptl_status add(local_towns *towns, ptl_chunk_pos chunk, int32_t x, int32_t y,
                      const char *name, ptl_error *err)
{
    if (!ARRAY_ROOM(towns->list, towns->room, towns->count + 1))
        return error_nomem(err);
    const size_t size = strlen(name) + 1;
    local_town *town = &towns->list[towns->count];
    town->x = (int64_t)chunk.x * PTL_CHUNK_SIZE + x;
    town->y = (int64_t)chunk.y * PTL_CHUNK_SIZE + y;
    town->name = malloc(size);
    if (!town->name)
        return error_nomem(err);
    memcpy(town->name, name, size);
    towns->count++;
    return PTL_OK;
}

static ptl_status add_city(void *payload, const city_row *city, ptl_error *err)
{
    return city->name[0] ? add(payload, city->chunk, city->x, city->y, city->name, err)
                         : PTL_OK;
}

static ptl_chunk_pos around(const local_towns *towns, int nth)
{
    return (ptl_chunk_pos){towns->chunk.x + nth % 3 - 1, towns->chunk.y + nth / 3 - 1};
}

ptl_status local_towns_read(local_towns *towns, const ptl_world *world, ptl_omt at,
                            ptl_error *err)
{
    ptl_status status = PTL_OK;
    clear(towns);
    towns->chunk = ptl_omt_chunk(at);
    for (int i = 0; i < AROUND && status == PTL_OK; i++) {
        const ptl_chunk_pos pos = around(towns, i);
        chunk_info info;
        bool there = i == MIDDLE;
        if (i != MIDDLE)
            status = store_chunk_find(&info, &there, world->store, world->row.id, pos, err);
        if (status != PTL_OK)
            break;
        if (there && (i == MIDDLE || info.imported))
            status =
                store_city_visit(world->store, world->row.id, pos, pos, add_city, towns, err);
        else
            towns->planned |= 1U << i;
    }
    return status;
}

/* ---- the plan ---- */

typedef struct planned_cities {
    city_site sites[CITY_SITES_MAX];
    city_names names;
} planned_cities;

static ptl_status add_planned(local_towns *towns, planned_cities *p, const gen_config *config,
                              ptl_chunk_pos pos, ptl_error *err)
{
    size_t missing;
    const size_t count = plan_cities(p->sites, config, pos, &missing);
    plan_city_names(&p->names, config, pos, count);
    for (size_t i = 0; i < count; i++)
        if (p->names.list[i])
            TRY(add(towns, pos, p->sites[i].x, p->sites[i].y, p->names.list[i], err));
    return PTL_OK;
}

ptl_status local_towns_plan(local_towns *out, const local_towns *saved,
                            const gen_config *config, ptl_error *err)
{
    if (out->planned == saved->planned && out->chunk.x == saved->chunk.x &&
        out->chunk.y == saved->chunk.y)
        return PTL_OK;
    planned_cities *p = malloc(sizeof *p);
    ptl_status status = p ? PTL_OK : error_nomem(err);
    clear(out);
    out->chunk = saved->chunk;
    for (int i = 0; i < AROUND && status == PTL_OK; i++)
        if (saved->planned >> i & 1)
            status = add_planned(out, p, config, around(out, i), err);
    if (status == PTL_OK)
        out->planned = saved->planned;
    free(p);
    return status;
}

static void look_through(const char **name, int64_t *least, const local_towns *towns,
                         ptl_omt at)
{
    for (size_t i = 0; i < towns->count; i++) {
        const int64_t dx = towns->list[i].x - at.x, dy = towns->list[i].y - at.y;
        if (dx * dx + dy * dy < *least) {
            *least = dx * dx + dy * dy;
            *name = towns->list[i].name;
        }
    }
}

const char *local_towns_nearest(const local_towns *saved, const local_towns *planned,
                                ptl_omt at)
{
    const char *name = NULL;
    int64_t least = INT64_MAX;
    look_through(&name, &least, saved, at);
    look_through(&name, &least, planned, at);
    return name;
}

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

static void add_digest(digesting *d, ptl_omt at, const local_read *read)
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
                    add_digest(d, at, &read);
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
        add_digest(d, info->at, &read);
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
