/*
 * Where the tide comes to, over 1,000 OMTs: the spills are those of a plain flood, step by
 * step, in a larger window; what a tide may change and what not; pools; corners that the
 * overmap moves.
 */
#include "core/hash.h"
#include "gen/coast/coast_window.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = COAST_SIDE, CELLS = SIDE * SIDE, OMTS = 1000, FIVE = 5 * SIDE, FLOOD_OMTS = 24 };

/* A coast in the north, islands, and open sea here and there. */
static void plan(const void *payload, coast_rect omts, coast_omt *out)
{
    const uint64_t seed = *(const uint64_t *)payload;
    for (int32_t i = 0; i < omts.width * omts.height; i++) {
        const int64_t x = omts.x + i % omts.width, y = omts.y + i / omts.width;
        const int64_t line = (int64_t)(hash_add(seed, (uint64_t)(x >> 2)) % 5),
                      south = y - line;
        const uint64_t part = hash_add(hash_add(seed, (uint64_t)(x >> 3)), (uint64_t)(y >> 3));
        out[i] = (coast_omt){.kind = south < 0       ? COAST_LAND
                                     : south < 1     ? COAST_SHORE
                                     : part % 4 != 0 ? COAST_SEA
                                                     : COAST_OPEN,
                             .share = (uint8_t)hash_add(seed, (uint64_t)(x * 31 + y))};
    }
}

static coast coast_of(const uint64_t *seed)
{
    return (coast){.seed = *seed,
                   .parameters = {.islands_min = 0, .islands_max = 6, .cliffs = 30},
                   .plan = plan,
                   .payload = seed};
}

/* Squares and grounds as planned; closed: without what is no open sea. */
static void as_planned(coast_square *out, const uint64_t *seed, int64_t x, int64_t y,
                       int32_t side)
{
    out->side = side;
    plan(seed, (coast_rect){x - side / 2, y - side / 2, side, side}, out->planned);
    for (int32_t i = 0; i < side * side; i++)
        out->wet[i] = out->planned[i].kind != COAST_LAND;
}

static void ground_of(coast_ground *out, const coast *c, const uint64_t *seed, int64_t x,
                      int64_t y, bool closed)
{
    coast_square square;
    coast_window window;
    as_planned(&square, seed, x, y, closed ? COAST_SQUARE_MAX : 5);
    coast_window_of(&window, c, x, y, &square);
    if (closed)
        ck_assert(coast_window_close(&window));
    coast_flood(out, &window, NULL);
}

/* The OMT of a number; most lie near the coast. */
static void place_of(int number, uint64_t *seed, int64_t *x, int64_t *y)
{
    rng r = rng_from_key(hash_add(hash_string("water"), (uint64_t)number));
    *seed = rng_next(&r) % 8;
    *x = rng_range(&r, -400, 400);
    *y = rng_range(&r, -1, 12);
}

/* ---- spills ---- */

/* Which cells the water comes to at a tide, where raise stands that much higher (NULL: none),
 * in at most so many steps, and 1 more than the steps that it takes: a plain flood over what
 * lies below it, in five OMTs by five. */
static void flood_plainly(uint8_t reached[FIVE * FIVE], const int16_t *heights,
                          const coast_omt *omts, int32_t tide, const uint8_t *raise)
{
    static int32_t list[FIVE * FIVE];
    int32_t count = 0, from = 0;
    memset(reached, 0, FIVE * FIVE);
    for (int32_t i = 0; i < FIVE * FIVE; i++)
        if (heights[i] < COAST_EBB &&
            omts[i / FIVE / SIDE * 5 + i % FIVE / SIDE].kind != COAST_LAND) {
            reached[i] = 1;
            list[count++] = i;
        }
    for (int step = 0; step < COAST_STEPS; step++) {
        const int32_t end = count;
        for (; from < end; from++)
            for (int32_t k = 0; k < 9; k++) {
                const int32_t x = list[from] % FIVE + k % 3 - 1,
                              y = list[from] / FIVE + k / 3 - 1;
                const int32_t at = y * FIVE + x;
                if (x < 0 || y < 0 || x >= FIVE || y >= FIVE || reached[at] ||
                    heights[at] >= tide + (raise ? raise[at] : 0) ||
                    heights[at] >= COAST_ROCK_FROM)
                    continue;
                reached[at] = (uint8_t)(step + 2);
                list[count++] = at;
            }
    }
}

