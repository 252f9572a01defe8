/*
 * What stands on the sea: the heights that works have, by a plain reading of the rule; what
 * they cut off from the sea, and that windows agree on that.
 */
#include "core/hash.h"
#include "gen/coast/coast_plan.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = COAST_SIDE, CELLS = SIDE * SIDE, WIDE = COAST_WINDOW_MAX * SIDE, SEEDS = 40 };

/* ---- heights ---- */

/* A map in patches, some of it works. */
static void draw_map(uint8_t features[CELLS], bool own[CELLS], int16_t heights[CELLS], rng *r)
{
    static const int32_t made[] = {-60, -17, 40, 200};
    for (int i = 0; i < CELLS; i++) {
        features[i] = (uint8_t)rng_below(r, 4);
        heights[i] = (int16_t)(made[features[i]] - rng_range(r, 0, 10));
        own[i] = false;
    }
    for (int n = 0; n < 12; n++) {
        const int32_t x = rng_range(r, 0, SIDE - 1), y = rng_range(r, 0, SIDE - 1);
        const int32_t wide = rng_range(r, 1, 14), high = rng_range(r, 1, 14);
        const uint8_t what = (uint8_t)rng_below(r, 4);
        for (int32_t v = y; v < y + high && v < SIDE; v++)
            for (int32_t u = x; u < x + wide && u < SIDE; u++) {
                features[v * SIDE + u] = what;
                own[v * SIDE + u] = true;
            }
    }
}

/* Steps from a cell to the nearest one of the features, by distances that fall until they
 * stay; -1: there is no way. */
static int steps_plainly(const uint8_t features[CELLS], int cell, unsigned of)
{
    int steps[CELLS];
    bool fell = true;
    for (int i = 0; i < CELLS; i++)
        steps[i] = of >> features[i] & 1 ? 0 : CELLS;
    while (fell) {
        fell = false;
        for (int i = 0; i < CELLS; i++)
            for (int k = 0; k < CELLS && features[i] != COAST_ROCK; k++) {
                const int dx = abs(i % SIDE - k % SIDE), dy = abs(i / SIDE - k / SIDE);
                if (dx > 1 || dy > 1 || steps[k] + 1 >= steps[i])
                    continue;
                steps[i] = steps[k] + 1;
                fell = true;
            }
    }
    return steps[cell] == CELLS ? -1 : steps[cell];
}

