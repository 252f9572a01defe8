/*
 * Heights of a coast: the same in one piece and in many, in any order; smoothed as a plain
 * reading of the rule does; nothing reaches beyond an OMT's neighbours; borders are as smooth
 * as what lies between them.
 */
#include "core/hash.h"
#include "core/offsets.h"
#include "gen/coast/coast.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = COAST_SIDE, CELLS = SIDE * SIDE, BLOCK = 3 * SIDE, SEEDS = 12, CHUNK = 180 };

/* A sea with land in the north that comes and goes, and one OMT that can be changed. */
typedef struct sea {
    uint64_t seed;
    int64_t x, y; /* whose share is another */
    uint8_t share;
} sea;

static coast_omt omt_of(const sea *s, int64_t x, int64_t y)
{
    const int64_t line = (int64_t)(hash_add(s->seed, (uint64_t)(x >> 2)) % 5);
    const int64_t south = y - line;
    const bool changed = x == s->x && y == s->y;
    const coast_omt o = {.kind = south < 0    ? COAST_LAND
                                 : south < 1  ? COAST_SHORE
                                 : south < 40 ? COAST_SEA
                                              : COAST_OPEN,
                         .share = changed ? s->share
                                          : (uint8_t)hash_add(s->seed, (uint64_t)(x * 31 + y))};
    return o;
}

static void plan(const void *payload, coast_rect omts, coast_omt *out)
{
    for (int32_t j = 0; j < omts.height; j++)
        for (int32_t i = 0; i < omts.width; i++)
            out[j * omts.width + i] = omt_of(payload, omts.x + i, omts.y + j);
}

static coast coast_of(const sea *s)
{
    return (coast){
        .seed = s->seed,
        .parameters = {.islands_min = 0, .islands_max = 4, .cliffs = 30, .plants = 60},
        .plan = plan,
        .payload = s};
}

static sea sea_of(int seed)
{
    return (sea){.seed = hash_mix((uint64_t)seed), .x = INT64_MIN};
}

static int16_t block[BLOCK * BLOCK];
static int32_t scratch[COAST_SCRATCH(COAST_RECT_MAX, COAST_RECT_MAX)];

/* Blocks over the border of two chunks, over the corner of four, at the coast, across 0. */
static const int64_t places[][2] = {{CHUNK - 1, 2}, {CHUNK - 2, CHUNK - 1}, {-1, -1},
                                    {5, 0},         {-CHUNK - 1, 38},       {77, 12}};
enum { PLACES = sizeof places / sizeof places[0] };

