/*
 * Spills to bytes and back: of grounds of every sort, flat, smooth, rough and at random, whose
 * ways a plain flood gives; what is cut off, changed or longer is refused or is other spills;
 * few bytes for what is all alike.
 */
#include "codec/number_coder.h"
#include "codec/spills/spill_codec.h"
#include "core/hash.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = LOCAL_SIDE, CELLS = LOCAL_CELLS, SORTS = 6, EBB = -18 };

static ptl_error err;

static int16_t height_of(rng *r, int sort, int x, int y, const int16_t *before)
{
    switch (sort) {
    case 0: /* a plain below the sea */
        return -81;
    case 1: /* a beach */
        return (int16_t)(4 * x + y - 60);
    case 2: /* rough, with rock */
        return (int16_t)rng_range(r, -90, 180);
    case 3: /* what lies beside, and a bit more or less */
        return (int16_t)((x > 0   ? before[-1]
                          : y > 0 ? before[-SIDE]
                                  : -30) +
                         rng_range(r, -9, 9));
    case 4: /* anything that fits */
        return (int16_t)rng_range(r, INT16_MIN + 1, INT16_MAX - 1);
    default: /* terraces behind bars */
        return (int16_t)(x % 6 == 5 ? rng_range(r, -10, 40) : -25 - y);
    }
}

/* The rule, plainly. Beyond the map lie other ways: to each cell of the edge one comes now and
 * then, of which nothing here knows. */
static void flood(local_spills *s, rng *r)
{
    int16_t beyond[CELLS];
    for (int i = 0; i < CELLS; i++)
        beyond[i] = SPILL_NEVER;
    for (int k = 1; k <= SPILL_STEPS; k++)
        for (int i = 0; i < CELLS; i++) {
            const int x = i % SIDE, y = i / SIDE;
            const bool edge = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
            if (edge && rng_one_in(r, 30))
                beyond[i] = (int16_t)rng_range(r, -100, 60);
            int16_t low = beyond[i];
            for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < SIDE; v++)
                for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < SIDE; u++)
                    if (s->within[k - 1][v * SIDE + u] < low)
                        low = s->within[k - 1][v * SIDE + u];
            if (s->within[0][i] == SPILL_SEA)
                low = SPILL_SEA;
            else if (s->heights[i] >= SPILL_ROCK_FROM)
                low = SPILL_NEVER;
            else if (low < s->heights[i])
                low = s->heights[i];
            s->within[k][i] = low < s->within[k - 1][i] ? low : s->within[k - 1][i];
        }
}

static void make(local_spills *s, uint64_t seed)
{
    rng r = rng_from_key(seed);
    const int sort = (int)(seed % SORTS);
    for (int i = 0; i < CELLS; i++) {
        s->heights[i] = height_of(&r, sort, i % SIDE, i / SIDE, &s->heights[i]);
        const bool sea = s->heights[i] < EBB && (i % SIDE < 3 || rng_one_in(&r, 40));
        s->within[0][i] = sea ? SPILL_SEA : SPILL_NEVER;
    }
    flood(s, &r);
}

START_TEST(what_is_written_is_read)
{
    static local_spills in, out;
    bytes blob = {0}, again = {0};
    make(&in, (uint64_t)_i);
    ck_assert_int_eq(spills_encode(&blob, &in, &err), PTL_OK);
    ck_assert_msg(spills_decode(&out, blob.data, blob.size, &err) == PTL_OK, "%s", err.message);
    ck_assert(memcmp(&in, &out, sizeof in) == 0);
    bytes_put_u8(&again, 77); /* what was there goes */
    ck_assert_int_eq(spills_encode(&again, &out, &err), PTL_OK);
    ck_assert_uint_eq(again.size, blob.size);
    ck_assert(memcmp(again.data, blob.data, blob.size) == 0);
    bytes_dispose(&blob);
    bytes_dispose(&again);
}
END_TEST

/* Any bytes: refused, or spills whose numbers are in range. */
static void try_bytes(const uint8_t *data, size_t size, size_t *refused)
{
    static local_spills s;
    const ptl_status status = spills_decode(&s, data, size, &err);
    ck_assert(status == PTL_OK || status == PTL_ERR_CORRUPT);
    *refused += status != PTL_OK;
    for (int i = 0; i < CELLS && status == PTL_OK; i++)
        for (int k = 0; k < SPILL_STEPS; k++)
            ck_assert_int_ge(s.within[k][i], s.within[k + 1][i]);
}

