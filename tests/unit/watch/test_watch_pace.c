/* When work begins after a change, and when it is left off: by a clock of the test's own. */
#include "clients/watch/files.h"
#include "core/hash.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>

static const pace fresh = {.quiet = 0.25, .most = 2, .patience = 3};

START_TEST(it_begins_when_it_is_quiet)
{
    pace p = fresh;
    ck_assert_int_eq(pace_ask(&p, 100), PACE_WAIT);
    pace_changed(&p, 100);
    ck_assert_int_eq(pace_ask(&p, 100.2), PACE_WAIT);
    pace_changed(&p, 100.2);
    ck_assert_int_eq(pace_ask(&p, 100.4), PACE_WAIT);
    ck_assert_int_eq(pace_ask(&p, 100.45), PACE_BEGIN);
    ck_assert_int_eq(pace_ask(&p, 200), PACE_WAIT); /* it is said once */
    pace_ended(&p, true);
    ck_assert_int_eq(pace_ask(&p, 300), PACE_WAIT); /* and there is nothing more */
}
END_TEST

START_TEST(it_begins_though_it_is_never_quiet)
{
    pace p = fresh;
    int eighths = 56;
    for (pace_changed(&p, 7); pace_ask(&p, eighths / 8.0) == PACE_WAIT; eighths++)
        pace_changed(&p, eighths / 8.0);
    ck_assert_int_eq(eighths, 72);
}
END_TEST

START_TEST(a_change_leaves_work_off)
{
    pace p = fresh;
    pace_changed(&p, 0);
    ck_assert_int_eq(pace_ask(&p, 1), PACE_BEGIN);
    pace_changed(&p, 5);
    ck_assert_int_eq(pace_ask(&p, 5.125), PACE_WAIT);
    ck_assert_int_eq(pace_ask(&p, 5.25), PACE_LEAVE_OFF);
    ck_assert_int_eq(pace_ask(&p, 6), PACE_WAIT); /* until it has ended */
    pace_ended(&p, false);
    ck_assert_int_eq(pace_ask(&p, 6), PACE_BEGIN); /* with what has changed */
    pace_ended(&p, true);
    ck_assert_int_eq(pace_ask(&p, 60), PACE_WAIT);
}
END_TEST

/* Work that ended before it heard that it should is as good as any. */
START_TEST(work_may_end_before_it_is_left_off)
{
    pace p = fresh;
    pace_changed(&p, 0);
    ck_assert_int_eq(pace_ask(&p, 1), PACE_BEGIN);
    pace_changed(&p, 5);
    ck_assert_int_eq(pace_ask(&p, 6), PACE_LEAVE_OFF);
    pace_ended(&p, true);
    ck_assert_int_eq(p.left_off, 0);
    ck_assert_int_eq(pace_ask(&p, 6), PACE_BEGIN);
}
END_TEST

/* Somebody saves every tenth of a second for ever, at random moments, and work takes a second:
 * of every patience + 1 works in turn one is done, and each that begins is told to end at most
 * once. */
START_TEST(endless_saves_are_worked_on)
{
    pace p = fresh;
    int begun = 0, ended = 0, whole = 0, row = 0;
    double until = 0;
    bool is_working = false, is_left = false;
    for (uint64_t moment = 0; moment < 10000; moment++) {
        const double now = (double)moment / 20;
        if (hash_mix(moment ^ (uint64_t)_i << 32) & 1)
            pace_changed(&p, now);
        if (is_working && (now >= until || is_left)) {
            ended++;
            whole += !is_left;
            row = is_left ? row + 1 : 0;
            ck_assert_int_le(row, p.patience);
            pace_ended(&p, !is_left);
            is_working = false;
        }
        const pace_order order = pace_ask(&p, now);
        if (order == PACE_BEGIN) {
            ck_assert(!is_working);
            begun++;
            is_working = true;
            is_left = false;
            until = now + 10;
        } else if (order == PACE_LEAVE_OFF) {
            ck_assert(is_working && !is_left);
            is_left = true;
        }
    }
    ck_assert_int_ge(whole, 20);
    ck_assert_int_ge(ended, 3 * whole); /* work was left off indeed */
    ck_assert_int_le(begun - ended, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pace");
    TCase *tc = tcase_create("pace");
    tcase_add_test(tc, it_begins_when_it_is_quiet);
    tcase_add_test(tc, it_begins_though_it_is_never_quiet);
    tcase_add_test(tc, a_change_leaves_work_off);
    tcase_add_test(tc, work_may_end_before_it_is_left_off);
    tcase_add_loop_test(tc, endless_saves_are_worked_on, 0, getenv("PORTOLAN_QUICK") ? 5 : 100);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
