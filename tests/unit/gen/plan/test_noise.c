/* Noise: the same bits on every path, bounds that never lie, values that stay put. */
#include "core/hash.h"
#include "gen/noise/noise.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEEDS = 12 };

static noise_land land_of(uint64_t seed)
{
    noise_land land;
    noise_land_init(&land, seed, 0.25, 0.2, 0.25);
    return land;
}

/* Positions near the origin, on both sides of it, and at the ends of the world. */
static int64_t coordinate(rng *r)
{
    const int64_t far = INT64_C(180) << 22;
    switch (rng_below(r, 4)) {
    case 0:
        return far - rng_below(r, 5000);
    case 1:
        return -far + rng_below(r, 5000);
    case 2:
        return (int64_t)rng_below(r, 2000) - 1000;
    default:
        return (int64_t)rng_below(r, 2000000) - 1000000;
    }
}

START_TEST(paths_agree_bit_for_bit)
{
    if (noise_kernels_best() == &noise_kernels_base) {
        printf("LEFT OUT: this processor has no AVX2\n");
        return;
    }
    noise_land land = land_of((uint64_t)_i);
    rng r = rng_from_key((uint64_t)_i);
    for (int n = 0; n < 3000; n++) {
        int64_t x = coordinate(&r), y = coordinate(&r);
        uint8_t a[NOISE_BLOCK], b[NOISE_BLOCK];
        float fa[NOISE_BLOCK], fb[NOISE_BLOCK];
        noise_kernels_base.lake(&land, x, y, a);
        noise_kernels_avx2.lake(&land, x, y, b);
        ck_assert_mem_eq(a, b, sizeof a);
        noise_kernels_base.forest(&land, x, y, a);
        noise_kernels_avx2.forest(&land, x, y, b);
        ck_assert_mem_eq(a, b, sizeof a);
        noise_kernels_base.squares(&land.lake, land.lake_bounds, x, y, a);
        noise_kernels_avx2.squares(&land.lake, land.lake_bounds, x, y, b);
        ck_assert_mem_eq(a, b, NOISE_SQUARES);
        noise_kernels_base.octaves(&land.lake, x, y, fa);
        noise_kernels_avx2.octaves(&land.lake, x, y, fb);
        ck_assert_mem_eq(fa, fb, sizeof fa);
    }
}
END_TEST

START_TEST(early_outs_change_nothing)
{
    const noise_kernels *k = noise_kernels_best();
    noise_land land;
    rng r = rng_from_key((uint64_t)_i + 100);
    for (int n = 0; n < 2000; n++) {
        const double lake_t[] = {0.25, 0.16, 0.0, 0.9}, forest_t[] = {0.2, 0.1, 0.0, 0.35};
        int which = (int)rng_below(&r, 4);
        noise_land_init(&land, (uint64_t)_i, lake_t[which], forest_t[which],
                        forest_t[which] + 0.05);
        int64_t x = coordinate(&r), y = coordinate(&r);
        uint8_t lake[NOISE_BLOCK], forest[NOISE_BLOCK];
        float l[NOISE_BLOCK], wide[NOISE_BLOCK], fine[NOISE_BLOCK];
        k->lake(&land, x, y, lake);
        k->forest(&land, x, y, forest);
        k->octaves(&land.lake, x, y, l);
        k->octaves(&land.forest_wide, x, y, wide);
        k->octaves(&land.forest_fine, x, y, fine);
        for (int i = 0; i < NOISE_BLOCK; i++) {
            float squared = l[i] * l[i];
            ck_assert_int_eq(lake[i], squared * squared > land.lake_threshold);
            float f = wide[i] * wide[i] - 0.5f * (fine[i] * fine[i] * fine[i]);
            f = f < 0 ? 0 : f;
            ck_assert_int_eq(forest[i],
                             (f > land.forest_threshold) + (f > land.thick_threshold));
        }
    }
}
END_TEST

/* The columns' kernels that this processor can run. */
static size_t column_kernels(const noise_columns *out[3])
{
    size_t count = 0;
    const noise_columns *best = noise_columns_best();
    out[count++] = &noise_columns_base;
    if (noise_kernels_best() == &noise_kernels_avx2)
        out[count++] = &noise_columns_avx2;
    if (best == &noise_columns_avx512)
        out[count++] = best;
    return count;
}

/* What is said of some cells' oct^4 instead of its value is true of each threshold within the
 * bounds; else the value is that of all octaves. Returns whether a value was told. */
