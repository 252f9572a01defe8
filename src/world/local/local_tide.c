/*
 * Tides on local maps (portolan/local_tide.h). The heights of the ground, and spills (how high
 * the sea must stand to reach each tile), depend only on the seed. Together with the turn they
 * decide what a tile looks like. The tide is shown only on tiles that are still as they were
 * made. Tiles that a game has changed are shown as they are stored.
 *
 * A game may raise the sea at a tile for some turns; this is called a local tide. The file
 * stores local tides as events, and they change no stored map. How much they raise the water
 * is computed from the events, the place and the turn.
 *
 * A ford is a way between two places that can be walked at some times without swimming. For
 * each tile a set of bits holds the steps of the tide's period at which the tile can be walked
 * on. A search begins at the first place. For each tile it finds the set of steps at which
 * there is a way to it, so all steps are searched at once.
 */
#include "core/array.h"
#include "core/sized.h"
#include "world/local/local_maps.h"
#include "world/local/local_reader.h"

#include <assert.h>

/* ---- the world's tide ---- */

int64_t ptl_local_tide_turns(const ptl_world *world)
{
    const cat_region *region = gen_region(world->cat, world->row.region);
    const bool *begins = region ? region->ocean.begins : NULL;
    const bool sea = begins && (begins[0] || begins[1] || begins[2] || begins[3]);
    if (!sea || !catalogue_shoals(world->cat))
        return 0;
    return region->ocean.tide_turns > 0 ? region->ocean.tide_turns : 1;
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

/* ---- how much local tides raise the water ---- */

enum {
    /* The farthest distance, in tiles, at which a local tide raises the water. The distance
     * of two tiles is the larger one of their distances along x and along y. */
    SURGE_REACH = 8,
    SURGE_MOST = 50, /* the most by which a local tide raises the water, reached at the tile
                        where it was stored, in units of the ground's heights */
    SURGE_RISE = 5,  /* by how much a local tide raises the water with each step of the tide's
                        period, in units of the ground's heights */
    /* With each tile of distance from the tile where a local tide was stored, it raises the
     * water by so much less, in units of the ground's heights. */
    SURGE_FALL = 3
};

/* The local tides in a rectangle during some time. */
typedef struct local_surges {
    surge_row *list; /* owned */
    size_t count, room;
    int64_t turns; /* number of turns in a step of the tide */
} local_surges;

static void local_surges_free(local_surges *surges)
{
    free(surges->list);
    surges->list = NULL;
    surges->count = surges->room = 0;
}

static ptl_status keep_surge(void *payload, const surge_row *row, ptl_error *err)
{
    local_surges *all = payload;
    if (!ARRAY_ROOM(all->list, all->room, all->count + 1))
        return error_nomem(err);
    all->list[all->count++] = *row;
    return PTL_OK;
}

/* Reads the local tides that raise water in an OMT of the rectangle, or beside one, at some
 * step from first_step to last_step. *out must be freed, also after an error. */
static ptl_status local_surges_read(local_surges *out, const ptl_world *world, coast_rect omts,
                                    int64_t first_step, int64_t last_step, ptl_error *err)
{
    enum { BEYOND = COAST_SIDE + SURGE_REACH };
    *out = (local_surges){.turns = ptl_local_tide_turns(world)};
    const surge_area area = {.x0 = omts.x * COAST_SIDE - BEYOND,
                             .x1 = (omts.x + omts.width) * COAST_SIDE + BEYOND - 1,
                             .y0 = omts.y * COAST_SIDE - BEYOND,
                             .y1 = (omts.y + omts.height) * COAST_SIDE + BEYOND - 1,
                             .from = first_step * out->turns,
                             .to = last_step * out->turns + out->turns - 1};
    return ops(world->store)
        ->map->surge_visit(world->store, world->row.id, &area, keep_surge, out, err);
}

/* Raises the water around one local tide. At a tile that several local tides reach, the one
 * that raises the water most counts. `left` and `top` are the coordinates of the first tile in
 * `raise`. `peak` is how much the water rises at the local tide's own tile. Returns false if no
 * tile is raised. */
static bool raise_around(uint8_t *raise, const surge_row *s, int64_t peak, int64_t left,
                         int64_t top)
{
    bool any = false;
    for (int64_t y = s->y - SURGE_REACH; y <= s->y + SURGE_REACH; y++)
        for (int64_t x = s->x - SURGE_REACH; x <= s->x + SURGE_REACH; x++) {
            const int64_t u = x - left, v = y - top;
            const int64_t dx = llabs(x - s->x), dy = llabs(y - s->y);
            const int64_t by = peak - SURGE_FALL * (dx > dy ? dx : dy);
            if (by <= 0 || u < 0 || v < 0 || u >= COAST_AROUND || v >= COAST_AROUND)
                continue;
            uint8_t *at = &raise[v * COAST_AROUND + u];
            *at = by > *at ? (uint8_t)by : *at;
            any = true;
        }
    return any;
}

/* Computes by how much local tides raise the water at a step of the tide, for each tile of an
 * OMT and the eight OMTs around it. False: they raise it nowhere, and `raise` is not set. */
static bool local_surges_raise(uint8_t raise[COAST_AROUND * COAST_AROUND],
                               const local_surges *surges, int64_t x, int64_t y, int64_t step)
{
    bool any = false;
    for (size_t i = 0; i < surges->count; i++) {
        const surge_row *s = &surges->list[i];
        const int64_t first = s->begins / surges->turns, last = (s->ends - 1) / surges->turns;
        if (step <= first || step > last)
            continue;
        const int64_t peak = world_lesser(step - first, SURGE_MOST / SURGE_RISE) * SURGE_RISE;
        if (!any)
            memset(raise, 0, COAST_AROUND * COAST_AROUND);
        if (raise_around(raise, s, peak, (x - 1) * COAST_SIDE, (y - 1) * COAST_SIDE))
            any = true;
    }
    return any;
}

/* ---- where there is sea, and how high it stands at a turn ---- */

ptl_status world_local_sea(local_sea *out, const local_maker *maker, ptl_omt at, ptl_error *err)
{
    const catalogue *cat = maker->world->cat;
    const world_mapgen *m = maker->mapgen;
    *out = (local_sea){.mapgen = m};
    if (m->shoals.type_count == 0 || at.z != 0)
        return PTL_OK;
    TRY(local_spills_read(&out->ground, &out->any, maker->world, at, err));
    if (!out->any) {
        /* Computes the sea at an OMT whose ground is not stored. */
        local_around around;
        TRY(maker->look(&around, maker->payload, at, err));
        TRY(world_local_ground(&out->ground, &out->any, maker, at, &around, NULL, err));
        const ptl_oter middle = around.cells[AROUND_MIDDLE];
        const uint32_t flags = middle < cat->oter_count ? cat->oters[middle].flags : 0;
        out->other_water = !out->any && flags & CAT_FLAGS_WATER;
    }
    out->full = catalogue_shoals(cat)->full;
    return out->any && out->full ? world_local_afloat(maker->mapgen, maker->world, false, err)
                                 : PTL_OK;
}

/* Sets the members `raised` and `under` of `sea`, for the water that local tides raise. `raise`
 * tells by how much they raise it, for each tile of the OMT and its eight neighbours (see
 * coast_flood). The OMT must have sea. */
static ptl_status world_local_raise(local_sea *sea, const local_maker *maker, ptl_omt at,
                                    const uint8_t *raise, ptl_error *err)
{
    return world_local_ground(&sea->under, &sea->raised, maker, at, NULL, raise, err);
}

ptl_status world_local_sea_at(local_sea *out, const local_maker *maker, ptl_omt at,
                              int64_t turn, ptl_error *err)
{
    uint8_t raise[COAST_AROUND * COAST_AROUND];
    local_surges surges;
    int32_t tide;
    *out = (local_sea){.any = false};
    TRY(ptl_local_tide(&tide, maker->world, turn, err));
    TRY(world_local_sea(out, maker, at, err));
    const int64_t turns = ptl_local_tide_turns(maker->world);
    assert(turns > 0);
    const int64_t step = turn / turns;
    for (int32_t k = 0; k <= COAST_STEPS; k++)
        out->now.tide[k] = ptl_tide_height(step - k);
    if (!out->any)
        return PTL_OK;
    ptl_status status = local_surges_read(&surges, maker->world, (coast_rect){at.x, at.y, 1, 1},
                                          step, step, err);
    if (status == PTL_OK && local_surges_raise(raise, &surges, at.x, at.y, step))
        status = world_local_raise(out, maker, at, raise, err);
    local_surges_free(&surges);
    return status;
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

/* ---- showing the sea on a map ---- */

/* Returns whether the tile has the terrain that the code of the coast gave it, so that nobody
 * has changed it since. */
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
    /* If the tide decides which tiles are deep (sea->full), deep water under a walking creature
     * is shown as shallow. `kept` marks the tiles where this is done. */
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

/* ---- water at one tile ---- */

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
    static const ptl_shoals_ground grounds[] = {[COAST_DEEP] = PTL_SHOALS_DEEP,
                                                [COAST_SHALLOW] = PTL_SHOALS_SHALLOW,
                                                [COAST_DRY] = PTL_SHOALS_FLOOR,
                                                [COAST_ROCK] = PTL_SHOALS_HIGH};
    local_sea sea = {.any = false};
    int32_t cell, lag;
    const ptl_omt at = world_local_tile(&cell, x, y);
    TRY(world_local_place(at, err));
    TRY(world_local_sea_at(&sea, maker, at, turn, err));
    if (!sea.any)
        return error_set(err, PTL_ERR_NOT_FOUND, "OMT %lld,%lld is neither sea nor shore",
                         (long long)at.x, (long long)at.y);
    const int32_t height = sea.ground.heights[cell], spill = sea.ground.spills[cell];
    const int32_t stands = local_sea_level(&lag, &sea, cell);
    const coast_feature what = coast_stands(height, stands, sea.full);
    *out = (ptl_local_water){.height = height,
                             .spill = spill == COAST_SPILL_SEA     ? INT32_MIN
                                      : spill == COAST_SPILL_NEVER ? INT32_MAX
                                                                   : spill,
                             .tide = sea.now.tide[0],
                             .depth = what < COAST_DRY && stands > height ? stands - height : 0,
                             .ground = grounds[what],
                             .lag = lag};
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

/* ---- adding and ending local tides ---- */

/* State of a search for a stored local tide. It is found by its tile and by the turn at which
 * it begins. */
typedef struct sought {
    int64_t begins;
    bool found;
} sought;

static ptl_status compare(void *payload, const surge_row *row, ptl_error *err)
{
    sought *k = payload;
    (void)err;
    k->found = k->found || row->begins == k->begins;
    return PTL_OK;
}

/* Adds a local tide, or ends an existing one. A local tide is removed if it would end at the
 * turn at which it begins. */
static ptl_status change(ptl_world *world, const surge_row *s, bool adds, ptl_error *err)
{
    const surge_area area = {s->x, s->x, s->y, s->y, s->begins, s->begins};
    const map_operations *maps = ops(world->store)->map;
    sought there = {.begins = s->begins};
    TRY(ops(world->store)->transaction->begin(world->store, err));
    ptl_status status =
        maps->surge_visit(world->store, world->row.id, &area, compare, &there, err);
    if (status == PTL_OK && adds && there.found)
        status = error_set(err, PTL_ERR_EXISTS,
                           "the local tide at tile %lld,%lld from turn %lld on is there",
                           (long long)s->x, (long long)s->y, (long long)s->begins);
    if (status == PTL_OK && !adds && !there.found)
        status =
            error_set(err, PTL_ERR_NOT_FOUND,
                      "world '%s' has no local tide at tile %lld,%lld from turn %lld on",
                      world->row.name, (long long)s->x, (long long)s->y, (long long)s->begins);
    if (status == PTL_OK && !adds)
        status = maps->surge_remove(world->store, world->row.id, s, err);
    if (status == PTL_OK && (adds || s->ends > s->begins))
        status = maps->surge_insert(world->store, world->row.id, s, err);
    return world_end_writing(world->store, status, err);
}

ptl_status ptl_local_surge_add(ptl_world *world, const ptl_local_surge *surge, ptl_error *err)
{
    ptl_local_surge taken = PTL_LOCAL_SURGE_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_local_surge, &taken, surge, err));
    const surge_row s = {taken.x, taken.y, taken.begins, taken.ends};
    int32_t cell, tide;
    TRY(world_local_place(world_local_tile(&cell, s.x, s.y), err));
    if (s.begins < 0 || s.ends <= s.begins)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "a local tide from turn %lld to before %lld: it begins at turn 0 or "
                         "later, and ends after that",
                         (long long)s.begins, (long long)s.ends);
    TRY(ptl_local_tide(&tide, world, s.begins, err));
    return change(world, &s, true, err);
}

