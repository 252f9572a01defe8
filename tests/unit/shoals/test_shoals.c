/*
 * Islands: the random numbers and offsets of the published program, its counts and sums, what
 * holds of every map, and each refinement. That maps are the program's to the byte is shown by
 * tests/shoals/test_shoals.py, by its own maps and by a second reader of the rules.
 */
#include "core/hash.h"
#include "shoals/shoals.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/shoals/shoals_suite.h"

#include <stdlib.h>
#include <string.h>

enum { W = 70, H = 60, CELLS = W * H, SEEDS = 60 };

static int32_t heights[CELLS];
static uint8_t plants[CELLS];

static void make(const ptl_shoals_options *o)
{
    ptl_error err;
    ck_assert_msg(ptl_shoals_generate(heights, plants, o, &err) == PTL_OK, "%s", err.message);
}

static ptl_shoals_options options_of(uint32_t seed, uint32_t parts)
{
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    o.seed = seed;
    o.parts = parts;
    return o;
}

/* ---- the program's parts ---- */

START_TEST(random_is_glibcs)
{
    static const struct {
        uint32_t seed, first[10];
    } known[] = {
        {1,
         {1804289383, 846930886, 1681692777, 1714636915, 1957747793, 424238335, 719885386,
          1649760492, 596516649, 1189641421}},
        {5,
         {590011675, 99788765, 2131925610, 171864072, 317159276, 171035632, 602511920,
          963050649, 1069979073, 1919854381}},
    };
    glibc_random r, zero;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        glibc_random_seed(&r, known[i].seed);
        for (int k = 0; k < 10; k++)
            ck_assert_uint_eq(glibc_random_next(&r), known[i].first[k]);
        ck_assert_uint_eq(r.drawn, 10);
    }
    glibc_random_seed(&r, 1);
    glibc_random_seed(&zero, 0);
    for (int k = 0; k < 100; k++)
        ck_assert_uint_eq(glibc_random_next(&zero), glibc_random_next(&r));
}
END_TEST

START_TEST(what_is_certain_is_not_drawn)
{
    glibc_random r;
    glibc_random_seed(&r, 3);
    ck_assert_int_eq(random_below(&r, 1), 0);
    ck_assert_int_eq(random_below(&r, 0), 0);
    ck_assert_int_eq(random_below(&r, -3), 0);
    ck_assert_int_eq(random_between(&r, 5, 5), 5);
    ck_assert_uint_eq(r.drawn, 0);
    for (int i = 0; i < 1000; i++) {
        const int32_t v = random_between(&r, 7, 4);
        ck_assert(v >= 4 && v <= 7);
    }
    ck_assert_uint_eq(r.drawn, 1000);
}
END_TEST

/* The mean of two rolls: both ends come, the middle most. */
START_TEST(middling_numbers_have_a_peak)
{
    int counts[7] = {0};
    glibc_random r;
    glibc_random_seed(&r, 3);
    for (int i = 0; i < 7000; i++) {
        const int32_t v = random_middling(&r, -1, 5);
        ck_assert(v >= -1 && v <= 5);
        counts[v + 1]++;
    }
    for (int i = 0; i < 3; i++) {
        ck_assert_int_gt(counts[i], 0);
        ck_assert_int_lt(counts[i], counts[i + 1]);
        ck_assert_int_lt(counts[6 - i], counts[5 - i]);
    }
}
END_TEST

START_TEST(offsets_are_the_programs)
{
    static const struct {
        int32_t degrees, x, y;
    } four[] = {{0, 4, 0},     {30, 3, 1},   {60, 2, 3},   {90, 0, 4},
                {120, -1, 3},  {150, -3, 1}, {180, -4, 0}, {210, -3, -2},
                {240, -2, -3}, {270, 0, -4}, {300, 2, -3}, {330, 3, -2}};
    for (size_t i = 0; i < sizeof four / sizeof four[0]; i++) {
        const offset o = offset_at(4, four[i].degrees);
        ck_assert_int_eq(o.x, four[i].x);
        ck_assert_int_eq(o.y, four[i].y);
    }
    for (int32_t radius = 0; radius <= OFFSET_RADIUS_MAX; radius++)
        for (int32_t degrees = 0; degrees < DEGREES; degrees++) {
            const offset o = offset_at(radius, degrees);
            const int32_t square = o.x * o.x + o.y * o.y;
            ck_assert_int_le(square, radius * radius);
            ck_assert_int_gt(square + 2 * radius + 2, (radius - 1) * (radius - 1));
        }
}
END_TEST

