/* What a city, an overmap or a world has once, buildings for cities of some sizes, lists for
 * large ones: in regions that state their levels, as DDA does since 0.I. */
#include "gen/pipeline.h"
#include "unit/gen/cities/test_cities.h"

#include <stdlib.h>
#include <string.h>

static town_fixture f;
static ptl_chunk *chunk;

static void setup(uint64_t seed)
{
    town_setup(&f, seed, 8, 2);
    f.region.levelled = true;
    for (int i = 0; i < PTL_LEVELS; i++)
        f.region.levels[i] = catalogue_oter(&f.cat, i < -PTL_Z_MIN ? "empty_rock" : "open_air");
    f.region.levels[-PTL_Z_MIN] = f.region.default_ter;
    for (size_t i = 0; i < f.cat.special_count; i++)
        f.specials[i].city_sizes = (ptl_range){0, PTL_UNBOUNDED};
}

static void make(int32_t x, int32_t y)
{
    chunk = town_chunk(&f, x, y, true);
}

static void teardown(void)
{
    town_close(&f);
}

static const gen_features *features(void)
{
    return generator_features(f.gen);
}

static int32_t count_in(uint16_t special, int city)
{
    int32_t count = 0;
    for (size_t i = 0; i < features()->placement_count; i++)
        count += features()->placements[i].special == special &&
                 (city < 0 || features()->placements[i].city == city);
    return count;
}

static cat_special *house(size_t i)
{
    return &f.specials[f.region.city.houses.specials[i]];
}

/* A house that is in every other city at least is in none twice. */
START_TEST(once_in_a_city)
{
    int32_t cities = 0, with = 0;
    setup((uint64_t)_i);
    const uint16_t special = f.region.city.houses.specials[0];
    house(0)->flags |= PTL_SPECIAL_CITY_UNIQUE;
    town_open(&f);
    for (int32_t n = 0; n < 3; n++) {
        make(n, _i);
        for (size_t i = 0; i < features()->city_count; i++) {
            const int32_t count = count_in(special, (int)i);
            MUST(count <= 1, "%d in city %zu", count, i);
            cities++;
            with += count;
        }
        ptl_chunk_free(chunk);
    }
    ck_assert(cities > 60 && with > cities / 4);
    teardown();
}
END_TEST

START_TEST(once_in_an_overmap)
{
    setup((uint64_t)_i);
    const uint16_t special = f.region.city.houses.specials[0];
    house(0)->flags |= PTL_SPECIAL_UNIQUE;
    town_open(&f);
    make(4, _i);
    ck_assert_int_eq(count_in(special, -1), 1);
    ptl_chunk_free(chunk);
    teardown();
}
END_TEST

/* In the largest city of its home, and nowhere else; where no city is of a size for it an event
 * tells. */
START_TEST(once_in_a_world)
{
    setup((uint64_t)_i);
    const uint16_t special = f.region.city.houses.specials[0];
    house(0)->flags |= PTL_SPECIAL_GLOBALLY_UNIQUE;
    if (_i % 2)
        house(0)->city_sizes = (ptl_range){200, PTL_UNBOUNDED};
    f.options.unique_radius = 0;
    town_open(&f);
    make(0, 0);
    ck_assert_int_eq(count_in(special, -1), _i % 2 ? 0 : 1);
    ck_assert_uint_eq(town_events(&f, "unique_dropped"), _i % 2 ? 1 : 0);
    ck_assert_uint_eq(town_events(&f, "unique_skipped"), 0);
    int32_t largest = 0;
    for (size_t i = 0; i < features()->city_count; i++)
        largest = features()->cities[i].size > largest ? features()->cities[i].size : largest;
    for (size_t i = 0; i < features()->placement_count; i++)
        if (features()->placements[i].special == special)
            ck_assert_int_eq(features()->cities[features()->placements[i].city].size, largest);
    ptl_chunk_free(chunk);
    make(1, 0);
    ck_assert_int_eq(count_in(special, -1), 0);
    ck_assert_uint_eq(town_events(&f, "unique_dropped"), 0);
    ptl_chunk_free(chunk);
    teardown();
}
END_TEST

