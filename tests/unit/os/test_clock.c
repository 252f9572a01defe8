/* Clocks. */
#include "os/clock.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

START_TEST(the_time_is_written_in_utc)
{
    char text[32];
    int year, month, day, hour, minute, second, end = 0;
    setenv("TZ", "Pacific/Kiritimati", 1); /* 14 hours away */
    const time_t before = time(NULL);
    clock_now(text);
    ck_assert_int_eq(sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month, &day, &hour,
                            &minute, &second, &end),
                     6);
    ck_assert_int_eq(end, 20);
    ck_assert_uint_eq(strlen(text), 20);
    const time_t of_day = hour * 3600 + minute * 60 + second;
    ck_assert_int_le((of_day - before % 86400 + 86400) % 86400, 2);
    ck_assert_int_ge(clock_epoch(), (int64_t)before);
    ck_assert_int_le(clock_epoch(), (int64_t)before + 60);
}
END_TEST

START_TEST(sleeping_takes_its_time)
{
    const double start = clock_seconds();
    clock_sleep(30);
    const double took = clock_seconds() - start;
    ck_assert(took >= 0.03 && took < 30);
    clock_sleep(0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock");
    TCase *tc = tcase_create("clock");
    tcase_add_test(tc, the_time_is_written_in_utc);
    tcase_add_test(tc, sleeping_takes_its_time);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
