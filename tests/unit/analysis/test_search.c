/*
 * Searching by the public calls (portolan/search.h): what is found is there, the same for every
 * number of threads; where a search ends and goes on; a world as its seed; what is refused.
 */
#include "portolan/portolan.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <string.h>

enum { MATCHES_MAX = 4000, SEED = 11 };
static const char ANTHILL[] = "special anthill";

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
static ptl_error err;

static void setup(void)
{
    const ptl_world_options defaults = PTL_WORLD_OPTIONS_INIT;
    memset(&err, 0, sizeof err);
    settings = defaults;
    settings.seed = SEED;
    world_file_path(path);
    store = world_file_open(path, "w", SEED);
}

static void teardown(void)
{
    ptl_store_close(store);
    world_file_remove(path);
}

/* What a search gave. */
typedef struct gathered {
    ptl_search_match list[MATCHES_MAX];
    size_t count, stop_at; /* 0: does not stop */
    uint64_t progresses, stop_progress;
} gathered;

static bool on_match(void *payload, const ptl_search_match *match)
{
    gathered *g = payload;
    ck_assert_uint_lt(g->count, MATCHES_MAX);
    ck_assert_uint_ge(match->size, sizeof *match);
    g->list[g->count] = *match;
    g->list[g->count++].what = NULL; /* the search's */
    return g->count != g->stop_at;
}

static bool on_progress(void *payload, const ptl_progress *progress)
{
    gathered *g = payload;
    ck_assert_uint_le(progress->done, progress->total);
    return ++g->progresses != g->stop_progress;
}

static ptl_search_options options_of(const char *where, uint64_t first, uint64_t last,
                                     gathered *g)
{
    ptl_search_options o = PTL_SEARCH_OPTIONS_INIT;
    o.where = where;
    o.seed_first = first;
    o.seed_last = last;
    o.settings = &settings;
    o.on_match = on_match;
    o.payload = g;
    return o;
}