static bool fourth_is_true(const noise_layer *layer, double least, double most, int64_t x,
                           int64_t y, float told)
{
    float all[NOISE_BLOCK];
    noise_kernels_base.octaves(layer, x, y, all);
    const float squared = all[0] * all[0], value = squared * squared;
    if (told == NOISE_LITTLE)
        ck_assert((double)value <= least);
    else if (told == NOISE_MUCH)
        ck_assert((double)value > most);
    else
        ck_assert(told == value);
    return told != NOISE_LITTLE && told != NOISE_MUCH;
}

/* By each set of instructions. */
START_TEST(fourths_are_true)
{
    const noise_land land = land_of((uint64_t)_i);
    rng r = rng_from_key((uint64_t)_i + 900);
    int values = 0;
    enum { TIMES = 300 };
    for (size_t n = 0; n < TIMES; n++) {
        const int64_t x = coordinate(&r), y = coordinate(&r);
        const double least = 0.01 * rng_range(&r, -10, 60);
        const double most = rng_one_in(&r, 3) ? 2.0 : least + 0.01 * rng_range(&r, 0, 20);
        const noise_bounds bounds = noise_fourth_bounds(&land.lake, least, most);
        float base[NOISE_BLOCK], best[NOISE_BLOCK];
        noise_kernels_base.fourth(&land.lake, bounds, x, y, base);
        noise_kernels_best()->fourth(&land.lake, bounds, x, y, best);
        ck_assert_mem_eq(base, best, sizeof base);
        for (int i = 0; i < NOISE_BLOCK; i++)
            values += fourth_is_true(&land.lake, least, most, x + i, y, base[i]);
    }
    ck_assert_int_gt(values, 0);
    ck_assert_int_lt(values, TIMES * NOISE_BLOCK);
}
END_TEST

/* Where the thick threshold lies below the other, all forest is thick (generation.md 3: thick
 * is asked first). */
START_TEST(thresholds_in_either_order)
{
    noise_land upside_down, plain;
    noise_land_init(&upside_down, 3, 0.25, 0.3, 0.2);
    noise_land_init(&plain, 3, 0.25, 0.2, 0.3);
    int thick = 0;
    for (int64_t x = 0; x < 4000; x += NOISE_BLOCK) {
        uint8_t a[NOISE_BLOCK], b[NOISE_BLOCK];
        noise_kernels_best()->forest(&upside_down, x, 7, a);
        noise_kernels_best()->forest(&plain, x, 7, b);
        for (int i = 0; i < NOISE_BLOCK; i++) {
            ck_assert_int_eq(a[i], b[i] > 0 ? 2 : 0);
            thick += a[i] == 2;
        }
    }
    ck_assert_int_gt(thick, 0);
}
END_TEST

START_TEST(a_block_is_eight_single_cells)
{
    const noise_kernels *k = noise_kernels_best();
    noise_land land = land_of(5);
    rng r = rng_from_key((uint64_t)_i + 200);
    for (int n = 0; n < 500; n++) {
        int64_t x = coordinate(&r), y = coordinate(&r);
        float whole[NOISE_BLOCK], shifted[NOISE_BLOCK];
        k->octaves(&land.forest_fine, x, y, whole);
        for (int i = 1; i < NOISE_BLOCK; i++) {
            k->octaves(&land.forest_fine, x + i, y, shifted);
            ck_assert(shifted[0] == whole[i]);
        }
    }
}
END_TEST

/* Squares that their corners decide are what each of their cells is. */
START_TEST(squares_agree_with_their_cells)
{
    const noise_kernels *k = noise_kernels_best();
    const double thresholds[] = {0.25, 0.16, 0.1, 0.05, 0.0, 0.5, 0.9, -1.0, 2.0};
    rng r = rng_from_key((uint64_t)_i + 300);
    int decided[2] = {0}, mixed = 0;
    for (int n = 0; n < 200; n++) {
        noise_land land;
        noise_land_init(&land, rng_next(&r), thresholds[rng_below(&r, 9)], 0.2, 0.25);
        int64_t x = coordinate(&r), y = coordinate(&r);
        uint8_t squares[NOISE_SQUARES], cells[NOISE_BLOCK];
        k->squares(&land.lake, land.lake_bounds, x, y, squares);
        for (int i = 0; i < NOISE_SQUARES; i++) {
            mixed += squares[i] == NOISE_MIXED;
            if (squares[i] == NOISE_MIXED)
                continue;
            decided[squares[i] == NOISE_ALL_ABOVE]++;
            for (int row = 0; row < NOISE_SQUARE; row++) {
                k->lake(&land, x + i * NOISE_SQUARE, y + row, cells);
                for (int c = 0; c < NOISE_SQUARE; c++)
                    ck_assert_int_eq(cells[c], squares[i] == NOISE_ALL_ABOVE);
            }
        }
    }
    ck_assert_int_gt(decided[0], 300);
    ck_assert_int_gt(decided[1], 100);
    ck_assert_int_gt(mixed, 25);
}
END_TEST

