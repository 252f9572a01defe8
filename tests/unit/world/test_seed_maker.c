/*
 * Overmaps of many seeds by one maker (world/seed_maker.h): each is what a generator of its own
 * makes, whatever was made before, in the calling thread or in several.
 */
#include "support/chunk_digest.h"
#include "support/suite.h"
#include "support/world_file.h"
#include "world/seed_maker.h"

#include <check.h>
#include <pthread.h>

enum { SEEDS = 3, PLACES = 1, THREADS = 2 };
static const uint64_t seeds[SEEDS] = {UINT64_MAX, 0, UINT64_C(1) << 63};
static const ptl_chunk_pos places[PLACES] = {{-3, 2}};

static uint64_t digest_by_maker(seed_maker *m, uint64_t seed, ptl_chunk_pos pos)
{
    edge edges[4];
    ptl_chunk *chunk = NULL;
    const ptl_status status = seed_maker_run(&chunk, edges, m, seed, pos, NULL);
    for (int i = 0; i < 4; i++)
        edge_dispose(&edges[i]);
    if (status != PTL_OK)
        return 0;
    const maker as_maker = {&m->config, m->gen};
    const uint64_t sum = digest_of_chunk(&as_maker, chunk);
    ptl_chunk_free(chunk);
    return sum;
}

static void expected(uint64_t out[SEEDS][PLACES], const catalogue *cat,
                     const ptl_world_options *options)
{
    for (int i = 0; i < SEEDS; i++) {
        ptl_world_options own = *options;
        own.seed = seeds[i];
        maker m = maker_new(cat, &own);
        for (int k = 0; k < PLACES; k++) {
            ptl_chunk *chunk =
                make(&m, places[k].x, places[k].y, pipeline_step_count(&overmap_pipeline));
            out[i][k] = digest_of_chunk(&m, chunk);
            ptl_chunk_free(chunk);
        }
        maker_free(&m);
    }
}

typedef struct job {
    const seed_base *base;
    uint64_t (*expected)[PLACES];
    int first;
    int different;
} job;

/* Each seed and place, in an order of the job's own, and some again. */
static void *compare(void *argument)
{
    job *j = argument;
    seed_maker *m = seed_maker_new(j->base);
    j->different = m ? 0 : -1;
    for (int n = 0; m && n < SEEDS * PLACES + 1; n++) {
        const int at = (j->first + n * 2) % (SEEDS * PLACES);
        const int i = at / PLACES, k = at % PLACES;
        j->different += digest_by_maker(m, seeds[i], places[k]) != j->expected[i][k];
    }
    seed_maker_free(m);
    return NULL;
}

START_TEST(seeds_like_worlds)
{
    char path[WORLD_PATH_SIZE];
    uint64_t wanted[SEEDS][PLACES];
    ptl_error err = {0};
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    seed_base base;
    options.region = "default";
    options.city_size = 3;
    options.specials_density = 0.5;
    options.placement = _i ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA;
    options.railroads = options.subways = _i;
    world_file_path(path);
    ptl_store *store = world_file_open(path, "w", 1);
    ck_assert_msg(seed_base_init(&base, store, &options, &err) == PTL_OK, "%s", err.message);
    expected(wanted, base.cat, &options);
    job jobs[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.base = &base, .expected = wanted, .first = i};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, compare, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_int_eq(jobs[i].different, 0);
    }
    seed_base_dispose(&base);
    ptl_store_close(store);
    world_file_remove(path);
}
END_TEST

START_TEST(refusals)
{
    char path[WORLD_PATH_SIZE];
    ptl_error err = {0};
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    seed_base base;
    world_file_path(path);
    ptl_store *store = world_file_open(path, "w", 1);
    options.city_size = 17;
    ck_assert_int_eq(seed_base_init(&base, store, &options, &err), PTL_ERR_ARGUMENT);
    seed_base_dispose(&base);
    options.city_size = 8;
    options.region = "nowhere";
    err = (ptl_error){0};
    ck_assert_int_eq(seed_base_init(&base, store, &options, &err), PTL_ERR_NOT_FOUND);
    seed_base_dispose(&base);
    ptl_store_close(store);
    world_file_remove(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("seed_maker");
    TCase *tcase = tcase_create("seed_maker");
    tcase_set_tags(tcase, "threads"); /* what the thread sanitizer\'s stage runs */
    tcase_add_loop_test(tcase, seeds_like_worlds, 0, 2);
    tcase_add_test(tcase, refusals);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
