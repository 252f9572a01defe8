#include "mapgen/ground/ground_impl.h"

/* Makes maps of terrains at the ground level that the games make by code: craters, ant hills,
 * hives, ravines, mouths of hell, and ways down. */

enum { LAST = LOCAL_SIDE - 1 };

/* Is the tile in a disc with a rough rim, around the middle of the map? */
static bool in_disc(ground *g, int cell, int radius)
{
    const int dx = 2 * (cell % LOCAL_SIDE) - LAST, dy = 2 * (cell / LOCAL_SIDE) - LAST;
    const int reach = 2 * radius + rng_range(&g->random, -2, 2);
    return dx * dx + dy * dy <= reach * reach;
}

static void make_crater(ground *g)
{
    enum { RADIUS = 12, BARE_ONE_IN = 50 };
    const uint32_t dirt = ground_id(g, "t_dirt"), rubble = ground_id(g, "f_rubble_rock");
    ground_cover(g);
    for (int i = 0; i < LOCAL_CELLS; i++)
        if (in_disc(g, i, RADIUS)) {
            g->map->terrain[i] = dirt;
            if (!rng_one_in(&g->random, BARE_ONE_IN))
                g->map->furniture[i] = rubble;
        }
}

/* Makes a clearing with a way down in it. */
static void make_hill(ground *g)
{
    enum { RADIUS = 6 };
    const uint32_t dirt = ground_id(g, "t_dirt");
    if (strcmp(g->type, "spider_pit") == 0) {
        g->type = "forest_thick";
        make_forest(g);
    } else {
        ground_cover(g);
    }
    for (int i = 0; i < LOCAL_CELLS; i++)
        if (in_disc(g, i, RADIUS))
            ground_clear(g, i % LOCAL_SIDE, i / LOCAL_SIDE, dirt);
    ground_ways(g, "t_dirt");
    ground_inhabit(g);
}

/* Makes a hut over a way down. */
static void make_mine_entrance(ground *g)
{
    enum { FROM = 6, TO = 17, DOOR = 11 };
    const uint32_t wall = ground_id(g, "t_wall"), floor = ground_id(g, "t_floor");
    ground_cover(g);
    for (int y = FROM; y <= TO; y++)
        for (int x = FROM; x <= TO; x++) {
            const bool side = x == FROM || x == TO || y == FROM || y == TO;
            ground_put(g, x, y, side ? wall : floor);
        }
    ground_put(g, DOOR, TO, ground_id(g, "t_door_metal_c"));
    ground_ways(g, "t_floor");
    ground_inhabit(g);
}

/* Makes a honeycomb of wax. */
static void make_hive(ground *g)
{
    enum { CELL = 6, ONE_IN = 8 };
    const uint32_t wax = ground_id(g, "t_wax"), floor = ground_id(g, "t_floor_wax");
    const uint32_t honey = ground_id(g, "hive");
    ground_cover(g);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE, row = y / CELL;
        const int u = (x + row % 2 * (CELL / 2)) % CELL, v = y % CELL;
        const bool corner = (v == 0 || v == CELL - 1) && (u == 0 || u == CELL - 1);
        if (corner)
            continue;
        const bool side = u == 0 || v == 0;
        g->map->terrain[i] = side && u != CELL / 2 && v != CELL / 2 ? wax : floor;
    }
    for (int i = 0; i < LOCAL_SIDE / CELL; i++)
        ground_items(g, honey, 100 / ONE_IN);
    ground_inhabit(g);
}

/* Makes rock and lava around a way down. */
static void make_hellmouth(ground *g)
{
    enum { RADIUS = 10, INNER = 4 };
    ground_cover(g);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const bool rock = in_disc(g, i, RADIUS), lava = in_disc(g, i, RADIUS / 2 + 2);
        if (rock)
            g->map->terrain[i] = ground_id(g, lava ? "t_lava" : "t_rock_floor");
        if (in_disc(g, i, INNER))
            g->map->terrain[i] = ground_id(g, "t_rock_floor");
    }
    ground_ways(g, "t_rock_floor");
    ground_inhabit(g);
}

/* Puts a terrain on a rough strip along a side of the map. */
static void put_rough_strip(ground *g, int side, uint32_t terrain)
{
    enum { LOW = 6, HIGH = 9 };
    const bool upright = side == GROUND_NORTH || side == GROUND_SOUTH;
    const bool low = side == GROUND_NORTH || side == GROUND_WEST;
    for (int along = 0; along < LOCAL_SIDE; along++) {
        const int depth = rng_range(&g->random, LOW, HIGH);
        for (int away = 0; away < depth; away++) {
            const int at = low ? away : LAST - away;
            ground_put(g, upright ? along : at, upright ? at : along, terrain);
        }
    }
}