START_TEST(damage_is_seen_or_harmless)
{
    static local_spills in, other;
    bytes blob = {0};
    size_t refused = 0, changed = 0;
    rng r = rng_from_key((uint64_t)_i + 900);
    make(&in, (uint64_t)_i);
    ck_assert_int_eq(spills_encode(&blob, &in, &err), PTL_OK);
    for (size_t size = 0; size < blob.size; size++)
        if (spills_decode(&other, blob.data, size, &err) == PTL_OK)
            ck_assert(memcmp(&in, &other, sizeof in) != 0);
    for (size_t i = 0; i < blob.size; i++) {
        blob.data[i] ^= (uint8_t)(1u << rng_below(&r, 8));
        try_bytes(blob.data, blob.size, &refused);
        blob.data[i] = (uint8_t)rng_below(&r, 256);
        changed++;
        try_bytes(blob.data, blob.size, &refused);
    }
    blob.data[0] = 2;
    ck_assert_int_eq(spills_decode(&other, blob.data, blob.size, &err), PTL_ERR_CORRUPT);
    blob.data[0] = 1;
    for (int n = 0; n < 40; n++)
        bytes_put_u8(&blob, 0xA5);
    if (_i == 0) /* all is read long before */
        ck_assert_int_eq(spills_decode(&other, blob.data, blob.size, &err), PTL_ERR_CORRUPT);
    ck_assert_uint_gt(changed, 1);
    bytes_dispose(&blob);
}
END_TEST

/* ---- written by hand ---- */

static uint32_t folded(int32_t v)
{
    return v < 0 ? 2 * (uint32_t)-v - 1 : 2 * (uint32_t)v;
}

static bool touch(int a, int b)
{
    return abs(a % SIDE - b % SIDE) <= 1 && abs(a / SIDE - b / SIDE) <= 1;
}

/* A way to the first cell from beyond the map. steps: 0: there is none. */
typedef struct way {
    int32_t steps, low;
} way;

/* Writes spills as format.md says, all of one height, whatever it is, with one cell of sea (-1:
 * none), from which the water comes no further than to the cells beside it. The first cell has
 * the given way and no longer one. */
static void put_by_hand(bytes *out, int32_t height, int sea, way corner)
{
    enum { NEVER = SPILL_STEPS + 1 };
    number_model heights, first, above;
    range_bit seas[8], level, more;
    model_bits((range_bit *)(void *)&heights, sizeof heights / sizeof seas[0]);
    model_bits((range_bit *)(void *)&first, sizeof first / sizeof seas[0]);
    model_bits((range_bit *)(void *)&above, sizeof above / sizeof seas[0]);
    model_bits(seas, sizeof seas / sizeof seas[0]);
    model_bits(&level, 1);
    model_bits(&more, 1);
    bytes_clear(out);
    bytes_put_u8(out, 1);
    range_encoder e = range_encoder_over(out);
    coder c = {&e, NULL};
    for (int i = 0; i < CELLS; i++) {
        const int north = i >= SIDE ? i - SIDE : i - 1, west = i % SIDE > 0 ? i - 1 : north;
        const int sort =
            4 * (height < EBB) + 2 * (i > 0 && west == sea) + (i > 0 && north == sea);
        code_number(&c, &heights, i == 0 ? folded(height) : 0);
        code_bit(&c, &seas[sort], i == sea);
    }
    for (int i = 0; i < CELLS && height < SPILL_ROCK_FROM; i++) {
        const bool along = i < SIDE || i >= CELLS - SIDE;
        const int before = along && i % SIDE > 0 ? i - 1 : i - SIDE;
        const bool edge = along || i % SIDE == 0 || i % SIDE == SIDE - 1;
        if (!edge || (sea >= 0 && touch(i, sea)))
            continue; /* nothing is written of the sea, and of what lies beside it */
        const bool here = i == 0 && corner.steps > 0;
        const int32_t guess = i == 0                            ? NEVER
                              : sea >= 0 && touch(before, sea)  ? 1
                              : before == 0 && corner.steps > 0 ? corner.steps
                                                                : NEVER;
        code_number(&c, &first, folded((here ? corner.steps : NEVER) - guess));
        if (!here)
            continue;
        code_bit(&c, &level, corner.low == height);
        if (corner.low == height)
            continue; /* no way can be lower: not a bit tells of longer ones */
        code_number(&c, &above, (uint32_t)(corner.low - height - 1));
        if (corner.steps < SPILL_STEPS)
            code_bit(&c, &more, false);
    }
    range_finish(&e);
}

/* Reads what was written by hand, which must be written again by the same bytes. */
static void read_by_hand(local_spills *s, int32_t height, int sea, way corner)
{
    bytes blob = {0}, own = {0};
    put_by_hand(&blob, height, sea, corner);
    ck_assert_msg(spills_decode(s, blob.data, blob.size, &err) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(spills_encode(&own, s, &err), PTL_OK);
    ck_assert(own.size == blob.size && memcmp(own.data, blob.data, own.size) == 0);
    bytes_dispose(&blob);
    bytes_dispose(&own);
}

/* Heights have 16 bits, of which both ends mean something else. */
START_TEST(heights_beyond_their_ends_are_refused)
{
    static const int32_t ends[] = {INT16_MIN + 1, INT16_MAX - 1},
                         beyond[] = {INT16_MIN, INT16_MAX, INT16_MIN - 1, INT16_MAX + 1};
    static local_spills s;
    bytes blob = {0};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        read_by_hand(&s, ends[i], -1, (way){0, 0});
        ck_assert(s.heights[0] == ends[i] && s.heights[CELLS - 1] == ends[i]);
    }
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        put_by_hand(&blob, beyond[i], -1, (way){0, 0});
        ck_assert_int_eq(spills_decode(&s, blob.data, blob.size, &err), PTL_ERR_CORRUPT);
    }
    bytes_dispose(&blob);
}
END_TEST

