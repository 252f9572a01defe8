/* Puts on a finished map a scene of the region's map extras and the terrain's own monsters. */
#include "mapgen/run/run_impl.h"

enum { LAST = LOCAL_SIDE - 1 };

/* ---- tiles ---- */

/* What grows on a tile, as the id of its terrain tells. */
typedef enum growth_kind { NO_GROWTH, A_TREE, A_SHRUB, SOME_GRASS, GROWTH_KINDS } growth_kind;

static growth_kind growth_of(const run *r, uint32_t terrain)
{
    const char *id = id_pool_text(r->request->pool, terrain);
    if (run_starts(id, "t_tree"))
        return A_TREE;
    if (run_starts(id, "t_shrub") || run_starts(id, "t_underbrush"))
        return A_SHRUB;
    return run_starts(id, "t_grass") || run_starts(id, "t_moss") ? SOME_GRASS : NO_GROWTH;
}

/* Puts a terrain on a tile, if the content has it, and removes the tile's furniture. */
static void put(run *r, int x, int y, const char *terrain)
{
    const uint32_t id = run_id(r, terrain);
    if (!run_inside(x, y) ||
        !(mapgen_terrain_tile(r->request->tiles, id).flags & MAPGEN_TILE_KNOWN))
        return;
    run_set_terrain(r, x, y, id);
    run_set_furniture(r, x, y, r->ids.null_furniture);
}

/* ---- scenes ---- */

static void crater_tile(run *r, int x, int y, int inside)
{
    enum { RUBBLE = 3 };
    (void)inside;
    put(r, x, y, "t_dirt");
    if (rng_one_in(&r->random, RUBBLE))
        run_set_furniture(r, x, y, run_id(r, "f_rubble_rock"));
}

static void pond_tile(run *r, int x, int y, int inside)
{
    enum { DEEP = 25 };
    put(r, x, y, inside > DEEP ? "t_water_dp" : "t_water_sh");
}

/* Lays mines under grass and dirt. */
static void make_minefield(run *r)
{
    enum { LEAST = 10, MOST = 30 };
    const uint32_t mine = run_id(r, "tr_landmine_buried");
    for (int32_t n = rng_range(&r->random, LEAST, MOST); n > 0; n--) {
        const int x = rng_range(&r->random, 0, LAST), y = rng_range(&r->random, 0, LAST);
        const size_t cell = (size_t)(y * LOCAL_SIDE + x);
        const uint32_t terrain = r->map->terrain[cell];
        if (growth_of(r, terrain) == SOME_GRASS || terrain == r->ids.dirt)
            r->map->trap[cell] = mine;
    }
}

/* Puts a grave somewhere on the map. */
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

/* Puts a plant into shallow water, if the content defines it. */
static void put_water_plant(run *r, int x, int y)
{
    enum { CATTAILS = 14, LOTUS = 5, ALL = 20 };
    const uint32_t drawn = rng_below(&r->random, ALL);
    const uint32_t plant = run_id(r, drawn < CATTAILS           ? "f_cattails"
                                     : drawn < CATTAILS + LOTUS ? "f_lotus"
                                                                : "f_lilypad");
    if (mapgen_furniture_tile(r->request->tiles, plant).flags & MAPGEN_TILE_KNOWN)
        run_set_furniture(r, x, y, plant);
}

/* Puts reeds in shallow water, and tall grass on grass and dirt beside it; other plants stay.
 * One in N of these tiles is changed, where N is drawn from 1 to 4 for each map. Away from
 * water, one in AWAY tiles of grass and dirt is changed. The frequencies were counted in 14
 * rivers and 6 shores with reeds in the game's maps. */
static void make_reed(run *r)
{
    enum { LEAST = 1, MOST = 4, AWAY = 7 };
    const int32_t one_in = rng_range(&r->random, LEAST, MOST);
    const uint32_t grass = run_id(r, "t_grass");
    for (int y = 0; y < LOCAL_SIDE; y++)
        for (int x = 0; x < LOCAL_SIDE; x++) {
            const uint32_t terrain = r->map->terrain[y * LOCAL_SIDE + x];
            const bool ground = terrain == grass || terrain == r->ids.dirt;
            if (is_shallow(r, x, y) && rng_one_in(&r->random, one_in))
                put_water_plant(r, x, y);
            else if (ground && rng_one_in(&r->random, beside_water(r, x, y) ? one_in : AWAY))
                put(r, x, y, "t_grass_tall");
        }
}

/* A scene of a map extra. The function `make` changes the whole map. `tile` and `into` change
 * single tiles: those of the whole map, or those of a round place of random radius. One name in
 * content means "no scene"; its row has neither `make` nor `tile` nor `into`. */
typedef struct extra_scene {
    const char *name;
    void (*make)(run *r); /* a function that changes the whole map; NULL: there is none */
    /* All plants of this kind on the map become plants of one and the same sort. NO_GROWTH:
     * this is not done. */
    growth_kind alike;
    /* Changes a tile. inside: the square of the round place's radius minus the square of the
     * tile's distance from its middle; so it is 0 at the rim, and grows inwards. */
    void (*tile)(run *r, int x, int y, int inside);
    const char *const *into; /* indexed by what grows on a tile (growth_kind): the terrain that
                                the tile becomes; NULL: it stays */
    int least, most; /* bounds of the radius, in tiles, of the round place that the map extra
                        changes; 0: it changes the whole map */
} extra_scene;