static ptl_search *new_search(const ptl_search_options *o)
{
    ptl_search *s = NULL;
    ptl_search_fault fault = PTL_SEARCH_FAULT_INIT;
    ck_assert_msg(ptl_search_seeds_new(&s, &fault, store, o, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_str_eq(fault.message, "");
    return s;
}

static ptl_search_report run(ptl_search *s, ptl_status wanted)
{
    ptl_search_report report = PTL_SEARCH_REPORT_INIT;
    ck_assert_msg(ptl_search_run(&report, s, &err) == wanted, "%s", err.message);
    return report;
}

static ptl_search_report search_seeds(const ptl_search_options *o)
{
    ptl_search *s = new_search(o);
    const ptl_search_report report = run(s, PTL_OK);
    ptl_search_free(s);
    return report;
}

static void expect_same(const gathered *a, const gathered *b)
{
    ck_assert_uint_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        ck_assert_uint_eq(a->list[i].seed, b->list[i].seed);
        ck_assert_int_eq(a->list[i].x, b->list[i].x);
        ck_assert_int_eq(a->list[i].y, b->list[i].y);
        ck_assert_int_eq(a->list[i].z, b->list[i].z);
    }
}

/* ---- seeds ---- */

START_TEST(same_for_all_threads)
{
    enum { LAST = 6 };
    static gathered one, three;
    ptl_search_options o = options_of("city size >= 1", 1, LAST, &one);
    const ptl_search_report report = search_seeds(&o);
    ck_assert_uint_eq(report.seeds, LAST);
    ck_assert_uint_eq(report.matches, one.count);
    ck_assert_uint_eq(report.next_seed, 0);
    ck_assert_uint_eq(report.cut, 0);
    ck_assert_uint_gt(one.count, LAST);
    for (size_t i = 1; i < one.count; i++)
        ck_assert_uint_le(one.list[i - 1].seed, one.list[i].seed);
    o.jobs = 3;
    o.payload = &three;
    search_seeds(&o);
    expect_same(&one, &three);
}
END_TEST

/* A search runs anew each time; the limit cuts it and says where to go on. */
START_TEST(goes_on_behind_its_limit)
{
    static gathered all, some, again;
    ptl_search_options o = options_of("city", 1, 4, &all);
    search_seeds(&o);
    size_t first = 0; /* matches of seed 1 */
    while (first < all.count && all.list[first].seed == 1)
        first++;
    ck_assert_uint_gt(first, 1);
    o.payload = &some;
    o.limit = first - 1;
    ptl_search_report report = search_seeds(&o);
    ck_assert_uint_eq(report.matches, first - 1);
    ck_assert_uint_eq(report.cut, 1);
    ck_assert_uint_eq(report.next_seed, 2);
    o.payload = &again;
    o.limit = first;
    ptl_search *s = new_search(&o);
    for (int i = 1; i <= 2; i++) {
        report = run(s, PTL_OK);
        ck_assert_uint_eq(again.count, (size_t)i * first);
        ck_assert_uint_eq(report.matches, first);
        ck_assert_uint_eq(report.seeds, 1);
        ck_assert_uint_eq(report.cut, 0);
        ck_assert_uint_eq(report.next_seed, 2);
    }
    ptl_search_free(s);
    memset(&some, 0, sizeof some);
    o.payload = &some;
    o.limit = 0;
    o.per_seed = 1;
    report = search_seeds(&o);
    ck_assert_uint_eq(report.seeds, 4);
    ck_assert_uint_eq(some.count, 4);
}
END_TEST

START_TEST(a_callback_stops_it)
{
    static gathered g;
    ptl_search_options o = options_of("city", 1, 1000, &g);
    g.stop_at = 3;
    ptl_search *s = new_search(&o);
    ptl_search_report report = run(s, PTL_ERR_CANCELLED);
    ck_assert_uint_eq(g.count, 3);
    ck_assert_uint_eq(report.matches, 3);
    ck_assert_uint_ge(report.next_seed, 1);
    ptl_search_free(s);
    memset(&g, 0, sizeof g);
    memset(&err, 0, sizeof err);
    g.stop_progress = 2;
    o.on_progress = on_progress;
    s = new_search(&o);
    report = run(s, PTL_ERR_CANCELLED);
    ck_assert_uint_eq(g.progresses, 2);
    ck_assert_uint_lt(report.seeds, 1000);
    ck_assert_uint_eq(report.next_seed, report.seeds + 1);
    ptl_search_free(s);
}
END_TEST

/* The last seed that there is, and a chunk that is named twice. */
START_TEST(ends)
{
    static gathered last, twice;
    static const ptl_chunk_pos same[] = {{1, 0}, {0, 0}, {1, 0}}, both[] = {{0, 0}, {1, 0}};
    ptl_search_options o = options_of("city", UINT64_MAX, UINT64_MAX, &last);
    o.chunks = both;
    o.chunk_count = 2;
    ptl_search_report report = search_seeds(&o);
    ck_assert_uint_eq(report.seeds, 1);
    ck_assert_uint_eq(report.next_seed, 0);
    ck_assert_uint_gt(last.count, 0);
    o.chunks = same;
    o.chunk_count = 3;
    o.payload = &twice;
    search_seeds(&o);
    expect_same(&last, &twice);
}
END_TEST

/* ---- SQL, and worlds ---- */

START_TEST(sql_finds_what_a_relation_does)
{
    static gathered by_relation, by_sql;
    ptl_search_options o = options_of(ANTHILL, 1, 8, &by_relation);
    search_seeds(&o);
    ck_assert_uint_gt(by_relation.count, 0);
    o.language = PTL_SEARCH_SQL;
    o.where = "SELECT chunk_x * 180 + x AS x, chunk_y * 180 + y AS y, z FROM v_special "
              "WHERE special = 'anthill' AND world = 'found' ORDER BY 2, 1";
    o.world_name = "found";
    o.payload = &by_sql;
    o.jobs = 4; /* what they copy from the store is not copied by all at once */
    search_seeds(&o);
    expect_same(&by_relation, &by_sql);
    o.where = "SELECT anything";
    ptl_search *s = new_search(&o);
    (void)run(s, PTL_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "anything"));
    ptl_search_free(s);
}
END_TEST

START_TEST(a_world_has_what_its_seed_has)
{
    static gathered seed, saved, some, sql;
    static const ptl_chunk_pos chunks[] = {{0, 0}, {1, 0}, {0, 1}};
    ptl_generate_options generate = PTL_GENERATE_OPTIONS_INIT;
    ptl_search *s = NULL;
    ptl_search_options o = options_of("city", SEED, SEED, &seed);
    ptl_world *world = world_file_world(store, "w");
    o.chunks = chunks;
    o.chunk_count = 3;
    search_seeds(&o);
    ck_assert_uint_gt(seed.count, 1);
    o.chunks = NULL;
    o.payload = &saved;
    ck_assert_int_eq(ptl_search_world_new(&s, NULL, world, &o, &err), PTL_OK);
    ck_assert_uint_eq(run(s, PTL_OK).matches, 0); /* nothing is saved yet */
    generate.positions = chunks;
    generate.position_count = 3;
    ck_assert_int_eq(ptl_generate(NULL, world, &generate, &err), PTL_OK);
    const ptl_search_report report = run(s, PTL_OK);
    ck_assert_uint_eq(report.seeds, 1);
    ck_assert_uint_eq(report.next_seed, 0);
    ptl_search_free(s);
    expect_same(&seed, &saved);
    o.chunks = chunks + 1;
    o.chunk_count = 1;
    o.payload = &some;
    ck_assert_int_eq(ptl_search_world_new(&s, NULL, world, &o, &err), PTL_OK);
    (void)run(s, PTL_OK);
    ptl_search_free(s);
    ck_assert_uint_lt(some.count, saved.count);
    for (size_t i = 0; i < some.count; i++)
        ck_assert(some.list[i].x >= PTL_CHUNK_SIZE && some.list[i].x < 2 * PTL_CHUNK_SIZE);
    o.language = PTL_SEARCH_SQL;
    o.where = "SELECT 1 AS number FROM v_city WHERE world = 'w'";
    o.payload = &sql;
    ck_assert_int_eq(ptl_search_world_new(&s, NULL, world, &o, &err), PTL_OK);
    (void)run(s, PTL_OK);
    ck_assert_uint_eq(sql.count, saved.count);
    ck_assert(!sql.list[0].has_place && !sql.list[0].has_level);
    ptl_search_free(s);
    ptl_world_close(world);
}
END_TEST

