/* Fault scenes of portolan/local_tide.h: a sea with islands, whose chunk is saved; and of a
 * world that derives its local maps. */
#include "core/error.h"
#include "portolan/local_tide.h"
#include "support/fault/fault_loop.h"
#include "world/local/local.h"

#include <check.h>

enum { SIDE = PTL_LOCAL_SIDE, STEP = 60 /* turns in one of the tide */ };

static const ptl_omt ISLAND = {FAULT_SEA_X, FAULT_SEA_Y, 0};

/* The tide and the water of a few tiles, a map at high water, and what is stored of its
 * ground. */
static ptl_status sea_water(fault_place *p, ptl_error *err)
{
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    ptl_local_map *map = NULL;
    int32_t tide = 0;
    uint64_t checked = 0, problems = 0;
    const int64_t high = 28 * ptl_local_tide_turns(p->world);
    ptl_status status = ptl_local_tide(&tide, p->world, high, err);
    fault_mix_number(p, tide);
    for (int i = 0; i < 3 && status == PTL_OK; i++) {
        ptl_local_water w = PTL_LOCAL_WATER_INIT;
        status = ptl_local_water_get(&w, p->world, ISLAND.x * SIDE + 9 * i, ISLAND.y * SIDE + i,
                                     high, err);
        fault_mix_number(p, w.height);
        fault_mix_number(p, w.depth);
    }
    o.tide = true;
    o.view = high;
    if (status == PTL_OK)
        status = ptl_local_get(&map, p->world, ISLAND, &o, err);
    for (int i = 0; i < SIDE && status == PTL_OK; i++)
        fault_mix_text(p, ptl_local_terrain(map, i, i));
    ptl_local_free(map);
    if (status == PTL_OK)
        status = ptl_local_spills_verify(&checked, &problems, p->world, NULL, NULL, err);
    fault_mix_number(p, (int64_t)checked);
    fault_mix_number(p, (int64_t)problems);
    return status;
}

/* A local tide is called, and ends earlier than was said. */
static ptl_status sea_surge(fault_place *p, ptl_error *err)
{
    ptl_local_surge surge = PTL_LOCAL_SURGE_INIT;
    ptl_local_water w = PTL_LOCAL_WATER_INIT;
    surge.x = ISLAND.x * SIDE;
    surge.y = ISLAND.y * SIDE;
    surge.begins = 2 * STEP;
    surge.ends = 40 * STEP;
    ptl_status status = ptl_local_surge_add(p->world, &surge, err);
    if (status == PTL_ERR_EXISTS) {
        error_clear(err);
        status = PTL_OK;
    }
    surge.ends = 20 * STEP;
    if (status == PTL_OK)
        status = ptl_local_surge_end(p->world, &surge, err);
    for (int i = 0; i < 2 && status == PTL_OK; i++) {
        status = ptl_local_water_get(&w, p->world, surge.x, surge.y, (15 + 15 * i) * STEP, err);
        fault_mix_number(p, w.depth);
        fault_mix_number(p, w.lag);
    }
    return status;
}

static ptl_status sea_ford(fault_place *p, ptl_error *err)
{
    ptl_local_ford ford = PTL_LOCAL_FORD_INIT;
    const int64_t x = ISLAND.x * SIDE, y = ISLAND.y * SIDE;
    const ptl_status status =
        ptl_local_ford_find(&ford, p->world, x, y, x + SIDE, y + SIDE, 0, err);
    fault_mix_number(p, ford.tide);
    fault_mix_number(p, ford.count);
    return status;
}

/* The sea of our pack has the gentle profile, in which nothing is washed. */
static void make_full(ptl_world *world)
{
    static cat_shoals changed;
    const uint16_t sea = catalogue_terrain(world->cat, "ocean_surface");
    changed = *catalogue_shoals(world->cat);
    changed.full = true;
    ((cat_terrain *)(uintptr_t)world->cat->terrains)[sea].shoals = &changed;
}

static ptl_status strew(fault_place *p, ptl_error *err)
{
    ptl_local_map *map = NULL;
    ptl_status status = ptl_local_get(&map, p->world, ISLAND, NULL, err);
    const bool edited = status == PTL_OK && ptl_local_is_edited(map);
    for (int i = 0; i < SIDE && status == PTL_OK && !edited; i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        e.kind = "item";
        e.id = "crab";
        e.x = e.x2 = i;
        e.y = e.y2 = 7 * i % SIDE;
        e.count = 1;
        status = ptl_local_entity_add(map, &e);
    }
    if (status == PTL_OK && !edited)
        status = ptl_local_put(p->world, &map, 1, err);
    ptl_local_free(map);
    return status == PTL_OK || err->status == status ? status : error_nomem(err);
}