static const char *const clay[GROWTH_KINDS] = {"t_clay", "t_clay", "t_clay", "t_clay"};
static const char *const cut[GROWTH_KINDS] = {[A_TREE] = "t_stump"};
static const char *const dead[GROWTH_KINDS] = {NULL, "t_tree_dead", "t_dirt", "t_grass_dead"};
static const char *const burnt[GROWTH_KINDS] = {NULL, "t_tree_dead", "t_dirt", "t_dirt"};
static const extra_scene scenes[] = {
    {"mx_crater", .tile = crater_tile, .least = 3, .most = 7},
    {"mx_pond", .tile = pond_tile, .least = 4, .most = 8},
    {"mx_clay_deposit", .into = clay, .least = 2, .most = 5},
    {"mx_grove", .alike = A_TREE},
    {"mx_shrubbery", .alike = A_SHRUB},
    {"mx_clearcut", .into = cut},
    {"mx_dead_vegetation", .into = dead},
    {"mx_point_dead_vegetation", .into = dead, .least = 4, .most = 10},
    {"mx_burned_ground", .into = burnt},
    {"mx_point_burned_ground", .into = burnt, .least = 4, .most = 10},
    {"mx_minefield", .make = make_minefield},
    {"mx_grave", .make = make_grave},
    {"mx_reed", .make = make_reed},
    {"mx_null", .make = NULL}};

/* Returns the scene of a name; NULL: there is no code for it. */
static const extra_scene *scene_of(const char *name)
{
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (strcmp(scenes[i].name, name) == 0)
            return &scenes[i];
    return NULL;
}

/* Makes all trees and all plants of the given kind on the map equal: they become one of the
 * plants of that kind that are there, drawn at random. */
static void make_alike(run *r, growth_kind kind)
{
    uint32_t chosen = ID_NONE;
    int32_t seen = 0;
    for (int i = 0; i < LOCAL_CELLS; i++)
        if (growth_of(r, r->map->terrain[i]) == kind && rng_one_in(&r->random, ++seen))
            chosen = r->map->terrain[i];
    for (int i = 0; i < LOCAL_CELLS && chosen != ID_NONE; i++) {
        const growth_kind here = growth_of(r, r->map->terrain[i]);
        if (here == kind || here == A_TREE)
            r->map->terrain[i] = chosen;
    }
}

/* Makes a scene. The rim of a round place is rough: one in two of its tiles is taken. */
static void make_scene(run *r, const extra_scene *s)
{
    const int radius = s->most > 0 ? rng_range(&r->random, s->least, s->most) : 0;
    const int left = radius ? rng_range(&r->random, radius, LAST - radius) : 0;
    const int top = radius ? rng_range(&r->random, radius, LAST - radius) : 0;
    if (s->make)
        s->make(r);
    if (s->alike != NO_GROWTH)
        make_alike(r, s->alike);
    for (int i = 0; i < LOCAL_CELLS && (s->tile || s->into); i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE, dx = x - left, dy = y - top;
        const int inside = radius ? radius * radius - (dx * dx + dy * dy) : 0;
        if (inside < radius && (inside < 0 || !rng_one_in(&r->random, 2)))
            continue;
        const char *into = s->into ? s->into[growth_of(r, r->map->terrain[i])] : NULL;
        if (s->tile)
            s->tile(r, x, y, inside);
        else if (into)
            put(r, x, y, into);
    }
}

bool mapgen_extra_is_made(const char *name)
{
    return scene_of(name) != NULL;
}

/* ---- which ---- */

static void run_extra(run *r)
{
    const mapgen_request *q = r->request;
    const mapgen_extra_set *set = NULL;
    for (uint32_t i = 0; q->extras && i < q->extras->count && !set; i++)
        set = q->extras->sets[i].name == q->extra_set ? &q->extras->sets[i] : NULL;
    if (!set || set->chance <= 0 || set->count == 0 || !rng_one_in(&r->random, set->chance))
        return;
    const uint32_t wanted = rng_below(&r->random, set->items[set->count - 1].upto);
    uint32_t i = 0;
    while (set->items[i].upto <= wanted)
        i++;
    if (r->request->z < set->items[i].lowest || r->request->z > set->items[i].highest)
        return;
    if (set->items[i].update != ID_NONE) {
        run_trace_begin(r);
        const mapgen_candidate *c = run_candidate(r, MAPGEN_UPDATE, set->items[i].update);
        r->by = NULL;
        if (c)
            run_chunk(r, c->entry, set->items[i].update, 0, 0);
        run_resolve(r);
        return;
    }
    const extra_scene *scene = scene_of(id_pool_text(r->request->pool, set->items[i].id));
    if (scene)
        make_scene(r, scene);
}

void run_after(run *r)
{
    const mapgen_request *q = r->request;
    const rng before = r->random;
    r->random = rng_from_key(hash_add(q->key, hash_string("extras")));
    run_extra(r);
    r->random = rng_from_key(hash_add(q->key, hash_string("spawns")));
    const mapgen_spawns *s = &r->request->spawns;
    const run_place all = {{0, LAST}, {0, LAST}};
    if (s->group != ID_NONE && r->request->groups && run_percent(r, s->chance))
        (void)run_population(r, all, s->group, rng_range(&r->random, s->least, s->most));
    run_trace_code(r, MAPGEN_BY_EXTRA);
    r->random = before;
}
