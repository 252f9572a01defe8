/*
 * Chunks with all that people built on them, over many seeds: every step keeps to its declared
 * reach, nothing is remembered from chunk to chunk, what is recorded stands on the map, and the
 * golden chunks stay as they are. PORTOLAN_SOAK_SEEDS raises the number of seeds.
 */
#include "gen/pipeline.h"
#include "support/chunk_digest.h"
#include "support/golden.h"
#include "support/land_catalogue.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static const char *const REGIONS[] = {"default", "wet", "thin", "dry"};
enum { REGION_COUNT = 4, SEEDS = 6, GOLDEN = 8 };

/* Every world has railroads and subways here: more to go wrong. */
static maker maker_of(uint64_t seed)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = REGIONS[seed % REGION_COUNT];
    options.railroads = options.subways = true;
    options.city_size = seed % 3 == 2 ? 4 : 8;
    return maker_new(town_catalogue(), &options);
}

static uint64_t made_digest(maker *m, int32_t x, int32_t y, size_t steps)
{
    ptl_chunk *chunk = make(m, x, y, steps);
    uint64_t h = digest_of_chunk(m, chunk);
    ptl_chunk_free(chunk);
    return h;
}

/* Everything farther away than a step declares is another world's: nothing must change. */
START_TEST(steps_keep_to_their_reach)
{
    maker m = maker_of((uint64_t)_i);
    for (size_t steps = 1; steps <= pipeline_step_count(&overmap_pipeline); steps++) {
        generator_scramble(m.gen, false);
        uint64_t plain = made_digest(&m, -4, 3, steps);
        generator_scramble(m.gen, true);
        uint64_t scrambled = made_digest(&m, -4, 3, steps);
        ck_assert_msg(plain == scrambled, "seed %d: step %s reads beyond its reach", _i,
                      pipeline_step(&overmap_pipeline, steps - 1)->name);
    }
    maker_free(&m);
}
END_TEST

/* A generator that made other chunks before gives the same chunk as a fresh one. */
START_TEST(no_memory_of_other_chunks)
{
    maker used = maker_of((uint64_t)_i), fresh = maker_of((uint64_t)_i);
    for (int32_t n = 0; n < 3; n++)
        ptl_chunk_free(make(&used, n * 5, -n, n == 1 ? 8 : GEN_STEPS_MAX));
    ck_assert(made_digest(&used, 2, 2, GEN_STEPS_MAX) ==
              made_digest(&fresh, 2, 2, GEN_STEPS_MAX));
    maker_free(&used);
    maker_free(&fresh);
}
END_TEST

/* What a placement records is on the map when all steps have run, and no two overlap. */
START_TEST(placements_stand_on_the_map)
{
    static uint8_t taken[PTL_LEVELS][PTL_LEVEL_CELLS];
    memset(taken, 0, sizeof taken);
    maker m = maker_of((uint64_t)_i);
    const catalogue *cat = m.config->cat;
    ptl_chunk *chunk = make(&m, _i, -2 * _i, GEN_STEPS_MAX);
    const gen_features *f = generator_features(m.gen);
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        const cat_special *s = &cat->specials[p->special];
        ck_assert(p->city == FEATURE_NO_CITY ||
                  (p->city >= 0 && (size_t)p->city < f->city_count));
        for (size_t t = 0; t < s->omt_count; t++) {
            int32_t dx, dy;
            feature_rotate(s->omts[t].x, s->omts[t].y, p->rotation, &dx, &dy);
            int32_t x = p->x + dx, y = p->y + dy, z = p->z + s->omts[t].z;
            ck_assert(x >= 1 && x < SIZE - 1 && y >= 1 && y < SIZE - 1);
            ck_assert_uint_eq(ptl_chunk_oter(chunk, x, y, z), s->omts[t].oters[p->rotation]);
            uint8_t *cell = &taken[z - PTL_Z_MIN][y * SIZE + x];
            ck_assert_msg(!*cell, "two buildings on %d,%d,%d", x, y, z);
            *cell = 1;
        }
    }
    ptl_chunk_free(chunk);
    maker_free(&m);
}
END_TEST

/* One line of tests/golden/towns.txt. */
static void describe(char *line, size_t size, int n)
{
    maker made = maker_of((uint64_t)n), *m = &made;
    const catalogue *cat = m->config->cat;
    ptl_chunk *chunk = make(m, 2 * n - 8, 5 - n, GEN_STEPS_MAX);
    const gen_features *f = generator_features(m->gen);
    int roads = 0, trails = 0, bridges = 0, rails = 0;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const cat_oter *o = &cat->oters[ptl_chunk_oter(chunk, i % SIZE, i / SIZE, 0)];
        roads += strncmp(o->id, "road", 4) == 0;
        trails += strncmp(o->id, "forest_trail", 12) == 0;
        bridges += strncmp(o->id, "bridge", 6) == 0;
        rails += strncmp(o->id, "railroad", 8) == 0;
    }
    size_t events;
    (void)generator_events(m->gen, &events);
    snprintf(line, size,
             "%s seed %d: cities %zu buildings %zu groups %zu roads %d trails %d bridges %d "
             "rails %d events %zu digest %016llx\n",
             m->config->region->id, n, f->city_count, f->placement_count, f->group_count, roads,
             trails, bridges, rails, events, (unsigned long long)digest_of_chunk(m, chunk));
    ptl_chunk_free(chunk);
    maker_free(m);
}

/* Same inputs, same world, on every machine. */
START_TEST(golden_chunks)
{
    golden_lines("towns.txt", GOLDEN, describe);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("towns");
    TCase *tcase = tcase_create("towns"), *golden = tcase_create("golden");
    tcase_set_tags(tcase, "seeds"); /* slow without optimisation: tools/test */
    int seeds = test_seeds(SEEDS);
    printf("towns: %d seeds\n", seeds);
    tcase_set_timeout(tcase, 300);
    tcase_set_timeout(golden, 300);
    tcase_add_loop_test(tcase, steps_keep_to_their_reach, 0, seeds < 40 ? seeds : 40);
    tcase_add_loop_test(tcase, no_memory_of_other_chunks, 0, 4);
    tcase_add_loop_test(tcase, placements_stand_on_the_map, 0, seeds);
    tcase_add_test(golden, golden_chunks);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, golden);
    return suite_run(suite);
}
