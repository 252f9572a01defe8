/*
 * Ground generators: over many seeds two neighbours meet at their border, whatever their
 * shapes; a map is a function of its site; golden maps stay as they are.
 */
#include "mapgen/ground/ground.h"
#include "model/local_map.h"
#include "support/golden.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "json/reader.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST = LOCAL_SIDE - 1, SHAPES = 16, EAST = 2, WEST = 8, SEEDS = 40 };

static id_pool *pool;
static arena *memory;
static ground_settings settings;

static const char *const blocks[][2] = {
    {"default_groundcover", "[[\"t_region_cover\",1]]"},
    {"region_terrain_and_furniture",
     "{\"terrain\":{\"t_region_cover\":{\"t_grass\":12,\"t_grass_dead\":2},"
     "\"t_region_tree\":{\"t_tree\":2,\"t_region_more\":1},\"t_region_more\":{\"t_pine\":1},"
     "\"t_region_loop\":{\"t_region_loop\":1}},"
     "\"furniture\":{\"f_region_water_plant\":{\"f_cattails\":1}}}"},
    {"field_coverage",
     "{\"percent_coverage\":2.0,\"default_ter\":\"t_shrub\",\"other\":{\"f_weed\":60},"
     "\"boost_chance\":10,\"boosted_percent_coverage\":9.5,\"boosted_other\":{\"t_berry\":1},"
     "\"boosted_other_percent\":50}"},
    {"forest_mapgen_settings",
     "{\"forest\":{\"item_group\":\"forest\",\"item_group_chance\":60,"
     "\"item_spawn_iterations\":1,\"groundcover\":{\"t_moss\":1},\"components\":{"
     "\"later\":{\"sequence\":1,\"chance\":2,\"types\":{\"f_weed\":1}},"
     "\"trees\":{\"sequence\":0,\"chance\":4,\"types\":{\"t_region_tree\":1}}},"
     "\"terrain_furniture\":{\"t_moss\":{\"chance\":9,\"furniture\":{\"f_stone\":1}}}},"
     "\"forest_thick\":{\"groundcover\":{\"t_moss\":1},\"components\":{"
     "\"trees\":{\"sequence\":0,\"chance\":2,\"types\":{\"t_tree\":1}}}}}"},
    {"forest_trail_settings",
     "{\"trail_center_variance\":3,\"trail_width_offset_min\":1,\"trail_width_offset_max\":3,"
     "\"trail_terrain\":{\"t_dirt\":1}}"},
    {"weather", "{\"base_temperature\":6}"}};

static void set_up(void)
{
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    pool = id_pool_new();
    memory = arena_new();
    settings = (ground_settings){0};
    ck_assert(reader && pool && memory);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        ck_assert(json_reader_whole(reader, blocks[i][1], strlen(blocks[i][1]), NULL));
        const json_document document = json_reader_document(reader);
        ck_assert(ground_settings_read(&settings, pool, memory, blocks[i][0],
                                       json_view_of(&document)));
    }
    json_reader_free(reader);
}

static void tear_down(void)
{
    arena_free(memory);
    id_pool_free(pool);
}

static uint32_t id_of(const char *text)
{
    return id_pool_put(pool, text, strlen(text));
}

static ground_omt omt(const char *type, uint8_t line, uint8_t turns)
{
    return (ground_omt){.id = type, .type = type, .line = line, .turns = turns};
}

static ground_site site_at(int64_t x, int64_t y, uint64_t seed, ground_omt middle)
{
    ground_site s = {.settings = &settings, .pool = pool, .x = x, .y = y, .seed_key = seed};
    s.key = hash_add(hash_add(seed, (uint64_t)x), (uint64_t)y);
    for (int i = 0; i < GROUND_AROUND; i++)
        s.around[i] = omt("field", 0, 0);
    s.around[GROUND_MIDDLE] = middle;
    s.above = s.below = omt("", 0, 0);
    return s;
}

static void make(local_map *map, const ground_site *s)
{
    local_map_init(map);
    ck_assert_msg(ground_make(map, s, s->around[GROUND_MIDDLE].type), "no ground for %s",
                  s->around[GROUND_MIDDLE].type);
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        if (map->terrain[i] == ID_NONE)
            ck_abort_msg("a tile of %s is empty", s->around[GROUND_MIDDLE].type);
}