/* Items are strewn and washed, and lie where they lay or where the sea put them. */
static ptl_status sea_wash(fault_place *p, ptl_error *err)
{
    ptl_local_map *map = NULL;
    size_t moved = 0;
    ptl_status status = strew(p, err);
    make_full(p->world);
    if (status == PTL_OK)
        status = ptl_local_wash(&moved, p->world, ISLAND, 28 * STEP, err);
    if (status == PTL_OK)
        status = ptl_local_load(&map, p->world, ISLAND, err);
    if (status == PTL_OK &&
        ptl_local_revision(map) != 3) /* Check wants memory if all is well */
        ck_abort_msg("nothing was washed");
    for (size_t i = 0; status == PTL_OK && i < ptl_local_entity_count(map); i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        (void)ptl_local_entity_at(&e, map, i);
        fault_mix_number(p, e.x);
        fault_mix_number(p, e.y);
    }
    ptl_local_free(map);
    return status;
}

static bool mix_count(void *payload, size_t columns, const char *const *names,
                      const ptl_value *values)
{
    (void)names;
    for (size_t i = 0; i < columns; i++)
        fault_mix_number(payload, values[i].integer);
    return true;
}

/* Tiles of a stored map in SQL, as they are stored and at high water. */
static ptl_status sea_query(fault_place *p, ptl_error *err)
{
    static const char sql[] =
        "SELECT (SELECT count(*) FROM local_tile WHERE terrain = 't_sand'),"
        " count(*) FROM local_tile WHERE turn = 1680 AND terrain = 't_sand'";
    const ptl_query_options o = {.size = sizeof o, .on_row = mix_count, .payload = p};
    ptl_local_map *map = NULL;
    ptl_status status = ptl_local_get(&map, p->world, ISLAND, NULL, err);
    ptl_local_free(map);
    return status == PTL_OK ? ptl_query(p->store, sql, &o, err) : status;
}

/* A map that is not stored is changed and put, and read again; then the world keeps its maps.
 */
static ptl_status derived(fault_place *p, ptl_error *err)
{
    static const ptl_local_area some = {90, 90, 91, 91, 0, 0};
    const ptl_local_generate_options o = {
        .size = sizeof o, .areas = &some, .area_count = 1, .keep = true};
    ptl_local_map *map = NULL, *again = NULL;
    p->world->row.derive = true;
    ptl_status status = ptl_local_get(&map, p->world, (ptl_omt){90, 90, 0}, NULL, err);
    if (status == PTL_OK)
        status = ptl_local_terrain_set(map, 0, 0, "t_mine");
    if (status == PTL_OK && !ptl_local_is_edited(map))
        status = ptl_local_put(p->world, &map, 1, err);
    if (status == PTL_OK)
        status = ptl_local_load(&again, p->world, ptl_local_place(map), err);
    for (int i = 0; i < SIDE && status == PTL_OK; i++)
        fault_mix_text(p, ptl_local_terrain(again, i, i));
    if (status == PTL_OK)
        fault_mix_number(p, ptl_local_revision(again));
    ptl_local_free(map);
    ptl_local_free(again);
    return status == PTL_OK ? ptl_local_generate(NULL, p->world, &o, err) : status;
}

const fault_scene fault_scenes_sea[] = {
    {"derived", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, derived, NULL},
    {"sea_query", FAULT_FILE_SEA, FAULT_OPEN_WORLD_WRITE, true, 2, sea_query, NULL},
    {"sea_water", FAULT_FILE_SEA, FAULT_OPEN_WORLD_WRITE, true, 2, sea_water, NULL},
    {"sea_ford", FAULT_FILE_SEA, FAULT_OPEN_WORLD, false, 2, sea_ford, NULL},
    {"sea_surge", FAULT_FILE_SEA, FAULT_OPEN_WORLD_WRITE, true, 2, sea_surge, NULL},
    {"sea_wash", FAULT_FILE_SEA, FAULT_OPEN_WORLD_WRITE, true, 2, sea_wash, NULL},
    {NULL, FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 1, NULL, NULL}};
