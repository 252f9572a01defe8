/* Sets of origins against the definition, origin by origin, on random content and chunks. */
#include "unit/gen/sites/test_sites.h"

#include "gen/sites/sites_impl.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

static bool valid_at(const site_scene *s, uint16_t special, int rotation, int32_t x, int32_t y)
{
    return inside(x, y) && truly_ground(s, special, rotation, x, y) &&
           truly_linked(s, special, rotation, x, y);
}

/* Differences between both sets and the definition; *valid counts the origins. */
static int compare_sets(const site_scene *s, uint16_t special, int rotation, int *valid)
{
    site_bits ground, linked;
    int wrong = 0;
    site_ground(s->g, special, rotation, &ground);
    linked = ground;
    site_links(s->g, special, rotation, &linked);
    for (int32_t y = 0; y < SIZE; y++) {
        wrong += ground.words[y * SITE_WORDS + 2] >> (SIZE - 128) != 0;
        for (int32_t x = 0; x < SIZE; x++) {
            const bool stands = truly_ground(s, special, rotation, x, y);
            const bool fits = stands && truly_linked(s, special, rotation, x, y);
            wrong += site_has(&ground, x, y) != stands;
            wrong += site_has(&linked, x, y) != fits;
            *valid += fits;
        }
    }
    return wrong;
}

/* site_links on a set that is not the special's ground. */
static int compare_links(const site_scene *s, uint16_t special, int rotation)
{
    site_bits all;
    int wrong = 0;
    memset(&all, 0, sizeof all);
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        all.words[i / SIZE * SITE_WORDS + i % SIZE / 64] |= UINT64_C(1) << (i % SIZE % 64);
    site_links(s->g, special, rotation, &all);
    if (!site_possible(s->g, special))
        return 0;
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        wrong += site_has(&all, i % SIZE, i / SIZE) !=
                 truly_linked(s, special, rotation, i % SIZE, i / SIZE);
    return wrong;
}

static int compare_points(const site_scene *s, rng *r, uint16_t special, int rotation)
{
    int wrong = 0;
    for (int n = 0; n < 40; n++) {
        const int32_t x = rng_range(r, -3, SIZE + 2), y = rng_range(r, -3, SIZE + 2);
        const bool valid = valid_at(s, special, rotation, x, y);
        wrong += site_fits(s->g, special, rotation, x, y) != valid;
        if (valid)
            wrong += site_score(s->g, special, rotation, x, y) !=
                     truly_scored(s, special, rotation, x, y);
    }
    return wrong;
}

static int compare_window(const site_scene *s, rng *r, uint16_t special, int rotation)
{
    uint64_t rows[64];
    const int32_t width = rng_one_in(r, 4) ? 64 : rng_range(r, 1, 63);
    const int32_t height = rng_range(r, 1, 20);
    const int32_t x = rng_range(r, -20, SIZE + 4), y = rng_range(r, -10, SIZE + 4);
    int wrong = 0;
    site_window(s->g, special, rotation, x, y, width, height, rows);
    for (int32_t j = 0; j < height; j++)
        for (int32_t i = 0; i < 64; i++) {
            const bool valid = i < width && valid_at(s, special, rotation, x + i, y + j);
            wrong += (rows[j] >> i & 1) != valid;
        }
    return wrong;
}

/* A few of the specials, as comparing takes long: rotation and order are drawn. */
static int compare_some(const site_scene *s, rng *r, int count, int *valid)
{
    int wrong = 0;
    while (count-- > 0) {
        const uint16_t special = (uint16_t)rng_below(r, s->config->cat->special_count);
        const int rotation = rng_range(r, 0, 3);
        if (rng_one_in(r, 2))
            wrong += compare_window(s, r, special, rotation);
        if (rng_one_in(r, 2))
            wrong += compare_points(s, r, special, rotation);
        if (rng_one_in(r, 4))
            wrong += compare_links(s, special, rotation);
        wrong += compare_sets(s, special, rotation, valid);
        wrong += compare_points(s, r, special, rotation);
    }
    return wrong;
}

