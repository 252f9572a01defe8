/* Pipelines: a chunk is what its steps make of it, whatever another step leaves in their
 * scratch; and a generator has the parts that its steps need. */
#include "gen/pipeline.h"
#include "gen/steps/steps.h"
#include "support/chunk_digest.h"
#include "support/chunk_maker.h"
#include "support/land_catalogue.h"
#include "support/suite.h"

#include <check.h>
#include <string.h>

/* More than any step of ours asks for, so that the whole of it is overwritten. */
enum { GARBAGE = 1 << 20 };

static void fill_with_garbage(generator *g)
{
    rng r = rng_from_key((uint64_t)(uintptr_t)g->running);
    for (size_t i = 0; i < GARBAGE; i += sizeof(uint64_t)) {
        const uint64_t noise = rng_next(&r);
        memcpy((uint8_t *)g->scratch + i, &noise, sizeof noise);
    }
}

static const gen_step garbage = {
    .info = {"garbage", 0, false}, .run = fill_with_garbage, .scratch = GARBAGE};

static maker maker_of_towns(uint64_t seed, const pipeline *p)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = seed % 2 ? "default" : "wet";
    maker m = {NULL, NULL};
    ck_assert_int_eq(gen_config_new(&m.config, town_catalogue(), &options, NULL), PTL_OK);
    if (p)
        m.config->pipeline = p;
    m.gen = generator_new(m.config);
    ck_assert_ptr_nonnull(m.gen);
    return m;
}

static uint64_t digest_of(maker *m, int32_t x, int32_t y, size_t steps)
{
    ptl_chunk *chunk = make(m, x, y, steps);
    const uint64_t digest = digest_of_chunk(m, chunk);
    ptl_chunk_free(chunk);
    return digest;
}

START_TEST(scratch_is_not_handed_on)
{
    const gen_step *steps[GEN_STEPS_MAX];
    pipeline dirty = {.name = "dirty", .steps = steps};
    for (size_t i = 0; i < overmap_pipeline.count; i++) {
        ck_assert_uint_le(overmap_pipeline.steps[i]->scratch, GARBAGE);
        ck_assert_uint_le(dirty.count + 2, GEN_STEPS_MAX);
        if (overmap_pipeline.steps[i]->scratch > 0)
            steps[dirty.count++] = &garbage;
        steps[dirty.count++] = overmap_pipeline.steps[i];
    }
    maker clean = maker_of_towns((uint64_t)_i, NULL),
          other = maker_of_towns((uint64_t)_i, &dirty);
    for (int32_t n = 0; n < 2; n++)
        ck_assert_uint_eq(digest_of(&clean, n, -_i, overmap_pipeline.count),
                          digest_of(&other, n, -_i, dirty.count));
    maker_free(&clean);
    maker_free(&other);
}
END_TEST

START_TEST(parts_are_made_once_and_if_needed)
{
    static const gen_step *const waters[] = {&step_rivers, &step_lakes, &step_river_banks};
    const pipeline p = {"waters", waters, 3};
    maker m = maker_of_towns(1, &p);
    ck_assert_uint_eq(m.gen->part_count, 1);
    ck_assert_ptr_nonnull(m.gen->lakes.cells);
    ck_assert_ptr_null(m.gen->site_map);
    ck_assert_ptr_null(m.gen->connector);
    ptl_chunk_free(make(&m, 0, 0, p.count));
    maker_free(&m);
    m = maker_of_towns(1, NULL);
    for (size_t i = 0; i < m.gen->part_count; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert_ptr_ne(m.gen->parts[i], m.gen->parts[k]);
    maker_free(&m);
}
END_TEST

/* The steps' names are what `--stop-after` takes, and what is saved of a chunk made in part. */
START_TEST(steps_have_names_of_their_own)
{
    const size_t count = pipeline_step_count(&overmap_pipeline);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert_str_ne(pipeline_step(&overmap_pipeline, i)->name,
                             pipeline_step(&overmap_pipeline, k)->name);
    ck_assert_ptr_null(pipeline_step(&overmap_pipeline, count));
}
END_TEST

/* Regions that state their levels have these, and nothing else has to be there for it. A level
 * on which nothing is done stays one number. */
START_TEST(levels_are_the_regions)
{
    static const char *const ids[PTL_LEVELS] = {"lake_bed", "empty_rock", "lake_bed",
                                                "lake_water_cube", "empty_rock"};
    maker m = maker_of_towns(1, NULL);
    cat_region region = *m.config->region;
    region.levelled = true;
    for (int i = 0; i < PTL_LEVELS; i++)
        region.levels[i] = catalogue_oter(m.config->cat, ids[i] ? ids[i] : "open_air");
    region.levels[-PTL_Z_MIN] = region.default_ter;
    catalogue cat = *m.config->cat;
    cat.regions = &region;
    cat.region_count = 1;
    ptl_world_options options = m.config->options;
    gen_config *config = NULL;
    ck_assert_int_eq(gen_config_new(&config, &cat, &options, NULL), PTL_OK);
    maker levelled = {config, generator_new(config)};
    ptl_chunk *chunk = make(&levelled, 3, 4, overmap_pipeline.count);
    for (int z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        const level *l = chunk_level(chunk, z);
        ck_assert_uint_eq(config->defaults[z - PTL_Z_MIN], region.levels[z - PTL_Z_MIN]);
        if (z < -5 || z > 1) {
            ck_assert_ptr_null(l->cells);
            ck_assert_uint_eq(l->fill, region.levels[z - PTL_Z_MIN]);
        }
    }
    ptl_chunk_free(chunk);
    maker_free(&levelled);
    maker_free(&m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pipeline");
    TCase *tcase = tcase_create("pipeline");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, scratch_is_not_handed_on, 0, 6);
    tcase_add_test(tcase, parts_are_made_once_and_if_needed);
    tcase_add_test(tcase, steps_have_names_of_their_own);
    tcase_add_test(tcase, levels_are_the_regions);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
