/*
 * Monster groups, not yet spread over their radius (generation.md 11). Each city has monsters
 * in its sewers and below them; each 7 x 7 block of OMTs with much water has monsters of
 * rivers; a few groups of worms may be anywhere. In regions of DDA since 0.I
 * (cat_region.levelled) a city has a horde on its streets and monsters in its subways instead;
 * blocks with water have as many monsters as the content's groups say; and there are no worms.
 * Positions are in submaps. As in the games with their default options, there are no wandering
 * hordes and no groups of swamps; the groups of specials are added with the specials. Nothing
 * is placed on OMTs of safe specials (SAFE_AT_WORLDGEN).
 *
 * Reads: z = 0 and the cities. Writes: groups. The step reads nothing beyond the chunk, and can
 * fail only for lack of memory.
 */
#include "gen/steps/steps.h"
#include "gen/work/generator.h"
#include "model/chunk.h"

#include <stdlib.h>
#include <string.h>

/* The kinds of a cell (CELL_*) follow from the flags of its oter and from how the oter's id
 * begins, by which the games recognise these oters. */

static const struct {
    const char *prefix;
    uint8_t kind;
} PREFIXES[] = {{"radio_tower", CELL_RADIO_TOWER},
                {"lmoe", CELL_RADIO_SHELTER},
                {"fema_entrance", CELL_RADIO_CAMP}};

int32_t cell_kinds_next(const uint8_t *kinds, const ptl_oter *cells, int32_t at, unsigned bits)
{
    enum { AT_ONCE = 8 };
    for (; at < SIZE * SIZE; at++) {
        unsigned among = at % AT_ONCE == 0 ? 0 : bits;
        for (int i = 0; i < AT_ONCE && at % AT_ONCE == 0; i++)
            among |= kinds[cells[at + i]];
        if (!(among & bits))
            at += AT_ONCE - 1;
        else if (kinds[cells[at]] & bits)
            break;
    }
    return at;
}

bool cell_kinds_all_sea(const uint8_t *kinds, const ptl_oter *cells)
{
    if (level_is_even(cells))
        return kinds[cells[0]] & CELL_OCEAN; /* all cells have the same oter, as on an overmap
                                                that is all sea, so the first cell tells */
    int32_t i = 0;
    while (i < PTL_LEVEL_CELLS && kinds[cells[i]] & CELL_OCEAN)
        i++;
    return i == PTL_LEVEL_CELLS;
}

uint8_t *cell_kinds_compile(const catalogue *cat)
{
    uint8_t *kinds = calloc(cat->oter_count + 1, 1);
    for (size_t i = 0; kinds && i < cat->oter_count; i++) {
        const cat_oter *o = &cat->oters[i];
        if (o->flags & CAT_FLAGS_WATER)
            kinds[i] = CELL_WATER;
        if (o->flags & CAT_FLAGS_OCEAN)
            kinds[i] |= CELL_OCEAN;
        for (size_t p = 0; p < sizeof PREFIXES / sizeof PREFIXES[0]; p++)
            if (strncmp(o->id, PREFIXES[p].prefix, strlen(PREFIXES[p].prefix)) == 0)
                kinds[i] |= PREFIXES[p].kind;
    }
    return kinds;
}

enum {
    BLOCK = 7, /* side, in OMTs, of a block in which water cells are counted; the first block
                  begins in the chunk's north-western corner */
    /* A block of 7 x 7 OMTs with at least this number of water cells gets a group. */
    BLOCK_CELLS_MIN = 25,
    WORMS_MAX = 3,
    SUBMAPS = 4, /* number of submaps in an OMT: two rows of two */
    HORDE = 10,  /* number of monsters in each group of a horde */
    /* The greatest number of groups that all hordes of a chunk have together. */
    HORDES_MAX = 1 << 16
};

