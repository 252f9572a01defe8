/*
 * What caves, mines, laboratories and the like have in common. This file says which of these
 * terrains lead into each other, and where the ways between them cross the border of an OMT. It
 * also says where stairs stand, so that the stairs of two levels lie over each other.
 */
#include "mapgen/ground/ground_impl.h"

/* Terrains whose types begin with the same word of this list belong to one family: a set of
 * caves or rooms that lead into each other. */
static const char *const families[] = {
    "ants",   "mine",         "slimepit", "spiral",         "temple",        "triffid",
    "cavern", "spider_pit",   "rift",     "microlab",       "hellmouth",     "hive",
    "crater", "ravine_floor", "ravine",   "office_tower_1", "office_tower_b"};
/* Types that begin with one of these words are laboratories, which all belong to one family. */
static const char *const lab_types[] = {"ants_lab", "central_lab", "ice_lab", "tower_lab",
                                        "lab"};

/* Terrains that have a way down. Each row has the beginning of the terrain's type (`type`), and
 * what must lie below it (`to`: the beginning of a type, or LABORATORY for any laboratory).
 * `down` and `up` are the terrains of the tiles at the upper and the lower end of the way. */
#define LABORATORY ""
static const struct {
    const char *type, *to, *down, *up;
} ways[] = {{"acid_anthill", "ants", "t_slope_down", "t_slope_up"},
            {"ants_lab_stairs", LABORATORY, "t_stairs_down", "t_stairs_up"},
            {"anthill", "ants", "t_slope_down", "t_slope_up"},
            {"central_lab_stairs", LABORATORY, "t_stairs_down", "t_stairs_up"},
            {"hellmouth", "rift", "t_slope_down", "t_slope_up"},
            {"ice_lab_stairs", LABORATORY, "t_stairs_down", "t_stairs_up"},
            {"lab_stairs", LABORATORY, "t_stairs_down", "t_stairs_up"},
            {"mine_down", "mine", "t_slope_down", "t_slope_up"},
            {"mine_entrance", "mine", "t_ladder_down", "t_ladder_up"},
            {"mine_finale", "spiral", "t_slope_down", "t_slope_up"},
            {"mine_shaft", "mine", "t_ladder_down", "t_ladder_up"},
            {"rift", "rift", "t_slope_down", "t_slope_up"},
            {"slimepit_down", "slimepit", "t_slope_down", "t_slope_up"},
            {"spider_pit", "spider_pit", "t_slope_down", "t_slope_up"},
            {"temple_stairs", "temple", "t_stairs_down", "t_stairs_up"},
            {"tower_lab_stairs", LABORATORY, "t_stairs_down", "t_stairs_up"},
            {"triffid_roots", "triffid", "t_slope_down", "t_slope_up"}};

enum {
    WAYS = sizeof ways / sizeof ways[0],
    FAMILIES = sizeof families / sizeof families[0],
    LABS = sizeof lab_types / sizeof lab_types[0],
    LAB = FAMILIES, /* number of the family of laboratories */
    NO_FAMILY
};

bool ground_is_lab(const char *type)
{
    bool found = false;
    for (int i = 0; i < LABS && !found; i++) {
        const char behind =
            ground_starts(type, lab_types[i]) ? type[strlen(lab_types[i])] : '-';
        found = behind == '\0' || behind == '_';
    }
    return found;
}

static int family_of(const char *type)
{
    if (ground_is_lab(type))
        return LAB;
    for (int i = 0; i < FAMILIES; i++)
        if (ground_starts(type, families[i]))
            return i;
    return NO_FAMILY;
}

/* Is one terrain a laboratory of ants and the other one an anthill? These lead into each other
 * although they are of different families. */
static bool dug(const char *one, const char *other)
{
    return ground_starts(one, "ants_lab") && ground_starts(other, "ants") &&
           !ground_is_lab(other);
}

bool ground_leads(const ground_site *site, int side)
{
    const ground_omt *own = &site->around[GROUND_MIDDLE];
    const ground_omt *other = &site->around[ground_beside(side)];
    const int family = family_of(own->type), back = (side + 2) % GROUND_SIDES;
    if (!dug(own->type, other->type) && !dug(other->type, own->type) &&
        (family == NO_FAMILY || family != family_of(other->type)))
        return false;
    return (own->line == 0 || (own->line >> side & 1)) &&
           (other->line == 0 || (other->line >> back & 1));
}

