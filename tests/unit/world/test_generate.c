/* Many chunks: threads, orders, prefixes, stopping and going on, other content. */
#include "core/hash.h"
#include "store/sqlite/connection/stmt.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIDE = 3, COUNT = SIDE * SIDE };

static ptl_error err;

static void block(ptl_chunk_pos out[COUNT])
{
    for (int32_t i = 0; i < COUNT; i++)
        out[i] = (ptl_chunk_pos){i % SIDE - 2, i / SIDE - 1};
}

static void shuffle(ptl_chunk_pos *list, uint64_t seed)
{
    rng r = rng_from_key(seed);
    for (uint32_t i = COUNT - 1; i > 0; i--) {
        uint32_t k = rng_below(&r, i + 1);
        ptl_chunk_pos swap = list[i];
        list[i] = list[k];
        list[k] = swap;
    }
}

typedef struct made_world {
    char path[WORLD_PATH_SIZE];
    ptl_store *store;
    ptl_world *world;
} made_world;

static void made_world_open(made_world *m, uint64_t seed)
{
    world_file_path(m->path);
    m->store = world_file_open(m->path, "w", seed);
    m->world = world_file_world(m->store, "w");
    memset(&err, 0, sizeof err);
}

static void made_world_close(made_world *m)
{
    ptl_world_close(m->world);
    ptl_store_close(m->store);
    world_file_remove(m->path);
}

static void generate(made_world *m, const ptl_chunk_pos *list, size_t count, int32_t jobs,
                     const char *stop_after, ptl_generate_report *report)
{
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.positions = list;
    o.position_count = count;
    o.jobs = jobs;
    o.stop_after = stop_after;
    ck_assert_msg(ptl_generate(report, m->world, &o, &err) == PTL_OK, "%s", err.message);
}

/* The reference: one job, row by row. */
static void plain_digest(uint64_t seed, char hex[65])
{
    made_world m;
    ptl_chunk_pos list[COUNT];
    made_world_open(&m, seed);
    block(list);
    generate(&m, list, COUNT, 1, NULL, NULL);
    world_file_digest(m.world, hex);
    made_world_close(&m);
}

START_TEST(jobs_and_orders_change_nothing)
{
    char wanted[65], got[65];
    plain_digest((uint64_t)_i, wanted);
    static const int32_t jobs[] = {1, 2, 3, 7};
    for (size_t n = 0; n < sizeof jobs / sizeof jobs[0]; n++) {
        made_world m;
        ptl_chunk_pos list[COUNT];
        ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
        made_world_open(&m, (uint64_t)_i);
        block(list);
        shuffle(list, n);
        generate(&m, list, COUNT / 2, jobs[n], NULL, NULL);
        generate(&m, list, COUNT, jobs[n], NULL, &report); /* resumes by itself */
        ck_assert_uint_eq(report.done, COUNT - COUNT / 2);
        ck_assert_uint_eq(report.skipped, COUNT / 2);
        ck_assert_uint_eq(report.total, COUNT);
        world_file_digest(m.world, got);
        ck_assert_str_eq(got, wanted);
        ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
        ck_assert_int_eq(ptl_verify(&counts, m.store, NULL, NULL, &err), PTL_OK);
        ck_assert_uint_eq(counts.problems, 0);
        made_world_close(&m);
    }
}
END_TEST

START_TEST(other_seeds_give_other_worlds)
{
    char a[65], b[65];
    plain_digest(1, a);
    plain_digest(2, b);
    ck_assert_str_ne(a, b);
}
END_TEST

START_TEST(chunk_by_chunk_is_the_same)
{
    char wanted[65], got[65];
    plain_digest(5, wanted);
    made_world m;
    ptl_chunk_pos list[COUNT];
    made_world_open(&m, 5);
    block(list);
    shuffle(list, 99);
    for (int i = 0; i < COUNT; i++) {
        ptl_chunk *chunk = NULL;
        ck_assert_int_eq(ptl_chunk_get(&chunk, m.world, list[i], &err), PTL_OK);
        ptl_chunk_free(chunk);
    }
    world_file_digest(m.world, got);
    ck_assert_str_eq(got, wanted);
    made_world_close(&m);
}
END_TEST

/* In the embedded content's default region a small block may have no ravine, tower, manhole
 * or bridge. */
static bool may_change_nothing(const char *step)
{
    static const char *const names[] = {"oceans",    "ravines",          "highways",
                                        "specials",  "highway_segments", "trailheads",
                                        "sublevels", "bridges",          "radios"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(step, names[i]) == 0)
            return true;
    return false;
}