static void sums(int64_t *sum, int32_t *most)
{
    *sum = 0;
    *most = INT32_MIN;
    for (int i = 0; i < CELLS; i++) {
        *sum += heights[i];
        *most = heights[i] > *most ? heights[i] : *most;
    }
}

/* How many numbers are drawn, sums and highest points before and after smoothing: the
 * program's. */
START_TEST(counts_and_sums_are_the_programs)
{
    static const struct {
        uint32_t seed;
        int32_t islands;
        uint64_t draws;
        int64_t raw, smooth;
        int32_t raw_most, smooth_most;
    } known[] = {
        {5, 5, 1996, -47003, -45801, 1404, 364},
        {5, 15, 5174, -6155, -3943, 1404, 442},
        {1, 15, 4817, -9661, -7403, 1312, 485},
        {42, 30, 9935, 54477, 55048, 1377, 364},
    };
    ptl_shoals_options o = options_of(known[_i].seed, 0);
    shoals s = {.options = &o, .width = W, .height = H, .heights = heights};
    int64_t sum;
    int32_t most;
    o.islands = known[_i].islands;
    for (int i = 0; i < CELLS; i++)
        heights[i] = o.start;
    glibc_random_seed(&s.random, o.seed);
    shoals_raise_islands(&s);
    ck_assert_uint_eq(s.random.drawn, known[_i].draws);
    sums(&sum, &most);
    ck_assert_int_eq(sum, known[_i].raw);
    ck_assert_int_eq(most, known[_i].raw_most);
    shoals_smooth(&s);
    sums(&sum, &most);
    ck_assert_int_eq(sum, known[_i].smooth);
    ck_assert_int_eq(most, known[_i].smooth_most);
}
END_TEST

/* ---- what holds of every map ---- */

START_TEST(islands_raise_within_bounds)
{
    for (int seed = 0; seed < test_seeds(SEEDS); seed++) {
        ptl_shoals_options o = options_of((uint32_t)seed, 0);
        shoals s = {.options = &o, .width = W, .height = H, .heights = heights};
        int64_t sum;
        int32_t most;
        o.islands = 1 + seed % 40;
        for (int i = 0; i < CELLS; i++)
            heights[i] = o.start;
        glibc_random_seed(&s.random, o.seed);
        shoals_raise_islands(&s);
        for (int i = 0; i < CELLS; i++)
            ck_assert_int_ge(heights[i], o.start);
        sums(&sum, &most);
        sum -= (int64_t)o.start * CELLS;
        ck_assert_int_ge(sum, INT64_C(50) * 40 * o.islands);
        ck_assert_int_le(sum, INT64_C(1) * o.islands * (50 * 60 + 3 * 45 * 35));
        shoals_smooth(&s);
        for (int i = 0; i < CELLS; i++)
            ck_assert(heights[i] >= o.start && heights[i] <= most);
    }
}
END_TEST

START_TEST(a_flat_map_stays_flat)
{
    for (uint32_t parts = 0; parts <= PTL_SHOALS_FROM_MIDDLE; parts += PTL_SHOALS_FROM_MIDDLE) {
        ptl_shoals_options o = options_of(1, parts);
        shoals s = {.options = &o, .width = W, .height = H, .heights = heights};
        for (int i = 0; i < CELLS; i++)
            heights[i] = -7;
        shoals_smooth(&s);
        for (int i = 0; i < CELLS; i++)
            ck_assert_int_eq(heights[i], -7);
    }
}
END_TEST

