/* What every program of tests begins and ends with. */
#ifndef SUPPORT_SUITE_H
#define SUPPORT_SUITE_H

#include <check.h>

/* Runs the suite, which it takes over, as loud as CK_VERBOSITY says. Returns what main returns:
 * EXIT_FAILURE if a test failed. */
int suite_run(Suite *suite);

/* Check's `_mark_point` and `_tcase_add_test` in tests (tests/CMakeLists.txt renames them):
 * suite.c says why. */
void test_mark_point(const char *file, int line);
void test_add_case(TCase *tcase, const TTest *test, int signal, int exit_value, int start,
                   int end);

#endif