static int bounded(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

static int height_plainly(const uint8_t features[CELLS], int cell, int was)
{
    const int deep = steps_plainly(features, cell, 1U << COAST_DEEP);
    const int land = steps_plainly(features, cell, 1U << COAST_DRY);
    const int water = steps_plainly(features, cell, 1U << COAST_DEEP | 1U << COAST_SHALLOW);
    switch (features[cell]) {
    case COAST_DEEP:
        return -31;
    case COAST_SHALLOW:
        if (deep > 0 && land > 0)
            return -30 + 30 * deep / (deep + land);
        return deep > 0   ? bounded(-30 + 7 * deep, -30, -1)
               : land > 0 ? bounded(-7 * land, -30, -1)
                          : bounded(was, -30, -1);
    case COAST_DRY:
        return water < 0 ? 134 : bounded(7 * (water - 1), 0, 134);
    default:
        return 135;
    }
}

START_TEST(works_have_the_heights_of_the_rule)
{
    rng r = rng_from_key((uint64_t)_i);
    uint8_t features[CELLS];
    bool own[CELLS];
    int16_t heights[CELLS], was[CELLS];
    draw_map(features, own, heights, &r);
    memcpy(was, heights, sizeof was);
    coast_works(heights, features, own);
    for (int i = 0; i < CELLS; i++)
        ck_assert(own[i] || heights[i] == was[i]);
    for (int n = 0; n < 12; n++) {
        const int i = (int)rng_below(&r, CELLS);
        if (own[i])
            ck_assert_int_eq(heights[i], height_plainly(features, i, was[i]));
    }
    for (int i = 0; i < CELLS; i++) /* what it is at the mean sea is what its height says */
        ck_assert(!own[i] || coast_feature_of(heights[i], COAST_SPILL_NEVER, 0, false) ==
                                 (coast_feature)features[i]);
}
END_TEST

/* A pier of four tiles in deep water, a quay beside it, a room without a door. */
START_TEST(piers_quays_and_rooms)
{
    uint8_t features[CELLS];
    bool own[CELLS];
    int16_t heights[CELLS];
    for (int i = 0; i < CELLS; i++) {
        const int x = i % SIDE, y = i / SIDE;
        const bool pier = x >= 10 && x < 14, quay = y >= 8;
        const bool room = x >= 2 && x < 7 && y >= 12 && y < 17;
        const bool inside = x > 2 && x < 6 && y > 12 && y < 16;
        features[i] = room && !inside ? COAST_ROCK : pier || quay ? COAST_DRY : COAST_DEEP;
        own[i] = features[i] != COAST_DEEP;
        heights[i] = -80;
    }
    coast_works(heights, features, own);
    ck_assert_int_eq(heights[0], -80);
    ck_assert_int_eq(heights[3 * SIDE + 10], 0); /* beside the water */
    ck_assert_int_eq(heights[3 * SIDE + 11], 7);
    ck_assert_int_eq(heights[8 * SIDE + 20], 0);
    ck_assert_int_eq(heights[23 * SIDE + 20], 15 * 7);
    ck_assert_int_eq(heights[12 * SIDE + 3], 135);
    ck_assert_int_eq(heights[14 * SIDE + 4], 134); /* no water comes in */
}
END_TEST

/* ---- what is cut off ---- */

/* A flat sea of OMTs a side, with heights of some depth. */
static void flat_sea(coast_window *w, int16_t height)
{
    w->side = COAST_WINDOW_MAX;
    for (int i = 0; i < COAST_WINDOW_CELLS; i++) {
        w->heights[i] = height;
        w->sea[i] = height < COAST_EBB;
    }
}

/* A square wall whose inside has so many cells a side; its north-western corner at (x, y). A
 * gap: one cell of it is left out. */
static void put_dam(coast_window *w, int x, int y, int inside, bool gap)
{
    for (int v = 0; v < COAST_WINDOW_MAX; v++)
        for (int u = 0; u < COAST_WINDOW_MAX; u++) {
            int16_t heights[CELLS];
            coast_window_get(heights, w, u, v);
            for (int i = 0; i < CELLS; i++) {
                const int dx = u * SIDE + i % SIDE - x, dy = v * SIDE + i / SIDE - y;
                const int end = inside + 1;
                const bool in = dx >= 0 && dy >= 0 && dx <= end && dy <= end;
                const bool edge = dx == 0 || dy == 0 || dx == end || dy == end;
                if (in && edge && !(gap && dx == end && dy == 1))
                    heights[i] = COAST_ROCK_FROM;
            }
            coast_window_put(w, u, v, heights);
        }
}

/* What a dam closes is no sea, as long as it fits in an OMT's side; with a gap it is. */
START_TEST(dams_close_the_sea_off)
{
    static coast_window w;
    const int x = 40 + _i % 11, y = 37 + _i % 13;
    for (int inside = SIDE - 2; inside <= SIDE + 1; inside++)
        for (int gap = 0; gap < 2; gap++) {
            flat_sea(&w, -40);
            put_dam(&w, x, y, inside, gap);
            ck_assert(coast_window_close(&w));
            const bool closed = !gap && inside <= SIDE;
            ck_assert_int_eq(w.sea[(y + 1) * WIDE + x + 1], !closed);
            ck_assert_int_eq(w.sea[(y + inside) * WIDE + x + inside], !closed);
            ck_assert_int_eq(w.sea[(y + 1) * WIDE + x - 1], 1);
            ck_assert_int_eq(w.sea[y * WIDE + x], 0);
            coast_ground g;
            coast_flood(&g, &w, NULL);
            for (int i = 0; i < CELLS; i++) {
                const int dx = 2 * SIDE + i % SIDE - x, dy = 2 * SIDE + i / SIDE - y;
                const bool in = dx > 0 && dy > 0 && dx <= inside && dy <= inside;
                const bool edge = !in && dx >= 0 && dy >= 0 && dx <= inside + 1 &&
                                  dy <= inside + 1 && g.heights[i] == COAST_ROCK_FROM;
                ck_assert_int_eq(g.spills[i],
                                 edge || (in && closed) ? COAST_SPILL_NEVER : COAST_SPILL_SEA);
            }
        }
}
END_TEST

/* A lagoon is no sea: its water stands at its bar, or at the mean sea; nor is a pit. */
START_TEST(lagoons_and_pits_are_no_sea)
{
    static coast_window w;
    int16_t heights[CELLS];
    flat_sea(&w, 5);
    for (int v = 50; v < 60; v++)
        for (int u = 30; u < 100; u++) {
            const bool sea = u >= 70, lagoon = u < 60 && u >= 50;
            w.heights[v * WIDE + u] = sea || lagoon ? -40 : w.heights[v * WIDE + u];
            w.sea[v * WIDE + u] = sea || lagoon;
        }
    coast_window_get(heights, &w, 2, 2);
    heights[20 * SIDE + 4] = -31; /* a pit: works make no sea */
    coast_window_put(&w, 2, 2, heights);
    ck_assert(coast_window_close(&w));
    ck_assert_int_eq(w.sea[50 * WIDE + 50], 0);
    ck_assert_int_eq(w.sea[50 * WIDE + 80], 1);
    ck_assert_int_eq(w.sea[68 * WIDE + 52], 0);
    coast_ground g;
    coast_flood(&g, &w, NULL);
    ck_assert_int_eq(g.spills[4 * SIDE + 8], 5);  /* the lagoon, over its bar */
    ck_assert_int_eq(g.spills[20 * SIDE + 4], 5); /* the pit */
}
END_TEST

/* What nine OMTs tell is what 25 do; where they can't tell they say so. */
START_TEST(small_windows_tell_or_say_that_they_do_not)
{
    static coast_window large, small;
    rng r = rng_from_key(9);
    int told = 0, untold = 0;
    for (int n = 0; n < 4 * SEEDS; n++) {
        flat_sea(&large, 10);
        const int32_t bodies = rng_range(&r, 1, 12);
        for (int32_t b = 0; b < bodies; b++) {
            const int32_t x = rng_range(&r, -20, WIDE), y = rng_range(&r, -20, WIDE);
            const int32_t wide = rng_range(&r, 1, 60), high = rng_range(&r, 1, 60);
            for (int32_t v = y < 0 ? 0 : y; v < y + high && v < WIDE; v++)
                for (int32_t u = x < 0 ? 0 : x; u < x + wide && u < WIDE; u++) {
                    large.heights[v * WIDE + u] = -40;
                    large.sea[v * WIDE + u] = 1;
                }
        }
        small.side = 3;
        for (int32_t i = 0; i < 9 * CELLS; i++) {
            const int32_t at = (i / (3 * SIDE) + SIDE) * WIDE + i % (3 * SIDE) + SIDE;
            small.heights[i] = large.heights[at];
            small.sea[i] = large.sea[at];
        }
        ck_assert(coast_window_close(&large));
        if (!coast_window_close(&small)) {
            untold++;
            continue;
        }
        told++;
        for (int32_t i = 0; i < 9 * CELLS; i++) {
            const int32_t at = (i / (3 * SIDE) + SIDE) * WIDE + i % (3 * SIDE) + SIDE;
            ck_assert_int_eq(small.sea[i], large.sea[at]);
        }
    }
    ck_assert_int_gt(told, SEEDS / 2);
    ck_assert_int_gt(untold, SEEDS / 2);
}
END_TEST

/* A sea with walls at random: two windows an OMT apart say the same of a cell that lies in the
 * nine OMTs in the middle of both. */
START_TEST(windows_agree_on_what_is_closed)
{
    enum { LONG = WIDE + SIDE };
    static uint8_t wall[WIDE * LONG];
    static coast_window w[2];
    rng r = rng_from_key((uint64_t)_i);
    int closed = 0;
    memset(wall, 0, sizeof wall);
    for (int n = 0; n < 40; n++) {
        const int x = rng_range(&r, 0, LONG - 30), y = rng_range(&r, 0, WIDE - 30);
        const int wide = rng_range(&r, 3, 29), high = rng_range(&r, 3, 29);
        for (int i = 0; i < wide * high; i++)
            if (i % wide == 0 || i % wide == wide - 1 || i < wide || i >= (high - 1) * wide)
                wall[(y + i / wide) * LONG + x + i % wide] = 1;
    }
    for (int k = 0; k < 2; k++) {
        flat_sea(&w[k], -40);
        for (int omt = 0; omt < COAST_WINDOW_MAX * COAST_WINDOW_MAX; omt++) {
            const int u = omt % COAST_WINDOW_MAX, v = omt / COAST_WINDOW_MAX;
            int16_t heights[CELLS];
            coast_window_get(heights, &w[k], u, v);
            for (int i = 0; i < CELLS; i++)
                if (wall[(v * SIDE + i / SIDE) * LONG + (u + k) * SIDE + i % SIDE])
                    heights[i] = COAST_ROCK_FROM;
            coast_window_put(&w[k], u, v, heights);
        }
        coast_window_close(&w[k]);
    }
    for (int y = SIDE; y < WIDE - SIDE; y++)
        for (int x = 2 * SIDE; x < WIDE - SIDE; x++) {
            ck_assert_int_eq(w[0].sea[y * WIDE + x], w[1].sea[y * WIDE + x - SIDE]);
            closed += !w[0].sea[y * WIDE + x] && !wall[y * LONG + x];
        }
    ck_assert_int_gt(closed, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coast works");
    TCase *t = tcase_create("works");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, works_have_the_heights_of_the_rule, 0,
                        getenv("PORTOLAN_QUICK") ? 4 : SEEDS / 4);
    tcase_add_test(t, piers_quays_and_rooms);
    tcase_add_loop_test(t, dams_close_the_sea_off, 0, 13);
    tcase_add_test(t, lagoons_and_pits_are_no_sea);
    tcase_add_test(t, small_windows_tell_or_say_that_they_do_not);
    tcase_add_loop_test(t, windows_agree_on_what_is_closed, 0, SEEDS);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