START_TEST(spills_are_a_plain_flood)
{
    static int16_t heights[FIVE * FIVE];
    static int32_t scratch[COAST_SCRATCH(FIVE, FIVE)];
    static uint8_t reached[FIVE * FIVE];
    coast_omt omts[25];
    uint64_t seed;
    int64_t x, y;
    place_of(_i, &seed, &x, &y);
    const coast c = coast_of(&seed);
    coast_ground g;
    ground_of(&g, &c, &seed, x, y, false);
    coast_heights(heights, scratch, &c,
                  (coast_rect){(x - 2) * SIDE, (y - 2) * SIDE, FIVE, FIVE});
    plan(&seed, (coast_rect){x - 2, y - 2, 5, 5}, omts);
    for (int32_t tide = COAST_EBB; tide <= COAST_FLOOD; tide++) {
        flood_plainly(reached, heights, omts, tide, NULL);
        for (int32_t i = 0; i < CELLS; i++) {
            const int32_t at = (2 * SIDE + i / SIDE) * FIVE + 2 * SIDE + i % SIDE;
            if (g.heights[i] != heights[at] || (g.spills[i] < tide) != (reached[at] > 0))
                ck_abort_msg("cell %d at tide %d", (int)i, (int)tide);
        }
    }
}
END_TEST

/* A bump of water in the midst of the OMT or beside it. */
static void raise_bump(uint8_t raise[FIVE * FIVE], rng *r)
{
    const int32_t x = 2 * SIDE + rng_range(r, -6, SIDE + 5), peak = rng_range(r, 5, 50);
    const int32_t y = 2 * SIDE + rng_range(r, -6, SIDE + 5);
    memset(raise, 0, FIVE * FIVE);
    for (int32_t i = 0; i < FIVE * FIVE; i++) {
        const int32_t dx = abs(i % FIVE - x), dy = abs(i / FIVE - y), d = dx > dy ? dx : dy;
        raise[i] = (uint8_t)(d <= 8 && peak > 3 * d ? peak - 3 * d : 0);
    }
}

/* The same where the water is raised: it passes what is lower by that, and nothing else. */
START_TEST(raised_water_is_a_plain_flood)
{
    static int16_t heights[FIVE * FIVE];
    static int32_t scratch[COAST_SCRATCH(FIVE, FIVE)];
    static uint8_t reached[FIVE * FIVE], raise[FIVE * FIVE], near[COAST_AROUND * COAST_AROUND];
    coast_square square;
    coast_window window;
    coast_omt omts[25];
    coast_ground g;
    uint64_t seed;
    int64_t x, y;
    rng r = rng_from_key((uint64_t)_i);
    place_of(_i, &seed, &x, &y);
    const coast c = coast_of(&seed);
    raise_bump(raise, &r);
    for (int32_t row = 0; row < COAST_AROUND; row++)
        memcpy(&near[row * COAST_AROUND], &raise[(SIDE + row) * FIVE + SIDE], COAST_AROUND);
    as_planned(&square, &seed, x, y, 5);
    coast_window_of(&window, &c, x, y, &square);
    coast_flood(&g, &window, near);
    coast_heights(heights, scratch, &c,
                  (coast_rect){(x - 2) * SIDE, (y - 2) * SIDE, FIVE, FIVE});
    plan(&seed, (coast_rect){x - 2, y - 2, 5, 5}, omts);
    for (int32_t tide = COAST_EBB; tide <= COAST_FLOOD; tide++) {
        coast_moment still;
        for (int32_t k = 0; k <= COAST_STEPS; k++)
            still.tide[k] = tide;
        flood_plainly(reached, heights, omts, tide, raise);
        for (int32_t i = 0; i < CELLS; i++) {
            int32_t lag;
            const int32_t at = (2 * SIDE + i / SIDE) * FIVE + 2 * SIDE + i % SIDE;
            const int32_t stands = coast_level_now(&lag, &g, i, &still);
            if (g.heights[i] != heights[at] || (lag >= 0) != (reached[at] > 0) ||
                (lag >= 0 && stands != tide + raise[at]))
                ck_abort_msg("cell %d at tide %d", (int)i, (int)tide);
        }
    }
}
END_TEST

/* ---- the tide as it moves ---- */

enum { PERIOD = 100, TIDES = COAST_FLOOD - COAST_EBB + 2 /* and below the lowest */ };