/* Water comes to what lies beside the sea in the first step, at each edge and corner. */
START_TEST(the_sea_wets_what_lies_beside_it)
{
    static const int seas[] = {
        0,         5,        SIDE - 1, SIDE, 7 * SIDE, 8 * SIDE - 1, SIDE + 1, CELLS - SIDE,
        CELLS - 9, CELLS - 1};
    enum { LOW = -30 };
    static local_spills s;
    for (size_t n = 0; n < sizeof seas / sizeof seas[0]; n++) {
        read_by_hand(&s, LOW, seas[n], (way){0, 0});
        for (int i = 0; i < CELLS; i++) {
            ck_assert_int_eq(s.within[0][i], i == seas[n] ? SPILL_SEA : SPILL_NEVER);
            ck_assert_int_eq(s.within[1][i], i == seas[n]        ? SPILL_SEA
                                             : touch(i, seas[n]) ? LOW
                                                                 : SPILL_NEVER);
        }
    }
}
END_TEST

/* A way that is as low as its tile is the last one. A higher way may have longer ones after it
 * that are lower, unless it has as many steps as there may be. */
START_TEST(a_way_from_beyond_the_map)
{
    enum { HEIGHT = 20 };
    static const int32_t steps[] = {1, 2, SPILL_STEPS - 1, SPILL_STEPS};
    static local_spills s;
    for (size_t n = 0; n < sizeof steps / sizeof steps[0]; n++)
        for (int32_t low = HEIGHT; low < HEIGHT + 300; low += 23) {
            read_by_hand(&s, HEIGHT, -1, (way){steps[n], low});
            for (int32_t k = 0; k <= SPILL_STEPS; k++)
                ck_assert_int_eq(s.within[k][0], k < steps[n] ? SPILL_NEVER : low);
        }
}
END_TEST

/* Files have such bytes. Where they change, and not because of what is made here, the version
 * that they begin with must change, too. */
START_TEST(the_bytes_stay_what_they_are)
{
    static local_spills s;
    bytes blob = {0};
    uint64_t all = 0;
    for (uint64_t seed = 0; seed < 4 * SORTS; seed++) {
        make(&s, seed);
        ck_assert_int_eq(spills_encode(&blob, &s, &err), PTL_OK);
        all = hash_add(all, hash_bytes(blob.data, blob.size));
    }
    ck_assert_uint_eq(all, UINT64_C(5656222583099054745));
    bytes_dispose(&blob);
}
END_TEST

/* ---- sizes ---- */

START_TEST(what_is_alike_is_small)
{
    static local_spills s;
    bytes blob = {0};
    for (int i = 0; i < CELLS; i++)
        s.heights[i] = -81;
    for (int k = 0; k <= SPILL_STEPS; k++)
        for (int i = 0; i < CELLS; i++)
            s.within[k][i] = SPILL_SEA;
    ck_assert_int_eq(spills_encode(&blob, &s, &err), PTL_OK);
    ck_assert_uint_le(blob.size, 12);
    for (int k = 0; k <= SPILL_STEPS; k++)
        for (int i = 0; i < CELLS; i++)
            s.within[k][i] = SPILL_NEVER;
    ck_assert_int_eq(spills_encode(&blob, &s, &err), PTL_OK);
    ck_assert_uint_le(blob.size, 12);
    make(&s, 1);
    ck_assert_int_eq(spills_encode(&blob, &s, &err), PTL_OK);
    ck_assert_uint_le(blob.size, 110);
    bytes_dispose(&blob);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("spill_codec");
    TCase *t = tcase_create("spills");
    const int seeds = getenv("PORTOLAN_QUICK") ? 2 * SORTS : 20 * SORTS;
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, what_is_written_is_read, 0, seeds);
    tcase_add_loop_test(t, damage_is_seen_or_harmless, 0, SORTS);
    tcase_add_test(t, heights_beyond_their_ends_are_refused);
    tcase_add_test(t, the_sea_wets_what_lies_beside_it);
    tcase_add_test(t, a_way_from_beyond_the_map);
    tcase_add_test(t, the_bytes_stay_what_they_are);
    tcase_add_test(t, what_is_alike_is_small);
    suite_add_tcase(s, t);
    return suite_run(s);
}