ptl_status ptl_local_surge_end(ptl_world *world, const ptl_local_surge *surge, ptl_error *err)
{
    ptl_local_surge taken = PTL_LOCAL_SURGE_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_local_surge, &taken, surge, err));
    const surge_row s = {taken.x, taken.y, taken.begins, taken.ends};
    return change(world, &s, false, err);
}

/* ---- fords: when a tile can be walked on ---- */

enum {
    AROUND = PTL_LOCAL_FORD_AROUND,
    STEPS = PTL_TIDE_PERIOD,
    WORD = 64,
    /* Where the ground is as high as this or higher, the water is never deep. */
    NEVER_DEEP = PTL_TIDE_HIGH + COAST_SHALLOW_FROM
};

_Static_assert((int)PTL_LOCAL_FORD_WINDOWS * 2 >= (int)STEPS, "no period has more windows");

_Static_assert((int)STEPS <= 2 * (int)WORD, "the steps of a period are two words");

/* A set of steps of the tide's period: bit n is step n. */
typedef struct steps {
    uint64_t words[2];
} steps;

static const steps ALL = {{UINT64_MAX, (UINT64_C(1) << (STEPS - WORD)) - 1}}, NONE = {{0, 0}};

static void add_step(steps *s, int32_t n)
{
    s->words[n / WORD] |= UINT64_C(1) << (n % WORD);
}

