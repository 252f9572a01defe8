/*
 * Ground that only some games have: shores of the sea and of rivers of any form, and parking
 * lots with what stands on them; trails. And which way vehicles on other roads may face.
 */
#include "mapgen/ground/ground.h"
#include "mapgen/groups/groups.h"
#include "support/suite.h"
#include "json/reader.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static id_pool *pool;
static ground_settings settings;

static void set_up(void)
{
    pool = id_pool_new();
    ck_assert(pool);
}

static void tear_down(void)
{
    id_pool_free(pool);
}

/* A site of a type in a field; z below 0: among rock. */
static ground_site site_of(const char *type, int z, uint64_t seed)
{
    ground_site s = {
        .settings = &settings, .pool = pool, .z = z, .seed_key = seed, .key = seed};
    for (int i = 0; i < GROUND_AROUND; i++)
        s.around[i] = (ground_omt){.id = "field", .type = "field"};
    s.around[GROUND_MIDDLE] = (ground_omt){.id = type, .type = type, .water = true};
    s.above = s.below = (ground_omt){.id = "", .type = ""};
    return s;
}

static const char *terrain_at(const local_map *map, int x, int y)
{
    return id_pool_text(pool, map->terrain[y * LOCAL_SIDE + x]);
}

/* From land in the north to open water in the south: what comes, in this order and all of it.
 */
static void check_shore(const char *type, int z, const char *water, const char *const *bands,
                        int count)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        ground_site s = site_of(type, z, seed);
        local_map map;
        int last = 0;
        bool seen[4] = {false};
        for (int i = 6; i < GROUND_AROUND; i++)
            s.around[i] = (ground_omt){.id = water, .type = water, .water = true};
        s.around[3] = s.around[5] = s.around[GROUND_MIDDLE];
        local_map_init(&map);
        ck_assert(ground_make(&map, &s, type));
        for (int y = 0; y < LOCAL_SIDE; y++) { /* at its border a shore is not rough */
            int band = 0;
            while (band < count && strcmp(terrain_at(&map, 0, y), bands[band]) != 0)
                band++;
            ck_assert_msg(band < count, "%s: %s", type, terrain_at(&map, 0, y));
            ck_assert_int_ge(band, last);
            seen[band] = true;
            last = band;
        }
        for (int i = 0; i < count; i++)
            ck_assert_msg(seen[i], "%s: no %s", type, bands[i]);
        local_map_dispose(&map);
    }
}

static int dirt_of_trail(uint64_t seed)
{
    local_map map;
    int dirt = 0;
    ground_site s = site_of("forest_trail", 0, seed);
    s.around[GROUND_MIDDLE].line = 15;
    local_map_init(&map);
    ck_assert(ground_make(&map, &s, "forest_trail"));
    for (int i = 0; i < LOCAL_CELLS; i++)
        dirt += strcmp(terrain_at(&map, i % LOCAL_SIDE, i / LOCAL_SIDE), "t_dirt") == 0;
    local_map_dispose(&map);
    return dirt;
}

/* A region that says nothing of trails has those of the games: over many seeds as much of a map
 * is a trail as with the games' numbers. */
START_TEST(trails_need_no_settings)
{
    enum { TRAILS = 100 };
    int stated = 0, usual = 0;
    for (uint64_t seed = 0; seed < TRAILS; seed++)
        usual += dirt_of_trail(seed);
    settings.trail = (ground_trail){.variance = 3, .width_min = 1, .width_max = 3};
    for (uint64_t seed = 0; seed < TRAILS; seed++)
        stated += dirt_of_trail(seed);
    settings.trail = (ground_trail){0};
    ck_assert_int_gt(stated, TRAILS * LOCAL_SIDE);
    ck_assert_int_eq(usual, stated);
}
END_TEST

START_TEST(shores_go_down_to_the_water)
{
    static const char *const sea[] = {"t_sand", "t_swater_surf", "t_swater_sh", "t_swater_dp"};
    static const char *const below[] = {"t_rock", "t_water_cube"};
    check_shore("ocean_shore", 0, "ocean_surface", sea, 4);
    check_shore("lake_shore", -1, "lake_water_cube", below, 2);
}
END_TEST

