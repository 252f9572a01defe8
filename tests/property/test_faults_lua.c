/* Memory that runs out while a script is checked or runs, at each allocation in turn: it is
 * said as that, never as the script's own failure, and nothing is lost. */
#include "support/fault/fault_alloc.h"
#include "support/suite.h"
#include "unit/mapgen/script_fixture.h"

#include <check.h>
#include <string.h>

enum { MOST = 100000 };

/* Runs a text with the Nth allocation failing; *failed says how many did. */
static script_outcome run(const char *text, uint64_t nth, bool all_later, uint64_t *failed)
{
    script_fixture f;
    script_begin(&f, 1);
    fault_alloc_arm(nth, all_later);
    const script_outcome outcome = script_text(&f, text, strlen(text));
    fault_alloc_disarm(failed);
    script_end(&f);
    return outcome;
}

/* What the text comes to while memory lasts. */
static void try_all(const char *text, script_outcome usual)
{
    uint64_t failed = 0, nth = 1;
    ck_assert_int_eq(run(text, 0, false, &failed), usual); /* what stays after a first time */
    const int64_t live = fault_alloc_live();
    failed = 1;
    for (; failed > 0; nth += 1 + nth / 50) {
        ck_assert_uint_lt(nth, MOST);
        const script_outcome alone = run(text, nth, false, &failed);
        ck_assert_msg(alone == SCRIPT_NO_MEMORY || alone == usual, "%d at %d", (int)alone,
                      (int)nth);
        ck_assert(failed > 0 || alone == usual);
        uint64_t all = 0;
        const script_outcome then = run(text, nth, true, &all);
        ck_assert_msg(then == SCRIPT_NO_MEMORY || then == usual, "%d from %d on", (int)then,
                      (int)nth);
        ck_assert_int_eq(fault_alloc_live(), live);
    }
    ck_assert_uint_gt(nth, 50);
}

START_TEST(a_run_says_that_memory_is_out)
{
    try_all(script_busy(), SCRIPT_DONE);
}
END_TEST

START_TEST(a_failing_run_says_so_too)
{
    try_all("for i = 1, 50 do pcall(function() local t = {} t[i] = i error({t}) end) end "
            "error('at last')",
            SCRIPT_FAILED);
}
END_TEST

START_TEST(a_check_says_that_memory_is_out)
{
    const char *text = script_busy();
    uint64_t failed = 0;
    ck_assert_int_eq(run(text, 0, false, &failed),
                     SCRIPT_DONE); /* what stays after a first time */
    const int64_t live = fault_alloc_live();
    failed = 1;
    for (uint64_t nth = 1; failed > 0; nth += 1 + nth / 50) {
        script_fault fault;
        ck_assert_uint_lt(nth, MOST);
        fault_alloc_arm(nth, false);
        const script_outcome outcome = script_check(text, strlen(text), &fault);
        fault_alloc_disarm(&failed);
        ck_assert(outcome == SCRIPT_NO_MEMORY || outcome == SCRIPT_DONE);
        ck_assert(failed > 0 || outcome == SCRIPT_DONE);
        ck_assert_int_eq(fault_alloc_live(), live);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults_lua");
    TCase *tc = tcase_create("faults_lua");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_run_says_that_memory_is_out);
    tcase_add_test(tc, a_failing_run_says_so_too);
    tcase_add_test(tc, a_check_says_that_memory_is_out);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
