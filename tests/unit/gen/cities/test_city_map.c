/* The map of near cities against its definition, cell by cell, over random cities, ranges,
 * rules and settings. */
#include "unit/gen/specials/rules_scene.h"

#include "gen/cities/city_near_kernels.h"

#include "support/seeds.h"
#include "support/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONDITIONS = 40, CITIES_MAX = 2000 };

typedef struct plain_city {
    int32_t x, y, size, own;
} plain_city;

static rules_scene scene;
static plain_city cities[CITIES_MAX];
static int32_t city_count;

static char names[CONDITIONS][16];

/* Ranges that hit the corners: none, negative, crossed, unbounded, beyond the reach. */
static void random_range(ptl_range *out, rng *r, int32_t most)
{
    out->min = rng_range(r, -3, most);
    out->max = rng_one_in(r, 3) ? PTL_UNBOUNDED : out->min + rng_range(r, -1, most);
    if (rng_one_in(r, 4))
        out->min = rng_range(r, -2, 0);
}

static void make_conditions(rng *r)
{
    for (int i = 0; i < CONDITIONS; i++) {
        snprintf(names[i], sizeof names[i], "s%d", i);
        cat_special *s = scene_special(&scene, names[i], 1, 1, 0, 1);
        random_range(&s->city_distance, r, i % 4 == 0 ? 300 : 60);
        if (i % 3 != 0)
            random_range(&s->city_sizes, r, 20);
    }
}

/* The cities by their definition, in the order of the definition. */
static void list_cities(void)
{
    static city_site sites[CITY_SITES_MAX];
    const ptl_chunk_pos here = scene.chunk->pos;
    city_count = 0;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            const gen_features *f = &scene.gen->features;
            size_t missing;
            const ptl_chunk_pos pos = {here.x + dx, here.y + dy};
            const size_t planned = plan_cities(sites, scene.config, pos, &missing);
            const bool own = dx == 0 && dy == 0;
            if (!own && scene.options.compat)
                continue;
            for (size_t i = 0; i < (own ? f->city_count : planned); i++) {
                ck_assert_int_lt(city_count, CITIES_MAX);
                cities[city_count++] =
                    own ? (plain_city){f->cities[i].x, f->cities[i].y, f->cities[i].size,
                                       (int32_t)i}
                        : (plain_city){sites[i].x + dx * SIZE, sites[i].y + dy * SIZE,
                                       sites[i].size, FEATURE_NO_CITY};
            }
        }
}

static int32_t edge_distance(const plain_city *c, int32_t x, int32_t y)
{
    const double dx = x - c->x, dy = y - c->y;
    const int32_t distance = (int32_t)sqrt(dx * dx + dy * dy) - c->size;
    return distance < 0 ? 0 : distance;
}

static bool in_range(ptl_range r, int32_t v)
{
    return v >= r.min && v <= r.max;
}

/* -1: none within reach */
static int32_t nearest(const cat_special *s, int32_t x, int32_t y)
{
    const bool by_size =
        scene.options.placement == PTL_PLACEMENT_QUOTA && !scene.options.compat;
    const int32_t reach = scene.options.compat ? 999 : CITY_MAP_REACH;
    int32_t best = -1, best_edge = 0, best_centre = 0;
    for (int32_t i = 0; i < city_count; i++) {
        const plain_city *c = &cities[i];
        const int32_t d = edge_distance(c, x, y);
        const int32_t centre = (x - c->x) * (x - c->x) + (y - c->y) * (y - c->y);
        if (d > reach || (by_size && !in_range(s->city_sizes, c->size)))
            continue;
        if (best < 0 || d < best_edge || (d == best_edge && centre < best_centre)) {
            best = i;
            best_edge = d;
            best_centre = centre;
        }
    }
    return best;
}

/* i: the nearest city */
static bool allowed(const cat_special *s, int32_t i, int32_t x, int32_t y)
{
    const bool needed = s->city_sizes.min > 0 || s->city_distance.max < 180;
    if (scene.options.compat && !needed)
        return true;
    if (i < 0)
        return s->city_distance.max == PTL_UNBOUNDED && s->city_sizes.min <= 0;
    int32_t distance = edge_distance(&cities[i], x, y);
    if (scene.options.compat && scene.options.placement == PTL_PLACEMENT_QUOTA)
        distance -= cities[i].size;
    else if (scene.options.compat && scene.region.levelled && distance == s->city_distance.min)
        return false;
    return in_range(s->city_sizes, cities[i].size) && in_range(s->city_distance, distance);
}

