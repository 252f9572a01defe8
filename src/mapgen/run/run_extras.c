/* What is put on a map once it is made: a scene of the region's map extras, and monsters of the
 * terrain. */
#include "mapgen/run/run_impl.h"

#include <string.h>

enum { LAST = LOCAL_SIDE - 1 };

/* ---- tiles ---- */

/* What grows on a tile, as the ids of natural ground tell it. */
typedef enum growth_kind { NO_GROWTH, A_TREE, A_SHRUB, SOME_GRASS } growth_kind;

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static growth_kind growth_of(const run *r, uint32_t terrain)
{
    const char *id = id_pool_text(r->request->pool, terrain);
    if (starts(id, "t_tree"))
        return A_TREE;
    if (starts(id, "t_shrub") || starts(id, "t_underbrush"))
        return A_SHRUB;
    return starts(id, "t_grass") || starts(id, "t_moss") ? SOME_GRASS : NO_GROWTH;
}

static uint32_t id_of(const run *r, const char *text)
{
    return id_pool_put(r->request->pool, text, strlen(text));
}

/* Puts a terrain that the content has; furniture there goes. */
static void put(run *r, int x, int y, const char *terrain)
{
    const uint32_t id = id_of(r, terrain);
    if (x < 0 || y < 0 || x > LAST || y > LAST ||
        !(mapgen_terrain_tile(r->request->tiles, id).flags & MAPGEN_TILE_KNOWN))
        return;
    run_set_terrain(r, x, y, id);
    run_set_furniture(r, x, y, r->ids.null_furniture);
}

/* A place with a rough rim: how far a tile is within it; below 0: it lies outside. */
typedef struct blob {
    int x, y, radius;
} blob;

static blob draw_blob(run *r, int least, int most)
{
    blob b;
    b.radius = rng_range(&r->random, least, most);
    b.x = rng_range(&r->random, b.radius, LAST - b.radius);
    b.y = rng_range(&r->random, b.radius, LAST - b.radius);
    return b;
}

/* Calls back for each tile of the place; on its rim for one in two. */
static void each_in_blob(run *r, const blob *b, void (*visit)(run *r, int x, int y, int inside))
{
    for (int y = 0; y < LOCAL_SIDE; y++)
        for (int x = 0; x < LOCAL_SIDE; x++) {
            const int dx = x - b->x, dy = y - b->y;
            const int inside = b->radius * b->radius - (dx * dx + dy * dy);
            if (inside >= b->radius || (inside >= 0 && rng_one_in(&r->random, 2)))
                visit(r, x, y, inside);
        }
}

static void each_tile(run *r, void (*visit)(run *r, int x, int y, int inside))
{
    for (int y = 0; y < LOCAL_SIDE; y++)
        for (int x = 0; x < LOCAL_SIDE; x++)
            visit(r, x, y, 0);
}

/* ---- scenes ---- */

static void crater_tile(run *r, int x, int y, int inside)
{
    enum { RUBBLE = 3 };
    (void)inside;
    put(r, x, y, "t_dirt");
    if (rng_one_in(&r->random, RUBBLE))
        run_set_furniture(r, x, y, id_of(r, "f_rubble_rock"));
}

static void make_crater(run *r)
{
    const blob b = draw_blob(r, 3, 7);
    each_in_blob(r, &b, crater_tile);
}

static void pond_tile(run *r, int x, int y, int inside)
{
    enum { DEEP = 25 };
    put(r, x, y, inside > DEEP ? "t_water_dp" : "t_water_sh");
}

static void make_pond(run *r)
{
    const blob b = draw_blob(r, 4, 8);
    each_in_blob(r, &b, pond_tile);
}

static void clay_tile(run *r, int x, int y, int inside)
{
    (void)inside;
    put(r, x, y, "t_clay");
}

static void make_clay(run *r)
{
    const blob b = draw_blob(r, 2, 5);
    each_in_blob(r, &b, clay_tile);
}

static void dead_tile(run *r, int x, int y, int inside)
{
    (void)inside;
    const growth_kind kind = growth_of(r, r->map->terrain[y * LOCAL_SIDE + x]);
    if (kind == A_TREE)
        put(r, x, y, "t_tree_dead");
    else if (kind == A_SHRUB)
        put(r, x, y, "t_dirt");
    else if (kind == SOME_GRASS)
        put(r, x, y, "t_grass_dead");
}