/* Maps too small for an island's radius, thin ones, and others, with everything. */
START_TEST(any_size_of_map)
{
    static const int32_t sides[][2] = {{1, 1}, {1, 2},  {2, 1},  {2, 2},   {3, 3},
                                       {5, 4}, {1, 60}, {60, 2}, {13, 13}, {4096, 1}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        ptl_shoals_options o = options_of((uint32_t)i, PTL_SHOALS_ALL_PARTS);
        const size_t cells = (size_t)sides[i][0] * (size_t)sides[i][1];
        int32_t *h = malloc(cells * sizeof *h);
        uint8_t *p = malloc(cells);
        o.width = sides[i][0];
        o.height = sides[i][1];
        o.islands = 3;
        ck_assert(h && p);
        ck_assert_int_eq(ptl_shoals_generate(h, p, &o, NULL), PTL_OK);
        free(h);
        free(p);
    }
}
END_TEST

START_TEST(a_map_is_a_function_of_its_options)
{
    static int32_t again[CELLS];
    for (uint32_t seed = 1; seed < 20; seed++) {
        const ptl_shoals_options o = options_of(seed, seed % 32);
        make(&o);
        memcpy(again, heights, sizeof again);
        const ptl_shoals_options other = options_of(seed + 1, 31);
        make(&other);
        ck_assert(memcmp(again, heights, sizeof again) != 0);
        make(&o);
        ck_assert(memcmp(again, heights, sizeof again) == 0);
    }
}
END_TEST

/* ---- refinements ---- */

/* A map that equals its mirror images is smoothed to one that does. */
START_TEST(from_the_middle_has_no_direction)
{
    ptl_shoals_options o = options_of(1, PTL_SHOALS_FROM_MIDDLE);
    rng r = rng_from_key(5);
    for (int32_t w = 3; w < 12; w++)
        for (int32_t h = 3; h < 12; h++) {
            shoals s = {.options = &o, .width = w, .height = h, .heights = heights};
            for (int32_t y = 0; y < h; y++)
                for (int32_t x = 0; x < w; x++) {
                    const int32_t mx = x < w - 1 - x ? x : w - 1 - x;
                    const int32_t my = y < h - 1 - y ? y : h - 1 - y;
                    heights[y * w + x] =
                        mx == x && my == y ? rng_range(&r, -99, 99) : heights[my * w + mx];
                }
            const int32_t corner = heights[0];
            shoals_smooth(&s);
            ck_assert_int_eq(heights[0], corner);
            /* Of two middle columns or rows the second sees what the first became. */
            for (int32_t y = 0; y < h; y++) {
                ck_assert_int_eq(heights[y * w], heights[y * w + w - 1]);
                if (w % 2 == 1 && h % 2 == 1)
                    for (int32_t x = 0; x < w; x++)
                        ck_assert_int_eq(heights[y * w + x], heights[y * w + w - 1 - x]);
            }
        }
}
END_TEST

static int64_t below_start(uint32_t parts)
{
    int64_t count = 0;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        ptl_shoals_options o = options_of(seed, parts);
        make(&o);
        for (int i = 0; i < CELLS; i++)
            count += heights[i] < o.start;
    }
    return count;
}

START_TEST(atolls_have_low_middles)
{
    ck_assert_int_eq(below_start(0), 0);
    ck_assert_int_gt(below_start(PTL_SHOALS_ATOLLS), 10 * SEEDS);
}
END_TEST

static int64_t high_cells(uint32_t parts)
{
    int64_t count = 0;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        ptl_shoals_options o = PTL_SHOALS_OPTIONS_GAME;
        o.seed = seed;
        o.parts = parts;
        make(&o);
        for (int i = 0; i < CELLS; i++)
            count += ptl_shoals_ground_of(&o, heights[i]) == PTL_SHOALS_WALL;
    }
    return count;
}

START_TEST(cliffs_are_high)
{
    ck_assert_int_gt(high_cells(PTL_SHOALS_CLIFFS), 4 * high_cells(0) + SEEDS);
}
END_TEST