START_TEST(any_prefix_of_the_steps)
{
    enum { FEW = 3 };
    char wanted[65], got[65], before[65] = "";
    ptl_chunk_pos list[COUNT];
    made_world plain;
    block(list);
    made_world_open(&plain, 6);
    generate(&plain, list, FEW, 1, NULL, NULL);
    world_file_digest(plain.world, wanted);
    made_world_close(&plain);
    bool changed_last = false;
    for (size_t n = 0; n < ptl_step_count(); n++) {
        made_world m;
        ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
        made_world_open(&m, 6);
        generate(&m, list, FEW, 2, ptl_step_name(n), NULL);
        world_file_digest(m.world, got);
        const bool last = n + 1 == ptl_step_count(), same = strcmp(got, before) == 0;
        ck_assert_msg(!same || may_change_nothing(ptl_step_name(n)), "%s changes nothing",
                      ptl_step_name(n));
        changed_last = strcmp(got, wanted) == 0;
        memcpy(before, got, sizeof before);
        /* unfinished chunks are finished later */
        generate(&m, list, FEW, 1, NULL, &report);
        ck_assert_uint_eq(report.done, last ? 0 : FEW);
        world_file_digest(m.world, got);
        ck_assert_str_eq(got, wanted);
        /* and a shorter request leaves finished chunks alone */
        generate(&m, list, FEW, 1, ptl_step_name(0), &report);
        ck_assert_uint_eq(report.skipped, FEW);
        made_world_close(&m);
    }
    ck_assert(changed_last);
}
END_TEST

START_TEST(repetitions_and_bad_requests)
{
    made_world m;
    made_world_open(&m, 7);
    const ptl_chunk_pos list[] = {{0, 0}, {1, 0}, {0, 0}, {1, 0}, {0, 0}};
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    generate(&m, list, 5, 2, NULL, &report);
    ck_assert_uint_eq(report.total, 2);
    ck_assert_uint_eq(report.done, 2);
    ck_assert(report.step_seconds[0] >= 0 && report.seconds > 0);
    generate(&m, NULL, 0, 1, NULL, &report);
    ck_assert_uint_eq(report.total, 0);
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.positions = list;
    o.position_count = 1;
    o.stop_after = "no such step";
    ck_assert_int_eq(ptl_generate(NULL, m.world, &o, &err), PTL_ERR_ARGUMENT);
    o.stop_after = NULL;
    o.jobs = 65;
    ck_assert_int_eq(ptl_generate(NULL, m.world, &o, &err), PTL_ERR_ARGUMENT);
    o.jobs = 1;
    const int32_t most = PTL_CHUNK_COORD_MAX;
    const ptl_chunk_pos far[] = {{most + 1, 0}, {-most - 1, 0}, {0, most + 1}, {0, -most - 1}};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        o.positions = &far[i];
        ck_assert_int_eq(ptl_generate(NULL, m.world, &o, &err), PTL_ERR_ARGUMENT);
    }
    made_world_close(&m);
}
END_TEST

static bool stop_at_once(void *payload, const ptl_progress *progress)
{
    *(uint64_t *)payload = progress->done;
    return false;
}

START_TEST(stopping_keeps_what_was_committed)
{
    char wanted[65], got[65];
    enum { MANY = 80 }; /* more than one batch */
    /* Slow builds stop two jobs only, whose batches end by the clock. */
    const int32_t many = getenv("PORTOLAN_QUICK") ? MANY / 2 : MANY;
    if (_i == 0 && many < MANY)
        return;
    ptl_chunk_pos list[MANY];
    for (int32_t i = 0; i < many; i++)
        list[i] = (ptl_chunk_pos){i % 15, i / 15};
    made_world whole, cut;
    made_world_open(&whole, 8);
    generate(&whole, list, (size_t)many, 2, NULL, NULL);
    world_file_digest(whole.world, wanted);
    made_world_open(&cut, 8);
    uint64_t done = 0;
    ptl_generate_options o = {sizeof o, list, (size_t)many, _i + 1, NULL, stop_at_once, &done,
                              0,        0};
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    ck_assert_int_eq(ptl_generate(&report, cut.world, &o, &err), PTL_ERR_CANCELLED);
    ck_assert_uint_gt(done, 0);
    ck_assert_uint_lt(done, (uint64_t)many);
    ck_assert_uint_eq(report.done, done);
    generate(&cut, list, (size_t)many, 2, NULL, &report);
    ck_assert_uint_eq(report.skipped, done);
    world_file_digest(cut.world, got);
    ck_assert_str_eq(got, wanted);
    made_world_close(&whole);
    made_world_close(&cut);
}
END_TEST