static void make_dead(run *r)
{
    each_tile(r, dead_tile);
}

static void make_dead_place(run *r)
{
    const blob b = draw_blob(r, 4, 10);
    each_in_blob(r, &b, dead_tile);
}

static void burnt_tile(run *r, int x, int y, int inside)
{
    (void)inside;
    const growth_kind kind = growth_of(r, r->map->terrain[y * LOCAL_SIDE + x]);
    if (kind == A_TREE)
        put(r, x, y, "t_tree_dead");
    else if (kind != NO_GROWTH)
        put(r, x, y, "t_dirt");
}

static void make_burnt(run *r)
{
    each_tile(r, burnt_tile);
}

static void make_burnt_place(run *r)
{
    const blob b = draw_blob(r, 4, 10);
    each_in_blob(r, &b, burnt_tile);
}

static void cut_tile(run *r, int x, int y, int inside)
{
    (void)inside;
    if (growth_of(r, r->map->terrain[y * LOCAL_SIDE + x]) == A_TREE)
        put(r, x, y, "t_stump");
}

static void make_clearing(run *r)
{
    each_tile(r, cut_tile);
}

/* All that grows so becomes one of those that are there. */
static void make_alike(run *r, growth_kind kind, bool shrubs_too)
{
    uint32_t chosen = ID_NONE;
    int32_t seen = 0;
    for (int i = 0; i < LOCAL_CELLS; i++)
        if (growth_of(r, r->map->terrain[i]) == kind && rng_one_in(&r->random, ++seen))
            chosen = r->map->terrain[i];
    for (int i = 0; i < LOCAL_CELLS && chosen != ID_NONE; i++) {
        const growth_kind here = growth_of(r, r->map->terrain[i]);
        if (here == kind || (shrubs_too && here == A_TREE))
            r->map->terrain[i] = chosen;
    }
}

static void make_grove(run *r)
{
    make_alike(r, A_TREE, false);
}

static void make_shrubbery(run *r)
{
    make_alike(r, A_SHRUB, true);
}

/* Mines under ground that one can walk on. */
static void make_minefield(run *r)
{
    enum { LEAST = 10, MOST = 30 };
    const uint32_t mine = id_of(r, "tr_landmine_buried");
    for (int32_t n = rng_range(&r->random, LEAST, MOST); n > 0; n--) {
        const int x = rng_range(&r->random, 0, LAST), y = rng_range(&r->random, 0, LAST);
        const size_t cell = (size_t)(y * LOCAL_SIDE + x);
        const uint32_t terrain = r->map->terrain[cell];
        if (growth_of(r, terrain) == SOME_GRASS || terrain == r->ids.dirt)
            r->map->trap[cell] = mine;
    }
}

/* A grave: a mound, and what lies in it. */
static void make_grave(run *r)
{
    const int x = rng_range(&r->random, 1, LAST - 1), y = rng_range(&r->random, 1, LAST - 1);
    put(r, x, y, "t_grave");
}

static bool is_shallow(const run *r, int x, int y)
{
    const char *id = id_pool_text(r->request->pool, r->map->terrain[y * LOCAL_SIDE + x]);
    return strcmp(id, "t_water_sh") == 0 || strcmp(id, "t_water_moving_sh") == 0;
}

static bool beside_water(const run *r, int x, int y)
{
    bool found = false;
    for (int v = y - 1; v <= y + 1; v++)
        for (int u = x - 1; u <= x + 1; u++)
            found =
                found || (u >= 0 && v >= 0 && u <= LAST && v <= LAST && is_shallow(r, u, v));
    return found;
}

/* What grows in shallow water, by how often it does in the game's maps. */
static const char *draw_water_plant(run *r)
{
    enum { CATTAILS = 14, LOTUS = 5, ALL = 20 };
    const uint32_t drawn = rng_below(&r->random, ALL);
    return drawn < CATTAILS ? "f_cattails" : drawn < CATTAILS + LOTUS ? "f_lotus" : "f_lilypad";
}