/* The largest value at a point of the noise (0), of its second derivative along an axis (1)
 * and of what corners beyond the point's simplex would add (2), with the worst gradients. */
static void worst_at(double worst[3], const double skewed[3])
{
    const double unskew = (skewed[0] + skewed[1] + skewed[2]) / 6;
    double axis_sum[3] = {0};
    worst[0] = worst[1] = worst[2] = 0;
    for (int n = 0; n < 64; n++) {
        const int corner[3] = {n % 4 - 1, n / 4 % 4 - 1, n / 16 - 1};
        const double back = (corner[0] + corner[1] + corner[2]) / 6.0;
        double p[3], t = 0.6, value = 0, second[3] = {-1e9, -1e9, -1e9};
        /* skewed[0] >= skewed[1] >= skewed[2]: the simplex' corners are 000 100 110 111 */
        const bool own = corner[2] >= 0 && corner[0] <= 1 && corner[0] >= corner[1] &&
                         corner[1] >= corner[2];
        for (int i = 0; i < 3; i++) {
            p[i] = skewed[i] - unskew - corner[i] + back;
            t -= p[i] * p[i];
        }
        if (t <= 0)
            continue;
        for (int g = 0; g < 12; g++) {
            const int a = g / 4 == 2, b = g / 4 == 0 ? 1 : 2; /* the two axes */
            double gradient[3] = {0};
            gradient[a] = g & 1 ? -1 : 1;
            gradient[b] = g & 2 ? -1 : 1;
            const double dot = gradient[a] * p[a] + gradient[b] * p[b];
            value = fmax(value, 32 * t * t * t * t * dot);
            for (int i = 0; i < 3; i++)
                second[i] = fmax(second[i], 32 * (t * t * (48 * p[i] * p[i] - 8 * t) * dot -
                                                  16 * t * t * t * p[i] * gradient[i]));
        }
        worst[own ? 0 : 2] += value;
        for (int i = 0; i < 3; i++)
            axis_sum[i] += second[i];
    }
    worst[1] = fmax(axis_sum[0], fmax(axis_sum[1], axis_sum[2]));
}

/* The numbers that early-outs and squares rely on: over a grid of one simplex, which by
 * symmetry stands for all, with some room for what lies between the grid's points. */
START_TEST(bounds_are_derived)
{
    enum { STEPS = 30 };
    double most[3] = {0};
    for (int u = 0; u <= STEPS; u++)
        for (int v = 0; v <= u; v++)
            for (int w = 0; w <= v; w++) {
                const double at[3] = {(double)u / STEPS, (double)v / STEPS, (double)w / STEPS};
                double worst[3];
                worst_at(worst, at);
                for (int i = 0; i < 3; i++)
                    most[i] = fmax(most[i], worst[i]);
            }
    ck_assert_double_gt(most[0], 0.9);
    ck_assert_double_lt(most[0], 0.985);
    ck_assert_double_gt(most[1], 30.0);
    ck_assert_double_lt(most[1] * 1.15, (double)NOISE_CURVATURE);
    /* at the point and at the corners that are interpolated */
    ck_assert_double_gt(most[2], 0.002);
    ck_assert_double_lt(2 * most[2] * 1.15, (double)NOISE_JUMPS);
}
END_TEST

/* Some of the tiles, in order; now and then all of them, or none. */
static void choose_tiles(noise_column *c, rng *r)
{
    const uint32_t chance = rng_below(r, 5);
    c->count = 0;
    for (int tile = 0; tile < NOISE_GRID_PATCHES; tile++)
        if (chance == 4 || rng_below(r, 4) < chance)
            c->patches[c->count++] = (uint8_t)tile;
}