static site_scene random_scene(rng *r, bool compat)
{
    site_content *c = site_content_new();
    site_content_random(c, r, rng_one_in(r, 3) ? SITE_SPECIALS : 12);
    site_scene s = scene_new(c, compat);
    scene_random(&s, r);
    return s;
}

START_TEST(sets_are_as_defined)
{
    rng r = rng_from_key(hash_add(51, (uint64_t)_i));
    site_scene s = random_scene(&r, _i % 4 == 3);
    int valid = 0, wrong = 0;
    site_map_begin(s.g);
    ck_assert(s.g->watching);
    wrong += compare_some(&s, &r, 6, &valid);
    for (int round = 0; round < 4; round++) {
        scene_change(&s, &r);
        wrong += compare_some(&s, &r, 3, &valid);
    }
    site_map_end(s.g);
    ck_assert(!s.g->watching);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(valid, 0);
    scene_dispose(&s);
}
END_TEST

/* A second chunk on the same generator owes nothing to the first. */
START_TEST(a_map_begins_anew)
{
    rng r = rng_from_key(hash_add(52, (uint64_t)_i));
    site_scene s = random_scene(&r, false);
    int valid = 0;
    for (int chunk = 0; chunk < 3; chunk++) {
        for (int i = 0; i < PTL_LEVELS; i++)
            if (i != -PTL_Z_MIN)
                level_fill(&s.chunk->levels[i], s.config->defaults[i]);
        scene_random(&s, &r);
        site_map_begin(s.g);
        ck_assert_int_eq(compare_some(&s, &r, 3, &valid), 0);
        scene_change(&s, &r);
        ck_assert_int_eq(compare_some(&s, &r, 2, &valid), 0);
        site_map_end(s.g);
        scene_change(&s, &r); /* unseen */
    }
    scene_dispose(&s);
}
END_TEST

/* While site_gains stays the same, no origin is new; it does stay the same now and then. */
START_TEST(gains_tell_of_new_origins)
{
    rng r = rng_from_key(hash_add(53, (uint64_t)_i));
    site_scene s = random_scene(&r, false);
    const size_t count = s.config->cat->special_count;
    site_bits *before = malloc(count * sizeof *before);
    uint32_t *gains = calloc(count, sizeof *gains);
    int unannounced = 0, kept = 0, grown = 0;
    ck_assert(before && gains);
    site_map_begin(s.g);
    for (int round = 0; round < 6; round++) {
        for (uint16_t i = 0; i < count; i++) {
            site_bits now;
            const uint32_t gained = site_gains(s.g, i);
            site_ground(s.g, i, 0, &now);
            site_links(s.g, i, 0, &now);
            bool more = false;
            for (int w = 0; round > 0 && w < SIZE * SITE_WORDS; w++)
                more = more || now.words[w] & ~before[i].words[w];
            unannounced += more && gained == gains[i];
            ck_assert(gained >= gains[i]);
            kept += round > 0 && gained == gains[i] && site_possible(s.g, i);
            grown += more;
            before[i] = now;
            gains[i] = gained;
        }
        scene_change(&s, &r);
    }
    ck_assert_int_eq(unannounced, 0);
    ck_assert_int_gt(kept + grown, 0);
    free(before);
    free(gains);
    scene_dispose(&s);
}
END_TEST