/* Adds the group, unless g->safe forbids monster groups at its place. */
static void add_unless_safe(generator *g, gen_group group)
{
    if (!(g->safe[group.y / 2 * SIZE + group.x / 2] >> (group.z - PTL_Z_MIN) & 1))
        add_group(g, group);
}

/* Adds the groups of a city's sewers. The radii are those of the games: monsters of GROUP_CHUD
 * are spread over the city, those of GROUP_SEWER also over the land around it. */
static void add_sewers(generator *g, const gen_city *city)
{
    rng r =
        cell_stream(g, step_key(g, "monster_groups/city"), city->planned_x, city->planned_y);
    const int16_t x = (int16_t)(2 * city->x), y = (int16_t)(2 * city->y);
    for (int8_t z = -1; z >= -2; z--)
        if (rng_one_in(&r, 3))
            add_unless_safe(g, (gen_group){.type = "GROUP_CHUD",
                                           .x = x,
                                           .y = y,
                                           .z = z,
                                           .radius = city->size,
                                           .population = 20 * city->size});
    if (!rng_one_in(&r, 8))
        add_unless_safe(g, (gen_group){.type = "GROUP_SEWER",
                                       .x = x,
                                       .y = y,
                                       .z = -1,
                                       .radius = (int16_t)(7 * city->size / 2),
                                       .population = 70 * city->size});
}

/* ---- hordes ---- */

/* Returns in how many submaps of a street's OMT a horde may be: 4 in the innermost quarter of
 * the horde's radius, 3 in the next quarter, and so on. */
static int32_t submaps_at(int32_t dx, int32_t dy, int32_t radius)
{
    const int32_t quarter = (radius + 3) / 4, away = dx * dx + dy * dy;
    int32_t count = SUBMAPS;
    for (int32_t d = quarter; count > 0 && d * d <= away; d += quarter)
        count--;
    return quarter > 0 ? count : away == 0 ? SUBMAPS : 0;
}

/* Chooses at random one of places[at] to places[count - 1], each equally likely, and swaps
 * it with places[at]. */
static void draw_place(uint32_t *places, uint32_t at, uint32_t count, rng *r)
{
    const uint32_t other = at + rng_below(r, count - at);
    const uint32_t drawn = places[other];
    places[other] = places[at];
    places[at] = drawn;
}

/* Lists in the step's memory the submaps of streets around a city at which groups of a horde
 * may be, each as cell * SUBMAPS + submap. Returns their number. */
static uint32_t list_places(const generator *g, const gen_city *city, int32_t radius, rng *r)
{
    uint32_t *places = g->scratch, count = 0;
    const uint16_t road = catalogue_terrain(g->config->cat, "road");
    for (int32_t y = city->y - radius; y <= city->y + radius; y++)
        for (int32_t x = city->x - radius; x <= city->x + radius; x++) {
            if (!inside(x, y) || g->config->cat->oters[g->ground[y * SIZE + x]].terrain != road)
                continue;
            const int32_t wanted = submaps_at(x - city->x, y - city->y, radius);
            uint32_t submaps[SUBMAPS] = {0, 1, 2, 3};
            for (int32_t i = 0; i < wanted; i++) {
                draw_place(submaps, (uint32_t)i, SUBMAPS, r);
                places[count++] = (uint32_t)(y * SIZE + x) * SUBMAPS + submaps[i];
            }
        }
    return count;
}

/* Places a horde, group by group, on places around the city. A place gets a second group only
 * when all places have one. */