/* The way in of a lot lies towards the road; with two of them the turns add up. */
START_TEST(a_lot_opens_to_the_road)
{
    static const struct {
        int roads[2]; /* places around */
        int x, y;     /* of a tile of the way in */
    } cases[] = {
        {{1, 1}, 12, 0}, {{5, 5}, 23, 12}, {{7, 7}, 12, 23}, {{3, 3}, 0, 12}, {{5, 7}, 0, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ground_site s = site_of("s_lot", 0, i);
        ground_road road;
        local_map map;
        int lines = 0;
        for (int k = 0; k < 2; k++)
            s.around[cases[i].roads[k]] = (ground_omt){.id = "road_ns", .type = "road"};
        local_map_init(&map);
        ck_assert(ground_make(&map, &s, "s_lot"));
        ck_assert_str_eq(terrain_at(&map, cases[i].x, cases[i].y), "t_pavement");
        for (int c = 0; c < LOCAL_CELLS; c++)
            lines +=
                map.terrain[c] == id_pool_put(pool, "t_pavement_y", strlen("t_pavement_y"));
        ck_assert_int_eq(lines, 65);
        ck_assert(ground_road_of(&road, &s, "s_lot"));
        ck_assert_str_eq(road.spawn, "default_parkinglot");
        local_map_dispose(&map);
    }
}
END_TEST

static void add_traffic(mapgen_groups *traffic, const char *text)
{
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    ck_assert(reader && json_reader_whole(reader, text, strlen(text), NULL));
    const json_document document = json_reader_document(reader);
    ck_assert(mapgen_groups_add(traffic, json_view_of(&document)));
    json_reader_free(reader);
}

/* One to four vehicles, each in a place, none on another. */
START_TEST(vehicles_stand_in_places)
{
    static const char text[] =
        "{\"type\":\"vehicle_spawn\",\"id\":\"default_parkinglot\",\"spawn_types\":"
        "[{\"weight\":100,\"vehicle_function\":\"parkinglot\"}]}";
    mapgen_groups *traffic = mapgen_groups_new(pool);
    ck_assert_ptr_nonnull(traffic);
    add_traffic(traffic, text);
    size_t least = 9, most = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        mapgen_parked parked[MAPGEN_PARKED_MAX];
        rng random = rng_from_key(seed);
        const size_t count =
            mapgen_traffic_draw(parked, traffic, &random, "default_parkinglot", "parkinglot");
        least = count < least ? count : least;
        most = count > most ? count : most;
        for (size_t i = 0; i < count; i++) {
            const int x = parked[i].x, y = parked[i].y;
            ck_assert(x == 4 || x == 5 || x == 19 || x == 20);
            ck_assert(y >= 2 && y <= 20 && (y - 1) % 4 != 0);
            ck_assert(parked[i].facing == 0 || parked[i].facing == 180);
            ck_assert_str_eq(id_pool_text(pool, parked[i].vehicle), "parkinglot");
            for (size_t k = 0; k < i; k++)
                ck_assert(parked[k].x != x || parked[k].y != y);
        }
    }
    ck_assert_uint_eq(least, 1);
    ck_assert_uint_ge(most, 3);
    mapgen_groups_free(traffic);
}
END_TEST

/* A location may name any number of facings: of more than four, the first four count. */
START_TEST(at_most_four_facings_count)
{
    enum { COUNTED = 4, STEP = 30 };
    const int count = _i, counted = count < COUNTED ? count : COUNTED;
    char list[64] = "", text[256];
    bool seen[COUNTED] = {false};
    mapgen_groups *traffic = mapgen_groups_new(pool);
    ck_assert_ptr_nonnull(traffic);
    for (int i = 0; i < count; i++) {
        const size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, "%s%d", i ? "," : "", STEP * (i + 1));
    }
    snprintf(text, sizeof text,
             "{\"type\":\"vehicle_placement\",\"id\":\"lane\",\"locations\":"
             "[{\"x\":3,\"y\":4,\"facing\":[%s]}]}",
             list);
    add_traffic(traffic, text);
    add_traffic(traffic, "{\"type\":\"vehicle_spawn\",\"id\":\"road\",\"spawn_types\":"
                         "[{\"weight\":1,\"vehicle_json\":"
                         "{\"vehicle\":\"car\",\"placement\":\"%t\"}}]}");
    for (uint64_t seed = 0; seed < 200; seed++) {
        mapgen_parked parked[MAPGEN_PARKED_MAX];
        rng random = rng_from_key(seed);
        ck_assert_uint_eq(mapgen_traffic_draw(parked, traffic, &random, "road", "lane"), 1);
        const int facing = parked[0].facing, i = facing / STEP - 1;
        ck_assert_msg(facing % STEP == 0 && i >= 0 && i < counted, "%d of %s", facing, list);
        seen[i] = true;
    }
    for (int i = 0; i < counted; i++)
        ck_assert_msg(seen[i], "not %d of %s", STEP * (i + 1), list);
    mapgen_groups_free(traffic);
}
END_TEST

/* A terrain that names one of the games' own mapgens is made as the game's own is. */
START_TEST(own_mapgens_are_known_by_their_names)
{
    ck_assert_str_eq(ground_type_of("lab_subway", "subway_curved"), "subway");
    ck_assert_str_eq(ground_type_of("lake_underwater_shore", "lake_shore"), "lake_shore");
    ck_assert_str_eq(ground_type_of("my_rails", "railroad_bridge"), "railroad_bridge");
    ck_assert_str_eq(ground_type_of("my_path", "forest_trail_tee"), "forest_trail");
    ck_assert_str_eq(ground_type_of("forest_thick", "forest"), "forest_thick");
    ck_assert_str_eq(ground_type_of("house", NULL), "house");
    ck_assert_str_eq(ground_type_of("house", "other"), "house");
    ck_assert(ground_is_made("s_lot") && !ground_is_made("house"));
    ck_assert(ground_is_lab("lab_finale") && !ground_is_lab("labyrinth"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen shores");
    TCase *tc = tcase_create("shores and lots");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, trails_need_no_settings);
    tcase_add_test(tc, shores_go_down_to_the_water);
    tcase_add_test(tc, a_lot_opens_to_the_road);
    tcase_add_test(tc, vehicles_stand_in_places);
    tcase_add_loop_test(tc, at_most_four_facings_count, 1, 10);
    tcase_add_test(tc, own_mapgens_are_known_by_their_names);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
