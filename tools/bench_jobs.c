/*
 * Two jobs against one. A machine's speed drifts, a virtual one's most of all, so each ratio is
 * that of one, two, two, one: what drifts evenly meanwhile cancels out. Beside it stands the
 * same ratio of a loop of arithmetic that touches no memory and shares nothing: no program
 * gains more from a second thread than the machine has to give.
 */
#include "bench_jobs.h"

#include "bench_common.h"

#include <pthread.h>

enum { LOOP_ROUNDS = 100 * 1000 * 1000 }; /* some 0.2 s */

/* ---- arithmetic ---- */

/* xorshift64 (Marsaglia 2003): each round needs the one before. */
static void *run_loop(void *state)
{
    uint64_t x = *(const uint64_t *)state;
    for (int32_t i = 0; i < LOOP_ROUNDS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    *(uint64_t *)state = x;
    return NULL;
}

/* Seconds a loop, where `threads` (1 or 2) run one each. */
static double time_loops(int32_t threads)
{
    uint64_t here = 1, there = 2;
    pthread_t thread;
    const double start = bench_seconds();
    if (threads > 1 && pthread_create(&thread, NULL, run_loop, &there) != 0)
        bench_die("can't start a thread", NULL);
    run_loop(&here);
    if (threads > 1)
        pthread_join(thread, NULL);
    const double seconds = bench_seconds() - start;
    if (here == 0 || there == 0) /* never: the loops have to be run to know */
        bench_die("arithmetic failed", NULL);
    return seconds / threads;
}

/* ---- chunks ---- */

static double time_chunks(const jobs_job *job, int32_t jobs)
{
    char path[BENCH_PATH_SIZE];
    bench_path(path, job->folder, "jobs.db");
    return bench_continue(job->path, path, job->first, job->chunks, jobs).seconds;
}

void jobs_measure(const jobs_job *job, bench_report *report)
{
    for (int32_t run = 0; run < job->runs; run++) {
        double one = time_loops(1), two = time_loops(2);
        two += time_loops(2);
        one += time_loops(1);
        samples_add(&report->figures[FIGURE_TWO_THREADS], one / two);
        one = time_chunks(job, 1);
        two = time_chunks(job, 2);
        two += time_chunks(job, 2);
        one += time_chunks(job, 1);
        samples_add(&report->figures[FIGURE_TWO_JOBS], one / two);
    }
}
