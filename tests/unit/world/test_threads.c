/*
 * ptl_chunk_get from several threads at once, each with a store of its own: on files of their
 * own, on worlds of one file, and on one world. What comes out is what one thread makes. Run
 * under the thread sanitizer.
 */
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, CHUNKS = 4, TURNS = 2 };

typedef struct job {
    const char *path;
    char world[8];
    int first; /* in the order of the chunks */
    ptl_status status;
    ptl_error err;
    uint64_t sum; /* over all oters of all chunks that it got */
} job;

static uint64_t sum_chunk(const ptl_chunk *chunk, uint64_t sum)
{
    static const int32_t levels[] = {-1, 0, 1};
    ptl_oter *cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    for (size_t i = 0; cells && i < sizeof levels / sizeof levels[0]; i++) {
        ptl_chunk_level(cells, chunk, levels[i]);
        for (size_t k = 0; k < PTL_LEVEL_CELLS; k++)
            sum = sum * 1099511628211u + cells[k];
    }
    free(cells);
    return sum;
}

static ptl_status get_chunks(job *j, ptl_world *world)
{
    uint64_t sums[CHUNKS] = {0};
    for (int i = 0; i < CHUNKS * TURNS; i++) {
        const int n = (j->first + i) % CHUNKS;
        ptl_chunk *chunk = NULL;
        ptl_status status =
            ptl_chunk_get(&chunk, world, (ptl_chunk_pos){n % 2, n / 2}, &j->err);
        if (status != PTL_OK)
            return status;
        sums[n] = sum_chunk(chunk, 1);
        ptl_chunk_free(chunk);
    }
    for (int i = 0; i < CHUNKS; i++)
        j->sum = j->sum * 31 + sums[i];
    return PTL_OK;
}

static void *run_job(void *argument)
{
    job *j = argument;
    ptl_store *store = NULL;
    ptl_world *world = NULL;
    const ptl_open_options open = {.size = sizeof open,
                                   .mode = PTL_OPEN_WRITE,
                                   .writers = PTL_WRITERS_SHARED,
                                   .busy_timeout_ms = 60000};
    j->status = ptl_store_open(&store, j->path, &open, &j->err);
    if (j->status == PTL_OK)
        j->status = ptl_world_open(&world, store, j->world, NULL, &j->err);
    if (j->status == PTL_OK)
        j->status = get_chunks(j, world);
    ptl_world_close(world);
    ptl_store_close(store);
    return NULL;
}

static void run_jobs(job *jobs)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_msg(jobs[i].status == PTL_OK, "%s", jobs[i].err.message);
}

/* One thread, one file: the sum of a world of that seed. */
static uint64_t plain_sum(uint64_t seed)
{
    char path[WORLD_PATH_SIZE];
    world_file_path(path);
    ptl_store_close(world_file_open(path, "w", seed));
    job j = {.path = path, .world = "w"};
    run_job(&j);
    ck_assert_msg(j.status == PTL_OK, "%s", j.err.message);
    world_file_remove(path);
    return j.sum;
}

START_TEST(files_of_their_own)
{
    char paths[THREADS][WORLD_PATH_SIZE];
    job jobs[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) {
        world_file_path(paths[i]);
        ptl_store_close(world_file_open(paths[i], "w", (uint64_t)i / 2));
        jobs[i] = (job){.path = paths[i], .world = "w", .first = i};
    }
    run_jobs(jobs);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_uint_eq(jobs[i].sum, plain_sum((uint64_t)i / 2));
        world_file_remove(paths[i]);
    }
    ck_assert_uint_ne(jobs[0].sum, jobs[THREADS - 1].sum);
}
END_TEST

/* Worlds 0 and 1 in one file, two threads on each: they race for the same chunks. */
START_TEST(worlds_of_one_file)
{
    char path[WORLD_PATH_SIZE];
    job jobs[THREADS] = {0};
    world_file_path(path);
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.path = path, .first = i};
        snprintf(jobs[i].world, sizeof jobs[i].world, "w%d", i / 2);
        ptl_store_close(world_file_open(path, jobs[i].world, (uint64_t)i / 2));
    }
    run_jobs(jobs);
    for (int i = 0; i < THREADS; i++)
        ck_assert_uint_eq(jobs[i].sum, plain_sum((uint64_t)i / 2));
    ptl_store *store = NULL;
    ptl_error err;
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ck_assert_int_eq(ptl_store_open(&store, path, NULL, &err), PTL_OK);
    ck_assert_int_eq(ptl_verify(&counts, store, NULL, NULL, &err), PTL_OK);
    ck_assert_uint_eq(counts.problems, 0);
    ck_assert_uint_eq(counts.chunks, 2 * CHUNKS);
    ptl_store_close(store);
    world_file_remove(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tc = tcase_create("threads");
    tcase_set_tags(tc, "threads"); /* what the thread sanitizer\'s stage runs */
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, files_of_their_own);
    tcase_add_test(tc, worlds_of_one_file);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