/* Of two that are alike and due in one city, either is as likely to have the first place. */
START_TEST(due_in_no_order_of_ids)
{
    enum { SEEDS = 40 };
    int first = 0, all = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        setup((uint64_t)seed);
        cat_special *other = house(1);
        const char *id = other->id;
        *other = *house(0);
        other->id = id;
        other->key = hash_string(id);
        house(0)->key = hash_string(house(0)->id);
        house(0)->flags |= PTL_SPECIAL_GLOBALLY_UNIQUE;
        other->flags |= PTL_SPECIAL_GLOBALLY_UNIQUE;
        f.options.unique_radius = 0;
        town_open(&f);
        make(0, 0);
        const gen_placement *p = features()->placements, *end = p + features()->placement_count;
        while (p < end && &f.specials[p->special] != house(0) &&
               &f.specials[p->special] != other)
            p++;
        all += p < end;
        first += p < end && &f.specials[p->special] == house(0);
        ptl_chunk_free(chunk);
        teardown();
    }
    ck_assert_int_ge(all, SEEDS - 4); /* some overmaps have no room for either */
    /* half of them, and 4.5 times 3.2 */
    ck_assert_msg(abs(2 * first - all) <= 28, "%d of %d", first, all);
}
END_TEST

START_TEST(of_a_size)
{
    static const ptl_range ranges[] = {{6, PTL_UNBOUNDED}, {0, 5}, {10, 12}};
    int32_t inside = 0;
    setup((uint64_t)_i);
    const uint16_t special = f.region.city.houses.specials[0];
    house(0)->city_sizes = ranges[_i];
    town_open(&f);
    make(_i, 9);
    for (size_t i = 0; i < features()->placement_count; i++) {
        const gen_placement *p = &features()->placements[i];
        const int32_t size = features()->cities[p->city].size;
        if (p->special != special)
            continue;
        MUST(size >= ranges[_i].min && size <= ranges[_i].max, "size %d", size);
        inside++;
    }
    ck_assert_int_gt(inside, 10);
    ptl_chunk_free(chunk);
    teardown();
}
END_TEST

/* A list of which nothing is of the size: an event, and no endless draw. A city without any
 * building says so. */
START_TEST(nothing_fits)
{
    setup(5);
    const cat_bin *bins[] = {&f.region.city.houses, &f.region.city.shops, &f.region.city.parks};
    for (size_t b = 0; b < 3; b++)
        for (size_t i = 0; i < bins[b]->count; i++)
            f.specials[bins[b]->specials[i]].city_sizes = (ptl_range){200, PTL_UNBOUNDED};
    f.region.city.finales.count = 0;
    town_open(&f);
    make(0, 0);
    ck_assert_uint_gt(features()->city_count, 5);
    ck_assert_uint_eq(features()->placement_count, 0);
    ck_assert_uint_eq(town_events(&f, "no_building"), 1);
    ck_assert_uint_eq(town_events(&f, "city_empty"), features()->city_count);
    ptl_chunk_free(chunk);
    teardown();
}
END_TEST

/* Cities above 10 are built from the urban lists, others are not; whatever the region. */
START_TEST(urban_lists)
{
    setup(6);
    f.region.levelled = _i == 0;
    f.cat.game = "bn";
    const uint16_t town_house = f.region.city.houses.specials[0];
    f.region.city.urban_houses = f.region.city.urban_shops = f.region.city.parks;
    const uint16_t urban = f.region.city.parks.specials[0];
    f.region.city.park_radius = f.region.city.park_sigma = 0;
    town_open(&f);
    make(2, 2);
    int32_t large = 0, small = 0;
    for (size_t i = 0; i < features()->city_count; i++) {
        const bool is_large = features()->cities[i].size > 10;
        const int32_t houses = count_in(town_house, (int)i), urbans = count_in(urban, (int)i);
        MUST(is_large ? houses == 0 : urbans == 0, "city %zu", i);
        large += urbans;
        small += houses;
    }
    ck_assert(large > 5 && small > 5);
    ptl_chunk_free(chunk);
    teardown();
}
END_TEST

TCase *cities_unique_case(void)
{
    TCase *tests = tcase_create("unique buildings");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, once_in_a_city, 0, 3);
    tcase_add_loop_test(tests, once_in_an_overmap, 0, 3);
    tcase_add_loop_test(tests, once_in_a_world, 0, 4);
    tcase_add_test(tests, due_in_no_order_of_ids);
    tcase_add_loop_test(tests, of_a_size, 0, 3);
    tcase_add_test(tests, nothing_fits);
    tcase_add_loop_test(tests, urban_lists, 0, 2);
    return tests;
}
