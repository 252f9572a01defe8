/*
 * Sweeps (portolan/sweep.h): the same rows for every number of threads and after every
 * stop; the counts of real worlds; what is refused.
 */
#include "analysis/measure/measure.h"
#include "core/hash.h"
#include "portolan/sweep.h"
#include "support/suite.h"
#include "support/world_file.h"
#include "world/world.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 2 };
static const ptl_chunk_pos places[PLACES] = {{0, 0}, {-1, -1}};

static char path[WORLD_PATH_SIZE];
static ptl_store *store;

static void setup(void)
{
    world_file_path(path);
    store = world_file_open(path, "w", 11);
}

static void teardown(void)
{
    ptl_store_close(store);
    world_file_remove(path);
}

/* Small cities and few specials: overmaps that take little time. */
static ptl_world_options small_settings(void)
{
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    settings.city_size = 2;
    settings.specials_density = 0.3;
    return settings;
}

static ptl_sweep_options options_of(const ptl_world_options *settings)
{
    return (ptl_sweep_options){.size = sizeof(ptl_sweep_options),
                               .settings = settings,
                               .seed_first = 1,
                               .seed_last = 3,
                               .positions = places,
                               .position_count = PLACES,
                               .jobs = 1};
}

static ptl_sweep_report run_sweep(const char *name, const ptl_sweep_options *options)
{
    ptl_sweep_report report = PTL_SWEEP_REPORT_INIT;
    ptl_error err = {0};
    ck_assert_msg(ptl_sweep_run(&report, store, name, options, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_uint_eq(report.done + report.skipped, report.total);
    return report;
}

/* ---- rows ---- */

static bool add_row(void *payload, size_t columns, const char *const *names,
                    const ptl_value *values)
{
    uint64_t *h = payload;
    (void)names;
    for (size_t i = 0; i < columns; i++) {
        *h = hash_add(*h, (uint64_t)values[i].integer);
        *h = hash_add(*h, hash_bytes(values[i].text ? values[i].text : "", values[i].size));
    }
    return true;
}

/* All that the file says of the sweep's overmaps, in the order of their rows. */
static uint64_t rows_of(const char *name)
{
    char sql[300];
    uint64_t h = 1;
    ptl_error err = {0};
    snprintf(sql, sizeof sql,
             "SELECT c.seed, c.x, c.y, c.specials, c.places, c.terrains, c.cities, "
             "c.buildings, c.lines, c.waters, c.baseline FROM sweep_chunk c JOIN sweep s ON "
             "s.id = c.sweep_id WHERE s.name = '%s' ORDER BY c.id",
             name);
    const ptl_query_options query = {.size = sizeof query, .on_row = add_row, .payload = &h};
    ck_assert_msg(ptl_query(store, sql, &query, &err) == PTL_OK, "%s", err.message);
    return h;
}

static uint64_t count_of(const char *name)
{
    sweep_row row = {0};
    sweep_totals totals;
    ptl_error err = {0};
    ck_assert_msg(ops(store)->sweep->find(&row, store, name, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_int_eq(ops(store)->sweep->chunk_total(&totals, store, row.id, &err), PTL_OK);
    sweep_row_dispose(&row);
    return totals.overmaps;
}

START_TEST(same_rows_for_all_threads)
{
    const ptl_world_options small = small_settings();
    ptl_sweep_options o = options_of(&small);
    run_sweep("one", &o);
    const uint64_t wanted = rows_of("one");
    for (int32_t jobs = getenv("PORTOLAN_QUICK") ? 5 : 2; jobs <= 5; jobs += 3) {
        char name[16];
        snprintf(name, sizeof name, "jobs %d", jobs);
        o.jobs = jobs;
        run_sweep(name, &o);
        ck_assert_uint_eq(rows_of(name), wanted);
    }
    ck_assert_uint_eq(count_of("one"), 3 * PLACES);
}
END_TEST

/* ---- stopping and going on ---- */

static bool stop_at_once(void *payload, const ptl_progress *progress)
{
    (void)payload;
    return progress->done == 0;
}

START_TEST(goes_on)
{
    ptl_world_options quick = PTL_WORLD_OPTIONS_INIT;
    quick.city_size = 0;
    quick.specials_density = 0.01;
    ptl_sweep_options o = options_of(&quick);
    ptl_sweep_report report = PTL_SWEEP_REPORT_INIT;
    ptl_error err = {0};
    o.seed_last = 34; /* more than a batch */
    o.jobs = 2;
    if (!getenv("PORTOLAN_QUICK"))
        run_sweep("whole", &o);
    o.on_progress = stop_at_once;
    ck_assert_int_eq(ptl_sweep_run(&report, store, "parts", &o, &err), PTL_ERR_CANCELLED);
    const uint64_t first = count_of("parts");
    ck_assert_uint_gt(first, 0);
    ck_assert_uint_lt(first, 68);
    ck_assert_uint_eq(report.done, first);
    o.on_progress = NULL;
    report = run_sweep("parts", &o);
    ck_assert_uint_eq(report.skipped, first);
    ck_assert_uint_eq(report.done, 68 - first);
    if (!getenv("PORTOLAN_QUICK"))
        ck_assert_uint_eq(rows_of("parts"), rows_of("whole"));
    /* And with other seeds. */
    o.seed_first = 33;
    o.seed_last = 35;
    report = run_sweep("parts", &o);
    ck_assert_uint_eq(report.done, 2);
    ck_assert_uint_eq(report.skipped, 4);
}
END_TEST

/* ---- what a world has ---- */

static bool equal_list(const void *a, size_t count_a, const void *b, size_t count_b,
                       size_t size, bool (*equal)(const void *, const void *))
{
    bool same = count_a == count_b;
    for (size_t i = 0; same && i < count_a; i++)
        same = equal((const char *)a + i * size, (const char *)b + i * size);
    return same;
}

static bool equal_special(const void *pa, const void *pb)
{
    const summary_special *a = pa, *b = pb;
    return strcmp(a->id, b->id) == 0 && a->asked == b->asked && a->ground == b->ground &&
           a->linked == b->linked && a->city == b->city && a->room == b->room &&
           a->failed == b->failed && a->placed == b->placed && a->others == b->others;
}

static bool equal_place(const void *pa, const void *pb)
{
    const summary_place *a = pa, *b = pb;
    return strcmp(a->id, b->id) == 0 && strcmp(a->around, b->around) == 0 && a->x == b->x &&
           a->y == b->y && a->z == b->z && a->rotation == b->rotation && a->city == b->city &&
           a->road == b->road && a->same == b->same;
}

static bool equal_terrain(const void *pa, const void *pb)
{
    const summary_terrain *a = pa, *b = pb;
    return strcmp(a->id, b->id) == 0 && a->z == b->z && a->cells == b->cells;
}

static bool equal_summary(const summary *a, const summary *b)
{
    return equal_list(a->specials, a->special_count, b->specials, b->special_count,
                      sizeof *a->specials, equal_special) &&
           equal_list(a->places, a->place_count, b->places, b->place_count, sizeof *a->places,
                      equal_place) &&
           equal_list(a->terrains, a->terrain_count, b->terrains, b->terrain_count,
                      sizeof *a->terrains, equal_terrain) &&
           a->city_count == b->city_count && a->water_count == b->water_count &&
           memcmp(&a->baseline, &b->baseline, sizeof a->baseline) == 0;
}

/* The summary of a world's saved chunk. */
static void measure_saved(summary *out, ptl_world *world, ptl_chunk_pos pos)
{
    const catalogue *cat = ptl_world_catalogue(world);
    ptl_chunk *chunk = NULL;
    chunk_info info;
    gen_features features = {0};
    bool found = false;
    measurer *m = measurer_new(cat);
    ck_assert_ptr_nonnull(m);
    ck_assert_int_eq(
        ops(store)->chunk->read(&chunk, store, world->row.id, pos, cat, &info, NULL), PTL_OK);
    ck_assert_int_eq(ops(store)->chunk->features_read(&features, &found, store, world->row.id,
                                                      pos, cat, NULL),
                     PTL_OK);
    ck_assert(found);
    ck_assert_int_eq(measure(out, m, chunk, &features, PTL_COUNT_ALL, NULL), PTL_OK);
    features_dispose(&features);
    ptl_chunk_free(chunk);
    measurer_free(m);
}

typedef struct comparison {
    uint64_t seen, different;
    size_t specials;
} comparison;

static bool compare_row(void *payload, uint64_t seed, const summary *s)
{
    comparison *c = payload;
    char name[32];
    summary own = {0};
    snprintf(name, sizeof name, "seed %" PRIu64, seed);
    ptl_world *world = world_file_world(store, name);
    measure_saved(&own, world, s->pos);
    c->seen++;
    c->different += !equal_summary(s, &own);
    c->specials += own.special_count;
    summary_dispose(&own);
    ptl_world_close(world);
    return true;
}

START_TEST(counts_of_worlds)
{
    ptl_error err = {0};
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    settings.placement = _i ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA;
    settings.city_size = _i || getenv("PORTOLAN_QUICK") ? 4 : 8;
    settings.seed = _i ? UINT64_MAX : 3; /* the last one that there is */
    ptl_sweep_options o = options_of(&settings);
    o.jobs = 2;
    o.seed_first = o.seed_last = settings.seed;
    run_sweep("s", &o);
    char name[32];
    snprintf(name, sizeof name, "seed %" PRIu64, settings.seed);
    ck_assert_msg(ptl_world_create(store, name, &settings, &err) == PTL_OK, "%s", err.message);
    ptl_world *world = world_file_world(store, name);
    const ptl_generate_options generate = {
        .size = sizeof generate, .positions = places, .position_count = PLACES};
    ck_assert_int_eq(ptl_generate(NULL, world, &generate, &err), PTL_OK);
    ptl_world_close(world);
    sweep_row row = {0};
    comparison c = {0};
    ck_assert_int_eq(ops(store)->sweep->find(&row, store, "s", &err), PTL_OK);
    ck_assert_msg(ops(store)->sweep->chunk_visit(store, row.id, PTL_COUNT_ALL, compare_row, &c,
                                                 &err) == PTL_OK,
                  "%s", err.message);
    sweep_row_dispose(&row);
    ck_assert_uint_eq(c.seen, PLACES);
    ck_assert_uint_eq(c.different, 0);
    ck_assert_uint_gt(c.specials, 0);
}
END_TEST

START_TEST(keeps_tiles)
{
    ptl_error err = {0};
    ptl_world_options settings = small_settings();
    char kept[65], own[65];
    ptl_sweep_options o = options_of(&settings);
    o.seed_last = 2;
    run_sweep("k", &o); /* without tiles: they are made when they are asked for */
    const uint64_t rows = rows_of("k");
    o.keep_worlds = true;
    o.jobs = 2;
    ck_assert_uint_eq(run_sweep("k", &o).done, 2 * PLACES);
    ck_assert_uint_eq(run_sweep("k", &o).done, 0);
    ck_assert_uint_eq(rows_of("k"), rows);
    settings.seed = 2;
    ck_assert_int_eq(ptl_world_create(store, "own", &settings, &err), PTL_OK);
    ptl_world *world = world_file_world(store, "own");
    const ptl_generate_options generate = {
        .size = sizeof generate, .positions = places, .position_count = PLACES};
    ck_assert_int_eq(ptl_generate(NULL, world, &generate, &err), PTL_OK);
    world_file_digest(world, own);
    ptl_world_close(world);
    world = world_file_world(store, "k/2");
    world_file_digest(world, kept);
    ptl_world_close(world);
    ck_assert_str_eq(kept, own);
    /* A world of that name that is another. */
    settings.seed = 8;
    ck_assert_int_eq(ptl_world_create(store, "k/3", &settings, &err), PTL_OK);
    o.seed_last = 3;
    ptl_sweep_report report = PTL_SWEEP_REPORT_INIT;
    ck_assert_int_eq(ptl_sweep_run(&report, store, "k", &o, &err), PTL_ERR_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "k/3"));
    ck_assert_uint_eq(count_of("k"), 2 * PLACES);
}
END_TEST

/* ---- refusals ---- */

START_TEST(other_settings)
{
    ptl_sweep_report report = PTL_SWEEP_REPORT_INIT;
    ptl_error err = {0};
    ptl_world_options settings = small_settings();
    settings.city_size = 3;
    settings.placement = PTL_PLACEMENT_SECTORS;
    ptl_sweep_options o = options_of(&settings);
    o.seed_last = 1;
    run_sweep("s", &o);
    settings.city_size = 5;
    settings.placement = PTL_PLACEMENT_QUOTA;
    ck_assert_int_eq(ptl_sweep_run(&report, store, "s", &o, &err), PTL_ERR_EXISTS);
    ck_assert_msg(strstr(err.message, "city-size 3 (not 5)") != NULL, "%s", err.message);
    ck_assert_msg(strstr(err.message, "placement sectors (not quota)") != NULL, "%s",
                  err.message);
    ck_assert_ptr_null(strstr(err.message, "region"));
    /* Those that it has, without a word. */
    o.settings = NULL;
    o.seed_last = 2;
    ck_assert_uint_eq(run_sweep("s", &o).done, PLACES);
    o.settings = &settings;
    o.replace = true;
    o.seed_last = 1;
    ck_assert_uint_eq(run_sweep("s", &o).done, PLACES);
    ck_assert_uint_eq(count_of("s"), PLACES);
    /* The same settings: nothing is removed. */
    ck_assert_uint_eq(run_sweep("s", &o).skipped, PLACES);
    ck_assert_int_eq(ptl_sweep_remove(store, "s", &err), PTL_OK);
    ck_assert_int_eq(ptl_sweep_remove(store, "s", &err), PTL_ERR_NOT_FOUND);
}
END_TEST

static ptl_status try_options(const char *name, const ptl_sweep_options *o)
{
    ptl_sweep_report report = PTL_SWEEP_REPORT_INIT;
    ptl_error err = {0};
    const ptl_status status = ptl_sweep_run(&report, store, name, o, &err);
    ck_assert_int_eq(err.status, status);
    return status;
}

START_TEST(bad_options)
{
    const ptl_sweep_options good = options_of(NULL);
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ptl_sweep_options o = good;
    ck_assert_int_eq(try_options("", &o), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(try_options(NULL, &o), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(try_options("a\nb", &o), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(try_options("s", NULL), PTL_ERR_ARGUMENT);
    o.size = 0;
    ck_assert_int_eq(try_options("s", &o), PTL_ERR_ARGUMENT);
    o = good;
    o.seed_first = 7;
    ck_assert_int_eq(try_options("s", &o), PTL_ERR_ARGUMENT);
    o = good;
    o.seed_last = UINT64_MAX;
    ck_assert_int_eq(try_options("s", &o), PTL_ERR_ARGUMENT);
    o = good;
    o.position_count = 0;
    ck_assert_int_eq(try_options("s", &o), PTL_ERR_ARGUMENT);
    o = good;
    o.positions = NULL;
    ck_assert_int_eq(try_options("s", &o), PTL_ERR_ARGUMENT);
    o = good;
    const ptl_chunk_pos far = {PTL_CHUNK_COORD_MAX + 1, 0};
    o.positions = &far;
    o.position_count = 1;
    ck_assert_int_eq(try_options("s", &o), PTL_ERR_ARGUMENT);
    o = good;
    o.jobs = 65;
    ck_assert_int_eq(try_options("s", &o), PTL_ERR_ARGUMENT);
    o = good;
    o.shard = 1;
    ck_assert_int_eq(try_options("s", &o), PTL_ERR_ARGUMENT);
    o.shards = 2;
    o.shard = 3;
    ck_assert_int_eq(try_options("s", &o), PTL_ERR_ARGUMENT);
    o.shards = o.shard = PTL_SHARDS_MAX + 1;
    ck_assert_int_eq(try_options("s", &o), PTL_ERR_ARGUMENT);
    o = good;
    settings.region = "nowhere";
    o.settings = &settings;
    ck_assert_int_eq(try_options("s", &o), PTL_ERR_NOT_FOUND);
    char longest[101];
    memset(longest, 'n', 100);
    longest[100] = '\0';
    o = good;
    o.keep_worlds = true;
    ck_assert_int_eq(try_options(longest, &o), PTL_ERR_ARGUMENT);
    ptl_sweep_report report = {0}; /* a size that nobody set */
    ck_assert_int_eq(ptl_sweep_run(&report, store, "s", &good, NULL), PTL_ERR_ARGUMENT);
    /* Nothing was made by any of them. */
    sweep_row row = {0};
    ck_assert_int_eq(ops(store)->sweep->find(&row, store, "s", NULL), PTL_ERR_NOT_FOUND);
}
END_TEST

/* ---- the spiral ---- */

static int32_t ring_of(ptl_chunk_pos p)
{
    const int32_t x = abs(p.x), y = abs(p.y);
    return x > y ? x : y;
}

START_TEST(spiral)
{
    enum { RINGS = 6, COUNT = (2 * RINGS + 1) * (2 * RINGS + 1) };
    ptl_chunk_pos list[COUNT + 1];
    bool seen[2 * RINGS + 1][2 * RINGS + 1] = {{false}};
    int bad = 0;
    list[COUNT] = (ptl_chunk_pos){99, 99};
    ptl_sweep_spiral(list, COUNT);
    for (int i = 0; i < COUNT; i++) {
        bool *cell = &seen[list[i].y + RINGS][list[i].x + RINGS];
        bad += *cell || (i > 0 && ring_of(list[i]) < ring_of(list[i - 1]));
        *cell = true;
        /* Within a ring each one touches the one before. */
        bad += i > 0 && ring_of(list[i]) == ring_of(list[i - 1]) &&
               abs(list[i].x - list[i - 1].x) + abs(list[i].y - list[i - 1].y) != 1;
    }
    ck_assert_int_eq(bad, 0);
    ck_assert_int_eq(list[0].x, 0);
    ck_assert_int_eq(list[COUNT].x, 99);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep");
    TCase *tcase = tcase_create("sweep");
    TCase *threads = tcase_create("threads");
    tcase_set_tags(threads, "threads"); /* what the thread sanitizer's stage runs */
    tcase_add_checked_fixture(threads, setup, teardown);
    tcase_add_test(threads, same_rows_for_all_threads);
    tcase_add_test(threads, goes_on);
    suite_add_tcase(suite, threads);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, counts_of_worlds, 0, 2);
    tcase_add_test(tcase, keeps_tiles);
    tcase_add_test(tcase, other_settings);
    tcase_add_test(tcase, bad_options);
    tcase_add_test(tcase, spiral);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