/* Compares a special's set, its cities' number, and what is cleared for one of them. */
static int32_t compare_special(uint16_t special, rng *r)
{
    static bool met[CITIES_MAX];
    static site_bits set, cleared;
    const cat_special *s = &scene.specials[special];
    const int32_t gone = city_map_number(scene.gen, special, rng_range(r, 0, SIZE - 1), 90);
    int32_t wrong = 0, different = 0;
    memset(met, 0, sizeof met);
    set = *city_map_allows(scene.gen, special);
    cleared = set;
    if (gone >= 0) {
        const int32_t most = city_map_most(scene.gen, special, gone, &set);
        const int32_t count = city_map_clear(scene.gen, special, gone, &cleared);
        wrong += count > most || count != site_count(&set) - site_count(&cleared);
    }
    for (int32_t y = 0; y < SIZE; y++)
        for (int32_t x = 0; x < SIZE; x++) {
            const int32_t city = nearest(s, x, y);
            const bool may = allowed(s, city, x, y);
            wrong += site_has(&set, x, y) != may;
            wrong += site_has(&cleared, x, y) != (may && (gone < 0 || city != gone));
            if (may && city >= 0 && !met[city]) {
                met[city] = true;
                different++;
            }
        }
    for (int i = 0; i < SIZE; i++)
        wrong += (int32_t)(set.words[i * SITE_WORDS + 2] >> (SIZE - 128) != 0);
    if (scene.options.compat)
        return wrong;
    wrong += city_map_cities(scene.gen, special) != different;
    for (int32_t amount = 1; amount < 8 && different > 0; amount++)
        wrong +=
            city_map_share(scene.gen, special, amount) != (amount + different - 1) / different;
    return wrong;
}

static int32_t compare_points(uint16_t special, rng *r)
{
    int32_t wrong = 0;
    for (int i = 0; i < 60; i++) {
        const int32_t x = rng_range(r, 0, SIZE - 1), y = rng_range(r, 0, SIZE - 1);
        const int32_t city = nearest(&scene.specials[special], x, y);
        wrong += city_map_number(scene.gen, special, x, y) != city;
        wrong += city_map_of(scene.gen, special, x, y) !=
                 (city < 0 ? FEATURE_NO_CITY : cities[city].own);
    }
    return wrong;
}

static void random_cities(rng *r)
{
    const int32_t count = rng_range(r, 0, 14);
    for (int32_t i = 0; i < count; i++) {
        const int32_t x = rng_range(r, 0, SIZE - 1), y = rng_range(r, 0, SIZE - 1);
        scene_city(&scene, x, y, rng_one_in(r, 3) ? 1 : rng_range(r, 1, 18));
    }
}

/* Rules, compat or not, and how many cities are planned around. */
static void compare(int seed, bool levelled)
{
    static const int32_t SPACINGS[] = {4, 2, 5, 8};
    rng r = rng_from_key((uint64_t)seed);
    scene_setup(&scene, (uint64_t)seed, seed % 2 ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA);
    scene.options.compat = seed % 5 == 3;
    scene.options.city_size = seed % 7 == 6 ? 0 : 8;
    scene.options.city_spacing = SPACINGS[seed % 4];
    scene.region.levelled = levelled;
    for (int i = 0; i < PTL_LEVELS; i++)
        scene.region.levels[i] = scene.region.default_ter;
    make_conditions(&r);
    scene_open(&scene);
    for (int i = 0; i < 3; i++) {
        scene_chunk(&scene, i - 1, i / 2 + 7);
        random_cities(&r);
        list_cities();
        city_map_begin(scene.gen);
        for (uint16_t c = 0; c < CONDITIONS; c++) {
            const uint16_t special = (uint16_t)(scene.first + (c * 7 + 3) % CONDITIONS);
            if (c % 13 == i)
                ck_assert_msg(compare_special(special, &r) == 0,
                              "seed %d, chunk %d, special %d: wrong", seed, i, c);
            ck_assert_msg(compare_points(special, &r) == 0, "seed %d, chunk %d: wrong", seed,
                          i);
        }
    }
    scene_close(&scene);
}

START_TEST(agrees_with_the_definition)
{
    const int seeds = test_seeds(10);
    for (int seed = 0; seed < seeds; seed++) {
        compare(seed, false);
        if (seed % 5 == 3) /* compat: the distances of newer games are others */
            compare(seed, true);
    }
}
END_TEST

/* A thousand conditions are more than are kept at one time. */
START_TEST(many_conditions)
{
    rng r = rng_from_key(5);
    scene_setup(&scene, 5, PTL_PLACEMENT_QUOTA);
    scene.options.city_size = 8;
    make_conditions(&r);
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    random_cities(&r);
    scene_city(&scene, 90, 90, 6);
    list_cities();
    city_map_begin(scene.gen);
    int32_t wrong = 0;
    for (int i = 0; i < 1000; i++) {
        cat_special *s = &scene.specials[scene.first + i % CONDITIONS];
        random_range(&s->city_distance, &r, 100);
        random_range(&s->city_sizes, &r, 12);
        const site_bits *set = city_map_allows(scene.gen, (uint16_t)(s - scene.specials));
        for (int k = 0; k < 20; k++) {
            const int32_t x = rng_range(&r, 0, SIZE - 1), y = rng_range(&r, 0, SIZE - 1);
            wrong += site_has(set, x, y) != allowed(s, nearest(s, x, y), x, y);
        }
    }
    ck_assert_int_eq(wrong, 0);
    scene_close(&scene);
}
END_TEST