/* Coasts stay; the sea gets deeper, most at the edges. */
START_TEST(deeper_seas)
{
    static int32_t before[CELLS];
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        ptl_shoals_options o = options_of(seed, 0);
        int64_t deep_before = 0, deep_after = 0;
        make(&o);
        memcpy(before, heights, sizeof before);
        o.parts = PTL_SHOALS_DEEPEN;
        make(&o);
        for (int i = 0; i < CELLS; i++) {
            const int x = i % W, y = i / W;
            ck_assert_int_eq(ptl_shoals_ground_of(&o, before[i]),
                             ptl_shoals_ground_of(&o, heights[i]));
            if (before[i] >= o.shallow) {
                ck_assert_int_eq(before[i], heights[i]);
                continue;
            }
            deep_before += before[i];
            deep_after += heights[i];
            if (x == 0 || y == 0 || x == W - 1 || y == H - 1)
                ck_assert_int_lt(heights[i], -1000);
        }
        ck_assert_int_lt(deep_after, deep_before);
    }
}
END_TEST

/* From one shallow cell in a wide sea: 7 a step, each way. */
START_TEST(deeper_by_steps)
{
    ptl_shoals_options o = options_of(1, PTL_SHOALS_DEEPEN);
    shoals s = {.options = &o, .width = W, .height = H, .heights = heights};
    for (int i = 0; i < CELLS; i++)
        heights[i] = o.start;
    heights[30 * W + 35] = o.shallow;
    ck_assert_int_eq(shoals_deepen(&s, NULL), PTL_OK);
    ck_assert_int_eq(heights[30 * W + 35], o.shallow);
    for (int x = 40; x < 60; x++) /* a slope is a fixed point but for the last digit */
        ck_assert_int_le(abs(heights[30 * W + x] - (o.start - 7 * (x - 36))), 4);
}
END_TEST

START_TEST(plants_stand_where_they_may)
{
    int64_t all = 0, wet = 0, maps = 0;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        static int32_t bare[CELLS];
        ptl_shoals_options o = options_of(seed, 0);
        int count = 0;
        make(&o);
        memcpy(bare, heights, sizeof bare);
        for (int i = 0; i < CELLS; i++)
            ck_assert_int_eq(plants[i], 0);
        o.parts = PTL_SHOALS_PLANTS;
        make(&o);
        ck_assert(memcmp(bare, heights, sizeof bare) == 0);
        for (int i = 0; i < CELLS; i++) {
            const ptl_shoals_ground g = ptl_shoals_ground_of(&o, heights[i]);
            if (!plants[i])
                continue;
            count++;
            wet += g == PTL_SHOALS_SHALLOW;
            ck_assert(g == PTL_SHOALS_SHALLOW || g == PTL_SHOALS_FLOOR);
            ck_assert(i % W >= 6 && i % W < W - 6 && i / W >= 6 && i / W < H - 6);
        }
        ck_assert_int_le(count, 180);
        all += count;
        maps += count > 0;
    }
    ck_assert_int_gt(maps, SEEDS / 2);
    ck_assert(wet > all / 4 && wet < all); /* mangroves stand in water, others on land, too */
}
END_TEST

/* ---- figures that stay ---- */

START_TEST(refined_maps_stay)
{
    static const struct {
        uint32_t parts;
        uint64_t heights, plants;
    } known[] = {
        {PTL_SHOALS_ATOLLS, UINT64_C(0x775f7758150389de), UINT64_C(0x95553ac343a29230)},
        {PTL_SHOALS_CLIFFS, UINT64_C(0xa8dcb167645c0a65), UINT64_C(0x95553ac343a29230)},
        {PTL_SHOALS_FROM_MIDDLE, UINT64_C(0xc519d79030fb91eb), UINT64_C(0x95553ac343a29230)},
        {PTL_SHOALS_DEEPEN, UINT64_C(0x63e9c44a525b5d82), UINT64_C(0x95553ac343a29230)},
        {PTL_SHOALS_PLANTS, UINT64_C(0x670cc1167f1cd27b), UINT64_C(0xb87a391c8c011db9)},
        {PTL_SHOALS_ALL_PARTS, UINT64_C(0xc4c5b2ac2d611e17), UINT64_C(0x146cee028788bc98)},
    };
    uint64_t h = 0, p = 0;
    for (uint32_t seed = 0; seed < 20; seed++) {
        ptl_shoals_options o = seed % 2 ? (ptl_shoals_options)PTL_SHOALS_OPTIONS_INIT
                                        : (ptl_shoals_options)PTL_SHOALS_OPTIONS_GAME;
        o.seed = seed;
        o.parts = known[_i].parts;
        make(&o);
        for (int i = 0; i < CELLS; i++) {
            h = hash_add(h, (uint64_t)(int64_t)heights[i]);
            p = hash_add(p, plants[i]);
        }
    }
    ck_assert_msg(h == known[_i].heights && p == known[_i].plants,
                  "parts %u: heights 0x%016llx, plants 0x%016llx", (unsigned)known[_i].parts,
                  (unsigned long long)h, (unsigned long long)p);
}
END_TEST

