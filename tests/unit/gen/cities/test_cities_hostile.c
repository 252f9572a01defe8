/* Cities from settings and content that nobody sane would write: bounded, and said so. */
#include "gen/pipeline.h"
#include "unit/gen/cities/test_cities.h"

#include <stdlib.h>
#include <string.h>

static cat_special *special(town_fixture *f, const char *id)
{
    for (size_t i = 0; i < f->cat.special_count; i++)
        if (strcmp(f->specials[i].id, id) == 0)
            return &f->specials[i];
    ck_abort_msg("no special %s", id);
}

static size_t placed(const town_fixture *f, const char *id)
{
    const gen_features *features = generator_features(f->gen);
    size_t count = 0;
    for (size_t i = 0; i < features->placement_count; i++)
        count += strcmp(f->specials[features->placements[i].special].id, id) == 0;
    return count;
}

/* The densest settings that options allow: thousands of cities of size 1; forty of up to 34. */
START_TEST(crowded_chunks_end)
{
    static const int32_t SIZES[] = {1, 2, 16};
    town_fixture f;
    town_setup(&f, 3, SIZES[_i], 0);
    town_open(&f);
    ptl_chunk_free(town_chunk(&f, 4, -4, true));
    const gen_features *features = generator_features(f.gen);
    ck_assert_uint_gt(features->city_count, 20);
    ck_assert_uint_eq(town_events(&f, "city_cut"), 0);
    ck_assert_uint_le(town_events(&f, "city_dropped"), 17);
    for (size_t i = 0; i < features->city_count; i++)
        ck_assert(features->cities[i].name && features->cities[i].name[0]);
    town_close(&f);
}
END_TEST

START_TEST(empty_bins_leave_streets)
{
    town_fixture f;
    town_setup(&f, 3, 8, 3);
    f.region.city.houses = f.region.city.shops = f.region.city.parks = f.region.city.finales =
        (cat_bin){NULL, NULL, 0};
    town_open(&f);
    ptl_chunk_free(town_chunk(&f, 0, 0, true));
    ck_assert_uint_gt(generator_features(f.gen)->city_count, 3);
    ck_assert_uint_eq(generator_features(f.gen)->placement_count, 0);
    ck_assert_uint_eq(town_events(&f, "finale_dropped"), 0);
    ck_assert_uint_eq(town_events(&f, "city_empty"), generator_features(f.gen)->city_count);
    town_close(&f);
}
END_TEST

/* As every bin holds one more kind that can be placed, streets are still lined. */
static void check_never_placed(town_fixture *f, const char *id)
{
    town_open(f);
    ptl_chunk_free(town_chunk(f, 1, 2, true));
    ck_assert_uint_eq(placed(f, id), 0);
    ck_assert_uint_gt(generator_features(f->gen)->placement_count, 20);
}

START_TEST(buildings_that_fit_nowhere_are_passed_over)
{
    town_fixture f;
    town_setup(&f, 9, 8, 3);
    cat_special *mall = special(&f, "mall"), *house = special(&f, "house_deep");
    if (_i == 0)
        mall->x1 = 600; /* larger than a chunk */
    if (_i == 1)
        mall->y0 = -600;
    if (_i == 2)
        mall->z1 = 30; /* above the highest level */
    if (_i == 3)
        mall->omt_count = 0;
    check_never_placed(&f, "mall");
    ck_assert_uint_gt(placed(&f, house->id), 0);
    town_close(&f);
}
END_TEST

/* Returns how many of the building's placements have a street on the cell beside the street,
 * which is theirs if they are not set back. */
static int32_t count_on_streets(const town_fixture *f, const cat_special *s, ptl_chunk *chunk)
{
    const gen_features *features = generator_features(f->gen);
    int32_t count = 0;
    for (size_t i = 0; i < features->placement_count; i++) {
        const gen_placement *p = &features->placements[i];
        const ptl_oter oter = chunk_level(chunk, 0)->cells[p->y * SIZE + p->x];
        count += &f->specials[p->special] == s &&
                 strcmp(f->cat.terrains[f->cat.oters[oter].terrain].id, "road") == 0;
    }
    return count;
}

/* Makes a chunk's cities with a building moved by `back` OMTs away from the street. Returns how
 * often the building was placed, and how often a street took the cell beside the street. */
static size_t place_deep(int32_t *on_streets, int back)
{
    cat_omt omts[8];
    town_fixture f;
    town_setup(&f, 9, 8, 2);
    cat_special *deep = special(&f, "house_deep");
    ck_assert_uint_le(deep->omt_count, 8);
    memcpy(omts, deep->omts, deep->omt_count * sizeof *omts);
    for (size_t i = 0; i < deep->omt_count; i++)
        omts[i].y = (int16_t)(omts[i].y + back);
    deep->omts = omts;
    deep->y1 = (int16_t)(deep->y1 + back);
    town_open(&f);
    ptl_chunk *chunk = town_chunk(&f, 1, 2, true);
    *on_streets = count_on_streets(&f, deep, chunk);
    const size_t all = placed(&f, deep->id);
    ptl_chunk_free(chunk);
    town_close(&f);
    return all;
}

