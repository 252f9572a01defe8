/*
 * Coverage by the public calls (portolan/coverage.h): the embedded content comes as a whole,
 * what is asked for decides what is made, the number of threads changes nothing, and what is
 * refused.
 */
#include "portolan/portolan.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <string.h>

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_error err;

static void setup(void)
{
    memset(&err, 0, sizeof err);
    world_file_path(path);
    store = world_file_open(path, "w", 1);
}

static void teardown(void)
{
    ptl_store_close(store);
    world_file_remove(path);
}

static ptl_coverage_options few(void)
{
    ptl_coverage_options o = PTL_COVERAGE_OPTIONS_INIT;
    o.overmaps = 12;
    o.until = 24;
    return o;
}

static ptl_coverage *cover(const ptl_coverage_options *o)
{
    ptl_coverage *c = NULL;
    ck_assert_msg(ptl_coverage_run(&c, store, o, &err) == PTL_OK, "%s", err.message);
    return c;
}

START_TEST(entries_are_sorted_and_whole)
{
    const ptl_coverage_options o = few();
    ptl_coverage *c = cover(&o);
    const size_t count = ptl_coverage_count(c);
    uint64_t verdicts[PTL_COVERAGE_VERDICTS] = {0};
    ck_assert_uint_gt(count, 500);
    ck_assert_uint_ge(ptl_coverage_overmap_count(c), 3 * o.overmaps);
    for (size_t i = 0; i < count; i++) {
        const ptl_coverage_entry *e = ptl_coverage_entry_at(c, i), *b = NULL;
        ck_assert_uint_eq(e->size, sizeof *e);
        if (i > 0)
            b = ptl_coverage_entry_at(c, i - 1);
        ck_assert(!b || b->kind < e->kind || (b->kind == e->kind && strcmp(b->id, e->id) <= 0));
        ck_assert_uint_le(e->with, e->overmaps);
        ck_assert(0 <= e->low && e->low <= e->high && e->high <= 1);
        ck_assert(e->stood <= e->forced || e->stood <= ptl_coverage_overmap_count(c));
        /* Proofs come with NEVER alone, and what came needs no reason. */
        const bool proof = e->reason >= PTL_COVERAGE_UNNAMED && e->reason <= PTL_COVERAGE_CODE;
        ck_assert_int_eq(proof, e->verdict == PTL_COVERAGE_NEVER);
        ck_assert(e->verdict != PTL_COVERAGE_COMES || e->reason == PTL_COVERAGE_NO_REASON);
        ck_assert(e->kind > PTL_COVERAGE_BUILDING ||
                  (e->with > 0) == (e->verdict == PTL_COVERAGE_COMES));
        verdicts[e->verdict]++;
    }
    ck_assert_ptr_null(ptl_coverage_entry_at(c, count));
    ck_assert_uint_gt(verdicts[PTL_COVERAGE_COMES], 9 * count / 10);
    ptl_coverage_free(c);
}
END_TEST

START_TEST(threads_change_nothing)
{
    ptl_coverage_options o = few();
    ptl_coverage *one = cover(&o);
    o.jobs = 3;
    ptl_coverage *three = cover(&o);
    ck_assert_uint_eq(ptl_coverage_count(one), ptl_coverage_count(three));
    for (size_t i = 0; i < ptl_coverage_count(one); i++) {
        const ptl_coverage_entry *a = ptl_coverage_entry_at(one, i);
        const ptl_coverage_entry *b = ptl_coverage_entry_at(three, i);
        ck_assert_str_eq(a->id, b->id);
        ck_assert(a->verdict == b->verdict && a->reason == b->reason && a->with == b->with &&
                  a->count == b->count && a->stood == b->stood && a->ground == b->ground);
        ck_assert(memcmp(&a->expected, &b->expected, sizeof a->expected) == 0 &&
                  memcmp(&a->unseen, &b->unseen, sizeof a->unseen) == 0);
    }
    ptl_coverage_free(one);
    ptl_coverage_free(three);
}
END_TEST