/* Two maps side by side, of which each is the other's neighbour. */
typedef struct pair {
    local_map west, east;
} pair;

static void make_pair(pair *p, ground_omt west, ground_omt east, uint64_t seed)
{
    ground_site a = site_at(5, 7, seed, west), b = site_at(6, 7, seed, east);
    a.around[5] = east;
    b.around[3] = west;
    make(&p->west, &a);
    make(&p->east, &b);
}

static void dispose_pair(pair *p)
{
    local_map_dispose(&p->west);
    local_map_dispose(&p->east);
}

static bool is_one_of(uint32_t id, const char *const *names)
{
    bool found = false;
    for (size_t i = 0; names[i] && !found; i++)
        found = id == id_of(names[i]);
    return found;
}

/* Calls back for each two shapes of which the west one leads east, and the other one west. */
static void each_pair(const char *type, void (*look)(const pair *p))
{
    const uint64_t count = (uint64_t)test_seeds(SEEDS);
    for (uint64_t seed = 0; seed < count; seed++)
        for (uint8_t a = 0; a < SHAPES; a++)
            for (uint8_t b = 0; b < SHAPES; b++) {
                pair p;
                if (!(a & EAST) || !(b & WEST) ||
                    (seed > 0 && ((unsigned)a * SHAPES + b + seed) % 7))
                    continue;
                make_pair(&p, omt(type, a, 0), omt(type, b, 0), seed);
                look(&p);
                dispose_pair(&p);
            }
}

/* ---- roads, tracks, sewers, trails ---- */

static void look_at_road(const pair *p)
{
    static const char *const paved[] = {"t_pavement", "t_pavement_y", "t_zebra", NULL};
    for (int y = 4; y < LOCAL_SIDE - 4; y++) {
        ck_assert(is_one_of(p->west.terrain[y * LOCAL_SIDE + LAST], paved));
        ck_assert(is_one_of(p->east.terrain[y * LOCAL_SIDE], paved));
    }
}

START_TEST(roads_meet)
{
    each_pair("road", look_at_road);
}
END_TEST

static void look_at_rails(const pair *p)
{
    static const char *const rails[] = {"t_railroad_track", "t_railroad_track_on_tie",
                                        "t_railroad_track_d", NULL};
    static const int rows[] = {4, 8, 15, 19};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert(is_one_of(p->west.terrain[rows[i] * LOCAL_SIDE + LAST], rails));
        ck_assert(is_one_of(p->east.terrain[rows[i] * LOCAL_SIDE], rails));
    }
}

START_TEST(tracks_meet)
{
    each_pair("subway", look_at_rails);
    each_pair("railroad", look_at_rails);
}
END_TEST

static void look_at_sewer(const pair *p)
{
    for (int y = 0; y < LOCAL_SIDE; y++) {
        const bool channel = y >= 10 && y <= 13;
        ck_assert(channel == (p->west.terrain[y * LOCAL_SIDE + LAST] == id_of("t_sewage")));
        ck_assert(channel == (p->east.terrain[y * LOCAL_SIDE] == id_of("t_sewage")));
    }
}

START_TEST(sewers_meet)
{
    each_pair("sewer", look_at_sewer);
}
END_TEST

static void look_at_trail(const pair *p)
{
    int both = 0;
    for (int y = 0; y < LOCAL_SIDE; y++)
        both += p->west.terrain[y * LOCAL_SIDE + LAST] == id_of("t_dirt") &&
                p->east.terrain[y * LOCAL_SIDE] == id_of("t_dirt");
    ck_assert_int_gt(both, 0);
}

START_TEST(trails_meet)
{
    each_pair("forest_trail", look_at_trail);
}
END_TEST

/* ---- water ---- */

static bool is_water(uint32_t id)
{
    static const char *const water[] = {"t_water_moving_sh", "t_water_moving_dp", "t_water_sh",
                                        "t_water_dp", NULL};
    return is_one_of(id, water);
}