typedef struct ford_map {
    int64_t x, y; /* position of the north-western OMT, in OMTs */
    /* Size in tiles of the rectangle that the search for a ford looks at. */
    int32_t width, height;
    int64_t first; /* number of the tide's step at which the period begins */
    coast_moment moments[STEPS];
    local_surges surges;
    steps *open; /* owned: for each tile the steps of the tide's period at which it can be
                    walked on */
    /* Owned, like `queue` and `queued`. For each tile: at which steps of the tide's period a
     * way from the first place leads to it. */
    steps *reached;
    int32_t *queue;  /* a ring buffer of tiles whose neighbours are still to be examined */
    uint8_t *queued; /* for each tile: whether it is in the queue */
} ford_map;

static bool is_open(const ford_map *m, local_sea *sea, int32_t cell, int32_t n)
{
    sea->now = m->moments[n];
    const coast_feature what = local_sea_feature(sea, cell);
    return what == COAST_SHALLOW || what == COAST_DRY;
}

static steps cell_open(const ford_map *m, local_sea *sea, int32_t cell)
{
    steps s = NONE;
    /* If the tide can't change whether the tile can be walked on, only one step of the period
     * must be examined, as the others are equal. */
    const int32_t height = sea->ground.heights[cell];
    if (!sea->full || height >= NEVER_DEEP || sea->ground.spills[cell] >= PTL_TIDE_HIGH)
        return is_open(m, sea, cell, 0) ? ALL : NONE;
    for (int32_t n = 0; n < STEPS; n++)
        if (is_open(m, sea, cell, n))
            add_step(&s, n);
    return s;
}