/* Makes the map of an OMT at the brink of a ravine, or of one below it. Along the sides where
 * the ravine goes on, the map has open air or, at the ravine's bottom, dirt. The rest is
 * natural ground or, at the bottom, rock. */
static void make_ravine_edge(ground *g)
{
    const bool floor = ground_starts(g->type, "ravine_floor");
    const char *beyond = floor ? "ravine_floor" : "ravine";
    const uint32_t open = ground_id(g, floor ? "t_dirt" : "t_open_air");
    if (floor)
        ground_fill(g, "t_rock");
    else
        ground_cover(g);
    for (int side = 0; side < GROUND_SIDES; side++)
        if (strcmp(ground_side(g, side)->type, beyond) == 0)
            put_rough_strip(g, side, open);
}

/* Fills the map with one terrain. */
static void make_plain(ground *g)
{
    ground_fill(g, strcmp(g->type, "open_air") == 0    ? "t_open_air"
                   : strcmp(g->type, "pd_border") == 0 ? "t_pd_border"
                                                       : "t_rock");
}

enum { TYPES_MAX = 20 }; /* one more than the most types that any generator has */

/* A function that makes maps, and the terrains whose maps it makes. Terrains are named by type
 * (the id without direction). */
typedef struct generator {
    ground_generator *make;
    const char *const types[TYPES_MAX]; /* the terrains' ids without direction, up to NULL */
} generator;

static const generator generators[] = {
    {make_field, {"field"}},
    {make_forest, {"forest", "forest_thick", "forest_water"}},
    {make_trail, {"forest_trail"}},
    {make_road, {"road", "road_nesw_manhole"}},
    {make_highway, {"hiway_ns", "hiway_ew"}},
    {make_subway, {"subway"}},
    {make_railroad, {"railroad", "railroad_bridge"}},
    {make_sewer, {"sewer"}},
    {make_river,
     {"river", "river_center", "river_c_not_ne", "river_c_not_nw", "river_c_not_se",
      "river_c_not_sw", "river_ne", "river_nw", "river_se", "river_sw"}},
    {make_river_shore, {"river_shore"}},
    {make_lake_shore, {"lake_shore"}},
    {make_ocean_shore, {"ocean_shore"}},
    {make_parking_lot, {"s_lot"}},
    {make_cave,
     {"ants", "ants_food", "ants_larvae", "ants_larvae_acid", "ants_queen", "ants_queen_acid",
      "cavern", "mine", "mine_down", "mine_finale", "rock", "slimepit", "slimepit_down",
      "spider_pit_under", "spiral", "spiral_hub", "triffid_finale", "triffid_roots", "rift"}},
    {make_shaft, {"mine_shaft"}},
    {make_lab,
     {"ants_lab", "ants_lab_stairs", "central_lab", "central_lab_core", "central_lab_finale",
      "central_lab_stairs", "ice_lab", "ice_lab_core", "ice_lab_finale", "ice_lab_stairs",
      "lab", "lab_core", "lab_finale", "lab_stairs", "tower_lab", "tower_lab_finale",
      "tower_lab_stairs"}},
    {make_temple, {"temple", "temple_finale", "temple_stairs"}},
    {make_rooms,
     {"looted_building", "office_tower_1", "office_tower_1_entrance", "office_tower_b",
      "office_tower_b_entrance", "tutorial"}},
    {make_crater, {"crater"}},
    {make_hill, {"anthill", "acid_anthill", "spider_pit"}},
    {make_mine_entrance, {"mine_entrance"}},
    {make_hive, {"hive"}},
    {make_hellmouth, {"hellmouth"}},
    {make_ravine_edge, {"ravine_edge", "ravine_floor_edge"}},
    {make_plain, {"empty_rock", "solid_earth", "deep_rock", "open_air", "pd_border"}},
};

/* A terrain may name one of the games' own mapgens. If that name begins with `begin`, the
 * generator of the terrain `type` makes the terrain's maps. */
static const struct {
    const char *begin, *type;
} builtins[] = {
    {"field", "field"},
    {"forest_trail", "forest_trail"},
    {"forest", "forest"},
    {"highway", "hiway_ns"},
    {"lake_shore", "lake_shore"},
    {"ocean_shore", "ocean_shore"},
    {"parking_lot", "s_lot"},
    {"railroad_bridge", "railroad_bridge"},
    {"railroad", "railroad"},
    {"ravine_edge", "ravine_edge"},
    {"river_center", "river_center"},
    {"river_curved_not", "river_c_not_ne"},
    {"river_curved", "river_ne"},
    {"river_shore", "river_shore"},
    {"river_straight", "river"},
    {"road", "road"},
    {"subway", "subway"},
};

/* Returns the row of the generator (the function that makes the maps) of a type, or NULL if
 * there is none. */