/* Banks of straight rivers are equally deep at the border. */
START_TEST(banks_meet)
{
    const uint64_t count = (uint64_t)test_seeds(SEEDS);
    for (uint64_t seed = 0; seed < count; seed++)
        for (uint8_t turns = 0; turns < 4; turns += 2) {
            pair p;
            make_pair(&p, omt("river", 0, turns), omt("river", 0, turns), seed);
            for (int y = 0; y < LOCAL_SIDE; y++) {
                const uint32_t a = p.west.terrain[y * LOCAL_SIDE + LAST];
                const uint32_t b = p.east.terrain[y * LOCAL_SIDE];
                ck_assert(is_water(a) == is_water(b));
                ck_assert((a == id_of("t_water_moving_dp")) ==
                          (b == id_of("t_water_moving_dp")));
            }
            dispose_pair(&p);
        }
}
END_TEST

/* Where the shore crosses the border it is at most two tiles away in the next map. */
START_TEST(shores_meet)
{
    const uint64_t count = (uint64_t)test_seeds(SEEDS);
    for (uint64_t seed = 0; seed < count; seed++)
        for (int far = 0; far < 4; far++) {
            ground_omt shore = omt("lake_shore", 0, 0), lake = omt("lake_surface", 0, 0);
            shore.water = lake.water = true;
            ground_site a = site_at(0, 0, seed, shore), b = site_at(1, 0, seed, shore);
            /* Land in the north; what lies beyond, west and east, is land or water. */
            a.around[5] = b.around[3] = shore;
            a.around[7] = a.around[8] = b.around[6] = b.around[7] = lake;
            a.around[6] = a.around[3] = far & 1 ? lake : omt("field", 0, 0);
            b.around[8] = b.around[5] = far & 2 ? lake : omt("field", 0, 0);
            pair p;
            make(&p.west, &a);
            make(&p.east, &b);
            int west = 0, east = 0;
            for (int y = 0; y < LOCAL_SIDE; y++) {
                west += is_water(p.west.terrain[y * LOCAL_SIDE + LAST]);
                east += is_water(p.east.terrain[y * LOCAL_SIDE]);
            }
            ck_assert_int_gt(west, 0);
            ck_assert_int_lt(west, LOCAL_SIDE);
            ck_assert_int_le(abs(west - east), 2);
            dispose_pair(&p);
        }
}
END_TEST

/* ---- settings in objects of their own ---- */

/* What the blocks above say of pseudo ids and forests, as DDA has said it since 2026. */
static const char *const parts[] = {
    "{\"type\":\"region_terrain_furniture\",\"id\":\"cover\",\"ter_id\":\"t_region_cover\","
    "\"replace_with_terrain\":[[\"t_lost\",1]]}",
    "{\"type\":\"region_terrain_furniture\",\"id\":\"cover\",\"ter_id\":\"t_region_cover\","
    "\"replace_with_terrain\":[[\"t_grass\",12],[\"t_grass_dead\",2]]}",
    "{\"type\":\"region_terrain_furniture\",\"id\":\"tree\",\"ter_id\":\"t_region_tree\","
    "\"replace_with_terrain\":[[\"t_tree\",2],[\"t_region_more\",1]]}",
    "{\"type\":\"region_terrain_furniture\",\"id\":\"more\",\"ter_id\":\"t_region_more\","
    "\"replace_with_terrain\":[[\"t_pine\",1]]}",
    "{\"type\":\"region_terrain_furniture\",\"id\":\"plant\",\"furn_id\":\"f_region_water_"
    "plant\","
    "\"replace_with_furniture\":[[\"f_cattails\",1]]}",
    "{\"type\":\"region_terrain_furniture\",\"id\":\"unused\",\"ter_id\":\"t_region_unused\","
    "\"replace_with_terrain\":[[\"t_pine\",1]]}",
    "{\"type\":\"forest_biome_component\",\"id\":\"later\",\"sequence\":1,\"chance\":2,"
    "\"types\":[[\"f_weed\",1]]}",
    "{\"type\":\"forest_biome_component\",\"id\":\"trees\",\"sequence\":0,\"chance\":4,"
    "\"types\":[[\"t_region_tree\",1]]}",
    "{\"type\":\"forest_biome_mapgen\",\"id\":\"biome\",\"terrains\":[\"orchard\",\"forest\"],"
    "\"item_group\":\"forest\",\"item_group_chance\":60,\"item_spawn_iterations\":1,"
    "\"groundcover\":[[\"t_moss\",1]],\"components\":[\"later\",\"trees\",\"nowhere\"],"
    "\"terrain_furniture\":{\"t_moss\":{\"chance\":9,\"furniture\":[[\"f_stone\",1]]}}}"};