START_TEST(wrong_options_are_refused)
{
    static const ptl_shoals_options good = PTL_SHOALS_OPTIONS_INIT;
    ptl_shoals_options bad[12];
    ptl_error err;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        bad[i] = good;
    bad[0].islands = 0;
    bad[1].islands = PTL_SHOALS_ISLANDS_MAX + 1;
    bad[2].width = 0;
    bad[3].height = PTL_SHOALS_SIDE_MAX + 1;
    bad[4].shallow = 1;
    bad[5].floor = 101;
    bad[6].wall = 99;
    bad[7].parts = 32;
    bad[8].start = INT32_MIN;
    bad[9].high = PTL_SHOALS_HEIGHT_MAX + 1;
    bad[10].size = 0;
    bad[11].wall = INT32_MAX - 1;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(ptl_shoals_generate(heights, plants, &bad[i], &err), PTL_ERR_ARGUMENT);
        ck_assert_str_ne(err.message, "");
    }
    ck_assert_int_eq(ptl_shoals_generate(NULL, NULL, &good, &err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_shoals_generate(heights, NULL, NULL, &err), PTL_OK);
}
END_TEST

START_TEST(grounds_by_thresholds)
{
    const ptl_shoals_options o = PTL_SHOALS_OPTIONS_GAME;
    static const struct {
        int32_t height;
        ptl_shoals_ground ground;
    } known[] = {{-31, PTL_SHOALS_DEEP}, {-30, PTL_SHOALS_SHALLOW}, {-1, PTL_SHOALS_SHALLOW},
                 {0, PTL_SHOALS_FLOOR},  {134, PTL_SHOALS_FLOOR},   {135, PTL_SHOALS_HIGH},
                 {399, PTL_SHOALS_HIGH}, {400, PTL_SHOALS_WALL}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        ck_assert_int_eq(ptl_shoals_ground_of(&o, known[i].height), known[i].ground);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shoals");
    TCase *program = tcase_create("program"), *maps = tcase_create("maps"),
          *refined = tcase_create("refinements");
    tcase_add_test(program, random_is_glibcs);
    tcase_add_test(program, what_is_certain_is_not_drawn);
    tcase_add_test(program, middling_numbers_have_a_peak);
    tcase_add_test(program, offsets_are_the_programs);
    tcase_add_loop_test(program, counts_and_sums_are_the_programs, 0, 4);
    tcase_add_test(maps, islands_raise_within_bounds);
    tcase_add_test(maps, a_flat_map_stays_flat);
    tcase_add_test(maps, any_size_of_map);
    tcase_add_test(maps, a_map_is_a_function_of_its_options);
    tcase_add_test(maps, wrong_options_are_refused);
    tcase_add_test(maps, grounds_by_thresholds);
    tcase_add_test(refined, from_the_middle_has_no_direction);
    tcase_add_test(refined, atolls_have_low_middles);
    tcase_add_test(refined, cliffs_are_high);
    tcase_add_test(refined, deeper_seas);
    tcase_add_test(refined, deeper_by_steps);
    tcase_add_test(refined, plants_stand_where_they_may);
    tcase_add_loop_test(refined, refined_maps_stay, 0, 6);
    suite_add_tcase(suite, program);
    suite_add_tcase(suite, maps);
    suite_add_tcase(suite, refined);
    suite_add_tcase(suite, tide_case());
    return suite_run(suite);
}