static bool only_field(void *payload, ptl_coverage_kind kind, const char *id, const char *pack)
{
    (void)payload, (void)pack;
    return kind == PTL_COVERAGE_TERRAIN && strcmp(id, "field") == 0;
}

static bool nothing(void *payload, ptl_coverage_kind kind, const char *id, const char *pack)
{
    (void)payload, (void)kind, (void)id, (void)pack;
    return false;
}

START_TEST(only_what_is_wanted_is_made)
{
    ptl_coverage_options o = few();
    o.wanted = only_field;
    ptl_coverage *c = cover(&o);
    /* It comes at once, so nothing is made again or forced. */
    ck_assert_uint_eq(ptl_coverage_overmap_count(c) % o.overmaps, 0);
    ck_assert_uint_le(ptl_coverage_overmap_count(c), 3 * o.overmaps);
    ptl_coverage_free(c);
    o.wanted = nothing;
    c = cover(&o);
    ck_assert_uint_eq(ptl_coverage_overmap_count(c), 0);
    ptl_coverage_free(c);
}
END_TEST

static bool stop(void *payload, const ptl_progress *progress)
{
    (void)progress;
    return ++*(int *)payload < 2;
}

START_TEST(stops_and_refuses)
{
    ptl_coverage_options o = few();
    ptl_coverage *c = NULL;
    int calls = 0;
    o.overmaps = 1000;
    o.on_progress = stop;
    o.payload = &calls;
    ck_assert_int_eq(ptl_coverage_run(&c, store, &o, &err), PTL_ERR_CANCELLED);
    ck_assert_ptr_null(c);
    ck_assert_int_eq(calls, 2);
    const ptl_coverage_options good = few();
    for (int i = 0; i < 4; i++) {
        o = good;
        o.overmaps = i == 0 ? 0 : i == 1 ? 100001 : good.overmaps;
        o.jobs = i == 2 ? 65 : 1;
        o.size = i == 3 ? 0 : sizeof o;
        ck_assert_int_eq(ptl_coverage_run(&c, store, &o, &err), PTL_ERR_ARGUMENT);
    }
    ptl_coverage_free(NULL);
}
END_TEST

START_TEST(every_value_has_a_word)
{
    for (int i = 0; i < PTL_COVERAGE_REASONS; i++) {
        const ptl_coverage_reason reason = (ptl_coverage_reason)i;
        ck_assert_int_eq(i > 0, ptl_coverage_reason_name(reason)[0] != '\0');
        ck_assert_int_eq(i > 0, ptl_coverage_reason_text(reason)[0] != '\0');
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(ptl_coverage_reason_name(reason),
                             ptl_coverage_reason_name((ptl_coverage_reason)k));
    }
    ck_assert_str_eq(ptl_coverage_kind_name(PTL_COVERAGE_EXTRA), "extra");
    ck_assert_str_eq(ptl_coverage_verdict_name(PTL_COVERAGE_NOT_SEEN), "not-seen");
    ck_assert_str_eq(ptl_coverage_kind_name((ptl_coverage_kind)PTL_COVERAGE_KINDS), "");
    ck_assert_str_eq(ptl_coverage_verdict_name((ptl_coverage_verdict)PTL_COVERAGE_VERDICTS),
                     "");
    ck_assert_str_eq(ptl_coverage_reason_name((ptl_coverage_reason)PTL_COVERAGE_REASONS), "");
    ck_assert_str_eq(ptl_coverage_reason_text((ptl_coverage_reason)PTL_COVERAGE_REASONS), "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coverage");
    TCase *tcase = tcase_create("coverage"), *threads = tcase_create("threads");
    tcase_set_tags(threads, "threads"); /* what the thread sanitizer's stage runs */
    tcase_set_timeout(tcase, 240);
    tcase_set_timeout(threads, 240);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_checked_fixture(threads, setup, teardown);
    tcase_add_test(tcase, entries_are_sorted_and_whole);
    tcase_add_test(threads, threads_change_nothing);
    tcase_add_test(tcase, only_what_is_wanted_is_made);
    tcase_add_test(tcase, stops_and_refuses);
    tcase_add_test(tcase, every_value_has_a_word);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, threads);
    return suite_run(suite);
}