/* ---- refusals ---- */

static void refuse(const ptl_search_options *o, ptl_status wanted)
{
    ptl_search *s = (ptl_search *)&err; /* anything */
    ptl_search_fault fault = PTL_SEARCH_FAULT_INIT;
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(ptl_search_seeds_new(&s, &fault, store, o, &err), wanted);
    ck_assert_int_eq(err.status, wanted);
    ck_assert_ptr_null(s);
    ck_assert_str_eq(fault.message, "");
}

START_TEST(bad_options)
{
    static gathered g;
    const ptl_chunk_pos far = {0, -PTL_CHUNK_COORD_MAX - 1};
    const ptl_search_options good = options_of(ANTHILL, 1, 2, &g);
    ptl_search_options o = good;
    ptl_world_options bad = settings;
    refuse(NULL, PTL_ERR_ARGUMENT);
    o.size = 0;
    refuse(&o, PTL_ERR_ARGUMENT);
    o = good;
    o.where = NULL;
    refuse(&o, PTL_ERR_ARGUMENT);
    o = good;
    o.on_match = NULL;
    refuse(&o, PTL_ERR_ARGUMENT);
    o = good;
    o.language = (ptl_search_language)2;
    refuse(&o, PTL_ERR_ARGUMENT);
    o = good;
    o.jobs = PTL_SEARCH_JOBS_MAX + 1;
    refuse(&o, PTL_ERR_ARGUMENT);
    o = good;
    o.seed_first = 3;
    refuse(&o, PTL_ERR_ARGUMENT);
    o = good;
    o.chunks = &far;
    refuse(&o, PTL_ERR_ARGUMENT); /* no chunks at all */
    o.chunk_count = 1;
    refuse(&o, PTL_ERR_ARGUMENT);
    o.chunk_count = PTL_SEARCH_CHUNKS_MAX + 1;
    refuse(&o, PTL_ERR_ARGUMENT);
    o = good;
    bad.region = "nowhere";
    o.settings = &bad;
    refuse(&o, PTL_ERR_NOT_FOUND);
    bad.region = NULL;
    bad.city_size = 99;
    refuse(&o, PTL_ERR_ARGUMENT);
    ck_assert_uint_eq(g.count, 0);
}
END_TEST

START_TEST(a_text_that_is_no_relation)
{
    static gathered g;
    const ptl_search_options o = options_of("anthill within ten of lake", 1, 1, &g);
    ptl_search *s = NULL;
    ptl_search_fault fault = PTL_SEARCH_FAULT_INIT, unset = {0};
    ck_assert_int_eq(ptl_search_seeds_new(&s, &fault, store, &o, &err), PTL_ERR_ARGUMENT);
    ck_assert_ptr_null(s);
    ck_assert_uint_eq(fault.column, strlen("anthill within "));
    ck_assert_str_ne(fault.message, "");
    ck_assert_ptr_nonnull(strstr(err.message, fault.message));
    ck_assert_ptr_nonnull(strstr(ptl_search_grammar(), "within"));
    ck_assert_int_eq(ptl_search_seeds_new(&s, NULL, store, &o, NULL), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_search_seeds_new(&s, &unset, store, &o, NULL), PTL_ERR_ARGUMENT);
    ck_assert_str_eq(unset.message, "");
    ptl_search_free(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("search");
    TCase *tcase = tcase_create("search"), *threads = tcase_create("threads");
    tcase_set_tags(threads, "threads"); /* what the thread sanitizer's stage runs */
    tcase_set_timeout(tcase, 240);
    tcase_set_timeout(threads, 240);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_checked_fixture(threads, setup, teardown);
    tcase_add_test(threads, same_for_all_threads);
    tcase_add_test(tcase, goes_on_behind_its_limit);
    tcase_add_test(tcase, a_callback_stops_it);
    tcase_add_test(tcase, ends);
    tcase_add_test(threads, sql_finds_what_a_relation_does);
    tcase_add_test(tcase, a_world_has_what_its_seed_has);
    tcase_add_test(tcase, bad_options);
    tcase_add_test(tcase, a_text_that_is_no_relation);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, threads);
    return suite_run(suite);
}