static void place_horde(generator *g, const gen_city *city, int64_t population, rng *r)
{
    const cat_hordes *hordes = &g->config->region->hordes;
    const double reach = hordes->spread * city->size;
    const int32_t radius = reach < SIZE ? (int32_t)reach : SIZE;
    uint32_t *places = g->scratch;
    const uint32_t count = list_places(g, city, radius, r);
    /* Newer content has a monster group of its own for hordes; older content has not. */
    static const char own[] = "GROUP_ZOMBIE_HORDE";
    const char *type = catalogue_monstergroup(g->config->cat, own) ? own : "GROUP_ZOMBIE";
    for (uint32_t at = 0; count > 0 && population > 0; at = at + 1 < count ? at + 1 : 0) {
        draw_place(places, at, count, r);
        const int32_t cell = (int32_t)(places[at] / SUBMAPS),
                      submap = (int32_t)(places[at] % SUBMAPS);
        add_unless_safe(
            g, (gen_group){.type = type,
                           .x = (int16_t)(2 * (cell % SIZE) + submap % 2),
                           .y = (int16_t)(2 * (cell / SIZE) + submap / 2),
                           .radius = 1,
                           .population = population < HORDE ? (int32_t)population : HORDE,
                           .horde = true});
        population -= HORDE;
    }
}

/* Adds a horde to a city. All larger cities have a horde, and a few of the smaller ones. */
static void add_horde(generator *g, const gen_city *city, size_t *left)
{
    const cat_hordes *hordes = &g->config->region->hordes;
    rng r =
        cell_stream(g, step_key(g, "monster_groups/horde"), city->planned_x, city->planned_y);
    if (hordes->threshold < 0 ||
        (city->size <= hordes->threshold && !rng_one_in(&r, hordes->chance)))
        return;
    const int64_t population = (int64_t)(hordes->scalar * city->size);
    const size_t groups = (size_t)((population + HORDE - 1) / HORDE);
    if (groups > *left) {
        add_event(g, "horde_dropped", city->x, city->y, 0,
                  "the chunk has too many groups of hordes");
        return;
    }
    *left -= groups;
    place_horde(g, city, population, &r);
}

/* ---- waters ---- */

enum { BLOCKS = SIZE / BLOCK };

/* For each block of 7 x 7 OMTs: its number of cells with fresh water, and its number of cells
 * of sea. */
typedef struct water_counts {
    uint8_t fresh[BLOCKS][BLOCKS], sea[BLOCKS][BLOCKS];
} water_counts;

static void count_block(const uint8_t *kinds, const ptl_oter *first, uint8_t *fresh,
                        uint8_t *sea)
{
    unsigned water = 0, ocean = 0;
    for (int32_t y = 0; y < BLOCK; y++)
        for (int32_t x = 0; x < BLOCK; x++) {
            const unsigned kind = kinds[first[y * SIZE + x]];
            water += (kind & CELL_WATER) != 0;
            ocean += (kind & CELL_OCEAN) != 0;
        }
    *fresh = (uint8_t)(water - ocean); /* this leaves fresh water: cells of the sea have the
                                        * flag CELL_WATER, too */
    *sea = (uint8_t)ocean;
}

static water_counts count_water(const generator *g)
{
    water_counts out = {0};
    if (cell_kinds_all_sea(g->config->cell_kinds, g->ground)) {
        memset(out.sea, BLOCK * BLOCK, sizeof out.sea);
        return out;
    }
    for (int32_t y = 0; y < BLOCKS; y++)
        for (int32_t x = 0; x < BLOCKS; x++) {
            count_block(g->config->cell_kinds, &g->ground[y * BLOCK * SIZE + x * BLOCK],
                        &out.fresh[y][x], &out.sea[y][x]);
            if (g->config->region->levelled) {
                /* In regions of DDA since 0.I, all water of a block of 7 x 7 OMTs counts as the
                 * kind of water, fresh or sea, that its middle cell has. */
                const int32_t middle = (y * BLOCK + BLOCK / 2) * SIZE + x * BLOCK + BLOCK / 2;
                const unsigned kind = g->config->cell_kinds[g->ground[middle]];
                if (!(kind & CELL_OCEAN))
                    out.sea[y][x] = 0;
                if (!(kind & CELL_WATER) || kind & CELL_OCEAN)
                    out.fresh[y][x] = 0;
            }
        }
    return out;
}

