/*
 * Tides over local maps (portolan/local_tide.h). Heights and spills follow from the seed, and
 * what is seen at a turn follows from them. Only tiles that are still as they were made are
 * shown with the tide; those that a game has changed are shown as they are stored.
 */
#include "core/sized.h"
#include "gen/pipeline.h"
#include "model/shoals_fields.h"
#include "world/local/local_spill.h"
#include "world/local/local_surge.h"

#include <assert.h>

/* ---- the tide ---- */

/* Returns the world's region, or NULL if the world has no tides. */
static const cat_region *region_of(const ptl_world *world)
{
    const cat_region *region = gen_region(world->cat, world->row.region);
    const bool *begins = region ? region->ocean.begins : NULL;
    const bool sea = begins && (begins[0] || begins[1] || begins[2] || begins[3]);
    return sea && catalogue_shoals(world->cat) ? region : NULL;
}

int64_t ptl_local_tide_turns(const ptl_world *world)
{
    const cat_region *region = region_of(world);
    return !region ? 0 : region->ocean.tide_turns > 0 ? region->ocean.tide_turns : 1;
}

ptl_status ptl_local_tide(int32_t *out, const ptl_world *world, int64_t turn, ptl_error *err)
{
    error_clear(err);
    *out = 0;
    const int64_t turns = ptl_local_tide_turns(world);
    if (turn < 0)
        return error_set(err, PTL_ERR_ARGUMENT, "turn %lld is below 0", (long long)turn);
    if (turns == 0)
        return error_set(err, PTL_ERR_NOT_FOUND,
                         "world '%s' has no sea with tides: its region %s has none, or its "
                         "terrain names no shoals",
                         world->row.name, world->row.region);
    *out = ptl_tide_height(turn / turns);
    return PTL_OK;
}

/* ---- where there is sea ---- */

ptl_status world_local_sea(local_sea *out, const local_maker *maker, ptl_omt at, ptl_error *err)
{
    const catalogue *cat = maker->world->cat;
    const world_mapgen *m = maker->mapgen;
    *out = (local_sea){.mapgen = m};
    if (m->shoals.type_count == 0 || at.z != 0)
        return PTL_OK;
    TRY(local_spills_read(&out->ground, &out->any, maker->world, at, err));
    if (!out->any) {
        /* Finds the sea at an OMT whose ground is not stored. */
        local_around around;
        TRY(maker->look(&around, maker->payload, at, err));
        TRY(world_local_ground(&out->ground, &out->any, maker, at, &around, NULL, err));
        const ptl_oter middle = around.cells[AROUND_MIDDLE];
        const uint32_t flags = middle < cat->oter_count ? cat->oters[middle].flags : 0;
        out->other_water = !out->any && flags & CAT_FLAGS_WATER;
    }
    out->full = catalogue_shoals(cat)->full;
    return out->any && out->full ? world_local_afloat(maker->mapgen, maker->world, err)
                                 : PTL_OK;
}

ptl_status world_local_raise(local_sea *sea, const local_maker *maker, ptl_omt at,
                             const uint8_t *raise, ptl_error *err)
{
    return world_local_ground(&sea->under, &sea->raised, maker, at, NULL, raise, err);
}

/* ---- at a turn ---- */

static ptl_status raise_at(local_sea *sea, const local_maker *maker, ptl_omt at, int64_t step,
                           ptl_error *err)
{
    uint8_t raise[COAST_AROUND * COAST_AROUND];
    local_surges surges;
    ptl_status status = local_surges_read(&surges, maker->world, (coast_rect){at.x, at.y, 1, 1},
                                          step, step, err);
    if (status == PTL_OK && local_surges_raise(raise, &surges, at.x, at.y, step))
        status = world_local_raise(sea, maker, at, raise, err);
    local_surges_free(&surges);
    return status;
}

ptl_status world_local_sea_at(local_sea *out, const local_maker *maker, ptl_omt at,
                              int64_t turn, ptl_error *err)
{
    int32_t tide;
    *out = (local_sea){.any = false};
    TRY(ptl_local_tide(&tide, maker->world, turn, err));
    TRY(world_local_sea(out, maker, at, err));
    const int64_t turns = ptl_local_tide_turns(maker->world);
    assert(turns > 0);
    const int64_t step = turn / turns;
    for (int32_t k = 0; k <= COAST_STEPS; k++)
        out->now.tide[k] = ptl_tide_height(step - k);
    return out->any ? raise_at(out, maker, at, step, err) : PTL_OK;
}

int32_t local_sea_level(int32_t *lag, const local_sea *sea, int32_t cell)
{
    int32_t other;
    const int32_t stands = coast_level_now(lag, &sea->ground, cell, &sea->now);
    if (!sea->raised)
        return stands;
    const int32_t raised = coast_level_now(&other, &sea->under, cell, &sea->now);
    if (other < 0 || raised <= stands)
        return stands;
    *lag = other;
    return raised;
}

coast_feature local_sea_feature(const local_sea *sea, int32_t cell)
{
    int32_t lag;
    const int32_t stands = local_sea_level(&lag, sea, cell);
    return coast_stands(sea->ground.heights[cell], stands, sea->full);
}

/* ---- what is seen ---- */

/* Is a tile still as it was made? */
static bool is_as_made(const local_sea *sea, const local_map *map, const id_pool *pool,
                       const uint32_t ids[COAST_DRY + 1], int32_t cell)
{
    const coast_ground *g = &sea->ground;
    const coast_feature mean = coast_feature_of(g->heights[cell], g->spills[cell], 0, false);
    const uint32_t terrain = map->terrain[cell];
    if (mean == COAST_DRY && g->heights[cell] > COAST_FLOOD)
        return world_local_soil(sea->mapgen, id_pool_text(pool, terrain));
    return mean <= COAST_DRY && terrain == ids[mean];
}