static const char *const listing[][2] = {
    {"default_groundcover", "[[\"t_region_cover\",1]]"},
    {"region_terrain_and_furniture",
     "{\"ter_furn\":[\"cover\",\"tree\",\"more\",\"plant\",\"nowhere\"]}"},
    {"forest_mapgen_settings", "{\"biomes\":[\"nowhere\",\"biome\"]}"}};

static void read_listing(ground_settings *out)
{
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    ck_assert(reader != NULL);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        ck_assert(json_reader_whole(reader, parts[i], strlen(parts[i]), NULL));
        const json_document document = json_reader_document(reader);
        ck_assert(ground_settings_add_part(out, pool, memory, json_view_of(&document)));
    }
    for (size_t i = 0; i < sizeof listing / sizeof listing[0]; i++) {
        ck_assert(json_reader_whole(reader, listing[i][1], strlen(listing[i][1]), NULL));
        const json_document document = json_reader_document(reader);
        ck_assert(
            ground_settings_read(out, pool, memory, listing[i][0], json_view_of(&document)));
    }
    json_reader_free(reader);
}

/* A forest among forests is the same, in whichever form its settings are stated. */
START_TEST(parts_say_what_blocks_do)
{
    ground_settings other = {0};
    read_listing(&other);
    ck_assert(ground_pseudo_of(&other, id_of("t_region_unused")) == NULL);
    rng random = rng_from_key(1);
    ck_assert_uint_eq(ground_resolve(&other, &random, id_of("f_region_water_plant")),
                      id_of("f_cattails"));
    for (uint64_t seed = 0; seed < 8; seed++) {
        ground_site a = site_at(3, 3, seed, omt("forest", 0, 0));
        for (int i = 0; i < GROUND_AROUND; i++)
            a.around[i] = omt("forest", 0, 0);
        ground_site b = a;
        local_map one, two;
        b.settings = &other;
        make(&one, &a);
        make(&two, &b);
        ck_assert_mem_eq(one.terrain, two.terrain, sizeof one.terrain);
        ck_assert_mem_eq(one.furniture, two.furniture, sizeof one.furniture);
        ck_assert_uint_eq(one.count, two.count);
        local_map_dispose(&one);
        local_map_dispose(&two);
    }
}
END_TEST

/* ---- palettes ---- */

static uint16_t weight_in(const local_palette_plane *p, const char *id)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->ids[i] == id_of(id))
            return p->weights[i];
    return 0;
}

/* What maps are, and what is counted of some, are not far from each other; and all that a
 * forest has by its settings is in its palette. */
START_TEST(a_palette_has_what_its_forest_has)
{
    local_palette palette;
    const uint32_t id = ground_palette(&settings, pool, "forest");
    ck_assert(local_palette_take(&palette, pool, id_pool_text(pool, id)));
    const local_palette_plane *terrain = &palette.planes[LOCAL_PALETTE_TERRAIN];
    const local_palette_plane *furniture = &palette.planes[LOCAL_PALETTE_FURNITURE];
    ck_assert_uint_eq(terrain->count, 3);
    ck_assert_uint_eq(furniture->count, 2);
    ck_assert_uint_eq(terrain->ids[0], id_of("t_moss"));
    ck_assert_uint_eq(furniture->ids[0], id_of("f_weed"));
    /* A quarter of the tiles is trees, two thirds of them t_tree. */
    const uint16_t trees = weight_in(terrain, "t_tree"), pines = weight_in(terrain, "t_pine");
    const uint16_t all = (uint16_t)(trees + pines + weight_in(terrain, "t_moss"));
    ck_assert(8 * trees > all && 5 * trees < all);
    ck_assert(pines > trees / 3 && pines < trees);
    const uint16_t weeds = weight_in(furniture, "f_weed"),
                   stones = weight_in(furniture, "f_stone");
    ck_assert(weeds > 3 * stones && weeds < 6 * stones);
    ck_assert_uint_eq(ground_palette(&settings, pool, "forest"), id);
    ck_assert_uint_ne(ground_palette(&settings, pool, "forest_thick"), id);
    ck_assert_uint_eq(ground_palette(&settings, pool, "field"), ID_NONE);
    ck_assert_uint_eq(ground_palette(&settings, pool, "house"), ID_NONE);
}
END_TEST