/* More layers on the ground than a mask's word holds: each special has a set of its own. */
START_TEST(many_sets)
{
    rng r = rng_from_key(hash_add(54, (uint64_t)_i));
    site_content *c = site_content_new();
    site_content_random(c, &r, SITE_SPECIALS);
    for (size_t i = 0; i < SITE_SPECIALS; i++) {
        c->sets[i][0] = c->sets[i][0] | 2; /* with field, for all to be possible */
        c->sets[i][1] = i;                 /* types that no chunk here has */
        c->omts[i][0] = (cat_omt){.own = true, .allows = c->sets[i]};
        c->specials[i].omt_count = c->specials[i].omt_count ? c->specials[i].omt_count : 1;
    }
    site_scene s = scene_new(c, false);
    ck_assert_uint_gt(s.config->sites->levels[-PTL_Z_MIN].count, 64);
    scene_random(&s, &r);
    int valid = 0;
    site_map_begin(s.g);
    ck_assert_int_eq(compare_some(&s, &r, 12, &valid), 0);
    scene_change(&s, &r);
    ck_assert_int_eq(compare_some(&s, &r, 4, &valid), 0);
    site_map_end(s.g);
    scene_dispose(&s);
}
END_TEST

/* More terms than are met at one time, and together with the other rotations' more nodes than
 * are kept. */
START_TEST(many_terms)
{
    enum { CHECKS = 40 };
    static const char *const LAND[] = {"field", "forest", "forest_thick", NULL};
    rng r = rng_from_key(hash_add(55, (uint64_t)_i));
    cat_check checks[CHECKS] = {{0}};
    site_content *c = site_content_new();
    for (int i = 0; i < CHECKS; i++) {
        cat_check *k = &checks[i];
        k->allows = site_set(c, 0, LAND);
        k->own = true;
        k->x0 = (int16_t)rng_range(&r, -9, 9);
        k->y0 = (int16_t)rng_range(&r, -9, 9);
        k->x1 = (int16_t)(k->x0 + rng_range(&r, 1, 12));
        k->y1 = (int16_t)(k->y0 + rng_range(&r, 1, 12));
    }
    c->specials[0].checks = checks;
    c->specials[0].check_count = CHECKS;
    c->specials[0].layout = site_layout(c, 0);
    c->specials[0].link_count = 2;
    for (int i = 0; i < 2; i++)
        c->links[0][i] = (cat_link){
            .x = (int16_t)(12 * i), .existing = true, .carries = site_set(c, 0, LAND)};
    c->cat.special_count = 1;
    site_scene s = scene_new(c, false);
    ck_assert_uint_gt(s.config->sites->node_count, NODES_KEPT);
    ck_assert_uint_gt(s.config->sites->specials[0].ground_count, PINNED_MAX);
    for (int n = 0; n < 40; n++)
        scene_change(&s, &r);
    site_map_begin(s.g);
    int valid = 0, wrong = 0;
    for (int round = 0; round < 3; round++) {
        site_bits all, sum = {{0}};
        wrong += compare_sets(&s, 0, rng_range(&r, 0, 3), &valid);
        for (int rotation = 0; rotation < 4; rotation++) {
            site_ground(s.g, 0, rotation, &all);
            site_links(s.g, 0, rotation, &all);
            site_or(&sum, &all);
        }
        wrong += site_origins(s.g, 0, &all).linked != site_count(&sum);
        wrong += memcmp(&all, &sum, sizeof all) != 0;
        scene_change(&s, &r);
    }
    site_map_end(s.g);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(valid, 0);
    scene_dispose(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sites");
    TCase *random = tcase_create("random");
    tcase_add_loop_test(random, sets_are_as_defined, 0, test_seeds(40));
    tcase_add_loop_test(random, a_map_begins_anew, 0, test_seeds(6));
    tcase_add_loop_test(random, gains_tell_of_new_origins, 0, test_seeds(12));
    tcase_add_loop_test(random, many_sets, 0, test_seeds(3));
    tcase_add_loop_test(random, many_terms, 0, test_seeds(3));
    suite_add_tcase(suite, random);
    suite_add_tcase(suite, sites_bits_case());
    suite_add_tcase(suite, sites_edges_case());
    suite_add_tcase(suite, sites_kernels_case());
    suite_add_tcase(suite, sites_figures_case());
    return suite_run(suite);
}
