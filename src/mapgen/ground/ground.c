#include "mapgen/ground/ground_impl.h"

/* Which generator makes which terrains, by type (the id without direction). */
static const struct {
    const char *type;
    ground_generator *make;
} generators[] = {
    {"field", make_field},
    {"forest", make_forest},
    {"forest_thick", make_forest},
    {"forest_water", make_forest},
    {"forest_trail", make_trail},
    {"road", make_road},
    {"road_nesw_manhole", make_road},
    {"hiway_ns", make_highway},
    {"hiway_ew", make_highway},
    {"subway", make_subway},
    {"railroad", make_railroad},
    {"railroad_bridge", make_railroad},
    {"sewer", make_sewer},
    {"river", make_river},
    {"river_center", make_river},
    {"river_c_not_ne", make_river},
    {"river_c_not_nw", make_river},
    {"river_c_not_se", make_river},
    {"river_c_not_sw", make_river},
    {"river_ne", make_river},
    {"river_nw", make_river},
    {"river_se", make_river},
    {"river_sw", make_river},
    {"river_shore", make_river_shore},
    {"lake_shore", make_lake_shore},
    {"ocean_shore", make_ocean_shore},
    {"s_lot", make_parking_lot},
    {"ants", make_cave},
    {"ants_food", make_cave},
    {"ants_larvae", make_cave},
    {"ants_larvae_acid", make_cave},
    {"ants_queen", make_cave},
    {"ants_queen_acid", make_cave},
    {"cavern", make_cave},
    {"mine", make_cave},
    {"mine_down", make_cave},
    {"mine_finale", make_cave},
    {"rock", make_cave},
    {"slimepit", make_cave},
    {"slimepit_down", make_cave},
    {"spider_pit_under", make_cave},
    {"spiral", make_cave},
    {"spiral_hub", make_cave},
    {"triffid_finale", make_cave},
    {"triffid_roots", make_cave},
    {"rift", make_cave},
    {"mine_shaft", make_shaft},
    {"ants_lab", make_lab},
    {"ants_lab_stairs", make_lab},
    {"central_lab", make_lab},
    {"central_lab_core", make_lab},
    {"central_lab_finale", make_lab},
    {"central_lab_stairs", make_lab},
    {"ice_lab", make_lab},
    {"ice_lab_core", make_lab},
    {"ice_lab_finale", make_lab},
    {"ice_lab_stairs", make_lab},
    {"lab", make_lab},
    {"lab_core", make_lab},
    {"lab_finale", make_lab},
    {"lab_stairs", make_lab},
    {"tower_lab", make_lab},
    {"tower_lab_finale", make_lab},
    {"tower_lab_stairs", make_lab},
    {"temple", make_temple},
    {"temple_finale", make_temple},
    {"temple_stairs", make_temple},
    {"looted_building", make_rooms},
    {"office_tower_1", make_rooms},
    {"office_tower_1_entrance", make_rooms},
    {"office_tower_b", make_rooms},
    {"office_tower_b_entrance", make_rooms},
    {"tutorial", make_rooms},
    {"crater", make_crater},
    {"anthill", make_hill},
    {"acid_anthill", make_hill},
    {"spider_pit", make_hill},
    {"mine_entrance", make_mine_entrance},
    {"hive", make_hive},
    {"hellmouth", make_hellmouth},
    {"ravine_edge", make_ravine_edge},
    {"ravine_floor_edge", make_ravine_edge},
    {"empty_rock", make_rock},
    {"solid_earth", make_rock},
    {"deep_rock", make_rock},
    {"open_air", make_air},
    {"pd_border", make_border},
};

/* Which type's generator makes a terrain that names one of the games' own mapgens, by how
 * that name begins. */
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

/* Returns the generator of a type, or NULL if there is none. */
static ground_generator *generator_of(const char *type)
{
    for (size_t i = 0; i < sizeof generators / sizeof generators[0]; i++)
        if (strcmp(type, generators[i].type) == 0)
            return generators[i].make;
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
    if (ground_is_shoals(&g)) {
        make_shoals(&g);
        return true;
    }
    ground_generator *make = generator_of(type);
    if (make)
        make(&g);
    return make != NULL;
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
    local_entity e = {.kind = LOCAL_ITEM_GROUP, .id = group, .count = 1};
    e.x = e.x2 = (uint8_t)rng_below(&g->random, LOCAL_SIDE);
    e.y = e.y2 = (uint8_t)rng_below(&g->random, LOCAL_SIDE);
    local_map_add(g->map, &e);
}

void ground_monsters(ground *g, const char *group, int32_t budget)
{
    local_entity e = {.kind = LOCAL_MONSTER_GROUP, .id = ground_id(g, group), .count = -1};
    e.charges = budget > 0 ? budget : 0;
    e.x2 = e.y2 = LOCAL_SIDE - 1;
    local_map_add(g->map, &e);
}

/* ---- neighbours ---- */

int ground_beside(int side)
{
    static const int places[GROUND_SIDES] = {1, 5, 7, 3};
    return places[side];
}

const ground_omt *ground_side(const ground *g, int side)
{
    return &g->site->around[ground_beside(side)];
}

rng ground_border(const ground *g, int side)
{
    return ground_border_of(g->site, side);
}

rng ground_border_of(const ground_site *site, int side)
{
    /* The border is shared by two OMTs; its key is that of the one that has it on its north
     * or west side. */
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