/* Finds at which steps of the tide's period the tiles of an OMT can be walked on if a local
 * tide raises the water. The level of the water changes with every step. How far the water
 * spreads is computed again only when the local tide raises other tiles than at the previous
 * step. */
static ptl_status open_raised(steps out[LOCAL_CELLS], const ford_map *m,
                              const local_maker *maker, local_sea *sea, ptl_omt at,
                              ptl_error *err)
{
    uint8_t raise[COAST_AROUND * COAST_AROUND], before[COAST_AROUND * COAST_AROUND];
    bool same = false;
    ptl_status status = PTL_OK;
    memset(out, 0, LOCAL_CELLS * sizeof *out);
    for (int32_t n = 0; n < STEPS && status == PTL_OK; n++) {
        const bool any = local_surges_raise(raise, &m->surges, at.x, at.y, m->first + n);
        if (any && !(same && memcmp(raise, before, sizeof raise) == 0))
            status = world_local_raise(sea, maker, at, raise, err);
        if (any)
            memcpy(before, raise, sizeof before);
        same = same || any;
        sea->raised = any;
        for (int32_t cell = 0; cell < LOCAL_CELLS && status == PTL_OK; cell++)
            if (is_open(m, sea, cell, n))
                add_step(&out[cell], n);
    }
    return status;
}