/* How many chunks each commit brought; there are few of them. */
typedef struct batch_sizes {
    uint64_t done, sizes[32];
    size_t count;
} batch_sizes;

static bool note_batch(void *payload, const ptl_progress *progress)
{
    batch_sizes *b = payload;
    if (progress->done > b->done && b->count < 32)
        b->sizes[b->count++] = progress->done - b->done;
    b->done = progress->done;
    return true;
}

/* With several generators the last batch is small, so that nobody waits long for its end. */
START_TEST(batches_get_smaller)
{
    ptl_chunk_pos list[COUNT];
    batch_sizes b = {.done = 0};
    made_world m;
    made_world_open(&m, 9);
    block(list);
    ptl_generate_options o = {sizeof o, list, COUNT, 2, NULL, note_batch, &b, 0, 0};
    ck_assert_int_eq(ptl_generate(NULL, m.world, &o, &err), PTL_OK);
    ck_assert_uint_eq(b.done, COUNT);
    ck_assert_uint_gt(b.count, 1);
    ck_assert_uint_le(b.sizes[b.count - 1], COUNT / 2);
    made_world_close(&m);
}
END_TEST

typedef struct other_process {
    const char *path;
    ptl_chunk_pos list[COUNT];
    ptl_status status;
    ptl_error err;
} other_process;

static void *generate_all(void *argument)
{
    other_process *p = argument;
    ptl_store *store = NULL;
    ptl_world *world = NULL;
    const ptl_open_options shared = {
        .size = sizeof shared, .mode = PTL_OPEN_WRITE, .writers = PTL_WRITERS_SHARED};
    p->status = ptl_store_open(&store, p->path, &shared, &p->err);
    if (p->status == PTL_OK)
        p->status = ptl_world_open(&world, store, "w", NULL, &p->err);
    ptl_generate_options o = {sizeof o, p->list, COUNT, 2, NULL, NULL, NULL, 0, 0};
    if (p->status == PTL_OK)
        p->status = ptl_generate(NULL, world, &o, &p->err);
    ptl_world_close(world);
    ptl_store_close(store);
    return NULL;
}

