/*
 * Tides: the motion against the game's, step by step; the flood against a plain one at each
 * height of the tide, and against what it must never do.
 */
#include "portolan/tide.h"
#include "support/seeds.h"
#include "unit/shoals/shoals_suite.h"

#include <stdlib.h>
#include <string.h>

enum { W = 70, H = 60, CELLS = W * H, SEEDS = 20 };

static int32_t heights[CELLS], spill[CELLS], lag[CELLS];

/* ---- the motion ---- */

/* The game's: raw heights in -36..50, 2 a turn, 1 within less than 8 of an end. */
START_TEST(the_games_motion_turn_by_turn)
{
    int32_t raw = 0, velocity = 1;
    for (int64_t turn = 0; turn < 1000; turn++) {
        ck_assert_int_eq(ptl_tide_height(turn), raw / 2);
        const int32_t speed = raw - -36 < 8 || 50 - raw < 8 ? 1 : 2;
        raw += velocity * speed;
        if (raw >= 50 || raw <= -36) {
            raw = raw >= 50 ? 50 : -36;
            velocity = -velocity;
        }
    }
}
END_TEST

START_TEST(tides_come_again)
{
    int changes = 0, positive = 0, negative = 0;
    ck_assert_int_eq(ptl_tide_height(28), PTL_TIDE_HIGH);
    ck_assert_int_eq(ptl_tide_height(78), PTL_TIDE_LOW);
    ck_assert_int_eq(ptl_tide_height(-22), PTL_TIDE_LOW);
    for (int64_t turn = -250; turn < 250; turn++) {
        const int32_t t = ptl_tide_height(turn);
        ck_assert(t >= PTL_TIDE_LOW && t <= PTL_TIDE_HIGH);
        ck_assert_int_eq(t, ptl_tide_height(turn + PTL_TIDE_PERIOD));
        ck_assert_int_le(abs(t - ptl_tide_height(turn + 1)), 1);
        if (turn < 0 || turn >= PTL_TIDE_PERIOD)
            continue;
        changes += t != ptl_tide_height(turn + 1);
        positive += t > 0;
        negative += t < 0;
    }
    ck_assert_int_eq(changes, 86);
    ck_assert_int_eq(positive, 56);
    ck_assert_int_eq(negative, 42);
    ck_assert_int_eq(ptl_tide_height(INT64_MIN), ptl_tide_height(INT64_MIN % 100));
    ck_assert_int_eq(ptl_tide_height(INT64_MAX), ptl_tide_height(INT64_MAX % 100));
}
END_TEST

/* ---- the flood ---- */

static ptl_shoals_options options_of(uint32_t seed)
{
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    o.seed = seed;
    o.islands = 5 + (int32_t)(seed % 25);
    o.parts = seed % 2 ? PTL_SHOALS_DEEPEN | PTL_SHOALS_ATOLLS : 0;
    return o;
}

static void make(const ptl_shoals_options *o)
{
    ck_assert_int_eq(ptl_shoals_generate(heights, NULL, o, NULL), PTL_OK);
    ck_assert_int_eq(ptl_tide_spill(spill, lag, o, heights, NULL, NULL), PTL_OK);
}

/* A plain flood over cells below a height, from the open sea. */
static void flood_plainly(const ptl_shoals_options *o, int32_t below, bool reached[CELLS])
{
    bool more = true;
    for (int i = 0; i < CELLS; i++)
        reached[i] = spill[i] == INT32_MIN;
    while (more) {
        more = false;
        for (int i = 0; i < CELLS; i++) {
            if (reached[i] || heights[i] >= below || heights[i] >= o->high)
                continue;
            for (int n = 0; n < 9 && !reached[i]; n++) {
                const int x = i % W + n % 3 - 1, y = i / W + n / 3 - 1;
                reached[i] = x >= 0 && y >= 0 && x < W && y < H && reached[y * W + x];
            }
            more = more || reached[i];
        }
    }
}

START_TEST(joined_cells_are_those_of_a_plain_flood)
{
    for (int seed = 0; seed < test_seeds(SEEDS); seed++) {
        const ptl_shoals_options o = options_of((uint32_t)seed);
        static bool reached[CELLS];
        make(&o);
        for (int32_t t = PTL_TIDE_LOW; t <= PTL_TIDE_HIGH; t += 3) {
            flood_plainly(&o, t, reached);
            int wrong = 0;
            for (int i = 0; i < CELLS; i++)
                wrong += (spill[i] < t) != reached[i];
            ck_assert_int_eq(wrong, 0);
        }
    }
}
END_TEST

START_TEST(spills_and_lags)
{
    for (int seed = 0; seed < test_seeds(SEEDS); seed++) {
        const ptl_shoals_options o = options_of((uint32_t)seed);
        make(&o);
        for (int i = 0; i < CELLS; i++) {
            const bool edge = i % W == 0 || i % W == W - 1 || i / W == 0 || i / W == H - 1;
            ck_assert_int_eq(spill[i] == INT32_MIN, edge && heights[i] < o.shallow);
            ck_assert_int_eq(lag[i] == 0, spill[i] == INT32_MIN);
            ck_assert_int_eq(lag[i] < 0, spill[i] == INT32_MAX);
            ck_assert(spill[i] == INT32_MIN || spill[i] >= heights[i]);
            ck_assert(heights[i] < o.high || spill[i] == INT32_MAX);
            if (lag[i] == 1)
                ck_assert_int_eq(spill[i], heights[i]);
        }
    }
}
END_TEST