static ptl_status read_omt(ford_map *m, const local_maker *maker, int32_t i, int32_t j,
                           ptl_error *err)
{
    const ptl_omt at = {m->x + i, m->y + j, 0};
    uint8_t raise[COAST_AROUND * COAST_AROUND];
    steps open[LOCAL_CELLS];
    local_sea sea;
    /* Set if a local tide raises the water of the OMT at some step of the period. */
    bool raised = false;
    TRY(world_local_sea(&sea, maker, at, err));
    for (int32_t n = 0; n < STEPS && sea.any && m->surges.count > 0 && !raised; n++)
        raised = local_surges_raise(raise, &m->surges, at.x, at.y, m->first + n);
    if (raised)
        TRY(open_raised(open, m, maker, &sea, at, err));
    for (int32_t cell = 0; cell < LOCAL_CELLS && !raised; cell++)
        open[cell] = sea.any ? cell_open(m, &sea, cell) : sea.other_water ? NONE : ALL;
    steps *first = &m->open[j * LOCAL_SIDE * m->width + i * LOCAL_SIDE];
    for (int32_t row = 0; row < LOCAL_SIDE; row++)
        memcpy(&first[row * m->width], &open[row * LOCAL_SIDE], LOCAL_SIDE * sizeof *open);
    return PTL_OK;
}

/* ---- fords: finding the way ---- */

/* A way may lead from the tile to a neighbouring tile at those steps of the tide's period at
 * which the tile can be reached and the neighbour can be walked on. Adds these steps to those
 * of the neighbour. Returns true if some of them are new. */
static inline bool reach(ford_map *m, int32_t tile, int32_t neighbour)
{
    bool more = false;
    for (int i = 0; i < 2; i++) {
        const uint64_t add = m->reached[tile].words[i] & m->open[neighbour].words[i] &
                             ~m->reached[neighbour].words[i];
        m->reached[neighbour].words[i] |= add;
        more = more || add;
    }
    return more;
}

/* Returns the steps of the tide's period at which there is a way between two tiles. A tile
 * enters the queue again whenever it turns out to be reachable at more steps. */
static steps find_way(ford_map *m, int32_t from, int32_t to)
{
    const int32_t cells = m->width * m->height;
    int32_t head = 0, count = 1;
    assert(m->open && m->reached && m->queue && m->queued);
    m->reached[from] = m->open[from];
    m->queue[0] = from;
    m->queued[from] = 1;
    for (; count > 0; count--) {
        const int32_t at = m->queue[head], x = at % m->width, y = at / m->width;
        head = head + 1 < cells ? head + 1 : 0;
        m->queued[at] = 0;
        for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < m->height; v++)
            for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < m->width; u++) {
                const int32_t next = v * m->width + u;
                if (!reach(m, at, next) || m->queued[next])
                    continue;
                m->queue[(head + count - 1) % cells] = next;
                m->queued[next] = 1;
                count++;
            }
    }
    return m->reached[to];
}

static void find_windows(ptl_local_ford *out, const ford_map *m, const steps *way,
                         int64_t turns)
{
    bool before = false;
    out->tide = PTL_TIDE_LOW - 1;
    for (int32_t n = 0; n < STEPS; n++) {
        const bool now = way->words[n / WORD] >> (n % WORD) & 1;
        const int64_t step = m->first + n;
        const int32_t tide = ptl_tide_height(step);
        if (now && !before)
            out->from[out->count++] = step * turns;
        if (now)
            out->to[out->count - 1] = (step + 1) * turns - 1;
        if (now && tide > out->tide)
            out->tide = tide;
        before = now;
    }
}