/* Goes up and down between the lowest and the highest tide, and stays there for a while. */
static int32_t tide_at(int32_t turn)
{
    const int32_t at = (turn % PERIOD + PERIOD) % PERIOD,
                  up = at < PERIOD / 2 ? at : PERIOD - at;
    return up + COAST_EBB > COAST_FLOOD ? (int32_t)COAST_FLOOD : up + COAST_EBB;
}

static coast_moment moment_at(int32_t turn)
{
    coast_moment moment;
    for (int32_t k = 0; k <= COAST_STEPS; k++)
        moment.tide[k] = tide_at(turn - k);
    return moment;
}

/* By the rule: k is as long as the shortest way below some tide, and what left the sea k steps
 * before stood at least so high. steps: of plain floods, for each tide from the lowest on. */
static bool comes_after(int32_t k, uint8_t (*steps)[FIVE * FIVE], int32_t at, int32_t stood)
{
    for (int32_t tide = COAST_EBB; tide <= stood; tide++)
        if (steps[tide - COAST_EBB][at] == k + 1)
            return true;
    return false;
}

START_TEST(water_comes_step_by_step)
{
    static int16_t heights[FIVE * FIVE];
    static int32_t scratch[COAST_SCRATCH(FIVE, FIVE)];
    static uint8_t steps[TIDES][FIVE * FIVE];
    coast_omt omts[25];
    coast_ground g;
    uint64_t seed;
    int64_t x, y;
    place_of(_i, &seed, &x, &y);
    const coast c = coast_of(&seed);
    ground_of(&g, &c, &seed, x, y, false);
    coast_heights(heights, scratch, &c,
                  (coast_rect){(x - 2) * SIDE, (y - 2) * SIDE, FIVE, FIVE});
    plan(&seed, (coast_rect){x - 2, y - 2, 5, 5}, omts);
    for (int32_t tide = COAST_EBB; tide <= COAST_FLOOD; tide++)
        flood_plainly(steps[tide - COAST_EBB], heights, omts, tide, NULL);
    for (int32_t turn = 0; turn < PERIOD; turn += 3) {
        const coast_moment moment = moment_at(turn);
        for (int32_t i = 0; i < CELLS; i++) {
            const int32_t at = (2 * SIDE + i / SIDE) * FIVE + 2 * SIDE + i % SIDE;
            int32_t expected = -1, lag;
            for (int32_t k = 0; k <= COAST_STEPS && expected < 0; k++)
                if (comes_after(k, steps, at, tide_at(turn - k)))
                    expected = k;
            const int32_t level = coast_level_now(&lag, &g, i, &moment);
            const int32_t spill = g.spills[i] < 0 ? g.spills[i] : 0;
            if (lag != expected || level != (lag < 0 ? spill : tide_at(turn - lag)))
                ck_abort_msg("cell %d at turn %d: lag %d, not %d", (int)i, (int)turn, (int)lag,
                             (int)expected);
        }
    }
}
END_TEST

/* ---- what a tide may change ---- */

/* At one tide, in both profiles. */
static bool is_sound(int32_t height, int32_t spill, int32_t tide)
{
    const coast_feature gentle = coast_feature_of(height, spill, tide, false);
    const coast_feature full = coast_feature_of(height, spill, tide, true);
    const bool rock = height >= COAST_ROCK_FROM;
    /* Walls neither appear nor vanish, and deep water is what it was made as. */
    bool good = (gentle == COAST_ROCK) == rock && (full == COAST_ROCK) == rock &&
                (gentle == COAST_DEEP) == (height < COAST_SHALLOW_FROM);
    /* Both profiles agree on what is dry, but for what is deep by its height. */
    good = good && (gentle == COAST_DEEP || (gentle == COAST_DRY) == (full == COAST_DRY));
    if (spill == COAST_SPILL_SEA) /* the open sea, wet at ebb, too */
        good = good && (full == COAST_DEEP || full == COAST_SHALLOW);
    if (height >= COAST_FLOOD) /* above the highest tide, and no water stands there */
        good = good && (gentle == COAST_DRY || gentle == COAST_ROCK);
    if (spill >= COAST_FLOOD) /* a pool that no tide comes to, or dry for ever */
        good = good && full == coast_feature_of(height, spill, 0, true);
    return good;
}

