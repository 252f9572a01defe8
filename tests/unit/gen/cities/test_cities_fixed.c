/* Cities that the content fixes, and megacities: where they are said to be, and no others. */
#include "gen/pipeline.h"
#include "unit/gen/cities/test_cities.h"

#include <string.h>

/* By y, x of the overmap: two in one, at its border, in its corner, and on water. */
static const cat_city CITIES[] = {
    {"north", "Northton", 7, 900, {2, -3}, 100, 0, 9},
    {"a", "Alpha", 1, 5000, {0, 0}, 60, 70, 6},
    {"b", "Beta", 2, 500, {0, 0}, 0, 120, 8},
    {"corner", "Cornerby", 3, 1, {1, 0}, 179, 179, 12},
};
enum { COUNT = sizeof CITIES / sizeof *CITIES };

static town_fixture f;
static ptl_chunk *chunk;

static void open_with(const char *region, bool levelled, bool cities)
{
    town_setup(&f, 5, 8, 4);
    f.region = *catalogue_region(town_catalogue(), region);
    f.region.levelled = levelled;
    for (int i = 0; i < PTL_LEVELS; i++)
        f.region.levels[i] = catalogue_oter(&f.cat, i < -PTL_Z_MIN ? "empty_rock" : "open_air");
    f.region.levels[-PTL_Z_MIN] = f.region.default_ter;
    for (size_t i = 0; i < f.cat.special_count; i++)
        f.specials[i].city_sizes = (ptl_range){0, PTL_UNBOUNDED};
    f.cat.cities = CITIES;
    f.cat.city_count = cities ? COUNT : 0;
}

static const gen_features *make(int32_t x, int32_t y)
{
    ptl_chunk_free(chunk);
    chunk = town_chunk(&f, x, y, true);
    return generator_features(f.gen);
}

static void close_all(void)
{
    ptl_chunk_free(chunk);
    chunk = NULL;
    town_close(&f);
}

static void expect(const gen_city *city, const cat_city *wanted)
{
    ck_assert_str_eq(city->name, wanted->name);
    ck_assert(city->x == wanted->x && city->y == wanted->y && city->size == wanted->size);
    ck_assert(city->planned_x == wanted->x && city->planned_y == wanted->y);
}

/* In dry land and wet, in both kinds of regions; a border's city is no lone OMT. */
START_TEST(each_is_where_the_content_says)
{
    open_with(_i & 1 ? "wet" : "dry", _i & 2, true);
    town_open(&f);
    const gen_features *found = make(0, 0);
    ck_assert_uint_eq(found->city_count, 2);
    expect(&found->cities[0], &CITIES[1]);
    expect(&found->cities[1], &CITIES[2]);
    size_t built = 0;
    for (size_t i = 0; i < found->placement_count; i++)
        built += found->placements[i].city == 1;
    if (!(_i & 1))
        ck_assert_uint_gt(built, 5);
    found = make(1, 0);
    ck_assert_uint_eq(found->city_count, 1);
    expect(&found->cities[0], &CITIES[3]);
    found = make(2, -3);
    ck_assert_uint_eq(found->city_count, 1);
    expect(&found->cities[0], &CITIES[0]);
    for (int32_t x = -2; x < 5; x++) {
        ck_assert_uint_eq(make(x, 1)->city_count, 0);
        ck_assert_uint_eq(town_events(&f, "city_missing"), 0);
    }
    close_all();
}
END_TEST

/* A world of city size 0 has none. */
START_TEST(size_0_has_none)
{
    open_with("dry", true, true);
    f.region.megacity = _i;
    f.options.city_size = f.region.city.size = 0;
    town_open(&f);
    ck_assert_uint_eq(make(0, 0)->city_count, 0);
    close_all();
}
END_TEST

START_TEST(megacities_are_five)
{
    static const int16_t places[5][2] = {{45, 45}, {45, 135}, {90, 90}, {135, 45}, {135, 135}};
    open_with(_i ? "wet" : "dry", true, false);
    f.region.megacity = true;
    town_open(&f);
    for (int32_t x = -2; x < 3; x++) {
        const gen_features *found = make(x, 7);
        ck_assert_uint_eq(found->city_count, 5);
        for (size_t i = 0; i < 5; i++) {
            ck_assert(found->cities[i].size == 40 && found->cities[i].x == places[i][0] &&
                      found->cities[i].y == places[i][1]);
            for (size_t k = 0; k < i; k++)
                ck_assert_str_ne(found->cities[i].name, found->cities[k].name);
        }
    }
    close_all();
}
END_TEST

/* No exit's corridor, on either side of the edge, has a fixed city; without it some would. */
START_TEST(exits_keep_off)
{
    static cat_city cities[2] = {{"a", "A", 0, 0, {0, 0}, 150, 0, 4},
                                 {"b", "B", 0, 0, {1, 0}, 20, 0, 4}};
    size_t would[2] = {0, 0};
    for (int with = 0; with < 2; with++) {
        open_with("dry", true, false);
        town_open(&f);
        for (int32_t seed = 1; seed <= 300; seed++) {
            gen_config config;
            edge e;
            ck_assert_int_eq(gen_config_for_seed(&config, f.config, (uint64_t)seed, NULL),
                             PTL_OK);
            cities[0].y = (int16_t)(17 + seed % 140);
            cities[1].y = (int16_t)(160 - seed % 140);
            f.cat.cities = cities;
            f.cat.city_count = with ? 2 : 0;
            ck_assert_int_eq(plan_edge(&e, &config, 0, 0, EDGE_EAST, NULL), PTL_OK);
            for (size_t i = 0; i < e.count; i++)
                for (int c = 0; c < 2; c++) {
                    const int32_t apart = e.crossings[i].position - cities[c].y;
                    would[with] += apart >= -2 && apart <= 2;
                }
            edge_dispose(&e);
            gen_config_dispose_seed(&config);
        }
        close_all();
    }
    ck_assert_uint_gt(would[0], 5);
    ck_assert_uint_eq(would[1], 0);
}
END_TEST

TCase *cities_fixed_case(void)
{
    TCase *tests = tcase_create("fixed");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, each_is_where_the_content_says, 0, 4);
    tcase_add_loop_test(tests, size_0_has_none, 0, 2);
    tcase_add_loop_test(tests, megacities_are_five, 0, 2);
    tcase_add_test(tests, exits_keep_off);
    return tests;
}
