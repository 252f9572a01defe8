/*
 * Generation over a backend that is not SQLite, in a program that is not linked with it: what
 * worlds need of a store is in the contract, and nothing of SQLite is in worlds.
 */
#include "core/error.h"
#include "core/hash.h"
#include "model/chunk.h"
#include "portolan/portolan.h"
#include "store/store.h"
#include "support/land_catalogue.h"
#include "support/memory/memory_store.h"
#include "support/suite.h"

#include <check.h>
#include <pthread.h>
#include <string.h>

enum { SIDE = 3, COUNT = SIDE * SIDE };

static ptl_error err;
static memory *kept;

static void setup(void)
{
    memset(&err, 0, sizeof err);
    kept = memory_new(town_catalogue());
    ck_assert_ptr_nonnull(kept);
}

static void teardown(void)
{
    memory_free(kept);
}

#define OK(call) ck_assert_msg((call) == PTL_OK, "%s", err.message)

static ptl_store *open_store(memory *m)
{
    ptl_store *store = memory_open(m);
    ck_assert_ptr_nonnull(store);
    return store;
}

static void create(ptl_store *store, const char *name, uint64_t seed)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    o.seed = seed;
    OK(ptl_world_create(store, name, &o, &err));
}

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

static void generate(ptl_world *world, const ptl_chunk_pos *list, size_t count, int32_t jobs,
                     ptl_generate_report *report)
{
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.positions = list;
    o.position_count = count;
    o.jobs = jobs;
    OK(ptl_generate(report, world, &o, &err));
}

/* Of the world of that name, opened for this alone. */
static void digest_of(memory *m, const char *name, char hex[65])
{
    ptl_store *store = open_store(m);
    ptl_world *world;
    ptl_world_digest_result result = PTL_WORLD_DIGEST_RESULT_INIT;
    OK(ptl_world_open(&world, store, name, NULL, &err));
    OK(ptl_world_digest_get(&result, world, &err));
    memcpy(hex, result.hex, 65);
    ptl_world_close(world);
    ptl_store_close(store);
}

/* One job, row by row, in a memory of its own. */
static void plain_digest(uint64_t seed, char hex[65])
{
    memory *m = memory_new(town_catalogue());
    ptl_store *store = open_store(m);
    ptl_world *world;
    ptl_chunk_pos list[COUNT];
    block(list);
    create(store, "w", seed);
    OK(ptl_world_open(&world, store, "w", NULL, &err));
    generate(world, list, COUNT, 1, NULL);
    ptl_world_close(world);
    ptl_store_close(store);
    digest_of(m, "w", hex);
    memory_free(m);
}

static bool same_tiles(const ptl_chunk *a, const ptl_chunk *b)
{
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
            if (ptl_chunk_oter(a, i % PTL_CHUNK_SIZE, i / PTL_CHUNK_SIZE, z) !=
                ptl_chunk_oter(b, i % PTL_CHUNK_SIZE, i / PTL_CHUNK_SIZE, z))
                return false;
    return true;
}

START_TEST(a_world_is_made_and_opened_again)
{
    const ptl_chunk_pos pos = {4, -3};
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_store *store = open_store(kept);
    ptl_world *world;
    ptl_chunk *made, *read;
    create(store, "w", 7);
    OK(ptl_world_open(&world, store, "w", NULL, &err));
    ck_assert_int_eq(ptl_chunk_load(&read, world, pos, &err), PTL_ERR_NOT_FOUND);
    OK(ptl_chunk_get(&made, world, pos, &err));
    ptl_world_close(world);
    ptl_store_close(store);
    store = open_store(kept);
    OK(ptl_world_open(&world, store, NULL, NULL, &err));
    ck_assert_str_eq(ptl_world_name(world), "w");
    OK(ptl_chunk_load(&read, world, pos, &err));
    ck_assert(same_tiles(made, read));
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        OK(ptl_level_load(cells, world, pos, z, &err));
        for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
            ck_assert_uint_eq(cells[i],
                              ptl_chunk_oter(made, i % PTL_CHUNK_SIZE, i / PTL_CHUNK_SIZE, z));
    }
    ptl_chunk_free(made);
    ptl_chunk_free(read);
    ptl_world_close(world);
    ptl_store_close(store);
}
END_TEST

