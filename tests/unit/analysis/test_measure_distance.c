/* Distances over a level against looking at every cell. */
#include "analysis/measure/measure_distance.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/analysis/analysis_fixture.h"

#include <check.h>
#include <string.h>

enum { SIDE = PTL_CHUNK_SIZE, CELLS = PTL_LEVEL_CELLS };

/* The plainest square root: no floats. */
static int32_t plain_root(int32_t square)
{
    int32_t root = 0;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return root;
}

/* ---- distances ---- */

static int32_t plain_distance(const uint8_t *kinds, int32_t x, int32_t y)
{
    int32_t best = INT32_MAX;
    for (int32_t i = 0; i < CELLS; i++) {
        const int32_t dx = i % SIDE - x, dy = i / SIDE - y, square = dx * dx + dy * dy;
        if (kinds[i] & 4 && square < best)
            best = square;
    }
    return plain_root(best);
}

/* Scatters cells; returns how many distances at some cells are wrong. */
static int wrong_distances(int32_t count, bool in_corner, uint64_t seed)
{
    static uint8_t kinds[CELLS], out[CELLS];
    static distance_scratch scratch;
    dice d = {seed};
    int wrong = 0;
    for (int32_t i = 0; i < CELLS; i++)
        kinds[i] = (uint8_t)(dice_roll(&d) & 3); /* other bits say nothing */
    for (int32_t i = 0; i < count; i++)
        kinds[in_corner ? dice_below(&d, 6) * SIDE + dice_below(&d, 6)
                        : dice_below(&d, CELLS)] |= 4;
    if (!distance_to_cells(out, &scratch, kinds, 4))
        return count > 0 ? CELLS : 0;
    for (int i = 0; i < 100; i++) {
        const int32_t x = i < 4 ? i % 2 * (SIDE - 1) : dice_below(&d, SIDE);
        const int32_t y = i < 4 ? i / 2 * (SIDE - 1) : dice_below(&d, SIDE);
        wrong += out[y * SIDE + x] != plain_distance(kinds, x, y);
    }
    return wrong;
}

START_TEST(distances_to_cells)
{
    static const int32_t counts[] = {0, 1, 2, 5, 20, 100, 1000, 10000};
    for (int seed = 0; seed < test_seeds(3); seed++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            ck_assert_int_eq(wrong_distances(counts[i], false, (uint64_t)seed), 0);
            ck_assert_int_eq(wrong_distances(counts[i], true, (uint64_t)seed), 0);
        }
}
END_TEST

static int32_t plain_city(const gen_features *f, int32_t x, int32_t y)
{
    int32_t best = INT32_MAX;
    for (size_t i = 0; i < f->city_count; i++) {
        const gen_city *c = &f->cities[i];
        const int32_t dx = x - c->x, dy = y - c->y;
        const int32_t distance = plain_root(dx * dx + dy * dy) - c->size;
        best = distance < best ? distance : best;
    }
    return best < 0 ? 0 : best;
}

START_TEST(distances_to_cities)
{
    static uint8_t out[CELLS];
    distance_cities cities = {0};
    gen_features things = {0};
    int wrong = 0, seen = 0;
    for (int seed = 0; test_goes_on(seed, 20, seen > 1); seed++) {
        fixture_things(&things, (uint64_t)seed);
        if (seed == 3 && things.city_count > 0)
            things.cities[0].size = INT16_MAX; /* an imported one may be */
        ck_assert(distance_cities_set(&cities, &things));
        if (things.city_count == 0)
            continue;
        ck_assert(distance_to_cities(out, &cities));
        for (int32_t i = seed % 7; i < CELLS; i += 7) {
            const int32_t right = plain_city(&things, i % SIDE, i / SIDE);
            wrong += out[i] != right || distance_to_city(&cities, i % SIDE, i / SIDE) != right;
        }
        wrong +=
            seed != 3 && distance_to_city(&cities, -100, 300) != plain_city(&things, -100, 300);
        seen++;
    }
    distance_cities_dispose(&cities);
    features_dispose(&things);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(seen, 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("measure_distance");
    TCase *tc = tcase_create("measure_distance");
    tcase_add_test(tc, distances_to_cells);
    tcase_add_test(tc, distances_to_cities);
    suite_add_tcase(s, tc);
    return suite_run(s);
}
