/* Step forest trails, on forests painted by hand or at random. */
#include "support/land_catalogue.h"
#include "support/suite.h"
#include "unit/gen/connect/road_scene.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static int32_t labels[SIZE * SIZE];
static int32_t forests[SIZE * SIZE]; /* the component of each cell, from 1; 0: none */

/* Every forest of 10 cells or more has trails, with all four extreme points. */
static scene *trail_scene(uint64_t seed, cat_region *region)
{
    scene *s = scene_new(seed);
    *region = *s->config->region;
    region->trails.chance = 1;
    region->trails.border_point_chance = 1;
    region->trails.minimum_forest_size = 10;
    s->config->region = region;
    return s;
}

static bool is_forest(const scene *s, int32_t x, int32_t y)
{
    const char *id = scene_id(s, x, y, 0);
    bool inner = x >= 1 && x < SIZE - 1 && y >= 1 && y < SIZE - 1;
    return inner && strncmp(id, "forest", 6) == 0;
}

/* Components by columns, the slow way: labels sink to the lowest neighbour until all is still.
 */
static void find_forests(const scene *s)
{
    for (int32_t x = 0; x < SIZE; x++)
        for (int32_t y = 0; y < SIZE; y++)
            forests[y * SIZE + x] = is_forest(s, x, y) ? 1 + x * SIZE + y : 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int pass = 0; pass < 2; pass++)
            for (int32_t k = SIZE + 1; k < SIZE * (SIZE - 1); k++) {
                int32_t i = pass ? SIZE * SIZE - 1 - k : k;
                const int32_t near[4] = {i - SIZE, i - 1, i + 1, i + SIZE};
                for (int d = 0; forests[i] && d < 4; d++)
                    if (forests[near[d]] && forests[near[d]] < forests[i]) {
                        forests[i] = forests[near[d]];
                        moved = true;
                    }
            }
    }
}

static void random_forests(scene *s, rng *r)
{
    static const char *const KINDS[] = {"forest", "forest_thick", "forest_water"};
    for (int32_t i = rng_range(r, 10, 40); i > 0; i--) {
        int32_t x = rng_range(r, 0, SIZE - 1), y = rng_range(r, 0, SIZE - 1);
        int32_t most = i % 5 == 0 ? 50 : 12;
        scene_paint(s, x, y, x + rng_range(r, 0, most), y + rng_range(r, 0, most),
                    i % 4 == 3 ? "lake_surface" : KINDS[rng_below(r, 3)]);
    }
}

static bool is_trail(const scene *s, int32_t at)
{
    const cat_connection *trail = &s->config->cat->connections[s->config->trail];
    const cat_oter *o = &s->config->cat->oters[s->g->ground[at]];
    return cat_terrain_in(trail->terrains, o->terrain);
}

typedef struct box {
    int32_t size, x0, y0, x1, y1;
} box;

static box box_of(int32_t forest)
{
    box b = {0, SIZE, SIZE, -1, -1};
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        if (forests[i] == forest) {
            int32_t x = i % SIZE, y = i / SIZE;
            b.size++;
            b.x0 = x < b.x0 ? x : b.x0;
            b.x1 = x > b.x1 ? x : b.x1;
            b.y0 = y < b.y0 ? y : b.y0;
            b.y1 = y > b.y1 ? y : b.y1;
        }
    return b;
}

/* The nearest cell to the centre of the box, and the first one of each side, by columns. */
static void points_of(int32_t forest, box b, int32_t out[5])
{
    int32_t cx = (b.x0 + b.x1) / 2, cy = (b.y0 + b.y1) / 2, best = SIZE;
    memset(out, -1, 5 * sizeof *out);
    for (int32_t x = 0; x < SIZE; x++)
        for (int32_t y = 0; y < SIZE; y++) {
            int32_t dx = abs(x - cx), dy = abs(y - cy), i = y * SIZE + x;
            if (forests[i] != forest)
                continue;
            if ((dx > dy ? dx : dy) < best) {
                best = dx > dy ? dx : dy;
                out[0] = i;
            }
            out[1] = y == b.y0 && out[1] < 0 ? i : out[1];
            out[2] = y == b.y1 && out[2] < 0 ? i : out[2];
            out[3] = x == b.x0 && out[3] < 0 ? i : out[3];
            out[4] = x == b.x1 && out[4] < 0 ? i : out[4];
        }
}

START_TEST(forests_get_the_trails_they_should)
{
    cat_region region;
    scene *s = trail_scene((uint64_t)_i, &region);
    rng r = rng_from_key((uint64_t)_i);
    random_forests(s, &r);
    find_forests(s);
    scene_run(s, "forest_trails");
    scene_check_arms(s, 0);
    scene_parts(s, s->config->trail, 0, labels);
    int with = 0;
    for (int32_t i = 0; i < SIZE * SIZE; i++) {
        if (is_trail(s, i) && !forests[i])
            ck_abort_msg("a trail outside a forest");
        if (!forests[i] || forests[i] != 1 + i % SIZE * SIZE + i / SIZE)
            continue; /* only at a forest's first cell */
        box b = box_of(forests[i]);
        int32_t points[5], part = 0;
        points_of(forests[i], b, points);
        for (int p = 0; p < 5; p++) {
            int32_t own = labels[points[p]];
            ck_assert_msg((own > 0) == (b.size >= 10), "point %d of a forest of %d", p, b.size);
            ck_assert(part == 0 || own == part);
            part = own;
        }
        with += b.size >= 10;
    }
    ck_assert_int_gt(with, 0);
    ck_assert_uint_eq(s->g->event_count, 0);
    scene_free(s);
}
END_TEST