/* A building without an OMT on the cell beside the street is placed also where that cell is
 * taken, as often as its weight says: here it comes 1.27 times as often as one that has an OMT
 * there (0.92 times if only free cells were tried, 1.52 times if any list would do). */
START_TEST(set_back_buildings_stand_behind_taken_cells)
{
    int32_t on_streets;
    const double plain = (double)place_deep(&on_streets, 0);
    ck_assert_int_eq(on_streets, 0);
    const double back = (double)place_deep(&on_streets, 1);
    ck_assert_int_gt(on_streets, 10);
    ck_assert_msg(back > 1.15 * plain && back < 1.4 * plain, "%.0f and %.0f", back, plain);
}
END_TEST

START_TEST(unique_buildings_wait_with_one_event)
{
    town_fixture f;
    town_setup(&f, 9, 8, 3);
    special(&f, "mall")->flags |= PTL_SPECIAL_GLOBALLY_UNIQUE;
    check_never_placed(&f, "mall");
    ck_assert_uint_eq(town_events(&f, "unique_skipped"), 1);
    town_close(&f);
}
END_TEST

/* A finale without room: once per large city it is said, and the city grows on. */
START_TEST(finales_without_room_are_reported)
{
    town_fixture f;
    town_setup(&f, 9, 8, 2);
    special(&f, "hall")->x1 = 600;
    town_open(&f);
    ptl_chunk_free(town_chunk(&f, 1, 2, true));
    const gen_features *features = generator_features(f.gen);
    size_t large = 0;
    for (size_t i = 0; i < features->city_count; i++)
        large += features->cities[i].size > 9;
    ck_assert_uint_gt(large, 0);
    ck_assert_uint_eq(town_events(&f, "finale_dropped"), large);
    town_close(&f);
}
END_TEST

/* Content without roads, or whose roads can't lie on the default ground, has no cities. */
START_TEST(without_roads_there_are_no_cities)
{
    town_fixture f;
    town_setup(&f, 9, 8, 3);
    if (_i == 0)
        f.cat.connection_count = 0;
    else
        f.region.default_ter = catalogue_oter(&f.cat, "rock");
    town_open(&f);
    ptl_chunk_free(town_chunk(&f, 1, 2, true));
    ck_assert_uint_eq(generator_features(f.gen)->city_count, 0);
    ck_assert_uint_eq(town_events(&f, "city_dropped"), 1);
    town_close(&f);
}
END_TEST

/* Radii that overflow when squared carelessly; no names at all. */
START_TEST(extreme_radii_and_no_names)
{
    town_fixture f;
    town_setup(&f, 9, 16, 2);
    f.region.city.shop_radius = f.region.city.shop_sigma = INT32_MAX;
    f.region.city.park_radius = f.region.city.park_sigma = INT32_MIN;
    f.cat.town_names.count = 0;
    town_open(&f);
    ptl_chunk_free(town_chunk(&f, 1, 2, true));
    const gen_features *features = generator_features(f.gen);
    ck_assert_uint_gt(features->city_count, 1);
    ck_assert_str_eq(features->cities[0].name, "City 1");
    ck_assert_str_eq(features->cities[1].name, "City 2");
    ck_assert_uint_eq(placed(&f, "FakeSpecial_house"), 0);
    ck_assert_uint_gt(placed(&f, "FakeSpecial_shop"), 0);
    town_close(&f);
}
END_TEST

/* Two of equal weight come up equally often. */
START_TEST(bins_are_drawn_by_weight)
{
    static const uint32_t EQUAL[] = {1, 2};
    uint16_t shops[2];
    size_t towers = 0, parks = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        town_fixture f;
        town_setup(&f, seed, 8, 4);
        shops[0] = (uint16_t)(special(&f, "FakeSpecial_radio_tower") - f.specials);
        shops[1] = (uint16_t)(special(&f, "FakeSpecial_park") - f.specials);
        f.region.city.shops = (cat_bin){shops, EQUAL, 2};
        f.region.city.shop_radius = 1000;
        town_open(&f);
        ptl_chunk_free(town_chunk(&f, 1, 2, true));
        towers += placed(&f, "FakeSpecial_radio_tower");
        parks += placed(&f, "FakeSpecial_park");
        town_close(&f);
    }
    ck_assert_uint_gt(towers + parks, 2000);
    const double off = (double)towers - (double)parks;
    ck_assert_msg(off * off < 25.0 * (double)(towers + parks), "%zu, %zu", towers, parks);
}
END_TEST

TCase *cities_hostile_case(void)
{
    TCase *tc = tcase_create("hostile");
    tcase_add_loop_test(tc, crowded_chunks_end, 0, 3);
    tcase_add_test(tc, empty_bins_leave_streets);
    tcase_add_loop_test(tc, buildings_that_fit_nowhere_are_passed_over, 0, 4);
    tcase_add_test(tc, set_back_buildings_stand_behind_taken_cells);
    tcase_add_test(tc, unique_buildings_wait_with_one_event);
    tcase_add_test(tc, finales_without_room_are_reported);
    tcase_add_loop_test(tc, without_roads_there_are_no_cities, 0, 2);
    tcase_add_test(tc, bins_are_drawn_by_weight);
    tcase_add_test(tc, extreme_radii_and_no_names);
    return tc;
}