START_TEST(jobs_and_orders_change_nothing)
{
    static const int32_t jobs[] = {1, 2, 3};
    char wanted[65], got[65];
    plain_digest((uint64_t)_i, wanted);
    for (size_t n = 0; n < sizeof jobs / sizeof jobs[0]; n++) {
        memory *m = memory_new(town_catalogue());
        ptl_store *store = open_store(m);
        ptl_world *world;
        ptl_chunk_pos list[COUNT];
        ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
        block(list);
        shuffle(list, n);
        create(store, "w", (uint64_t)_i);
        OK(ptl_world_open(&world, store, "w", NULL, &err));
        generate(world, list, COUNT / 2, jobs[n], NULL);
        generate(world, list, COUNT, jobs[n], &report);
        ck_assert_uint_eq(report.done, COUNT - COUNT / 2);
        ck_assert_uint_eq(report.skipped, COUNT / 2);
        ptl_world_close(world);
        ptl_store_close(store);
        digest_of(m, "w", got);
        ck_assert_str_eq(got, wanted);
        memory_free(m);
    }
}
END_TEST

START_TEST(chunk_by_chunk_is_the_same)
{
    char wanted[65], got[65];
    ptl_chunk_pos list[COUNT];
    ptl_store *store = open_store(kept);
    ptl_world *world;
    plain_digest(5, wanted);
    block(list);
    shuffle(list, 99);
    create(store, "w", 5);
    OK(ptl_world_open(&world, store, "w", NULL, &err));
    for (int i = 0; i < COUNT; i++) {
        ptl_chunk *chunk = NULL;
        OK(ptl_chunk_get(&chunk, world, list[i], &err));
        ptl_chunk_free(chunk);
    }
    ptl_world_close(world);
    ptl_store_close(store);
    digest_of(kept, "w", got);
    ck_assert_str_eq(got, wanted);
}
END_TEST

typedef struct writer {
    ptl_chunk_pos list[COUNT];
    ptl_status status;
    ptl_error err;
} writer;

static void *generate_all(void *argument)
{
    writer *w = argument;
    ptl_world *world = NULL;
    ptl_store *store = memory_open(kept);
    ptl_generate_options o = {sizeof o, w->list, COUNT, 2, NULL, NULL, NULL, 0, 0};
    w->status = store ? ptl_world_open(&world, store, "w", NULL, &w->err) : PTL_ERR_NOMEM;
    if (w->status == PTL_OK)
        w->status = ptl_generate(NULL, world, &o, &w->err);
    ptl_world_close(world);
    ptl_store_close(store);
    return NULL;
}