/* As many cities as settings allow at all. */
START_TEST(crowded_settings)
{
    scene_setup(&scene, 1, PTL_PLACEMENT_QUOTA);
    scene.options.city_size = 1;
    scene.options.city_spacing = 0;
    cat_special *s = scene_special(&scene, "s", 1, 1, 0, 3);
    s->city_distance = (ptl_range){1, 3};
    s->city_sizes = (ptl_range){1, PTL_UNBOUNDED};
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    for (int i = 0; i < CITY_SITES_MAX; i++)
        scene_city(&scene, i * 7 % SIZE, i * 13 / SIZE % SIZE, 1 + i % 2);
    city_map_begin(scene.gen);
    ck_assert_int_gt(city_map_cities(scene.gen, scene.first), 100);
    scene_close(&scene);
}
END_TEST

/* Is the cell less than distance + 1 and its size from one of the cities? */
static bool in_any_disc(const near_pick *of, int32_t distance, int32_t x, int32_t y)
{
    bool in = false;
    for (int32_t i = 0; i < of->count; i++) {
        const int32_t dx = x - (int32_t)of->x[i], dy = y - (int32_t)of->y[i];
        const int32_t radius = distance + 1 + of->size[i];
        in = in || dx * dx + dy * dy < radius * radius;
    }
    return in;
}

/* The loops for any processor and those for this one give the same, as whole numbers do. */
START_TEST(kernels_agree)
{
    enum { CITIES = 21, CELLS = NEAR_CELLS };
    const near_kernels *const both[2] = {&near_kernels_base, near_kernels_best()};
    float x[CITIES], y[CITIES];
    int32_t size[CITIES], city[CITIES];
    site_bits discs[2];
    int16_t found[2][CELLS] = {{0}};
    int32_t bounds[2][2][CITIES];
    rng r = rng_from_key(81);
    int wrong = 0;
    for (int round = 0; round < 200; round++) {
        const near_pick of = {x, y, size, city, rng_range(&r, 0, CITIES)};
        const near_block block = {rng_range(&r, 0, 11) * NEAR_WIDTH,
                                  rng_range(&r, 0, 14) * NEAR_HEIGHT, NEAR_WIDTH, NEAR_HEIGHT};
        for (int i = 0; i < CITIES; i++) {
            x[i] = (float)rng_range(&r, -SIZE, 2 * SIZE);
            y[i] = (float)rng_range(&r, -SIZE, 2 * SIZE);
            size[i] = rng_range(&r, 1, round % 2 ? NEAR_SIZE_MAX : 8);
            city[i] = i;
        }
        const near_pick few = {x, y, size, city, of.count % 4};
        const int32_t distance = rng_range(&r, 0, round % 2 ? 150 : 20);
        for (int k = 0; k < 2; k++) {
            memset(&discs[k], 0xff, sizeof discs[k]); /* what was there before is gone */
            both[k]->discs(&discs[k], &few, distance);
            both[k]->nearest(found[k], &of, block.x, block.y, 60 << NEAR_KEY_SHIFT);
            both[k]->bounds(bounds[k][0], bounds[k][1], &of, &block);
        }
        for (int32_t i = 0; i < SIZE * SIZE; i++) {
            const bool in = in_any_disc(&few, distance, i % SIZE, i / SIZE);
            wrong += site_has(&discs[0], i % SIZE, i / SIZE) != in;
            wrong += site_has(&discs[1], i % SIZE, i / SIZE) != in;
        }
        for (int i = 0; i < SIZE * SITE_WORDS; i++)
            wrong += (discs[0].words[i] | discs[1].words[i]) >> 52 != 0 && i % SITE_WORDS == 2;
        for (int i = 0; i < CELLS; i++)
            wrong += found[0][i] != found[1][i];
        for (int i = 0; i < 2 * of.count; i++)
            wrong += bounds[0][i % 2][i / 2] != bounds[1][i % 2][i / 2];
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("city_map");
    TCase *tests = tcase_create("city_map");
    tcase_add_test(tests, agrees_with_the_definition);
    tcase_add_test(tests, many_conditions);
    tcase_add_test(tests, crowded_settings);
    tcase_add_test(tests, kernels_agree);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
