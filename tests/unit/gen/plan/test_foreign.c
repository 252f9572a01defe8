/*
 * Chunks beside ones that Portolan did not make: rivers of any width, anywhere on the border,
 * corners too, and lakes go on; the borders to other neighbours stay as they were planned.
 */
#include "gen/pipeline.h"
#include "gen/work/generator.h"
#include "support/land_catalogue.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { LOOPS = 60, RIVER_STEP = 1 };
static const char *const REGIONS[] = {"default", "wet", "thin", "dry"};

typedef struct scene {
    gen_config *config;
    generator *gen;
    edge edges[4];
    bool foreign[4];
} scene;

static ptl_oter oter(const char *id)
{
    ptl_oter found = catalogue_oter(land_catalogue(), id);
    ck_assert_int_ne(found, CAT_NONE);
    return found;
}

/* Adds the crossings of a border's runs of river, in the way of an import. */
static void add_rivers(edge *e, const ptl_oter *border, int8_t direction)
{
    e->crossings = calloc(SIZE, sizeof *e->crossings);
    for (int32_t p = 0, start; p < SIZE; p++) {
        for (start = p; p < SIZE && border[p] == oter("river_center"); p++)
            ;
        int32_t middle = (start + p - 1) / 2;
        if (p > start)
            e->crossings[e->count++] = (crossing){.kind = CROSSING_RIVER,
                                                  .position = (int16_t)middle,
                                                  .width = (uint8_t)(p - 1 - middle),
                                                  .direction = direction};
    }
}

/* A border with up to four runs of water of any length, some in the corners. */
static void make_foreign(scene *s, int d, rng *r)
{
    edge *e = &s->edges[d];
    int other = d == 1 || d == 2;
    ptl_oter *border = malloc(SIZE * sizeof *border);
    for (int32_t p = 0; p < SIZE; p++)
        border[p] = oter("field");
    for (int32_t runs = rng_range(r, 0, 4); runs > 0; runs--) {
        int32_t size = rng_one_in(r, 3) ? rng_range(r, 1, 120) : rng_range(r, 1, 9);
        int32_t at = rng_one_in(r, 4)   ? 0
                     : rng_one_in(r, 4) ? SIZE - size
                                        : rng_range(r, 0, SIZE - size);
        ptl_oter what = oter(rng_one_in(r, 3) ? "lake_surface" : "river_center");
        for (int32_t p = at; p < at + size; p++)
            border[p] = what;
    }
    e->origin = EDGE_FOREIGN;
    e->border[other] = border;
    add_rivers(e, border, rng_one_in(r, 2) ? 1 : -1);
}

static scene scene_of(int seed)
{
    scene s;
    memset(&s, 0, sizeof s);
    rng r = rng_from_key(hash_add(hash_string("foreign scene"), (uint64_t)seed));
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = (uint64_t)seed;
    options.region = REGIONS[seed % 4];
    ck_assert_int_eq(gen_config_new(&s.config, land_catalogue(), &options, NULL), PTL_OK);
    s.gen = generator_new(s.config);
    ck_assert_ptr_nonnull(s.gen);
    for (int d = 0; d < 4; d++) {
        int32_t x, y;
        edge_side side;
        plan_edge_of_chunk((ptl_chunk_pos){2, 3}, d, &x, &y, &side);
        s.foreign[d] = rng_one_in(&r, 2);
        s.edges[d] = (edge){.x = x, .y = y, .side = side};
        if (s.foreign[d])
            make_foreign(&s, d, &r);
        else
            ck_assert_int_eq(plan_edge(&s.edges[d], s.config, x, y, side, NULL), PTL_OK);
    }
    return s;
}

static void scene_dispose(scene *s)
{
    generator_free(s->gen);
    gen_config_free(s->config);
    for (int d = 0; d < 4; d++)
        edge_dispose(&s->edges[d]);
}

static ptl_chunk *run(const scene *s, size_t steps)
{
    edge *list[4];
    ptl_chunk *chunk = NULL;
    for (int d = 0; d < 4; d++)
        list[d] = (edge *)(uintptr_t)&s->edges[d];
    ck_assert_int_eq(
        generator_run(&chunk, s->gen, (ptl_chunk_pos){2, 3}, list, steps, NULL, NULL, NULL),
        PTL_OK);
    return chunk;
}

static uint32_t flags_on(const ptl_chunk *chunk, int d, int32_t p)
{
    const int32_t x[4] = {p, SIZE - 1, p, 0}, y[4] = {0, p, SIZE - 1, p};
    return land_catalogue()->oters[ptl_chunk_oter(chunk, x[d], y[d], 0)].flags;
}

static uint32_t flags_of(const scene *s, int d, int32_t p)
{
    return land_catalogue()->oters[s->edges[d].border[d == 1 || d == 2][p]].flags;
}

static const uint32_t LAKE = CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE;
static const uint32_t WATER = CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE | CAT_FLAG_RIVER;

static bool dry_region(const scene *s)
{
    return s->config->oters->river_center == CAT_NONE;
}

/* Before banks: our line is river where the foreign one is; a single cell has become two. */
START_TEST(rivers_answer_cell_for_cell)
{
    scene s = scene_of(_i);
    ptl_chunk *chunk = run(&s, RIVER_STEP);
    for (int d = 0; d < 4 && !dry_region(&s); d++)
        for (int32_t p = 1; p < SIZE - 1 && s.foreign[d]; p++) {
            bool theirs = flags_of(&s, d, p) & CAT_FLAG_RIVER;
            bool ours = flags_on(chunk, d, p) & CAT_FLAG_RIVER;
            bool beside = (flags_of(&s, d, p - 1) | flags_of(&s, d, p + 1)) & CAT_FLAG_RIVER;
            ck_assert_msg(!theirs || ours, "side %d, cell %d: dry", d, p);
            ck_assert_msg(!ours || theirs || beside, "side %d, cell %d: no river there", d, p);
        }
    ptl_chunk_free(chunk);
    scene_dispose(&s);
}
END_TEST

