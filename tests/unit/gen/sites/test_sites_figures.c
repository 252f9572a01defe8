/* What is said of several at a time: of all rotations, of specials that ask for the same, of
 * those that are watched. The sets themselves are compared with the definition elsewhere. */
#include "unit/gen/sites/test_sites.h"

#include "gen/sites/sites_impl.h"
#include "support/seeds.h"

#include <stdlib.h>
#include <string.h>

enum { COPIES = SITE_SPECIALS / 2 };

/* The second half of the specials are copies of the first, a few of which are turned less. */
static site_scene scene_of_copies(rng *r)
{
    site_content *c = site_content_new();
    site_content_random(c, r, SITE_SPECIALS);
    for (size_t i = 0; i < COPIES; i++)
        c->specials[COPIES + i] = c->specials[i];
    for (size_t i = 0; i < COPIES; i += 5)
        c->specials[COPIES + i].rotate = !c->specials[i].rotate;
    site_scene s = scene_new(c, false);
    scene_random(&s, r);
    return s;
}

static bool equal(const site_bits *a, const site_bits *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Both tests' sets, of one rotation. */
static void sets_of(const site_scene *s, uint16_t special, int rotation, site_bits out[2])
{
    site_ground(s->g, special, rotation, &out[0]);
    out[1] = out[0];
    site_links(s->g, special, rotation, &out[1]);
}

static int compare_origins(const site_scene *s, uint16_t special, int *valid)
{
    site_bits sets[4][2], ground, linked, out;
    const int rotations = s->config->cat->specials[special].rotate ? 4 : 1;
    int wrong = 0;
    memset(&ground, 0, sizeof ground);
    memset(&linked, 0, sizeof linked);
    for (int r = 0; r < rotations; r++) {
        sets_of(s, special, r, sets[r]);
        site_or(&ground, &sets[r][0]);
        site_or(&linked, &sets[r][1]);
        const int like = site_like(s->g, special, r);
        wrong += like < 0 || like > r || site_like(s->g, special, like) != like;
        wrong += !equal(&sets[like][0], &sets[r][0]) || !equal(&sets[like][1], &sets[r][1]);
    }
    const site_counts counts = site_origins(s->g, special, &out);
    wrong += !equal(&out, &linked);
    wrong += counts.ground != site_count(&ground) || counts.linked != site_count(&linked);
    *valid += counts.linked;
    return wrong;
}

START_TEST(origins_are_those_of_all_rotations)
{
    rng r = rng_from_key(hash_add(71, (uint64_t)_i));
    site_scene s = scene_of_copies(&r);
    int wrong = 0, valid = 0, alike = 0;
    site_map_begin(s.g);
    for (int round = 0; round < 2; round++) {
        for (uint16_t i = 0; i < COPIES; i++) {
            wrong += compare_origins(&s, i, &valid);
            alike += site_like(s.g, i, 3) != 3;
        }
        scene_change(&s, &r);
    }
    site_map_end(s.g);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(valid, 0);
    ck_assert_int_gt(alike, 0);
    scene_dispose(&s);
}
END_TEST

START_TEST(figures_tell_who_asks_for_the_same)
{
    rng r = rng_from_key(hash_add(72, (uint64_t)_i));
    site_scene s = scene_of_copies(&r);
    int wrong = 0, different = 0;
    site_map_begin(s.g);
    for (uint16_t i = 0; i < COPIES; i++) {
        const uint32_t figure = site_figure(s.g, i), copy = site_figure(s.g, COPIES + i);
        wrong += figure >= SITE_SPECIALS || copy >= SITE_SPECIALS;
        wrong += (figure == copy) != (i % 5 != 0);
        for (uint16_t j = 0; j < i; j++) {
            site_bits a, b;
            if (site_figure(s.g, j) != figure) {
                different++;
                continue;
            }
            site_origins(s.g, i, &a);
            site_origins(s.g, j, &b);
            wrong += !equal(&a, &b);
        }
    }
    site_map_end(s.g);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(different, 0);
    scene_dispose(&s);
}
END_TEST

/* In which blocks are there origins that were not there before? */
static int unannounced(const site_scene *s, uint16_t special, const site_bits *before,
                       int *found)
{
    site_bits now;
    int wrong = 0;
    site_origins(s->g, special, &now);
    for (int32_t block = 0; block < SITE_BLOCKS * SITE_BLOCKS; block++) {
        uint64_t set[SITE_SPECIALS / 64 + 1] = {0};
        bool more = false;
        for (int32_t i = 0; i < SITE_BLOCK * SITE_BLOCK && !more; i++) {
            const int32_t x = block % SITE_BLOCKS * SITE_BLOCK + i % SITE_BLOCK;
            const int32_t y = block / SITE_BLOCKS * SITE_BLOCK + i / SITE_BLOCK;
            more = site_has(&now, x, y) && !site_has(before, x, y);
        }
        if (!more)
            continue;
        site_watched(s->g, block, set, SITE_SPECIALS / 64 + 1);
        wrong += !(set[special / 64] >> special % 64 & 1);
        (*found)++;
    }
    return wrong;
}

START_TEST(watchers_hear_of_new_origins)
{
    rng r = rng_from_key(hash_add(73, (uint64_t)_i));
    site_scene s = scene_of_copies(&r);
    site_bits *before = malloc(SITE_SPECIALS * sizeof *before);
    int wrong = 0, found = 0, silent = 0;
    ck_assert(before != NULL);
    site_map_begin(s.g);
    for (uint16_t i = 0; i < COPIES; i++) {
        site_watch(s.g, i, i);
        site_origins(s.g, i, &before[i]);
    }
    for (int round = 0; round < 3; round++) {
        for (int32_t block = 0; block < SITE_BLOCKS * SITE_BLOCKS; block++) {
            uint64_t set[SITE_SPECIALS / 64 + 1] = {0};
            site_watched(s.g, block, set, SITE_SPECIALS / 64 + 1);
            silent += set[0] != (UINT64_C(1) << COPIES) - 1;
            wrong += (set[0] >> COPIES | set[1]) != 0; /* nobody has that number */
        }
        scene_change(&s, &r);
        for (uint16_t i = 0; i < COPIES; i++)
            wrong += unannounced(&s, i, &before[i], &found);
    }
    site_map_end(s.g);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(silent, 0);
    ck_assert_int_gt(found, 0);
    free(before);
    scene_dispose(&s);
}
END_TEST

/* Which blocks have an origin from which the special's reach takes in the cell? */
static bool is_near(int32_t block, int32_t x, int32_t y, int32_t far)
{
    const int32_t x0 = block % SITE_BLOCKS * SITE_BLOCK, y0 = block / SITE_BLOCKS * SITE_BLOCK;
    return x >= x0 - far && x < x0 + SITE_BLOCK + far && y >= y0 - far &&
           y < y0 + SITE_BLOCK + far;
}

/* A special has gained this cell: returns how many of the blocks near it were not told. */
static int untold(const site_scene *s, uint16_t special, int32_t x, int32_t y)
{
    const int32_t far = SITE_REACH[site_special_of(s->g, special)->reach];
    int wrong = 0;
    for (int32_t block = 0; block < SITE_BLOCKS * SITE_BLOCKS; block++) {
        uint64_t set[SITE_SPECIALS / 64 + 1] = {0};
        site_watched(s->g, block, set, SITE_SPECIALS / 64 + 1);
        wrong += is_near(block, x, y, far) && !(set[special / 64] >> special % 64 & 1);
    }
    return wrong;
}

/* Cell by cell along a row or a column, as roads come, where the block that a cell is near to
 * changes from one cell to the next. */
START_TEST(each_gain_on_the_way_is_told)
{
    rng r = rng_from_key(hash_add(79, (uint64_t)_i));
    site_scene s = scene_of_copies(&r);
    const bool along = rng_one_in(&r, 2);
    const int32_t fixed = rng_range(&r, 1, SIZE - 2), from = rng_range(&r, 1, SIZE - 40);
    uint32_t gains[COPIES];
    int wrong = 0, gained = 0;
    ptl_oter *cells = cells_at(s.g, 0);
    ck_assert_ptr_nonnull(cells);
    site_map_begin(s.g);
    for (uint16_t i = 0; i < COPIES; i++) {
        site_watch(s.g, i, i);
        gains[i] = site_gains(s.g, i);
    }
    for (int32_t k = from; k < from + 2 * SITE_BLOCK; k++) {
        const int32_t x = along ? k : fixed, y = along ? fixed : k;
        cell_set(s.g, cells, 0, y * SIZE + x, scene_oter(&s, &r, 0));
        for (uint16_t i = 0; i < COPIES; i++) {
            const bool more = site_gains(s.g, i) != gains[i];
            gains[i] = site_gains(s.g, i);
            wrong += more ? untold(&s, i, x, y) : 0;
            gained += more;
        }
    }
    site_map_end(s.g);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(gained, 0);
    scene_dispose(&s);
}
END_TEST

/* The masks tell each layer's oters: as many as its size says. */
START_TEST(masks_have_each_layers_oters)
{
    rng r = rng_from_key(hash_add(49, (uint64_t)_i));
    site_scene s = scene_of_copies(&r);
    const site_tables *t = s.config->sites;
    int wrong = 0;
    for (size_t i = 0; i < t->layer_count; i++) {
        const site_layer *l = &t->layers[i];
        const site_level *own = &t->levels[l->z - PTL_Z_MIN];
        uint32_t size = 0;
        for (size_t o = 0; o < t->oter_count; o++)
            size +=
                own->masks[l->bit / SITE_GROUP * t->oter_count + o] >> l->bit % SITE_GROUP & 1;
        wrong += size != l->size;
    }
    ck_assert_int_gt((int)t->layer_count, 1);
    ck_assert_int_eq(wrong, 0);
    scene_dispose(&s);
}
END_TEST

TCase *sites_figures_case(void)
{
    TCase *tc = tcase_create("figures");
    tcase_add_loop_test(tc, origins_are_those_of_all_rotations, 0, test_seeds(8));
    tcase_add_loop_test(tc, figures_tell_who_asks_for_the_same, 0, test_seeds(3));
    tcase_add_loop_test(tc, masks_have_each_layers_oters, 0, test_seeds(3));
    tcase_add_loop_test(tc, watchers_hear_of_new_origins, 0, test_seeds(8));
    tcase_add_loop_test(tc, each_gain_on_the_way_is_told, 0, test_seeds(8));
    return tc;
}