static void check_cell(int32_t height, int32_t spill, int counts[4])
{
    const coast_feature mean = coast_feature_of(height, spill, 0, false);
    bool changed = false, good = spill == COAST_SPILL_SEA || spill >= height;
    for (int32_t tide = COAST_EBB; tide <= COAST_FLOOD; tide++) {
        good = good && is_sound(height, spill, tide);
        changed = changed || coast_feature_of(height, spill, tide, false) != mean;
    }
    if (!good)
        ck_abort_msg("height %d, spill %d", (int)height, (int)spill);
    counts[0] += changed;
    counts[1] += spill >= COAST_FLOOD && height < 0;                      /* pools */
    counts[2] += spill < 0 && spill != COAST_SPILL_SEA && spill > height; /* behind a bar */
    counts[3] += spill == COAST_SPILL_SEA;
}

START_TEST(invariants_of_tides)
{
    int counts[4] = {0};
    for (int n = 0; n < OMTS; n++) {
        uint64_t seed;
        int64_t x, y;
        place_of(n, &seed, &x, &y);
        const coast c = coast_of(&seed);
        coast_ground g;
        ground_of(&g, &c, &seed, x, y, true);
        for (int32_t i = 0; i < CELLS; i++)
            check_cell(g.heights[i], g.spills[i], counts);
    }
    for (int i = 0; i < 4; i++)
        ck_assert_int_gt(counts[i], 10);
}
END_TEST

/* ---- over a period ---- */

/* A block of OMTs, of which those inside are looked at: 1,000 in all. */
enum { ACROSS = 7, DOWN = 6, INSIDE = (ACROSS - 2) * (DOWN - 2), BLOCKS = OMTS / INSIDE };

typedef struct block {
    coast_ground grounds[DOWN][ACROSS];
    int8_t lags[2][DOWN * SIDE][ACROSS * SIDE]; /* at a turn and the one before; -1: cut off */
    int32_t levels[DOWN * SIDE][ACROSS * SIDE];
} block;

static void find_levels(block *b, int32_t turn)
{
    const coast_moment moment = moment_at(turn);
    memcpy(b->lags[1], b->lags[0], sizeof b->lags[0]);
    for (int32_t i = 0; i < DOWN * SIDE * ACROSS * SIDE; i++) {
        int32_t lag;
        const int32_t x = i % (ACROSS * SIDE), y = i / (ACROSS * SIDE);
        b->levels[y][x] = coast_level_now(&lag, &b->grounds[y / SIDE][x / SIDE],
                                          y % SIDE * SIDE + x % SIDE, &moment);
        b->lags[0][y][x] = (int8_t)lag;
    }
}

/* Was the water of a cell, which left the sea some steps before, beside it a turn before? */
static bool came_from_beside(const block *b, int32_t x, int32_t y)
{
    bool found = false;
    for (int32_t k = 0; k < 9; k++) {
        const int32_t before = b->lags[1][y + k / 3 - 1][x + k % 3 - 1];
        found = found || (before >= 0 && before < b->lags[0][y][x]);
    }
    return found;
}

/* What counts has: cells that were joined late, pools, the open sea at ebb. */
static void check_moving(const block *b, int32_t x, int32_t y, int32_t turn, int counts[3])
{
    const coast_ground *g = &b->grounds[y / SIDE][x / SIDE];
    const int32_t i = y % SIDE * SIDE + x % SIDE, lag = b->lags[0][y][x];
    const int32_t height = g->heights[i], stands = b->levels[y][x];
    const coast_feature full = coast_stands(height, stands, true);
    const coast_feature gentle = coast_stands(height, stands, false);
    bool good = (full == COAST_ROCK) == (height >= COAST_ROCK_FROM) &&
                (gentle == COAST_ROCK) == (full == COAST_ROCK) &&
                (gentle == COAST_DEEP) == (height < COAST_SHALLOW_FROM);
    if (g->spills[i] == COAST_SPILL_SEA) /* the open sea goes with the tide, and is wet */
        good = good && lag == 0 && stands == tide_at(turn) && full <= COAST_SHALLOW;
    else if (lag >= 0) /* comes from the sea alone, over what lies below it */
        good = good && lag > 0 && stands > g->spills[i] && g->spills[i] >= height &&
               came_from_beside(b, x, y);
    else /* cut off: as the last water left it, or no tide came there ever */
        good = good && stands == (g->spills[i] < 0 ? g->spills[i] : 0);
    if (g->spills[i] >= COAST_FLOOD)
        good = good && lag < 0;
    if (!good)
        ck_abort_msg("turn %d: height %d, spill %d, lag %d, water at %d", (int)turn,
                     (int)height, (int)g->spills[i], (int)lag, (int)stands);
    counts[0] += lag > 8;
    counts[1] += g->spills[i] >= COAST_FLOOD && height < 0;
    counts[2] += g->spills[i] == COAST_SPILL_SEA && tide_at(turn) == COAST_EBB;
}

