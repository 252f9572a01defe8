#include "bench_explore.h"

#include "bench_common.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { SIGHT = 15, VIEW = 2 * SIGHT + 1, STEP_NS = 10000000 };

void explore_step(ptl_omt *at, int *way, uint64_t *random)
{
    static const int DX[] = {1, 0, -1, 0}, DY[] = {0, 1, 0, -1};
    if (bench_draw(random, 300) == 0)
        *way = (*way + (bench_draw(random, 2) == 0 ? 1 : 3)) % 4;
    at->x += DX[*way];
    at->y += DY[*way];
}

/* A thread that makes the land around a chunk, with a store of its own. */
typedef struct maker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bench_opened file;
    ptl_chunk_pos around;
    bool has_work, shall_end;
    atomic_bool has_made; /* land that the walker's cache may not have */
} maker;

void explore_make(ptl_world *world, ptl_chunk_pos around)
{
    ptl_chunk_pos positions[9];
    ptl_error err = {0};
    ptl_generate_options options = PTL_GENERATE_OPTIONS_INIT;
    for (int32_t i = 0; i < 9; i++)
        positions[i] = (ptl_chunk_pos){around.x - 1 + i % 3, around.y - 1 + i / 3};
    options.positions = positions;
    options.position_count = 9;
    bench_check(ptl_generate(NULL, world, &options, &err), "generate ahead", &err);
}

static void *work(void *payload)
{
    maker *m = payload;
    pthread_mutex_lock(&m->lock);
    while (!m->shall_end) {
        if (!m->has_work) {
            pthread_cond_wait(&m->wake, &m->lock);
            continue;
        }
        const ptl_chunk_pos around = m->around;
        m->has_work = false;
        pthread_mutex_unlock(&m->lock);
        explore_make(m->file.world, around);
        atomic_store(&m->has_made, true);
        pthread_mutex_lock(&m->lock);
    }
    pthread_mutex_unlock(&m->lock);
    return NULL;
}

static void ask(maker *m, ptl_chunk_pos around, bool shall_end)
{
    pthread_mutex_lock(&m->lock);
    m->around = around;
    m->has_work = !shall_end;
    m->shall_end = shall_end;
    pthread_cond_signal(&m->wake);
    pthread_mutex_unlock(&m->lock);
}

/* Microseconds of a view; *waited counts those for which land had to be made. */
static double see(const bench_opened *o, ptl_cache *cache, ptl_omt at, double *waited)
{
    static ptl_oter cells[VIEW * VIEW];
    ptl_error err = {0};
    ptl_area_report report = PTL_AREA_REPORT_INIT;
    const ptl_area area = {at.x - SIGHT, at.y - SIGHT, 0, VIEW, VIEW};
    const ptl_area_options options = {.size = sizeof options, .generate = true, .cache = cache};
    const double start = bench_seconds();
    bench_check(ptl_area_get(cells, &report, o->world, &area, &options, &err), "view", &err);
    const double taken = bench_seconds() - start;
    *waited += report.generated > 0;
    return 1e6 * taken;
}

static void prefetch(ptl_cache *cache, ptl_omt at, double *slowest)
{
    ptl_error err = {0};
    const double start = bench_seconds();
    bench_check(ptl_cache_prefetch(NULL, cache, ptl_omt_chunk(at), NULL, &err), "prefetch",
                &err);
    const double taken = 1e3 * (bench_seconds() - start);
    *slowest = taken > *slowest ? taken : *slowest;
}

static void walk(explored *out, const bench_opened *o, ptl_cache *cache, maker *m,
                 double *views, int32_t steps)
{
    ptl_omt at = {90, 90, 0};
    int way = 0;
    uint64_t random = 3;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int32_t i = 0; i < steps; i++) {
        const ptl_chunk_pos before = ptl_omt_chunk(at);
        explore_step(&at, &way, &random);
        const ptl_chunk_pos now = ptl_omt_chunk(at);
        views[i] = see(o, cache, at, &out->waits);
        if (now.x != before.x || now.y != before.y)
            ask(m, now, false);
        if (atomic_exchange(&m->has_made, false))
            prefetch(cache, at, &out->prefetch_ms);
        next.tv_nsec += STEP_NS;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
}

void explore_measure(explored *out, const char *from, const char *path, int32_t steps)
{
    double *views = bench_must(malloc((size_t)steps * sizeof *views)), first = 0;
    maker m = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};
    ptl_cache *cache = NULL;
    *out = (explored){.waits = 0};
    ptl_error err = {0};
    bench_copy_file(from, path);
    bench_opened o = bench_open(path, PTL_WRITERS_SHARED, PTL_JOURNAL_KEEP);
    m.file = bench_open(path, PTL_WRITERS_SHARED, PTL_JOURNAL_KEEP);
    explore_make(m.file.world, (ptl_chunk_pos){0, 0});
    bench_check(ptl_cache_new(&cache, o.world, NULL, &err), "cache", &err);
    prefetch(cache, (ptl_omt){90, 90, 0}, &first);
    if (pthread_create(&m.thread, NULL, work, &m) != 0)
        bench_die("can't start a thread", NULL);
    walk(out, &o, cache, &m, views, steps);
    ask(&m, (ptl_chunk_pos){0, 0}, true);
    pthread_join(m.thread, NULL);
    out->half_us = bench_quantile(views, steps, 0.5);
    out->most_us = bench_quantile(views, steps, 0.99);
    out->slowest_us = bench_quantile(views, steps, 1);
    ptl_cache_free(cache);
    bench_close(&m.file);
    bench_close(&o);
    bench_remove_file(path);
    free(views);
}