static const generator *generator_of(const char *type)
{
    for (size_t i = 0; i < sizeof generators / sizeof generators[0]; i++)
        for (int k = 0; generators[i].types[k]; k++)
            if (strcmp(type, generators[i].types[k]) == 0)
                return &generators[i];
    return NULL;
}

bool ground_is_made(const char *type)
{
    return generator_of(type) != NULL;
}

const char *ground_type_of(const char *id, const char *builtin)
{
    if (!builtin || generator_of(id))
        return id;
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++)
        if (ground_starts(builtin, builtins[i].begin))
            return builtins[i].type;
    return id;
}

bool ground_make(local_map *map, const ground_site *site, const char *type)
{
    ground g = {.map = map, .site = site, .type = type};
    g.random = rng_from_key(hash_add(site->key, hash_string("ground")));
    const generator *found = generator_of(type);
    const bool shoals = ground_is_shoals(&g);
    if (shoals)
        make_shoals(&g);
    else if (found)
        found->make(&g);
    return shoals || found;
}

/* ---- what generators put down ---- */

uint32_t ground_id(const ground *g, const char *text)
{
    return id_pool_put(g->site->pool, text, strlen(text));
}

void ground_fill(ground *g, const char *terrain)
{
    const uint32_t id = ground_id(g, terrain);
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        g->map->terrain[i] = id;
}

void ground_clear(ground *g, int x, int y, uint32_t terrain)
{
    ground_put(g, x, y, terrain);
    ground_furnish(g, x, y, ID_NONE);
}

void ground_items(ground *g, uint32_t group, int32_t chance)
{
    enum { ALL = 100 };
    if ((int32_t)rng_below(&g->random, ALL) >= chance || group == ID_NONE)
        return;
    const int x = (int)rng_below(&g->random, LOCAL_SIDE);
    const int y = (int)rng_below(&g->random, LOCAL_SIDE);
    ground_add(g->map, x, y, x, y,
               (local_entity){.kind = LOCAL_ITEM_GROUP, .id = group, .count = 1});
}

void ground_place(ground *g, local_kind kind, const char *id, int x, int y)
{
    ground_add(g->map, x, y, x, y,
               (local_entity){.kind = kind, .id = ground_id(g, id), .count = 1});
}

void ground_monsters(ground *g, const char *group, int32_t budget, int x, int y, int x2, int y2)
{
    ground_add(g->map, x, y, x2, y2,
               (local_entity){.kind = LOCAL_MONSTER_GROUP,
                              .id = ground_id(g, group),
                              .count = -1,
                              .charges = budget > 0 ? budget : 0});
}

/* ---- neighbours ---- */

void ground_add(local_map *map, int x, int y, int x2, int y2, local_entity e)
{
    e.x = (uint8_t)x;
    e.y = (uint8_t)y;
    e.x2 = (uint8_t)x2;
    e.y2 = (uint8_t)y2;
    local_map_add(map, &e);
}

void ground_turn(int *x, int *y, int turns)
{
    for (int i = 0; i < turns; i++) {
        const int before = *x;
        *x = LAST - *y;
        *y = before;
    }
}

int ground_beside(int side)
{
    static const int places[GROUND_SIDES] = {1, 5, 7, 3};
    return places[side];
}

const ground_omt *ground_side(const ground *g, int side)
{
    return &g->site->around[ground_beside(side)];
}

rng ground_border_of(const ground_site *site, int side)
{
    /* Two OMTs share this border, and both must get the same random numbers for it. So these
     * follow from the place of that one of the two OMTs that lies south or east of the
     * border. */
    const int64_t x = site->x + (side == GROUND_EAST);
    const int64_t y = site->y + (side == GROUND_SOUTH);
    uint64_t key = hash_add(site->seed_key, hash_string("ground border"));
    key = hash_add(hash_add(key, (uint64_t)x), (uint64_t)y);
    key = hash_add(key, (uint64_t)(int64_t)site->z);
    return rng_from_key(hash_add(key, side == GROUND_EAST || side == GROUND_WEST));
}

bool ground_starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/*
 * Puts creatures and items into caves, ant hills, mines and the like, by ids of the games'
 * contents. Amounts are counted from the game's maps where such maps exist (schema/mapgen.md,
 * "Ground").
 */

enum { HUNDRED = 100 };

typedef enum lair_kind { MONSTERS, A_MONSTER, ITEMS, FURNITURE } lair_kind;

typedef struct lair {
    const char *type; /* the terrain's id without its direction, or the beginning of that */
    lair_kind kind;
    const char *id;
    int least, most; /* bounds of how many item groups are put down; for monsters, bounds of
                        what they cost together */
    int chance;      /* the chance, in percent, that a map gets what this row of `lairs` says */
} lair;