bool world_local_flood(local_map *map, id_pool *pool, const local_sea *sea)
{
    static const char *const names[] = {
        [COAST_DEEP] = "t_swater_dp", [COAST_SHALLOW] = "t_swater_sh", [COAST_DRY] = "t_sand"};
    uint32_t ids[COAST_DRY + 1];
    bool kept[LOCAL_CELLS];
    /* Tiles on which walkers stand in a sea of the full profile: deep water there is shown as
     * shallow. */
    memset(kept, 0, LOCAL_CELLS * sizeof *kept);
    for (size_t i = 0; i < map->count && sea->any && sea->full; i++) {
        const local_entity *e = &map->entities[i];
        if (world_local_walks(sea->mapgen, e, id_pool_text(pool, e->id)))
            kept[e->y * LOCAL_SIDE + e->x] = true;
    }
    for (int i = 0; i <= COAST_DRY; i++)
        ids[i] = id_pool_put(pool, names[i], strlen(names[i]));
    for (int i = 0; sea->any && i < LOCAL_CELLS; i++) {
        const coast_feature found = local_sea_feature(sea, i);
        const coast_feature now = found == COAST_DEEP && kept[i] ? COAST_SHALLOW : found;
        const bool stays = now == COAST_DRY && sea->ground.heights[i] > COAST_FLOOD;
        if (!stays && is_as_made(sea, map, pool, ids, i))
            map->terrain[i] = ids[now];
    }
    return !id_pool_failed(pool);
}

void world_local_still(ptl_local_map *map)
{
    const local_view *v = map->view;
    uint32_t *terrain = map->stored.map.terrain;
    for (int i = 0; v && i < LOCAL_CELLS; i++)
        if (terrain[i] == v->shown[i])
            terrain[i] = v->mean[i];
    free(map->view);
    map->view = NULL;
}

ptl_status world_local_show(ptl_local_map *map, ptl_world *world, int64_t turn, ptl_error *err)
{
    local_maker maker;
    local_sea sea;
    int32_t tide;
    ptl_status status = ptl_local_tide(&tide, world, turn, err);
    THEN(status, world_local_maker(&maker, world, 0, err));
    THEN(status, world_local_sea_at(&sea, &maker, map->stored.info.at, turn, err));
    if (status != PTL_OK || !sea.any)
        return status;
    local_view *v = malloc(sizeof *v);
    if (!v)
        return error_nomem(err);
    memcpy(v->mean, map->stored.map.terrain, sizeof v->mean);
    const bool good = world_local_flood(&map->stored.map, map->stored.pool, &sea);
    memcpy(v->shown, map->stored.map.terrain, sizeof v->shown);
    map->view = v;
    return good ? PTL_OK : error_nomem(err);
}

/* ---- one tile ---- */

static int32_t spill_shown(int32_t spill)
{
    return spill == COAST_SPILL_SEA     ? INT32_MIN
           : spill == COAST_SPILL_NEVER ? INT32_MAX
                                        : spill;
}

static ptl_local_water water_of(const local_sea *sea, int32_t cell)
{
    static const ptl_shoals_ground grounds[] = {[COAST_DEEP] = PTL_SHOALS_DEEP,
                                                [COAST_SHALLOW] = PTL_SHOALS_SHALLOW,
                                                [COAST_DRY] = PTL_SHOALS_FLOOR,
                                                [COAST_ROCK] = PTL_SHOALS_HIGH};
    int32_t lag;
    const int32_t height = sea->ground.heights[cell], stands = local_sea_level(&lag, sea, cell);
    const coast_feature what = coast_stands(height, stands, sea->full);
    return (ptl_local_water){.height = height,
                             .spill = spill_shown(sea->ground.spills[cell]),
                             .tide = sea->now.tide[0],
                             .depth = what < COAST_DRY && stands > height ? stands - height : 0,
                             .ground = grounds[what],
                             .lag = lag};
}

ptl_omt world_local_tile(int32_t *cell, int64_t x, int64_t y)
{
    const int64_t left = (x % LOCAL_SIDE + LOCAL_SIDE) % LOCAL_SIDE;
    const int64_t top = (y % LOCAL_SIDE + LOCAL_SIDE) % LOCAL_SIDE;
    *cell = (int32_t)(top * LOCAL_SIDE + left);
    return (ptl_omt){x / LOCAL_SIDE - (x % LOCAL_SIDE < 0),
                     y / LOCAL_SIDE - (y % LOCAL_SIDE < 0), 0};
}

ptl_status world_local_water(ptl_local_water *out, const local_maker *maker, int64_t x,
                             int64_t y, int64_t turn, ptl_error *err)
{
    local_sea sea = {.any = false};
    int32_t cell;
    const ptl_omt at = world_local_tile(&cell, x, y);
    TRY(world_local_place(at, err));
    TRY(world_local_sea_at(&sea, maker, at, turn, err));
    if (!sea.any)
        return error_set(err, PTL_ERR_NOT_FOUND, "OMT %lld,%lld is neither sea nor shore",
                         (long long)at.x, (long long)at.y);
    *out = water_of(&sea, cell);
    return PTL_OK;
}

ptl_status ptl_local_water_get(ptl_local_water *out, ptl_world *world, int64_t x, int64_t y,
                               int64_t turn, ptl_error *err)
{
    local_maker maker;
    ptl_local_water w;
    error_clear(err);
    TRY(SIZED_CHECK(ptl_local_water, out, err));
    TRY(world_local_maker(&maker, world, 0, err));
    TRY(world_local_water(&w, &maker, x, y, turn, err));
    SIZED_FILL(ptl_local_water, out, &w);
    return PTL_OK;
}