/* Several writers on one file, each with threads of its own. */
START_TEST(several_connections_at_once)
{
    enum { WRITERS = 3 };
    char wanted[65], got[65];
    plain_digest(11, wanted);
    made_world m;
    made_world_open(&m, 11);
    other_process others[WRITERS];
    pthread_t threads[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        others[i] = (other_process){.path = m.path};
        block(others[i].list);
        shuffle(others[i].list, (uint64_t)i);
        ck_assert_int_eq(pthread_create(&threads[i], NULL, generate_all, &others[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_msg(others[i].status == PTL_OK, "%s", others[i].err.message);
    }
    world_file_digest(m.world, got);
    ck_assert_str_eq(got, wanted);
    made_world_close(&m);
}
END_TEST

/* A small pack on top of the embedded one is another content. */
static void write_pack(const char *directory)
{
    char file[WORLD_PATH_SIZE + 32];
    ck_assert_int_eq(mkdir(directory, 0700), 0);
    snprintf(file, sizeof file, "%s/terrain.json", directory);
    FILE *out = fopen(file, "w");
    ck_assert_ptr_nonnull(out);
    fputs("[{\"type\":\"overmap_terrain\",\"id\":\"test_hut\",\"name\":\"hut\",\"sym\":\"h\","
          "\"color\":\"red\"}]\n",
          out);
    ck_assert_int_eq(fclose(out), 0);
}

START_TEST(other_content_is_refused_unless_accepted)
{
    made_world m;
    made_world_open(&m, 12);
    const ptl_chunk_pos first = {0, 0}, second = {1, 0};
    generate(&m, &first, 1, 1, NULL, NULL);
    char directory[WORLD_PATH_SIZE], file[WORLD_PATH_SIZE + 32];
    snprintf(directory, sizeof directory, "%.200s-pack", m.path);
    write_pack(directory);
    const char *directories[] = {directory};
    ptl_import_options import = {.size = sizeof import,
                                 .directories = directories,
                                 .directory_count = 1,
                                 .builtin = true};
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    ck_assert_msg(ptl_import(&report, m.store, &import, &err) == PTL_OK, "%s", err.message);
    ck_assert(!report.unchanged);
    ptl_world_close(m.world);
    m.world = world_file_world(m.store, "w");
    ptl_chunk *chunk = NULL;
    ck_assert_int_eq(ptl_chunk_get(&chunk, m.world, first, &err), PTL_OK); /* reading is fine */
    ptl_chunk_free(chunk);
    ck_assert_int_eq(ptl_chunk_get(&chunk, m.world, second, &err), PTL_ERR_MISMATCH);
    ptl_world_close(m.world);
    ptl_world_open_options accept = {.size = sizeof accept, .accept_content = true};
    ck_assert_int_eq(ptl_world_open(&m.world, m.store, "w", &accept, &err), PTL_OK);
    ck_assert_int_eq(ptl_chunk_get(&chunk, m.world, second, &err), PTL_OK);
    ptl_chunk_free(chunk);
    /* the old content again: the world goes on as before */
    import.directory_count = 0;
    ck_assert_int_eq(ptl_import(&report, m.store, &import, &err), PTL_OK);
    ptl_world_close(m.world);
    m.world = world_file_world(m.store, "w");
    const ptl_chunk_pos third = {2, 0};
    ck_assert_int_eq(ptl_chunk_get(&chunk, m.world, third, &err), PTL_OK);
    ptl_chunk_free(chunk);
    snprintf(file, sizeof file, "%s/terrain.json", directory);
    unlink(file);
    rmdir(directory);
    made_world_close(&m);
}
END_TEST

/* Some places after it have been looked up when it is met; it still is what the work says. */
START_TEST(a_damaged_place_ends_the_work)
{
    made_world m;
    ptl_chunk_pos list[COUNT];
    made_world_open(&m, 11);
    block(list);
    generate(&m, list + 5, 1, 1, NULL, NULL);
    ck_assert_int_eq(sqlite_exec(m.store, "UPDATE chunk SET checksum = checksum + 1", &err),
                     PTL_OK);
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.positions = list;
    o.position_count = COUNT;
    o.jobs = 1 + _i;
    ck_assert_int_eq(ptl_generate(NULL, m.world, &o, &err), PTL_ERR_CORRUPT);
    char place[32];
    snprintf(place, sizeof place, "chunk %d,%d", list[5].x, list[5].y);
    ck_assert_ptr_nonnull(strstr(err.message, place));
    generate(&m, list, 5, 1, NULL, NULL);
    made_world_close(&m);
}
END_TEST

/* Of two shards' worlds none has what the other has, and a bad shard is refused. */
START_TEST(shards_make_their_part)
{
    static const int32_t bad[][2] = {{1, 0}, {0, 2}, {3, 2}, {-1, 2}, {1, PTL_SHARDS_MAX + 1}};
    const ptl_chunk_pos list[] = {{0, 0}, {8, 0}, {0, 0}, {7, 7}};
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    made_world m;
    made_world_open(&m, 3);
    o.positions = list;
    o.position_count = 4;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        o.shard = bad[i][0];
        o.shards = bad[i][1];
        ck_assert_int_eq(ptl_generate(&report, m.world, &o, &err), PTL_ERR_ARGUMENT);
    }
    o.shards = 2;
    for (o.shard = 1; o.shard <= 2; o.shard++) {
        ck_assert_int_eq(ptl_generate(&report, m.world, &o, &err), PTL_OK);
        ck_assert_uint_eq(report.total, o.shard == 1 ? 2 : 1);
        ck_assert_uint_eq(report.done, report.total);
    }
    o.shard = o.shards = 0;
    ck_assert_int_eq(ptl_generate(&report, m.world, &o, &err), PTL_OK);
    ck_assert(report.total == 3 && report.skipped == 3);
    made_world_close(&m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("generate");
    TCase *tcase = tcase_create("generate");
    TCase *threads = tcase_create("threads");
    tcase_set_tags(threads, "threads"); /* what the thread sanitizer's stage runs */
    tcase_set_timeout(threads, 240);
    tcase_add_loop_test(threads, jobs_and_orders_change_nothing, 0, 2);
    tcase_add_loop_test(threads, a_damaged_place_ends_the_work, 0, 2);
    tcase_add_loop_test(threads, stopping_keeps_what_was_committed, 0, 2);
    tcase_add_test(threads, batches_get_smaller);
    tcase_add_test(threads, several_connections_at_once);
    suite_add_tcase(suite, threads);
    tcase_set_timeout(tcase, 240);
    tcase_add_test(tcase, other_seeds_give_other_worlds);
    tcase_add_test(tcase, chunk_by_chunk_is_the_same);
    tcase_add_test(tcase, any_prefix_of_the_steps);
    tcase_add_test(tcase, repetitions_and_bad_requests);
    tcase_add_test(tcase, shards_make_their_part);
    tcase_add_test(tcase, other_content_is_refused_unless_accepted);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