/* Where a tile's lane lies, in a column that begins there. */
static void place_of(int64_t out[2], const int64_t column[2], int tile, int lane)
{
    out[0] = column[0] + lane / NOISE_PATCH_Y;
    out[1] = column[1] + tile * NOISE_PATCH_Y + lane % NOISE_PATCH_Y;
}

static int wrong_forests(const noise_land *land, const noise_columns *columns, noise_grid *grid,
                         noise_column *c, const int64_t at[2])
{
    const noise_kernels *k = &noise_kernels_base;
    uint8_t tiles[NOISE_GRID_PATCHES], block[NOISE_BLOCK];
    const int count = c->count;
    int64_t cell[2];
    int wrong = 0;
    memcpy(tiles, c->patches, sizeof tiles);
    k->grid_rows(grid, 0, &land->forest_wide, at[1]);
    k->grid_rows(grid, land->forest_wide.octaves, &land->forest_fine, at[1]);
    k->grid_column(grid, 0, &land->forest_wide, at[0]);
    k->grid_column(grid, land->forest_wide.octaves, &land->forest_fine, at[0]);
    noise_ramp_column(c, land, at[0], at[1]);
    columns->forest(land, grid, c);
    for (int i = 0; i < count * NOISE_PATCH_Y; i++) {
        const int tile = tiles[i / NOISE_PATCH_Y], row = i % NOISE_PATCH_Y;
        place_of(cell, at, tile, row);
        k->forest(land, cell[0], cell[1], block);
        wrong += memcmp(block, &c->class[tile][row * NOISE_PATCH_X], NOISE_PATCH_X) != 0;
    }
    return wrong;
}

/* Does any of a tile's lanes count? Values gets those of blocks. */
static bool floodplain_of(float values[NOISE_BLOCK], const noise_land *land,
                          const noise_column *c, const int64_t at[2], int tile)
{
    bool any = false;
    for (int lane = 0; lane < NOISE_BLOCK; lane++) {
        int64_t cell[2];
        float block[NOISE_BLOCK];
        place_of(cell, at, tile, lane);
        noise_kernels_base.octaves(&land->floodplain, cell[0], cell[1], block);
        values[lane] = block[0] * block[0];
        any = any || values[lane] > c->needed[tile][lane];
    }
    return any;
}

/* No tile is left out that counts; those that stay are in order, with the blocks' bits. */
static int wrong_floodplains(const noise_land *land, const noise_columns *columns,
                             noise_grid *grid, noise_column *c, const int64_t at[2])
{
    const noise_kernels *k = &noise_kernels_base;
    uint8_t tiles[NOISE_GRID_PATCHES];
    const int count = c->count;
    int wrong = 0, kept = 0;
    memcpy(tiles, c->patches, sizeof tiles);
    k->grid_rows(grid, 0, &land->floodplain, at[1]);
    k->grid_column(grid, 0, &land->floodplain, at[0]);
    columns->floodplain(land, grid, c);
    for (int i = 0; i < count; i++) {
        float values[NOISE_BLOCK];
        const bool counts = floodplain_of(values, land, c, at, tiles[i]);
        const bool there = kept < c->count && c->patches[kept] == tiles[i];
        wrong += counts && !there;
        for (int lane = 0; there && lane < NOISE_BLOCK; lane++)
            wrong += values[lane] != c->value[tiles[i]][lane];
        kept += there;
    }
    return wrong + (kept != c->count);
}