/* Joining grows with the tide, if it stays: whatever is joined at one is joined at a higher. */
static void check_joining(const coast_ground *g)
{
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t before = -1;
        for (int32_t k = 1; k <= COAST_STEPS; k++)
            ck_assert_int_le(g->within[k][i], g->within[k - 1][i]);
        for (int32_t tide = COAST_EBB; tide <= COAST_FLOOD; tide++) {
            coast_moment still;
            int32_t lag;
            for (int32_t k = 0; k <= COAST_STEPS; k++)
                still.tide[k] = tide;
            (void)coast_level_now(&lag, g, i, &still);
            if ((lag >= 0) != (g->spills[i] < tide) || (before >= 0 && lag < 0) ||
                (before >= 0 && lag > before))
                ck_abort_msg("cell %d at tide %d", (int)i, (int)tide);
            before = lag;
        }
    }
}

START_TEST(a_period_over_many_omts)
{
    static block b;
    static int counts[3];
    uint64_t seed;
    int64_t x0, y0;
    place_of(7002 + _i, &seed, &x0, &y0);
    y0 = y0 % 6 - 2;
    const coast c = coast_of(&seed);
    for (int32_t k = 0; k < ACROSS * DOWN; k++)
        ground_of(&b.grounds[k / ACROSS][k % ACROSS], &c, &seed, x0 + k % ACROSS,
                  y0 + k / ACROSS, true);
    memset(counts, 0, sizeof counts);
    check_joining(&b.grounds[DOWN / 2][ACROSS / 2]);
    find_levels(&b, -1);
    for (int32_t turn = 0; turn < PERIOD; turn++) {
        find_levels(&b, turn);
        for (int32_t y = SIDE; y < (DOWN - 1) * SIDE; y++)
            for (int32_t x = SIDE; x < (ACROSS - 1) * SIDE; x++)
                check_moving(&b, x, y, turn, counts);
    }
    if (_i == 0)
        for (int i = 0; i < 3; i++)
            ck_assert_int_gt(counts[i], 0);
}
END_TEST

START_TEST(water_of_single_cells)
{
    ck_assert_int_eq(coast_level(COAST_SPILL_SEA, -18), -18);
    ck_assert_int_eq(coast_level(-5, 3), 3);   /* joined */
    ck_assert_int_eq(coast_level(-5, -5), -5); /* cut off at the bar */
    ck_assert_int_eq(coast_level(40, 25), 0);  /* behind a high bar, as the mean sea */
    ck_assert_int_eq(coast_feature_of(-40, -5, -10, true), COAST_DEEP);
    ck_assert_int_eq(coast_feature_of(-20, COAST_SPILL_SEA, 25, true), COAST_DEEP);
    ck_assert_int_eq(coast_feature_of(-20, COAST_SPILL_SEA, 25, false), COAST_SHALLOW);
    ck_assert_int_eq(coast_feature_of(10, 10, 11, false), COAST_SHALLOW);
    ck_assert_int_eq(coast_feature_of(10, 10, 10, false), COAST_DRY);
    ck_assert_int_eq(coast_feature_of(135, COAST_SPILL_NEVER, 25, true), COAST_ROCK);
}
END_TEST

/* ---- corners that the overmap moves ---- */

/* The heights of an OMT alone. */
static void heights_of(int16_t out[CELLS], const coast *c, int64_t x, int64_t y,
                       const coast_square *square)
{
    coast_window window;
    coast_window_of(&window, c, x, y, square);
    ck_assert_int_eq(window.side, 1);
    coast_window_get(out, &window, 0, 0);
}

/* Where the overmap is as planned nothing moves; a river's mouth in planned land makes water at
 * the corners that it touches and nowhere else; what is dry in planned sea rises. */
START_TEST(corners_follow_the_overmap)
{
    uint64_t seed = 3;
    const coast c = coast_of(&seed);
    for (int64_t x = 0; x < 40; x++)
        for (int64_t y = 0; y < 8; y++) {
            coast_square square;
            int16_t planned[CELLS], moved[CELLS];
            as_planned(&square, &seed, x, y, 3);
            coast_omt_heights(planned, &c, x, y);
            heights_of(moved, &c, x, y, &square);
            ck_assert(memcmp(moved, planned, sizeof moved) == 0);
            square.wet[0] = !square.wet[0]; /* the north-western neighbour */
            heights_of(moved, &c, x, y, &square);
            for (int i = 0; i < CELLS; i++) {
                const int32_t by = moved[i] - planned[i];
                if (square.wet[0] ? by > 0 : by < 0)
                    ck_abort_msg("moved by %d", (int)by);
            }
            ck_assert_int_le(abs(moved[CELLS - 1] - planned[CELLS - 1]), 1);
            ck_assert_int_ne(moved[0], planned[0]);
        }
}
END_TEST