START_TEST(several_stores_at_once)
{
    enum { WRITERS = 3 };
    char wanted[65], got[65];
    writer writers[WRITERS];
    pthread_t threads[WRITERS];
    ptl_store *store = open_store(kept);
    plain_digest(11, wanted);
    create(store, "w", 11);
    ptl_store_close(store);
    for (int i = 0; i < WRITERS; i++) {
        memset(&writers[i], 0, sizeof writers[i]);
        block(writers[i].list);
        shuffle(writers[i].list, (uint64_t)i);
        ck_assert_int_eq(pthread_create(&threads[i], NULL, generate_all, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_msg(writers[i].status == PTL_OK, "%s", writers[i].err.message);
    }
    digest_of(kept, "w", got);
    ck_assert_str_eq(got, wanted);
}
END_TEST

START_TEST(nothing_is_left_of_what_was_rolled_back)
{
    char name[] = "gone", region[] = "default";
    world_row row = {.name = name, .region = region, .content_id = 1}, found;
    ptl_store *store = open_store(kept), *other = open_store(kept);
    uint64_t worlds = 9;
    int64_t id = 0;
    ck_assert_int_eq(ops(store)->world->insert(&id, store, &row, &err), PTL_ERR_INTERNAL);
    OK(ops(store)->transaction->begin(store, &err));
    OK(ops(store)->world->insert(&id, store, &row, &err));
    OK(ops(store)->world->count(&worlds, store, &err));
    ck_assert_uint_eq(worlds, 1);
    ops(store)->transaction->rollback(store);
    OK(ops(other)->world->count(&worlds, other, &err));
    ck_assert_uint_eq(worlds, 0);
    ck_assert_int_eq(ops(other)->world->find(&found, other, "gone", &err), PTL_ERR_NOT_FOUND);
    error_clear(&err);
    OK(ops(other)->transaction->begin(other, &err));
    OK(ops(other)->world->insert(NULL, other, &row, &err));
    OK(ops(other)->transaction->commit(other, &err));
    OK(ops(store)->world->find(&found, store, "gone", &err));
    ck_assert_int_eq(found.content_id, 1);
    world_row_dispose(&found);
    ptl_store_close(other);
    ptl_store_close(store);
}
END_TEST

static bool stop_at_once(void *payload, const ptl_progress *progress)
{
    *(uint64_t *)payload = progress->done;
    return false;
}

START_TEST(stopping_keeps_what_was_committed)
{
    enum { MANY = 80 }; /* more than one batch */
    char wanted[65], got[65];
    ptl_chunk_pos list[MANY];
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    ptl_store *store = open_store(kept);
    ptl_world *whole, *cut;
    uint64_t done = 0;
    for (int32_t i = 0; i < MANY; i++)
        list[i] = (ptl_chunk_pos){i % 10, i / 10};
    create(store, "whole", 8);
    create(store, "cut", 8);
    OK(ptl_world_open(&whole, store, "whole", NULL, &err));
    OK(ptl_world_open(&cut, store, "cut", NULL, &err));
    generate(whole, list, MANY, 2, NULL);
    ptl_generate_options o = {sizeof o, list, MANY, 2, NULL, stop_at_once, &done, 0, 0};
    ck_assert_int_eq(ptl_generate(&report, cut, &o, &err), PTL_ERR_CANCELLED);
    ck_assert_uint_gt(done, 0);
    ck_assert_uint_lt(done, MANY);
    error_clear(&err);
    generate(cut, list, MANY, 2, &report);
    ck_assert_uint_eq(report.skipped, done);
    ptl_world_close(whole);
    ptl_world_close(cut);
    ptl_store_close(store);
    digest_of(kept, "whole", wanted);
    digest_of(kept, "cut", got);
    ck_assert_str_eq(got, wanted);
}
END_TEST

START_TEST(made_anew_nothing_changes)
{
    char before[65], after[65];
    ptl_chunk_pos list[COUNT];
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    ptl_seam_report seams = PTL_SEAM_REPORT_INIT;
    ptl_store *store = open_store(kept);
    ptl_world *world;
    block(list);
    create(store, "w", 3);
    OK(ptl_world_open(&world, store, "w", NULL, &err));
    generate(world, list, COUNT, 2, NULL);
    digest_of(kept, "w", before);
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    o.stale = false;
    OK(ptl_regenerate(&report, world, &o, &err));
    ck_assert_uint_eq(report.done, COUNT);
    ck_assert_uint_eq(report.changed, 0);
    ck_assert_uint_eq(report.stale, 0);
    digest_of(kept, "w", after);
    ck_assert_str_eq(after, before);
    OK(ptl_seams_verify(&seams, world, NULL, &err));
    ck_assert_uint_eq(seams.chunks, COUNT);
    ck_assert_uint_eq(seams.problems, 0);
    ptl_world_close(world);
    ptl_store_close(store);
}
END_TEST

/* Of the capabilities (store/store.h). */
START_TEST(what_it_lacks_it_says)
{
    ptl_store *store = open_store(kept);
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ptl_journal_info journal = PTL_JOURNAL_INFO_INIT;
    ck_assert_int_eq(ptl_query(store, "SELECT 1", NULL, &err), PTL_ERR_UNSUPPORTED);
    ck_assert_str_eq(err.message, "a store in memory has no SQL");
    ck_assert_int_eq(ptl_query_column_list(store, "SELECT 1", NULL, NULL, NULL),
                     PTL_ERR_UNSUPPORTED);
    error_clear(&err);
    ck_assert_int_eq(ptl_verify(&counts, store, NULL, NULL, &err), PTL_ERR_UNSUPPORTED);
    ck_assert_str_eq(err.message, "a store in memory has no file");
    ck_assert_int_eq(ptl_index_update(NULL, store, NULL, NULL), PTL_ERR_UNSUPPORTED);
    ck_assert_int_eq(ptl_index_remove(NULL, store, 0, NULL), PTL_ERR_UNSUPPORTED);
    ck_assert_int_eq(ptl_backup(NULL, store, "nowhere", NULL, NULL), PTL_ERR_UNSUPPORTED);
    ck_assert_int_eq(ptl_journal_info_load(&journal, store, NULL), PTL_ERR_UNSUPPORTED);
    ck_assert_ptr_null(ptl_store_private_copy(store));
    ptl_store_close(store);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory_store");
    TCase *tcase = tcase_create("memory"), *threads = tcase_create("threads");
    tcase_set_tags(threads, "threads"); /* what the thread sanitizer's stage runs */
    tcase_set_timeout(threads, 240);
    tcase_set_timeout(tcase, 240);
    tcase_add_checked_fixture(threads, setup, teardown);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(threads, jobs_and_orders_change_nothing, 0, 2);
    tcase_add_test(threads, several_stores_at_once);
    tcase_add_test(threads, stopping_keeps_what_was_committed);
    tcase_add_test(tcase, a_world_is_made_and_opened_again);
    tcase_add_test(tcase, chunk_by_chunk_is_the_same);
    tcase_add_test(tcase, nothing_is_left_of_what_was_rolled_back);
    tcase_add_test(tcase, made_anew_nothing_changes);
    tcase_add_test(tcase, what_it_lacks_it_says);
    suite_add_tcase(suite, threads);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