static void add_block_group(generator *g, uint64_t key, const char *type, int32_t x, int32_t y,
                            int32_t count)
{
    rng r = cell_stream(g, key, x, y);
    const cat_monstergroup *group =
        g->config->region->levelled ? catalogue_monstergroup(g->config->cat, type) : NULL;
    int64_t population = rng_range(&r, 8 * count, 25 * count);
    /* `population` follows from the amount of water in the block. In regions of DDA since 0.I
     * it is multiplied by the sum of the chances that the content states in the monster group,
     * in thousandths. */
    if (group)
        population = (llabs(group->total) * population + 500) / 1000;
    add_unless_safe(
        g, (gen_group){.type = type,
                       .x = (int16_t)(2 * x),
                       .y = (int16_t)(2 * y),
                       .radius = 3,
                       .population = population < INT32_MAX ? (int32_t)population : INT32_MAX});
}

/* Adds the groups of the sea. Deep sea has other groups than shallow sea. */
static void add_ocean_groups(generator *g, const water_counts *counts)
{
    const uint64_t key = step_key(g, "monster_groups/ocean");
    const ocean_plan *plan = &g->config->ocean;
    for (int32_t y = 0; y < BLOCKS && plan->settings; y++)
        for (int32_t x = 0; x < BLOCKS; x++) {
            if (counts->sea[y][x] < BLOCK_CELLS_MIN)
                continue;
            const int32_t cx = x * BLOCK + BLOCK / 2, cy = y * BLOCK + BLOCK / 2;
            const bool deep = ocean_deep(plan, (int64_t)g->chunk->pos.x * SIZE + cx,
                                         (int64_t)g->chunk->pos.y * SIZE + cy);
            add_block_group(g, key, deep ? "GROUP_OCEAN_DEEP" : "GROUP_OCEAN_SHORE", cx, cy,
                            counts->sea[y][x]);
        }
}

static void run(generator *g)
{
    size_t left = HORDES_MAX;
    for (size_t i = 0; i < g->features.city_count; i++) {
        const gen_city *city = &g->features.cities[i];
        if (!g->config->region->levelled) {
            add_sewers(g, city);
            continue;
        }
        add_horde(g, city, &left);
        add_unless_safe(g, (gen_group){.type = "GROUP_SUBWAY_CITY",
                                       .x = (int16_t)(2 * city->x),
                                       .y = (int16_t)(2 * city->y),
                                       .z = -2,
                                       .radius = (int16_t)(2 * city->size),
                                       .population = 2 * city->size * city->size});
    }
    const water_counts counts = count_water(g);
    const uint64_t key = step_key(g, "monster_groups/river");
    for (int32_t y = 0; y < BLOCKS; y++)
        for (int32_t x = 0; x < BLOCKS; x++)
            if (counts.fresh[y][x] >= BLOCK_CELLS_MIN)
                add_block_group(g, key, "GROUP_RIVER", x * BLOCK + BLOCK / 2,
                                y * BLOCK + BLOCK / 2, counts.fresh[y][x]);
    add_ocean_groups(g, &counts);
    if (!g->config->region->levelled) {
        rng r = step_stream(g, "monster_groups/worms");
        for (int32_t n = rng_range(&r, 0, WORMS_MAX); n > 0; n--) {
            gen_group worms = {.type = "GROUP_WORM"};
            worms.x = (int16_t)rng_range(&r, 0, 2 * SIZE - 1);
            worms.y = (int16_t)rng_range(&r, 0, 2 * SIZE - 1);
            worms.radius = (int16_t)rng_range(&r, 20, 40);
            worms.population = rng_range(&r, 30, 50);
            add_unless_safe(g, worms);
        }
    }
}

const gen_step step_monster_groups = {
    .info = {"monster_groups", 0, false},
    .run = run,
    .scratch = SIZE * SIZE * SUBMAPS * sizeof(uint32_t),
};