START_TEST(blocks_in_one_piece_and_omt_by_omt)
{
    const sea s = sea_of(_i);
    const coast c = coast_of(&s);
    rng order = rng_from_key((uint64_t)_i);
    for (int p = 0; p < PLACES; p++) {
        const int64_t x = places[p][0], y = places[p][1];
        coast_heights(block, scratch, &c, (coast_rect){x * SIDE, y * SIDE, BLOCK, BLOCK});
        int nine[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        for (int i = 8; i > 0; i--) {
            const int k = (int)rng_below(&order, (uint64_t)i + 1), was = nine[i];
            nine[i] = nine[k];
            nine[k] = was;
        }
        for (int i = 0; i < 9; i++) {
            const int column = nine[i] % 3, row = nine[i] / 3;
            int16_t one[CELLS];
            coast_omt_heights(one, &c, x + column, y + row);
            for (int k = 0; k < CELLS; k++)
                ck_assert_int_eq(
                    one[k], block[(row * SIDE + k / SIDE) * BLOCK + column * SIDE + k % SIDE]);
        }
    }
}
END_TEST

/* Rectangles of any place and size cut the same heights out of the plane. */
START_TEST(any_rectangle_is_part_of_the_plane)
{
    const sea s = sea_of(_i);
    const coast c = coast_of(&s);
    static int16_t whole[COAST_RECT_MAX * COAST_RECT_MAX], part[COAST_RECT_MAX * SIDE];
    const int64_t x0 = -100, y0 = -90;
    coast_heights(whole, scratch, &c, (coast_rect){x0, y0, COAST_RECT_MAX, COAST_RECT_MAX});
    rng r = rng_from_key((uint64_t)_i);
    for (int i = 0; i < 20; i++) {
        const int32_t width = rng_range(&r, 1, COAST_RECT_MAX), height = rng_range(&r, 1, SIDE);
        const int32_t x = rng_range(&r, 0, COAST_RECT_MAX - width);
        const int32_t y = rng_range(&r, 0, COAST_RECT_MAX - height);
        coast_heights(part, scratch, &c, (coast_rect){x0 + x, y0 + y, width, height});
        for (int32_t v = 0; v < height; v++)
            ck_assert(memcmp(&part[v * width], &whole[(y + v) * COAST_RECT_MAX + x],
                             (size_t)width * sizeof *part) == 0);
    }
}
END_TEST

/* ---- the rule, read plainly ---- */

/* Every hill of every OMT near and far, point by point, over the base; then the mean. */
static int32_t plain_raw[(BLOCK + 2) * (BLOCK + 2)];

static void make_plainly(const coast *c, int64_t x, int64_t y)
{
    enum { PITCH = BLOCK + 2 };
    for (int32_t v = -1; v <= BLOCK; v++)
        for (int32_t u = -1; u <= BLOCK; u++) {
            const int64_t ox = x + (u + SIDE) / SIDE - 1, oy = y + (v + SIDE) / SIDE - 1;
            coast_omt around[9];
            c->plan(c->payload, (coast_rect){ox - 1, oy - 1, 3, 3}, around);
            plain_raw[(v + 1) * PITCH + u + 1] =
                coast_base(around, (u + SIDE) % SIDE, (v + SIDE) % SIDE);
        }
    for (int32_t oy = -4; oy < 7; oy++)
        for (int32_t ox = -4; ox < 7; ox++) {
            coast_omt omt;
            coast_hills hills;
            c->plan(c->payload, (coast_rect){x + ox, y + oy, 1, 1}, &omt);
            coast_hills_of(&hills, c, x + ox, y + oy, omt);
            for (int32_t i = 0; i < hills.count; i++) {
                const coast_hill *h = &hills.hills[i];
                rng r = rng_from_key(h->key);
                for (int32_t k = 0; k < h->points; k++) {
                    const int32_t away = rng_range(&r, 0, h->radius);
                    const offset o = offset_at(away, rng_range(&r, 0, 359));
                    const int32_t amount = rng_range(&r, h->low, h->high);
                    const int32_t u = ox * SIDE + h->x + o.x, v = oy * SIDE + h->y + o.y;
                    if (u >= -1 && u <= BLOCK && v >= -1 && v <= BLOCK)
                        plain_raw[(v + 1) * PITCH + u + 1] += amount;
                }
            }
        }
}

START_TEST(heights_are_what_the_rule_says)
{
    enum { PITCH = BLOCK + 2 };
    const sea s = sea_of(_i);
    const coast c = coast_of(&s);
    const int64_t x = places[_i % PLACES][0], y = places[_i % PLACES][1];
    const coast_rect cells = {x * SIDE, y * SIDE, BLOCK, BLOCK};
    make_plainly(&c, x, y);
    static int32_t raw[BLOCK * BLOCK];
    coast_raw(raw, &c, cells);
    coast_heights(block, scratch, &c, cells);
    for (int32_t v = 0; v < BLOCK; v++)
        for (int32_t u = 0; u < BLOCK; u++) {
            int32_t sum = 0;
            for (int32_t dy = -1; dy <= 1; dy++)
                for (int32_t dx = -1; dx <= 1; dx++)
                    sum +=
                        (4 - dx * dx - dy * dy) * plain_raw[(v + 1 + dy) * PITCH + u + 1 + dx];
            ck_assert_int_eq(raw[v * BLOCK + u], plain_raw[(v + 1) * PITCH + u + 1]);
            ck_assert_int_eq(block[v * BLOCK + u], sum / 24);
        }
}
END_TEST

/* ---- reach ---- */

START_TEST(islands_change_nothing_beyond_the_neighbours)
{
    enum { FIVE = 5 * SIDE };
    static int16_t with[FIVE * FIVE], without[FIVE * FIVE];
    sea s = sea_of(_i);
    s.x = CHUNK - 1;
    s.y = 20;
    const coast_rect around = {(s.x - 2) * SIDE, (s.y - 2) * SIDE, FIVE, FIVE};
    s.share = COAST_SHARE_ALL;
    coast c = coast_of(&s);
    c.parameters.islands_min = c.parameters.islands_max = COAST_ISLANDS_MAX;
    coast_heights(with, scratch, &c, around);
    s.share = 0;
    coast_heights(without, scratch, &c, around);
    int changed = 0;
    for (int i = 0; i < FIVE * FIVE; i++) {
        const int u = i % FIVE - 2 * SIDE, v = i / FIVE - 2 * SIDE;
        const int dx = u < 0 ? -u : u >= SIDE ? u - SIDE + 1 : 0;
        const int dy = v < 0 ? -v : v >= SIDE ? v - SIDE + 1 : 0;
        if (with[i] == without[i])
            continue;
        changed++;
        ck_assert_int_le(dx, COAST_REACH + 1);
        ck_assert_int_le(dy, COAST_REACH + 1);
    }
    ck_assert_int_gt(changed, CELLS);
}
END_TEST

START_TEST(hills_stay_in_reach)
{
    const sea s = sea_of(_i);
    const coast c = coast_of(&s);
    for (int64_t y = 0; y < 30; y++)
        for (int64_t x = 0; x < 30; x++) {
            coast_hills all;
            const coast_omt omt = omt_of(&s, x, y);
            coast_hills_of(&all, &c, x, y, omt);
            ck_assert(omt.kind != COAST_LAND || all.count == 0);
            for (int32_t i = 0; i < all.count; i++) {
                const coast_hill *h = &all.hills[i];
                ck_assert_int_ge(h->x - h->radius, -COAST_REACH);
                ck_assert_int_ge(h->y - h->radius, -COAST_REACH);
                ck_assert_int_le(h->x + h->radius, SIDE - 1 + COAST_REACH);
                ck_assert_int_le(h->y + h->radius, SIDE - 1 + COAST_REACH);
            }
        }
}
END_TEST

/* ---- borders ---- */

/* Means of how far two cells side by side differ, over 1,000 OMTs and more: at borders (and
 * among them at chunks' borders) within a tenth of those inside. */
START_TEST(borders_are_as_smooth_as_the_rest)
{
    enum { OMTS = 12, WIDE = OMTS * SIDE };
    static int16_t h[WIDE * WIDE];
    double at_border = 0, inside = 0, border_cells = 0, inside_cells = 0;
    for (int seed = 0; seed < 8; seed++) {
        const sea s = sea_of(seed);
        const coast c = coast_of(&s);
        coast_heights(h, scratch, &c,
                      (coast_rect){(CHUNK - 6) * SIDE, seed * SIDE, WIDE, WIDE});
        for (int y = 0; y < WIDE; y++)
            for (int x = 0; x + 1 < WIDE; x++) {
                const double jump = abs(h[y * WIDE + x + 1] - h[y * WIDE + x]);
                const double down = abs(h[(x + 1) * WIDE + y] - h[x * WIDE + y]);
                if ((x + 1) % SIDE == 0) {
                    at_border += jump + down;
                    border_cells += 2;
                } else {
                    inside += jump + down;
                    inside_cells += 2;
                }
            }
    }
    const double border = at_border / border_cells, rest = inside / inside_cells;
    ck_assert_double_gt(rest, 1);
    ck_assert_double_le(border, 1.1 * rest);
    ck_assert_double_ge(border, 0.9 * rest);
}
END_TEST

/* ---- what there is ---- */

START_TEST(kinds_have_their_heights)
{
    coast_omt around[9];
    int32_t last = INT32_MIN;
    for (uint8_t kind = 0; kind < COAST_KINDS; kind++) {
        for (int i = 0; i < 9; i++)
            around[i] = (coast_omt){kind, 0};
        const int32_t height = coast_base(around, 3, 20);
        ck_assert_int_eq(height, coast_base(around, 23, 0));
        ck_assert_int_gt(height, last);
        last = height;
        ck_assert(kind == COAST_LAND ? height > COAST_FLOOR_FROM : height < COAST_FLOOR_FROM);
        ck_assert((kind == COAST_OPEN || kind == COAST_SEA) == (height < COAST_SHALLOW_FROM));
    }
}
END_TEST

/* Islands lie in a tenth of the sea, or so; a row is the same in whatever pieces. */
START_TEST(shares_leave_most_of_the_sea_open)
{
    enum { WIDE = 600 };
    static uint8_t row[WIDE], piece[WIDE], last[WIDE];
    int some = 0, all = 0;
    rng r = rng_from_key((uint64_t)_i);
    for (int64_t y = -WIDE / 2; y < WIDE / 2; y++) {
        coast_shares(row, (uint64_t)_i, -WIDE / 2, y, WIDE);
        const int32_t from = rng_range(&r, 0, WIDE - 1), width = rng_range(&r, 1, WIDE - from);
        coast_shares(piece, (uint64_t)_i, -WIDE / 2 + from, y, width);
        ck_assert(memcmp(piece, row + from, (size_t)width) == 0);
        for (int32_t x = 0; x < WIDE; x++) {
            some += row[x] > 0;
            all += row[x] == COAST_SHARE_ALL;
            ck_assert(x == 0 || abs(row[x] - row[x - 1]) <= 130);
            ck_assert(y == -WIDE / 2 || abs(row[x] - last[x]) <= 130);
        }
        memcpy(last, row, sizeof row);
    }
    ck_assert_int_gt(some, WIDE * WIDE * 5 / 100);
    ck_assert_int_lt(some, WIDE * WIDE * 20 / 100);
    ck_assert_int_gt(all, WIDE * WIDE / 200);
}
END_TEST

START_TEST(the_sea_has_islands_cliffs_and_plants)
{
    int ground[4] = {0}, plants[3] = {0};
    const sea s = sea_of(_i);
    const coast c = coast_of(&s);
    for (int64_t y = 0; y < 20; y++)
        for (int64_t x = 0; x < 20; x++) {
            int16_t h[CELLS];
            uint8_t plant[CELLS];
            coast_omt_heights(h, &c, x, y);
            coast_plants(plant, h, &c, x, y);
            for (int k = 0; k < CELLS; k++) {
                const int what = (h[k] >= COAST_SHALLOW_FROM) + (h[k] >= COAST_FLOOR_FROM) +
                                 (h[k] >= COAST_ROCK_FROM);
                ground[what]++;
                plants[plant[k]]++;
                ck_assert(plant[k] == COAST_BARE || what == 1 || what == 2);
            }
        }
    for (int i = 0; i < 4; i++)
        ck_assert_int_gt(ground[i], i < 3 ? 20000 : 300);
    ck_assert_int_gt(plants[COAST_MANGROVE], plants[COAST_BUSH]);
    ck_assert_int_gt(plants[COAST_BUSH], 50);
}
END_TEST

/* Parameters out of their range are cut to it; without islands the sea is its base. */
START_TEST(parameters_out_of_range)
{
    const sea s = {.seed = 7, .x = 3, .y = 20, .share = COAST_SHARE_ALL};
    coast c = coast_of(&s);
    coast_hills all;
    c.parameters = (coast_parameters){-5, 1000, 1000, 1000};
    for (int64_t i = 0; i < 200; i++) {
        coast_hills_of(&all, &c, i, 20, (coast_omt){COAST_SHORE, COAST_SHARE_ALL});
        ck_assert_int_le(all.count, COAST_ISLANDS_MAX * COAST_HILLS_MAX + COAST_CLIFF_HILLS);
    }
    c.parameters = (coast_parameters){0};
    int16_t h[CELLS];
    coast_omt_heights(h, &c, 3, 20);
    for (int i = 0; i < CELLS; i++)
        ck_assert_int_eq(h[i], -33);
}
END_TEST

/* Numbers that must never change but with the generator's version. */
START_TEST(heights_of_a_place)
{
    const sea s = sea_of(1);
    const coast c = coast_of(&s);
    uint64_t digest = 0;
    for (int p = 0; p < PLACES; p++) {
        coast_heights(block, scratch, &c,
                      (coast_rect){places[p][0] * SIDE, places[p][1] * SIDE, BLOCK, BLOCK});
        for (int i = 0; i < BLOCK * BLOCK; i++)
            digest = hash_add(digest, (uint64_t)(int64_t)block[i]);
    }
    ck_assert_uint_eq(digest, UINT64_C(2907450019815112575));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coast");
    TCase *t = tcase_create("heights");
    tcase_add_loop_test(t, blocks_in_one_piece_and_omt_by_omt, 0, SEEDS);
    tcase_add_loop_test(t, any_rectangle_is_part_of_the_plane, 0, SEEDS);
    tcase_add_loop_test(t, heights_are_what_the_rule_says, 0, SEEDS);
    tcase_add_loop_test(t, islands_change_nothing_beyond_the_neighbours, 0, SEEDS);
    tcase_add_loop_test(t, hills_stay_in_reach, 0, SEEDS);
    tcase_add_test(t, borders_are_as_smooth_as_the_rest);
    tcase_add_test(t, kinds_have_their_heights);
    tcase_add_loop_test(t, shares_leave_most_of_the_sea_open, 0, SEEDS);
    tcase_add_loop_test(t, the_sea_has_islands_cliffs_and_plants, 0, 3);
    tcase_add_test(t, parameters_out_of_range);
    tcase_add_test(t, heights_of_a_place);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
