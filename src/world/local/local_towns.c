#include "world/local/local.h"

#include "core/array.h"
#include "core/error.h"
#include "gen/plan/plan.h"

#include <stdlib.h>
#include <string.h>

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