/* Two cells are as near to the middle as any, both at the end of a pocket: the first by columns
 * is the point. */
START_TEST(the_first_of_equals_is_the_middle)
{
    cat_region region;
    scene *s = trail_scene(1, &region);
    region.trails.random_point_max = 0;
    scene_paint(s, 20, 20, 40, 40, "forest_thick");
    scene_paint(s, 27, 27, 33, 33, "lake_surface");
    scene_paint(s, 27, 30, 27, 30, "forest_thick");
    scene_paint(s, 30, 27, 30, 27, "forest_thick");
    scene_run(s, "forest_trails");
    ck_assert(is_trail(s, 30 * SIZE + 27));
    ck_assert(!is_trail(s, 27 * SIZE + 30));
    scene_free(s);
}
END_TEST

/* Random points: all of them different, so that a forest of as many cells is all trail. */
START_TEST(random_points_do_not_repeat)
{
    cat_region region;
    scene *s = trail_scene((uint64_t)_i, &region);
    region.trails.random_point_min = 60;
    region.trails.random_point_max = 80;
    scene_paint(s, 20, 20, 29, 25, "forest_thick");
    scene_run(s, "forest_trails");
    for (int32_t y = 20; y <= 25; y++)
        for (int32_t x = 20; x <= 29; x++)
            ck_assert(is_trail(s, y * SIZE + x));
    scene_check_arms(s, 0);
    scene_free(s);
}
END_TEST

static int32_t count_trails(const scene *s)
{
    int32_t count = 0;
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        count += is_trail(s, i);
    return count;
}

START_TEST(settings_are_kept)
{
    cat_region region;
    scene *s = trail_scene(1, &region);
    scene_paint(s, 20, 20, 60, 60, "forest");
    region.trails.chance = 0;
    scene_run(s, "forest_trails");
    ck_assert_int_eq(count_trails(s), 0);
    region.trails.chance = 1;
    region.trails.minimum_forest_size = 41 * 41 + 1;
    scene_run(s, "forest_trails");
    ck_assert_int_eq(count_trails(s), 0);
    region.trails.minimum_forest_size = 41 * 41;
    region.trails.border_point_chance = INT32_MAX;
    region.trails.random_point_max = 0; /* one point: no way to draw */
    scene_run(s, "forest_trails");
    ck_assert_int_eq(count_trails(s), 0);
    region.trails.random_point_max = 50;
    scene_run(s, "forest_trails");
    ck_assert_int_gt(count_trails(s), 20);
    scene_free(s);
}
END_TEST

/* What a content may ask for in bad faith ends, and says so. */
START_TEST(absurd_settings_are_bounded)
{
    cat_region region;
    scene *s = trail_scene(1, &region);
    scene_paint(s, 0, 0, SIZE - 1, SIZE - 1, "forest_thick");
    region.trails.random_point_min = INT32_MAX;
    region.trails.random_point_max = INT32_MAX;
    region.trails.random_point_size_scalar = 0;
    scene_run(s, "forest_trails");
    ck_assert_ptr_nonnull(scene_event(s, "too_many_points", 1, 1));
    ck_assert_int_ge(count_trails(s), 1000);
    scene_check_arms(s, 0);
    scene_clear(s);
    scene_paint(s, 0, 0, SIZE - 1, SIZE - 1, "forest_thick");
    region.trails.random_point_min = INT32_MIN;
    region.trails.minimum_forest_size = INT32_MIN;
    scene_run(s, "forest_trails");
    ck_assert_ptr_null(scene_event(s, "too_many_points", 1, 1));
    scene_free(s);
}
END_TEST

/* One forest in `chance` has trails; and each on its own, whatever the others are like. */
START_TEST(forests_draw_alone)
{
    enum { SIDE = 11, STEP = 16 };
    static ptl_oter before[SIZE * SIZE];
    cat_region region;
    scene *s = trail_scene((uint64_t)_i, &region);
    region.trails.chance = 2;
    for (int pass = 0; pass < 2; pass++) {
        scene_clear(s);
        for (int32_t i = 0; i < SIDE * SIDE; i++) {
            int32_t x = 2 + i % SIDE * STEP, y = 2 + i / SIDE * STEP,
                    w = pass && i == 60 ? 9 : 5;
            scene_paint(s, x, y, x + w, y + 5, "forest_thick");
        }
        scene_run(s, "forest_trails");
        if (!pass)
            ptl_chunk_level(before, s->chunk, 0);
    }
    int with = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        bool found = false, same = true;
        for (int32_t k = 0; k < STEP * STEP; k++) {
            int32_t x = 2 + i % SIDE * STEP + k % STEP, y = 2 + i / SIDE * STEP + k / STEP;
            if (!inside(x, y))
                continue;
            found = found || is_trail(s, y * SIZE + x);
            same = same && before[y * SIZE + x] == s->g->ground[y * SIZE + x];
        }
        with += found;
        ck_assert(same || i == 60);
    }
    ck_assert_int_gt(with, SIDE * SIDE / 3);
    ck_assert_int_lt(with, SIDE * SIDE * 2 / 3);
    scene_free(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trails");
    TCase *tcase = tcase_create("trails");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, forests_get_the_trails_they_should, 0, 30);
    tcase_add_test(tcase, the_first_of_equals_is_the_middle);
    tcase_add_loop_test(tcase, random_points_do_not_repeat, 0, 5);
    tcase_add_test(tcase, settings_are_kept);
    tcase_add_test(tcase, absurd_settings_are_bounded);
    tcase_add_loop_test(tcase, forests_draw_alone, 0, 6);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