/* Monsters and items that code puts on maps of some terrains. A terrain gets what is said by
 * each row whose text fits the terrain's type. */
static const lair lairs[] = {{"ants_food", ITEMS, "ant_food", 0, 2, 65},
                             {"ants_food", MONSTERS, "GROUP_ANT", 1, 3, 25},
                             {"ants_larvae_acid", A_MONSTER, "mon_ant_acid_larva", 10, 10, 100},
                             {"ants_larvae", ITEMS, "ant_egg", 0, 2, 80},
                             {"ants_larvae=", A_MONSTER, "mon_ant_larva", 10, 10, 100},
                             {"ants_queen_acid", A_MONSTER, "mon_ant_acid_queen", 1, 1, 100},
                             {"ants_queen=", A_MONSTER, "mon_ant_queen", 1, 1, 100},
                             {"ants_queen", ITEMS, "ant_egg", 3, 8, 100},
                             {"acid_anthill", MONSTERS, "GROUP_ANT_ACID", 2, 6, 100},
                             {"anthill", MONSTERS, "GROUP_ANT", 2, 6, 100},
                             {"slimepit", MONSTERS, "GROUP_SLIME", 6, 12, 100},
                             {"spiral", ITEMS, "spiral", 0, 3, 100},
                             {"mine_finale", A_MONSTER, "mon_dog_thing", 1, 1, 50},
                             {"mine_finale", ITEMS, "mine_equipment", 2, 6, 100},
                             {"mine_down", ITEMS, "mine_equipment", 0, 2, 75},
                             {"mine=", FURNITURE, "f_wreckage", 6, 14, 33},
                             {"mine=", ITEMS, "mine_equipment", 0, 2, 50},
                             {"mine=", MONSTERS, "GROUP_DARK_WYRM", 1, 3, 20},
                             {"cavern", MONSTERS, "GROUP_CAVE", 1, 3, 50},
                             {"cavern", ITEMS, "cavern", 1, 3, 100},
                             {"triffid_roots", MONSTERS, "GROUP_TRIFFID", 10, 18, 100},
                             {"triffid_finale", A_MONSTER, "mon_triffid_heart", 1, 1, 100},
                             {"triffid_finale", MONSTERS, "GROUP_TRIFFID", 4, 10, 100},
                             {"spider_pit", MONSTERS, "GROUP_SPIDER", 3, 8, 100},
                             {"spider_pit_under", ITEMS, "spider", 1, 4, 100},
                             {"hive", MONSTERS, "GROUP_BEE", 4, 10, 100},
                             {"hellmouth", MONSTERS, "GROUP_NETHER", 1, 3, 50},
                             {"rift", MONSTERS, "GROUP_NETHER", 1, 4, 50}};

/* Chooses a tile of floor at random; false if some tries have found none. */
static bool draw_tile(ground *g, int *x, int *y)
{
    enum { TRIES = 40 };
    static const char *const floors[] = {"t_rock_floor", "t_dirt",      "t_slime",
                                         "t_floor_wax",  "t_grass",     "t_grass_dead",
                                         "t_floor",      "t_grass_tall"};
    for (int i = 0; i < TRIES; i++) {
        *x = rng_range(&g->random, 0, LAST);
        *y = rng_range(&g->random, 0, LAST);
        const char *here = id_pool_text(g->site->pool, ground_at(g, *x, *y));
        for (size_t k = 0; k < sizeof floors / sizeof floors[0]; k++)
            if (strcmp(here, floors[k]) == 0)
                return true;
    }
    return false;
}

void ground_inhabit(ground *g)
{
    for (size_t i = 0; i < sizeof lairs / sizeof lairs[0]; i++) {
        const lair *l = &lairs[i];
        /* Does the type of the map's terrain begin with the type in this row of `lairs`? If the
         * text in the row ends with "=", the rest of it must be the whole type. */
        const size_t size = strlen(l->type);
        const bool whole = l->type[size - 1] == '=';
        if (strncmp(g->type, l->type, size - whole) != 0 ||
            (whole && g->type[size - 1] != '\0') ||
            (int)rng_below(&g->random, HUNDRED) >= l->chance)
            continue;
        const int count = rng_range(&g->random, l->least, l->most);
        if (l->kind == MONSTERS)
            ground_monsters(g, l->id, count, 0, 0, LAST, LAST);
        for (int k = 0; k < count && l->kind != MONSTERS; k++) {
            int x = 0, y = 0;
            if (!draw_tile(g, &x, &y))
                continue;
            if (l->kind == FURNITURE)
                ground_furnish(g, x, y, ground_id(g, l->id));
            else
                ground_place(g, l->kind == ITEMS ? LOCAL_ITEM_GROUP : LOCAL_MONSTER, l->id, x,
                             y);
        }
    }
}
