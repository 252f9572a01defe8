/* Cities: normal draws, sites, streets and buildings. The fixture, and the suite's main. */
#include "unit/gen/cities/test_cities.h"
#include "gen/pipeline.h"
#include "support/suite.h"

#include <string.h>

void town_setup(town_fixture *f, uint64_t seed, int32_t city_size, int32_t city_spacing)
{
    const ptl_world_options defaults = PTL_WORLD_OPTIONS_INIT;
    memset(f, 0, sizeof *f);
    f->cat = *town_catalogue();
    f->region = *catalogue_region(town_catalogue(), "dry");
    ck_assert_uint_lt(f->cat.special_count, sizeof f->specials / sizeof f->specials[0]);
    memcpy(f->specials, f->cat.specials, f->cat.special_count * sizeof f->specials[0]);
    f->options = defaults;
    f->options.seed = seed;
    f->options.city_size = city_size;
    f->options.city_spacing = city_spacing;
}

void town_open(town_fixture *f)
{
    ptl_error err = {0};
    f->options.region = f->region.id;
    f->cat.regions = &f->region;
    f->cat.region_count = 1;
    f->cat.specials = f->specials;
    ck_assert_msg(gen_config_new(&f->config, &f->cat, &f->options, &err) == PTL_OK, "%s",
                  err.message);
    f->gen = generator_new(f->config);
    ck_assert_ptr_nonnull(f->gen);
}

void town_close(town_fixture *f)
{
    generator_free(f->gen);
    gen_config_free(f->config);
}

static size_t city_step(void)
{
    size_t i = 0;
    while (strcmp(pipeline_step(&overmap_pipeline, i)->name, "cities") != 0)
        i++;
    return i;
}

ptl_chunk *town_chunk(town_fixture *f, int32_t x, int32_t y, bool with_cities)
{
    edge edges[4], *list[4];
    for (int d = 0; d < 4; d++) {
        int32_t ex, ey;
        edge_side side;
        plan_edge_of_chunk((ptl_chunk_pos){x, y}, d, &ex, &ey, &side);
        ck_assert_int_eq(plan_edge(&edges[d], f->config, ex, ey, side, NULL), PTL_OK);
        list[d] = &edges[d];
    }
    ptl_chunk *chunk = NULL;
    const size_t steps = city_step() + with_cities;
    ck_assert_int_eq(
        generator_run(&chunk, f->gen, (ptl_chunk_pos){x, y}, list, steps, NULL, NULL, NULL),
        PTL_OK);
    for (int d = 0; d < 4; d++)
        edge_dispose(&edges[d]);
    return chunk;
}

size_t town_events(const town_fixture *f, const char *kind)
{
    size_t count, found = 0;
    const gen_event *events = generator_events(f->gen, &count);
    for (size_t i = 0; i < count; i++)
        found += strcmp(events[i].kind, kind) == 0;
    return found;
}

int main(void)
{
    Suite *suite = suite_create("cities");
    suite_add_tcase(suite, cities_normal_case());
    suite_add_tcase(suite, cities_unique_case());
    suite_add_tcase(suite, cities_fixed_case());
    suite_add_tcase(suite, cities_plan_case());
    suite_add_tcase(suite, cities_chunk_case());
    suite_add_tcase(suite, cities_hostile_case());
    return suite_run(suite);
}