static ptl_shoals_ground at(const ptl_shoals_options *o, ptl_tide_profile profile, int cell,
                            int32_t tide)
{
    return ptl_tide_ground(o, profile, heights[cell], spill[cell], tide);
}

/* How many of the rules a cell breaks at a tide: rock neither grows nor goes; deep water stays
 * in the gentle profile; what is joined and wet goes on being wet as the tide rises. */
static int broken_at(const ptl_shoals_options *o, int cell, int32_t t)
{
    const ptl_shoals_ground still = ptl_shoals_ground_of(o, heights[cell]);
    const ptl_shoals_ground gentle = at(o, PTL_TIDE_GENTLE, cell, t);
    const ptl_shoals_ground full = at(o, PTL_TIDE_FULL, cell, t);
    const bool was_wet = t > PTL_TIDE_LOW && spill[cell] < t - 1 &&
                         at(o, PTL_TIDE_FULL, cell, t - 1) < PTL_SHOALS_FLOOR;
    return ((gentle >= PTL_SHOALS_HIGH) != (still >= PTL_SHOALS_HIGH)) +
           ((full >= PTL_SHOALS_HIGH) != (still >= PTL_SHOALS_HIGH)) +
           ((gentle == PTL_SHOALS_DEEP) != (still == PTL_SHOALS_DEEP)) +
           (was_wet && full >= PTL_SHOALS_FLOOR);
}

/* Above the highest tide no ground is flooded; a pool behind a higher rim never changes. */
static int broken_for_ever(const ptl_shoals_options *o, int cell)
{
    const ptl_shoals_ground high = at(o, PTL_TIDE_FULL, cell, PTL_TIDE_HIGH);
    const bool is_ground = heights[cell] >= PTL_TIDE_HIGH && heights[cell] < o->high;
    return (is_ground && high != PTL_SHOALS_FLOOR) +
           (spill[cell] >= PTL_TIDE_HIGH && high != at(o, PTL_TIDE_FULL, cell, PTL_TIDE_LOW));
}

START_TEST(what_no_tide_may_do)
{
    for (int seed = 0; seed < test_seeds(SEEDS); seed++) {
        const ptl_shoals_options o = options_of((uint32_t)seed);
        int broken = 0;
        make(&o);
        for (int i = 0; i < CELLS; i++) {
            broken += broken_for_ever(&o, i);
            for (int32_t t = PTL_TIDE_LOW; t <= PTL_TIDE_HIGH; t++)
                broken += broken_at(&o, i, t);
        }
        ck_assert_int_eq(broken, 0);
    }
}
END_TEST

/* The open sea of a deepened map is wet at the lowest tide. */
START_TEST(the_open_sea_is_never_dry)
{
    for (int seed = 1; seed < test_seeds(2 * SEEDS); seed += 2) {
        const ptl_shoals_options o = options_of((uint32_t)seed);
        make(&o);
        for (int i = 0; i < CELLS; i++)
            if (spill[i] == INT32_MIN)
                ck_assert_int_eq(at(&o, PTL_TIDE_FULL, i, PTL_TIDE_LOW), PTL_SHOALS_DEEP);
    }
}
END_TEST

/* A lagoon behind a bar: at -5 it fills and drains over the bar, and keeps water up to it. */
START_TEST(a_lagoon_behind_a_bar)
{
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    int32_t row[7] = {-17, -12, -5, -10, -8, 3, 40}, over[7];
    o.width = 7;
    o.height = 1;
    ck_assert_int_eq(ptl_tide_spill(over, NULL, &o, row, NULL, NULL), PTL_OK);
    const int32_t want[7] = {INT32_MIN, -12, -5, -5, -5, 3, 40};
    for (int i = 0; i < 7; i++)
        ck_assert_int_eq(over[i], want[i]);
    static const char *const seen[][2] = {{"-10", "d=.==.."}, {"-4", "d====.."}};
    for (size_t k = 0; k < 2; k++)
        for (int i = 0; i < 7; i++) {
            const ptl_shoals_ground g =
                ptl_tide_ground(&o, PTL_TIDE_GENTLE, row[i], over[i], atoi(seen[k][0]));
            ck_assert_int_eq("d=."[g], seen[k][1][i]);
        }
    /* A source inside is open sea. */
    const uint8_t sources[7] = {0, 0, 0, 1, 0, 0, 0};
    ck_assert_int_eq(ptl_tide_spill(over, NULL, &o, row, sources, NULL), PTL_OK);
    ck_assert_int_eq(over[3], INT32_MIN);
    ck_assert_int_eq(over[4], -8);
}
END_TEST

TCase *tide_case(void)
{
    TCase *tc = tcase_create("tide");
    tcase_add_test(tc, the_games_motion_turn_by_turn);
    tcase_add_test(tc, tides_come_again);
    tcase_add_test(tc, joined_cells_are_those_of_a_plain_flood);
    tcase_add_test(tc, spills_and_lags);
    tcase_add_test(tc, what_no_tide_may_do);
    tcase_add_test(tc, the_open_sea_is_never_dry);
    tcase_add_test(tc, a_lagoon_behind_a_bar);
    return tc;
}