/* Numbers of a pool depend on what was put in before: the text does not. */
START_TEST(a_palette_is_the_same_in_any_pool)
{
    id_pool *own = pool;
    const char *first = id_pool_text(own, ground_palette(&settings, own, "forest"));
    ground_settings again = {0};
    pool = id_pool_new();
    (void)(id_of("f_stone") + id_of("t_pine") + id_of("f_weed") + id_of("t_tree"));
    read_listing(&again); /* the same forest, listed otherwise */
    ck_assert_str_eq(id_pool_text(pool, ground_palette(&again, pool, "forest")), first);
    id_pool_free(own);
}
END_TEST

/* ---- below the ground ---- */

static const char *const sorts[] = {"ants_food",     "mine",      "slimepit", "cavern",
                                    "triffid_roots", "lab",       "spiral",   "central_lab",
                                    "temple",        "ants_queen"};

static bool is_free(uint32_t id)
{
    static const char *const solid[] = {"t_rock", "t_root_wall", "t_concrete_wall",
                                        "t_brick_wall", NULL};
    return !is_one_of(id, solid);
}

/* One can walk from one map into the next. */
START_TEST(ways_below_meet)
{
    const uint64_t count = (uint64_t)test_seeds(SEEDS);
    for (uint64_t seed = 0; seed < count; seed++)
        for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
            pair p;
            int both = 0;
            make_pair(&p, omt(sorts[i], 0, 0), omt(sorts[i], 0, 0), seed);
            for (int y = 0; y < LOCAL_SIDE; y++)
                both += is_free(p.west.terrain[y * LOCAL_SIDE + LAST]) &&
                        is_free(p.east.terrain[y * LOCAL_SIDE]);
            ck_assert_msg(both > 0, "%s: there is no way", sorts[i]);
            dispose_pair(&p);
        }
}
END_TEST

static void look_at_tunnel(const pair *p)
{
    int both = 0;
    for (int y = 0; y < LOCAL_SIDE; y++)
        both += is_free(p->west.terrain[y * LOCAL_SIDE + LAST]) &&
                is_free(p->east.terrain[y * LOCAL_SIDE]);
    ck_assert_int_gt(both, 0);
}

START_TEST(tunnels_meet)
{
    each_pair("ants", look_at_tunnel);
}
END_TEST

static int place_of(const local_map *map, const char *terrain)
{
    int found = -1;
    for (int i = 0; i < LOCAL_CELLS; i++)
        if (map->terrain[i] == id_of(terrain)) {
            ck_assert_int_eq(found, -1);
            found = i;
        }
    return found;
}

/* What leads down stands where, one level below, something leads up. */
START_TEST(stairs_line_up)
{
    static const struct {
        const char *upper, *lower, *down, *up;
    } levels[] = {{"triffid_roots", "triffid_finale", "t_slope_down", "t_slope_up"},
                  {"anthill", "ants_queen", "t_slope_down", "t_slope_up"},
                  {"mine_entrance", "mine_shaft", "t_ladder_down", "t_ladder_up"},
                  {"slimepit_down", "slimepit", "t_slope_down", "t_slope_up"},
                  {"temple_stairs", "temple_stairs", "t_stairs_down", "t_stairs_up"}};
    const uint64_t count = (uint64_t)test_seeds(SEEDS);
    for (uint64_t seed = 0; seed < count; seed++)
        for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
            ground_site a = site_at(2, 2, seed, omt(levels[i].upper, 0, 0));
            ground_site b = site_at(2, 2, seed, omt(levels[i].lower, 0, 0));
            a.z = -2;
            b.z = -3;
            a.below = omt(levels[i].lower, 0, 0);
            b.above = omt(levels[i].upper, 0, 0);
            b.below = omt("rock", 0, 0);
            local_map upper, lower;
            make(&upper, &a);
            make(&lower, &b);
            const int place = place_of(&upper, levels[i].down);
            ck_assert_int_ge(place, 0);
            ck_assert_int_eq(place_of(&lower, levels[i].up), place);
            local_map_dispose(&upper);
            local_map_dispose(&lower);
        }
}
END_TEST