int ground_crosses(const ground_site *site, int side)
{
    enum { FIRST = 8, SPAN = 8 };
    rng border = ground_border_of(site, side);
    return FIRST + (int)rng_below(&border, SPAN);
}

bool ground_answers(const char *type)
{
    static const char *const deep[] = {"mine",    "slimepit", "spiral", "temple",
                                       "triffid", "rift",     "cavern", "spider_pit"};
    bool found = ground_is_lab(type);
    for (size_t i = 0; i < sizeof deep / sizeof deep[0] && !found; i++)
        found = ground_starts(type, deep[i]);
    return found;
}

const char *ground_answer(const char *terrain, bool down)
{
    static const char *const pairs[][2] = {{"t_stairs_down", "t_stairs_up"},
                                           {"t_slope_down", "t_slope_up"},
                                           {"t_ladder_down", "t_ladder_up"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(terrain, pairs[i][!down]) == 0)
            return pairs[i][down];
    return NULL;
}

/* Finds how a way leads down from a terrain (`type`) to the one below it (`below`). Returns the
 * index in the table of ways; WAYS: there is none. */
static int way_of(const char *type, const char *below)
{
    for (int i = 0; i < WAYS; i++)
        if (strcmp(type, ways[i].type) == 0)
            return (ways[i].to[0] ? ground_starts(below, ways[i].to) : ground_is_lab(below))
                       ? i
                       : WAYS;
    return WAYS;
}

static size_t put_given(ground_way *out, const ground_given *given)
{
    for (size_t i = 0; i < given->count; i++)
        out[i] = (ground_way){.x = given->cells[i] % LOCAL_SIDE,
                              .y = given->cells[i] / LOCAL_SIDE,
                              .terrain = given->terrains[i]};
    return given->count;
}

/* Finds the tile of a way that leads from level z down to the next level. `way` is an index
 * into `ways`. `terrain` is what stands on the tile on this map: the upper or the lower end of
 * the way. */
static size_t put_own(ground_way *out, const ground_site *site, int z, int way,
                      const char *terrain)
{
    out->terrain = terrain;
    /* Finds the tile on which the way from level z down to the next one stands. In temples it
     * stands in opposite corners on alternate levels (temple.c). */
    enum { FIRST = 9, SPAN = 6, LOW = 4, HIGH = 19, CORNER = 2 };
    uint64_t key = hash_add(site->seed_key, hash_string("way down"));
    key = hash_add(hash_add(key, (uint64_t)site->x), (uint64_t)site->y);
    rng random = rng_from_key(hash_add(key, (uint64_t)(int64_t)z));
    if (strcmp(ways[way].type, "temple_stairs") == 0) {
        const int corner = z % 2 ? HIGH : LOW;
        out->x = corner + (int)rng_below(&random, CORNER);
        out->y = corner + (int)rng_below(&random, CORNER);
    } else {
        out->x = FIRST + (int)rng_below(&random, SPAN);
        out->y = FIRST + (int)rng_below(&random, SPAN);
        /* Ways down (stairs and the like) of two neighbouring levels must not stand on one
         * tile. So they stand in even columns of tiles on even levels, and in odd ones on odd
         * levels. */
        out->x = (out->x & ~1) + (z & 1);
    }
    return 1;
}

size_t ground_ways_of(ground_way out[GROUND_WAYS], const ground_site *site)
{
    const char *own = site->around[GROUND_MIDDLE].type;
    const int down = way_of(own, site->below.type), up = way_of(site->above.type, own);
    size_t count = put_given(out, &site->down);
    if (count == 0 && down < WAYS)
        count = put_own(out, site, site->z, down, ways[down].down);
    const size_t first = count;
    count += put_given(out + count, &site->up);
    if (count == first && up < WAYS)
        count += put_own(out + count, site, site->z + 1, up, ways[up].up);
    return count;
}

void ground_ways(ground *g, const char *floor)
{
    ground_way found[GROUND_WAYS];
    const size_t count = ground_ways_of(found, g->site);
    for (size_t i = 0; i < count; i++) {
        const int x = found[i].x, y = found[i].y;
        for (int v = y - 1; v <= y + 1; v++)
            for (int u = x - 1; u <= x + 1; u++) {
                const char *id = id_pool_text(g->site->pool, ground_at(g, u, v));
                if (!ground_starts(id, "t_stairs") && !ground_starts(id, "t_slope") &&
                    !ground_starts(id, "t_ladder"))
                    ground_clear(g, u, v, ground_id(g, floor));
            }
        ground_clear(g, x, y, ground_id(g, found[i].terrain));
    }
}