START_TEST(columns_agree_with_blocks)
{
    static noise_grid grid;
    static noise_column column;
    const noise_columns *columns[3];
    const size_t kinds = column_kernels(columns);
    rng r = rng_from_key((uint64_t)_i + 400);
    int wrong = 0;
    if (_i == 0 && kinds < 3)
        printf("LEFT OUT: this processor has no AVX-512\n");
    for (size_t n = 0; n < 4 * kinds; n++) {
        const double forest = (double)rng_below(&r, 40) / 100;
        const int64_t at[2] = {coordinate(&r), coordinate(&r)};
        noise_land land;
        noise_land_init(&land, rng_next(&r), 0.25, forest, forest + 0.05);
        if (n % 2 == 0) { /* with a ramp, which may also take away */
            const double increase[4] = {0.04, -0.01 * (double)rng_below(&r, 3), 0.001, 0.02};
            noise_land_set_ramp(&land, increase, (double)rng_below(&r, 20) / 100);
        }
        choose_tiles(&column, &r);
        wrong += wrong_forests(&land, columns[n % kinds], &grid, &column, at);
        choose_tiles(&column, &r);
        for (int tile = 0; tile < NOISE_GRID_PATCHES; tile++)
            for (int i = 0; i < NOISE_BLOCK; i++)
                column.needed[tile][i] =
                    rng_below(&r, 3) ? 2.0f : (float)rng_below(&r, 100) / 100;
        wrong += wrong_floodplains(&land, columns[n % kinds], &grid, &column, at);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* Far from the origin the lattice must be as fine as near it: steps between neighbours stay
 * small, and not everything is equal. */
START_TEST(noise_is_smooth_and_alive_far_away)
{
    const noise_kernels *k = noise_kernels_best();
    noise_land land = land_of(9);
    const int64_t far = INT64_C(180) << 22;
    float low = 1, high = 0;
    for (int64_t y = 0; y < 400; y += 7)
        for (int64_t x = 0; x < 4000; x += NOISE_BLOCK) {
            float v[NOISE_BLOCK];
            k->octaves(&land.floodplain, far + x, far + y, v);
            for (int i = 0; i < NOISE_BLOCK; i++) {
                ck_assert(v[i] >= 0.0f && v[i] <= 1.0f);
                low = v[i] < low ? v[i] : low;
                high = v[i] > high ? v[i] : high;
                if (i > 0)
                    ck_assert(fabsf(v[i] - v[i - 1]) < 0.25f);
            }
        }
    ck_assert(high - low > 0.5f);
}
END_TEST

/* Values themselves are part of every world: a change of any bit is a new generator version. */
START_TEST(golden_values)
{
    uint64_t digest = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        noise_land land = land_of(seed);
        for (int64_t y = -40; y < 40; y++)
            for (int64_t x = -400; x < 400; x += NOISE_BLOCK) {
                float v[NOISE_BLOCK];
                uint32_t bits[NOISE_BLOCK];
                noise_kernels_best()->octaves(&land.forest_fine, x, y, v);
                memcpy(bits, v, sizeof bits);
                for (int i = 0; i < NOISE_BLOCK; i++)
                    digest = hash_add(digest, bits[i]);
            }
    }
    ck_assert_msg(digest == UINT64_C(0x0e3317f2f76c0caf), "0x%016llx",
                  (unsigned long long)digest);
}
END_TEST

/* The game's own worlds (49 of DDA 0.F): about 4 % lake, 29 % forest after cities took
 * theirs; raw noise is somewhat above. */
START_TEST(shares_resemble_the_reference)
{
    double lake = 0, forest = 0, thick = 0, cells = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        noise_land land = land_of(seed);
        for (int64_t y = 0; y < 1800; y += 30)
            for (int64_t x = 0; x < 1800; x += 40) {
                uint8_t l[NOISE_BLOCK], f[NOISE_BLOCK];
                noise_kernels_best()->lake(&land, x, y, l);
                noise_kernels_best()->forest(&land, x, y, f);
                for (int i = 0; i < NOISE_BLOCK; i++) {
                    lake += l[i];
                    forest += f[i] == 1;
                    thick += f[i] == 2;
                    cells += 1;
                }
            }
    }
    ck_assert_double_ge(lake / cells, 0.02);
    ck_assert_double_le(lake / cells, 0.08);
    ck_assert_double_ge(forest / cells, 0.07);
    ck_assert_double_le(forest / cells, 0.16);
    ck_assert_double_ge(thick / cells, 0.22);
    ck_assert_double_le(thick / cells, 0.40);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("noise");
    TCase *tcase = tcase_create("noise"), *golden = tcase_create("golden");
    tcase_set_tags(tcase, "seeds"); /* slow without optimisation: tools/test */
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, paths_agree_bit_for_bit, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, early_outs_change_nothing, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, fourths_are_true, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, a_block_is_eight_single_cells, 0, 4);
    tcase_add_loop_test(tcase, squares_agree_with_their_cells, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, columns_agree_with_blocks, 0, test_seeds(SEEDS));
    tcase_add_test(tcase, bounds_are_derived);
    tcase_add_test(tcase, thresholds_in_either_order);
    tcase_add_test(tcase, noise_is_smooth_and_alive_far_away);
    tcase_add_test(golden, golden_values);
    tcase_add_test(tcase, shares_resemble_the_reference);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, golden);
    return suite_run(suite);
}