/* ---- sidewalks ---- */

START_TEST(sidewalks_hang_on_neighbours)
{
    enum { NORTH_SOUTH = 5, WEST_SIDE = 3, CORNER = 0 };
    for (int which = -1; which < GROUND_AROUND; which++) {
        ground_site s = site_at(0, 0, 3, omt("road", NORTH_SOUTH, 0));
        if (which == GROUND_MIDDLE)
            continue;
        if (which >= 0)
            s.around[which].sidewalk = true;
        local_map map;
        make(&map, &s);
        const bool west = map.terrain[5 * LOCAL_SIDE] == id_of("t_sidewalk");
        const bool east = map.terrain[5 * LOCAL_SIDE + LAST] == id_of("t_sidewalk");
        /* The northern half of each strip, by the neighbours beside it and ahead. */
        ck_assert_int_eq(west, which == 0 || which == 1 || which == WEST_SIDE);
        ck_assert_int_eq(east, which == 1 || which == 2 || which == 5);
        local_map_dispose(&map);
    }
}
END_TEST

/* ---- all ---- */

static const struct {
    const char *type;
    uint8_t line, turns;
} golden[] = {{"field", 0, 0},
              {"forest", 0, 0},
              {"forest_thick", 0, 0},
              {"forest_trail", 11, 0},
              {"road", 5, 0},
              {"road", 3, 0},
              {"road", 7, 0},
              {"road", 15, 0},
              {"road", 8, 0},
              {"road_nesw_manhole", 0, 0},
              {"subway", 12, 0},
              {"subway", 14, 0},
              {"railroad", 1, 0},
              {"railroad_bridge", 0, 1},
              {"sewer", 6, 0},
              {"river", 0, 3},
              {"river_ne", 0, 0},
              {"river_c_not_sw", 0, 0},
              {"lake_shore", 0, 0},
              {"hiway_ew", 0, 0},
              {"empty_rock", 0, 0},
              {"ants", 6, 0},
              {"ants_queen", 0, 0},
              {"mine", 0, 0},
              {"mine_shaft", 0, 0},
              {"slimepit", 0, 0},
              {"spiral", 0, 0},
              {"triffid_roots", 0, 0},
              {"lab_stairs", 0, 0},
              {"temple", 0, 0},
              {"looted_building", 0, 0},
              {"crater", 0, 0},
              {"anthill", 0, 0},
              {"spider_pit", 0, 0},
              {"mine_entrance", 0, 0},
              {"hive", 0, 0},
              {"hellmouth", 0, 0},
              {"ravine_edge", 0, 0},
              {"ravine_floor_edge", 0, 0},
              {"rock", 0, 0}};

enum { GOLDEN = sizeof golden / sizeof golden[0] };

static uint64_t digest_of(const local_map *map)
{
    uint64_t key = 0;
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        key = hash_add(key, hash_string(id_pool_text(pool, map->terrain[i])));
        key = hash_add(key, hash_string(id_pool_text(pool, map->furniture[i])));
    }
    for (size_t i = 0; i < map->count; i++) {
        const local_entity *e = &map->entities[i];
        key = hash_add(key, hash_string(id_pool_text(pool, e->id)));
        key = hash_add(key, (uint64_t)e->x << 16 | (uint64_t)e->y << 8 | (uint64_t)e->kind);
    }
    return key;
}

static ground_site golden_site(int n, uint64_t seed)
{
    ground_site s = site_at(3, -4, seed, omt(golden[n].type, golden[n].line, golden[n].turns));
    s.around[1].sidewalk = s.around[6].sidewalk = true;
    s.around[1].water = true;
    return s;
}

static void describe(char *line, size_t size, int n)
{
    local_map map;
    const ground_site s = golden_site(n, 11);
    make(&map, &s);
    snprintf(line, size, "%s %d %d things %zu digest %016llx\n", golden[n].type, golden[n].line,
             golden[n].turns, map.count, (unsigned long long)digest_of(&map));
    local_map_dispose(&map);
}

START_TEST(golden_ground)
{
    golden_lines("ground.txt", GOLDEN, describe);
}
END_TEST