/* An overmap at random: heights and what is sea in an OMT are the same in whichever window it
 * lies, and neighbours' heights differ at a border no more than inside by their slope. */
START_TEST(windows_agree)
{
    enum { WIDE = 12, ROWS = 12 };
    static coast_omt planned[WIDE * ROWS];
    static coast_window one, other;
    uint64_t seed = (uint64_t)_i;
    const coast c = coast_of(&seed);
    rng r = rng_from_key(seed);
    bool wet[WIDE * ROWS];
    plan(&seed, (coast_rect){0, -3, WIDE, ROWS}, planned);
    for (int i = 0; i < WIDE * ROWS; i++)
        wet[i] = rng_one_in(&r, 5) != (planned[i].kind != COAST_LAND);
    for (int y = 3; y < ROWS - 4; y++)
        for (int x = 3; x < WIDE - 4; x++) {
            coast_square s[2];
            for (int k = 0; k < 2; k++) {
                s[k].side = k ? 5 : 7;
                for (int i = 0; i < s[k].side * s[k].side; i++) {
                    const int half = s[k].side / 2;
                    const int at =
                        (y + i / s[k].side - half) * WIDE + x + k + i % s[k].side - half;
                    s[k].planned[i] = planned[at];
                    s[k].wet[i] = wet[at];
                }
            }
            coast_window_of(&one, &c, x, y - 3, &s[0]);
            coast_window_of(&other, &c, x + 1, y - 3, &s[1]);
            for (int i = 0; i < CELLS; i++) { /* the OMT at x */
                const int u = i % SIDE, v = i / SIDE;
                const int a = (2 * SIDE + v) * 5 * SIDE + 2 * SIDE + u;
                const int b = (SIDE + v) * 3 * SIDE + u;
                ck_assert_int_eq(one.heights[a], other.heights[b]);
                ck_assert_int_eq(one.sea[a], other.sea[b]);
                ck_assert(!one.sea[a] || (one.heights[a] < COAST_EBB && wet[y * WIDE + x]));
            }
        }
}
END_TEST

/* Windows with a memo, whose places are taken by others again and again, are those without. */
START_TEST(a_memo_changes_nothing)
{
    static coast_memo memo;
    const uint64_t seed = 77 + (uint64_t)_i;
    const coast plain = coast_of(&seed);
    coast kept = plain;
    coast_square square;
    coast_window one, other;
    rng r = rng_from_key(seed);
    memset(&memo, 0, sizeof memo);
    kept.memo = &memo;
    for (int i = 0; i < 40; i++) {
        const int64_t x = rng_range(&r, -20, 20);
        const int64_t y = rng_range(&r, -10, 10);
        as_planned(&square, &seed, x, y, i % 3 ? 5 : COAST_SQUARE_MAX);
        coast_window_of(&one, &plain, x, y, &square);
        coast_window_of(&other, &kept, x, y, &square);
        const size_t cells = (size_t)one.side * SIDE * (size_t)one.side * SIDE;
        ck_assert_int_eq(one.side, other.side);
        ck_assert(memcmp(one.heights, other.heights, cells * sizeof *one.heights) == 0);
        ck_assert(memcmp(one.sea, other.sea, cells) == 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coast water");
    TCase *t = tcase_create("water");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, spills_are_a_plain_flood, 0, FLOOD_OMTS);
    tcase_add_loop_test(t, raised_water_is_a_plain_flood, 0, FLOOD_OMTS);
    tcase_add_loop_test(t, water_comes_step_by_step, 0, FLOOD_OMTS / 2);
    tcase_add_test(t, invariants_of_tides);
    tcase_add_loop_test(t, a_period_over_many_omts, 0, test_seeds(BLOCKS));
    tcase_add_test(t, water_of_single_cells);
    tcase_add_test(t, corners_follow_the_overmap);
    tcase_add_loop_test(t, windows_agree, 0, 6);
    tcase_add_loop_test(t, a_memo_changes_nothing, 0, 3);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
