/*
 * A walker sees 60 x 30 tiles and goes east along the border between two rows of chunks, so
 * that four chunks are in view at each corner: the worst case. Every step fills the view; what
 * counts is the slowest step of each border. Without anything held, with a cache that is filled
 * ahead (in each chunk: what that costs is another figure), and over saved land.
 */
#include "bench_walk.h"
#include "bench_common.h"

enum { SIZE = PTL_CHUNK_SIZE, WIDTH = 60, HEIGHT = 30, NEAR = 40 /* tiles before a border */ };

typedef struct walker {
    ptl_world *world;
    ptl_cache *cache; /* NULL: nothing is held */
    int64_t y;
} walker;

/* Seconds. */
static double step(const walker *w, int64_t x)
{
    static ptl_oter cells[WIDTH * HEIGHT];
    ptl_error err = {0};
    ptl_area_options o = PTL_AREA_OPTIONS_INIT;
    const ptl_area view = {x - WIDTH / 2, w->y - HEIGHT / 2, 0, WIDTH, HEIGHT};
    o.generate = true;
    o.cache = w->cache;
    const double start = bench_seconds();
    if (ptl_area_get(cells, NULL, w->world, &view, &o, &err) != PTL_OK)
        bench_die("view", &err);
    return bench_seconds() - start;
}

/* The slowest step around the border west of chunk number `chunk`. */
static double cross(const walker *w, int64_t chunk)
{
    double slowest = 0;
    for (int64_t x = chunk * SIZE - NEAR; x < chunk * SIZE + NEAR; x++) {
        const double taken = step(w, x);
        slowest = taken > slowest ? taken : slowest;
    }
    return slowest;
}

/* The chunks around, of which three are new. */
static void look_ahead(const walker *w, int64_t chunk, samples *ahead)
{
    ptl_error err = {0};
    ptl_prefetch_report report = PTL_PREFETCH_REPORT_INIT;
    const ptl_chunk_pos pos = {(int32_t)chunk, (int32_t)(w->y / SIZE)};
    const double start = bench_seconds();
    if (ptl_cache_prefetch(&report, w->cache, pos, NULL, &err) != PTL_OK)
        bench_die("prefetch", &err);
    if (report.generated > 0 && chunk > 0)
        samples_add(ahead, 1e3 * (bench_seconds() - start) / (double)report.generated);
}

static void walk(const walker *w, int borders, samples *steps, double unit, samples *ahead)
{
    if (ahead)
        look_ahead(w, 0, ahead);
    else
        step(w, SIZE / 2);
    for (int64_t chunk = 1; chunk <= borders; chunk++) {
        samples_add(steps, unit * cross(w, chunk));
        if (ahead)
            look_ahead(w, chunk, ahead);
    }
}

void walk_measure(const walk_job *job, bench_report *report)
{
    ptl_error err = {0};
    bench_copy_file(job->from, job->path);
    ptl_store *store = bench_open_store(job->path);
    ptl_world *world = bench_open_world(store);
    walker alone = {.world = world, .y = 1000 * SIZE},
           held = {.world = world, .y = 2000 * SIZE};
    samples *f = report->figures;
    walk(&alone, job->borders, &f[FIGURE_STEP_NEW], 1e3, NULL);
    walk(&alone, job->borders, &f[FIGURE_STEP_SAVED], 1e3, NULL);
    if (ptl_cache_new(&held.cache, world, NULL, &err) != PTL_OK)
        bench_die("cache", &err);
    walk(&held, job->borders, &f[FIGURE_STEP_HELD], 1e6, &f[FIGURE_AHEAD]);
    ptl_cache_clear(held.cache);
    alone.cache = held.cache;
    walk(&alone, job->borders, &f[FIGURE_STEP_CACHE], 1e3, NULL);
    ptl_cache_free(held.cache);
    ptl_world_close(world);
    ptl_store_close(store);
    bench_remove_file(job->path);
}