/* Reeds: 1 in 1 to 4, the same for all of the map, of shallow water and of the ground beside
 * it; fewer away from it. Counted from rivers and shores of the game's maps, 14 and 3 with
 * reeds. */
static void make_reed(run *r)
{
    enum { LEAST = 1, MOST = 4, AWAY = 7 };
    const int32_t one_in = rng_range(&r->random, LEAST, MOST);
    for (int y = 0; y < LOCAL_SIDE; y++)
        for (int x = 0; x < LOCAL_SIDE; x++) {
            const uint32_t terrain = r->map->terrain[y * LOCAL_SIDE + x];
            const bool ground = growth_of(r, terrain) == SOME_GRASS || terrain == r->ids.dirt;
            if (is_shallow(r, x, y) && rng_one_in(&r->random, one_in)) {
                const uint32_t plant = id_of(r, draw_water_plant(r));
                if (mapgen_furniture_tile(r->request->tiles, plant).flags & MAPGEN_TILE_KNOWN)
                    run_set_furniture(r, x, y, plant);
            } else if (ground &&
                       rng_one_in(&r->random, beside_water(r, x, y) ? one_in : AWAY)) {
                put(r, x, y, "t_grass_tall");
            }
        }
}

/* The content's name for no scene. */
static void make_nothing(run *r)
{
    (void)r;
}

static const struct {
    const char *name;
    void (*make)(run *r);
} scenes[] = {{"mx_crater", make_crater},
              {"mx_pond", make_pond},
              {"mx_clay_deposit", make_clay},
              {"mx_grove", make_grove},
              {"mx_shrubbery", make_shrubbery},
              {"mx_clearcut", make_clearing},
              {"mx_dead_vegetation", make_dead},
              {"mx_point_dead_vegetation", make_dead_place},
              {"mx_burned_ground", make_burnt},
              {"mx_point_burned_ground", make_burnt_place},
              {"mx_minefield", make_minefield},
              {"mx_grave", make_grave},
              {"mx_reed", make_reed},
              {"mx_null", make_nothing}};

bool mapgen_extra_is_made(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0] && !found; i++)
        found = strcmp(scenes[i].name, name) == 0;
    return found;
}

/* ---- which ---- */

static const mapgen_extra_set *set_of(const mapgen_request *q)
{
    const mapgen_extra_set *found = NULL;
    for (uint32_t i = 0; q->extras && i < q->extras->count && !found; i++)
        found = q->extras->sets[i].name == q->extra_set ? &q->extras->sets[i] : NULL;
    return found;
}

static void make_extra(run *r, const mapgen_extra *extra)
{
    const char *name = id_pool_text(r->request->pool, extra->id);
    if (r->request->z < extra->lowest || r->request->z > extra->highest)
        return;
    if (extra->update != ID_NONE) {
        const mapgen_candidate *c = run_candidate(r, MAPGEN_UPDATE, extra->update);
        if (c)
            run_chunk(r, c->entry, 0, 0);
        run_resolve(r);
        return;
    }
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (strcmp(scenes[i].name, name) == 0)
            scenes[i].make(r);
}

static void run_extra(run *r)
{
    const mapgen_extra_set *set = set_of(r->request);
    if (!set || set->chance <= 0 || set->count == 0 || !rng_one_in(&r->random, set->chance))
        return;
    const uint32_t wanted = rng_below(&r->random, set->items[set->count - 1].upto);
    uint32_t i = 0;
    while (set->items[i].upto <= wanted)
        i++;
    make_extra(r, &set->items[i]);
}

static void run_spawns(run *r)
{
    const mapgen_spawns *s = &r->request->spawns;
    const run_place all = {{0, LAST}, {0, LAST}};
    if (s->group == ID_NONE || !r->request->groups || !run_percent(r, s->chance))
        return;
    run_population(r, all, s->group, rng_range(&r->random, s->least, s->most));
}

void run_after(run *r)
{
    const mapgen_request *q = r->request;
    const rng before = r->random;
    r->random = rng_from_key(hash_add(q->key, hash_string("extras")));
    run_extra(r);
    r->random = rng_from_key(hash_add(q->key, hash_string("spawns")));
    run_spawns(r);
    r->random = before;
}