/* A foreign river never shows on the line of a border that was planned. */
START_TEST(planned_borders_stay_as_planned)
{
    scene s = scene_of(_i);
    ptl_chunk *chunk = run(&s, RIVER_STEP);
    uint8_t *strip = malloc(STRIP_CELLS);
    for (int d = 0; d < 4; d++) {
        if (s.foreign[d])
            continue;
        memset(strip, 0, STRIP_CELLS);
        plan_river_strip(strip, s.config, &s.edges[d]);
        int32_t line = d == 1 || d == 2 ? REACH - 1 : REACH;
        for (int32_t p = 0; p < SIZE; p++)
            ck_assert_msg((strip[line * SIZE + p] != 0) ==
                              ((flags_on(chunk, d, p) & CAT_FLAG_RIVER) != 0),
                          "side %d, cell %d", d, p);
    }
    free(strip);
    ptl_chunk_free(chunk);
    scene_dispose(&s);
}
END_TEST

/* In the finished chunk: every run of water has water opposite, on both sides. */
START_TEST(no_water_ends_at_a_foreign_border)
{
    scene s = scene_of(_i);
    ptl_chunk *chunk = run(&s, GEN_STEPS_MAX);
    for (int d = 0; d < 4; d++)
        for (int32_t p = 1; p < SIZE - 1 && s.foreign[d]; p++) {
            uint32_t ours = flags_on(chunk, d, p), theirs = flags_of(&s, d, p);
            bool wet = s.config->region->lake_threshold < 1.0;
            ck_assert_msg(!(theirs & LAKE) || !wet || ours & WATER, "side %d, %d: no lake", d,
                          p);
            ck_assert_msg(!(ours & LAKE) || theirs & WATER, "side %d, %d: lake ends", d, p);
        }
    for (int d = 0; d < 4 && !dry_region(&s); d++) {
        const edge *e = &s.edges[d];
        for (size_t i = 0; i < e->count && s.foreign[d]; i++) {
            int32_t from = e->crossings[i].position - e->crossings[i].width - 1;
            int32_t to = e->crossings[i].position + e->crossings[i].width + 1;
            bool met = to <= 1 || from >= SIZE - 2; /* in the corner cell alone */
            for (int32_t p = from < 0 ? 0 : from; p <= to && p < SIZE; p++)
                met |= (flags_on(chunk, d, p) & WATER) != 0;
            ck_assert_msg(met, "side %d: the river at %d ends", d, e->crossings[i].position);
        }
    }
    ptl_chunk_free(chunk);
    scene_dispose(&s);
}
END_TEST

/* The strip is one piece from the border to its inner end, at most one river wide there. */
START_TEST(strips_narrow_and_hold_together)
{
    scene s = scene_of(_i);
    rng r = rng_from_key((uint64_t)_i);
    for (int n = 0; n < 50; n++) {
        const crossing c = {.kind = CROSSING_RIVER,
                            .position = (int16_t)rng_range(&r, 0, SIZE - 1),
                            .width = (uint8_t)(rng_one_in(&r, 2) ? rng_range(&r, 0, 3)
                                                                 : rng_range(&r, 0, 255))};
        const edge e = {
            .x = n, .y = 1, .side = n % 2 ? EDGE_SOUTH : EDGE_EAST, .origin = EDGE_FOREIGN};
        river_span span;
        plan_foreign_span(&span, s.config, &e, &c);
        int32_t w = s.config->river_width > 0 ? s.config->river_width : 1;
        if (span.from[0] > span.to[0]) { /* the corner cell alone */
            ck_assert(c.position + c.width < 1 || c.position - c.width > SIZE - 2);
            continue;
        }
        for (int i = 1; i < REACH; i++) {
            ck_assert_int_le(span.from[i], span.to[i]);
            ck_assert_int_ge(span.from[i], i);
            ck_assert_int_lt(span.to[i], SIZE - i);
            ck_assert_int_le(span.from[i], span.to[i - 1]);
            ck_assert_int_ge(span.to[i], span.from[i - 1]);
        }
        ck_assert_int_le(span.to[REACH - 1] - span.from[REACH - 1], 2 * w + 1);
    }
    scene_dispose(&s);
}
END_TEST

START_TEST(the_same_twice)
{
    scene s = scene_of(_i);
    ptl_chunk *a = run(&s, GEN_STEPS_MAX), *b = run(&s, GEN_STEPS_MAX);
    for (int32_t y = 0; y < SIZE; y++)
        for (int32_t x = 0; x < SIZE; x++)
            ck_assert_int_eq(ptl_chunk_oter(a, x, y, 0), ptl_chunk_oter(b, x, y, 0));
    ptl_chunk_free(a);
    ptl_chunk_free(b);
    scene_dispose(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("foreign");
    TCase *c = tcase_create("borders");
    tcase_add_loop_test(c, rivers_answer_cell_for_cell, 0, LOOPS);
    tcase_add_loop_test(c, planned_borders_stay_as_planned, 0, LOOPS);
    tcase_add_loop_test(c, no_water_ends_at_a_foreign_border, 0, LOOPS);
    tcase_add_loop_test(c, strips_narrow_and_hold_together, 0, 20);
    tcase_add_loop_test(c, the_same_twice, 0, 4);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