static ptl_status lay_out(ford_map *m, ptl_omt a, ptl_omt b, ptl_error *err)
{
    const int64_t wide = llabs(a.x - b.x), high = llabs(a.y - b.y);
    if (wide >= PTL_LOCAL_FORD_SIDE || high >= PTL_LOCAL_FORD_SIDE)
        return error_set(
            err, PTL_ERR_LIMIT,
            "the places are %lld x %lld OMTs apart: a ford is looked for within %d",
            (long long)wide + 1, (long long)high + 1, PTL_LOCAL_FORD_SIDE);
    m->x = world_lesser(a.x, b.x) - AROUND;
    m->y = world_lesser(a.y, b.y) - AROUND;
    m->width = LOCAL_SIDE * (int32_t)(wide + 1 + 2 * AROUND);
    m->height = LOCAL_SIDE * (int32_t)(high + 1 + 2 * AROUND);
    const size_t cells = (size_t)m->width * (size_t)m->height;
    m->open = malloc(cells * sizeof *m->open);
    m->reached = calloc(cells, sizeof *m->reached);
    m->queue = malloc(cells * sizeof *m->queue);
    m->queued = calloc(cells, sizeof *m->queued);
    return m->open && m->reached && m->queue && m->queued ? PTL_OK : error_nomem(err);
}

static int32_t cell_of(const ford_map *m, int64_t x, int64_t y)
{
    return (int32_t)(y - m->y * LOCAL_SIDE) * m->width + (int32_t)(x - m->x * LOCAL_SIDE);
}

ptl_status ptl_local_ford_find(ptl_local_ford *out, ptl_world *world, int64_t x0, int64_t y0,
                               int64_t x1, int64_t y1, int64_t turn, ptl_error *err)
{
    int32_t cell, tide;
    ford_map m = {.open = NULL};
    const ptl_omt a = world_local_tile(&cell, x0, y0), b = world_local_tile(&cell, x1, y1);
    error_clear(err);
    ptl_status status = SIZED_CHECK(ptl_local_ford, out, err);
    THEN(status, world_local_place(a, err));
    THEN(status, world_local_place(b, err));
    THEN(status, ptl_local_tide(&tide, world, turn, err));
    THEN(status, lay_out(&m, a, b, err));
    const int64_t turns = ptl_local_tide_turns(world);
    if (status == PTL_OK) {
        assert(turns > 0); /* ptl_local_tide fails for a world without tides */
        m.first = turn / turns;
        for (int32_t n = 0; n < STEPS; n++)
            for (int32_t k = 0; k <= COAST_STEPS; k++)
                m.moments[n].tide[k] = ptl_tide_height(m.first + n - k);
        const coast_rect omts = {m.x, m.y, m.width / LOCAL_SIDE, m.height / LOCAL_SIDE};
        status = local_surges_read(&m.surges, world, omts, m.first, m.first + STEPS - 1, err);
    }
    if (status == PTL_OK) {
        local_reader *r = local_reader_new(world);
        local_maker maker;
        status = r ? local_reader_maker(&maker, r, NULL, err) : error_nomem(err);
        for (int32_t j = 0; j < m.height / LOCAL_SIDE && status == PTL_OK; j++)
            for (int32_t i = 0; i < m.width / LOCAL_SIDE && status == PTL_OK; i++)
                status = read_omt(&m, &maker, i, j, err);
        local_reader_free(r);
    }
    if (status == PTL_OK) {
        ptl_local_ford found = {.period = turns * PTL_TIDE_PERIOD};
        const steps way = find_way(&m, cell_of(&m, x0, y0), cell_of(&m, x1, y1));
        find_windows(&found, &m, &way, turns);
        SIZED_FILL(ptl_local_ford, out, &found);
    }
    local_surges_free(&m.surges);
    free(m.open);
    free(m.reached);
    free(m.queue);
    free(m.queued);
    return status;
}
