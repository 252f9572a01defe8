/*
 * What ways below the ground have in common: which terrains belong together, so that ways lead
 * from one to the other, where those cross the border, and where stairs stand, so that those of
 * two levels line up.
 */
#include "mapgen/ground/ground_impl.h"

#include <string.h>

/* Terrains whose maps are one set of caves or rooms begin alike. */
static const char *const families[] = {
    "ants_lab", "ants",      "central_lab", "ice_lab", "tower_lab",    "lab",        "mine",
    "slimepit", "spiral",    "temple",      "triffid", "cavern",       "spider_pit", "rift",
    "microlab", "hellmouth", "hive",        "crater",  "ravine_floor", "ravine"};

/* What has a way down, and what that is. */
static const struct {
    const char *type, *down, *up;
} ways[] = {{"acid_anthill", "t_slope_down", "t_slope_up"},
            {"ants_lab_stairs", "t_stairs_down", "t_stairs_up"},
            {"anthill", "t_slope_down", "t_slope_up"},
            {"central_lab_stairs", "t_stairs_down", "t_stairs_up"},
            {"hellmouth", "t_slope_down", "t_slope_up"},
            {"ice_lab_stairs", "t_stairs_down", "t_stairs_up"},
            {"lab_stairs", "t_stairs_down", "t_stairs_up"},
            {"mine_down", "t_slope_down", "t_slope_up"},
            {"mine_entrance", "t_ladder_down", "t_ladder_up"},
            {"mine_shaft", "t_ladder_down", "t_ladder_up"},
            {"rift", "t_slope_down", "t_slope_up"},
            {"slimepit_down", "t_slope_down", "t_slope_up"},
            {"spider_pit", "t_slope_down", "t_slope_up"},
            {"temple_stairs", "t_stairs_down", "t_stairs_up"},
            {"tower_lab_stairs", "t_stairs_down", "t_stairs_up"},
            {"triffid_roots", "t_slope_down", "t_slope_up"}};

enum { WAYS = sizeof ways / sizeof ways[0], FAMILIES = sizeof families / sizeof families[0] };

static int family_of(const char *type)
{
    for (int i = 0; i < FAMILIES; i++)
        if (ground_starts(type, families[i]))
            return i;
    return FAMILIES;
}

bool ground_open(const ground *g, int side)
{
    const ground_omt *own = &g->site->around[GROUND_MIDDLE], *other = ground_side(g, side);
    const int family = family_of(own->type), back = (side + 2) % GROUND_SIDES;
    if (family == FAMILIES || family != family_of(other->type))
        return false;
    return (own->line == 0 || (own->line >> side & 1)) &&
           (other->line == 0 || (other->line >> back & 1));
}

int ground_crossing(const ground *g, int side)
{
    enum { FIRST = 8, SPAN = 8 };
    rng border = ground_border(g, side);
    return FIRST + (int)rng_below(&border, SPAN);
}

static int way_of(const char *type)
{
    for (int i = 0; i < WAYS; i++)
        if (strcmp(type, ways[i].type) == 0)
            return i;
    return WAYS;
}

/* Where the way from a level down to the next one is: a pair of tiles side by side. */
static void way_place(const ground *g, int z, int *x, int *y)
{
    enum { FIRST = 9, SPAN = 6 };
    uint64_t key = hash_add(g->site->seed_key, hash_string("way down"));
    key = hash_add(hash_add(key, (uint64_t)g->site->x), (uint64_t)g->site->y);
    rng random = rng_from_key(hash_add(key, (uint64_t)(int64_t)z));
    *x = FIRST + (int)rng_below(&random, SPAN);
    *y = FIRST + (int)rng_below(&random, SPAN);
    /* Ways of two levels must not be on one tile: every second level has its own columns. */
    *x = (*x & ~1) + (z & 1);
}

static void put_way(ground *g, int z, const char *way, const char *floor)
{
    int x, y;
    way_place(g, z, &x, &y);
    for (int v = y - 1; v <= y + 1; v++)
        for (int u = x - 1; u <= x + 1; u++) {
            const char *here = id_pool_text(g->site->pool, ground_at(g, u, v));
            if (!ground_starts(here, "t_stairs") && !ground_starts(here, "t_slope") &&
                !ground_starts(here, "t_ladder"))
                ground_clear(g, u, v, ground_id(g, floor));
        }
    ground_clear(g, x, y, ground_id(g, way));
}

void ground_ways(ground *g, const char *floor)
{
    const int own = way_of(g->site->around[GROUND_MIDDLE].type);
    const int above = way_of(g->site->above.type);
    if (own < WAYS && g->site->below.type[0])
        put_way(g, g->site->z, ways[own].down, floor);
    if (above < WAYS)
        put_way(g, g->site->z + 1, ways[above].up, floor);
}