/* The same site, the same map; another seed, another one where anything is drawn. */
START_TEST(a_map_is_a_function_of_its_site)
{
    for (int n = 0; n < GOLDEN; n++) {
        local_map a, b, other;
        const ground_site s = golden_site(n, 1), t = golden_site(n, 2);
        make(&a, &s);
        make(&other, &t);
        make(&b, &s);
        ck_assert_uint_eq(digest_of(&a), digest_of(&b));
        if (strcmp(golden[n].type, "field") == 0)
            ck_assert_uint_ne(digest_of(&a), digest_of(&other));
        local_map_dispose(&a);
        local_map_dispose(&b);
        local_map_dispose(&other);
    }
}
END_TEST

START_TEST(what_nobody_makes_is_told)
{
    local_map map;
    const ground_site s = site_at(0, 0, 1, omt("house", 0, 0));
    local_map_init(&map);
    ck_assert(!ground_make(&map, &s, "house"));
    ck_assert_uint_eq(map.terrain[0], ID_NONE);
    local_map_dispose(&map);
}
END_TEST

/* ---- settings ---- */

START_TEST(pseudo_ids_are_resolved)
{
    rng random = rng_from_key(1);
    int pines = 0;
    for (int i = 0; i < 3000; i++) {
        const uint32_t id = ground_resolve(&settings, &random, id_of("t_region_tree"));
        ck_assert(id == id_of("t_tree") || id == id_of("t_pine"));
        pines += id == id_of("t_pine");
    }
    ck_assert_int_gt(pines, 900);
    ck_assert_int_lt(pines, 1100);
    ck_assert_uint_eq(ground_resolve(&settings, &random, id_of("t_region_loop")), ID_NONE);
    ck_assert_uint_eq(ground_resolve(&settings, &random, id_of("t_wall")), id_of("t_wall"));
}
END_TEST

/* Shares of what fields and forests have, by their settings. */
START_TEST(natural_ground_follows_its_settings)
{
    int trees = 0, weeds = 0, plants = 0;
    enum { MAPS = 300 };
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        local_map map;
        ground_site s = site_at(0, 0, seed, omt("forest", 0, 0));
        for (int i = 0; i < GROUND_AROUND; i++)
            s.around[i] = omt("forest", 0, 0);
        make(&map, &s);
        for (size_t i = 0; i < LOCAL_CELLS; i++) {
            trees += map.terrain[i] != id_of("t_moss");
            weeds += map.furniture[i] == id_of("f_weed");
        }
        local_map_dispose(&map);
        s = site_at(0, 0, seed, omt("field", 0, 0));
        make(&map, &s);
        for (size_t i = 0; i < LOCAL_CELLS; i++)
            plants += map.furniture[i] == id_of("f_weed") || map.terrain[i] == id_of("t_shrub");
        local_map_dispose(&map);
    }
    const double all = (double)MAPS * LOCAL_CELLS;
    ck_assert_double_eq_tol(trees / all, 0.25, 0.01);
    ck_assert_double_eq_tol(weeds / all, 0.375, 0.06); /* stones have taken some */
    ck_assert_double_eq_tol(plants / all, 0.9 * 0.02 + 0.1 * 0.095 / 2, 0.004);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen ground");
    TCase *c = tcase_create("ground");
    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, roads_meet);
    tcase_add_test(c, tracks_meet);
    tcase_add_test(c, sewers_meet);
    tcase_add_test(c, trails_meet);
    tcase_add_test(c, banks_meet);
    tcase_add_test(c, shores_meet);
    tcase_add_test(c, parts_say_what_blocks_do);
    tcase_add_test(c, ways_below_meet);
    tcase_add_test(c, tunnels_meet);
    tcase_add_test(c, stairs_line_up);
    tcase_add_test(c, sidewalks_hang_on_neighbours);
    tcase_add_test(c, golden_ground);
    tcase_add_test(c, a_map_is_a_function_of_its_site);
    tcase_add_test(c, what_nobody_makes_is_told);
    tcase_add_test(c, pseudo_ids_are_resolved);
    tcase_add_test(c, natural_ground_follows_its_settings);
    tcase_add_test(c, a_palette_has_what_its_forest_has);
    tcase_add_test(c, a_palette_is_the_same_in_any_pool);
    tcase_set_timeout(c, 60);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
