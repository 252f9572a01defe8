/*
 * What every program of tests shares. portolan_test (tests/CMakeLists.txt) compiles tests so
 * that their `_mark_point`, which each assertion that holds calls, is the one here. Check's own
 * writes the place to a file at once, with several system calls, to say where a test died of a
 * signal; assertions over all cells of an overmap did that millions of times, and took more
 * time than what they look at. So each place is told a number of times, then no more.
 * Assertions that fail are told by Check itself, always.
 *
 * In the same way all tests are added by the `_tcase_add_test` here. Where PORTOLAN_LOOPS is
 * "turn/of" (tools/test without arguments), a test that runs once for each of many numbers runs
 * for one in `of` of them, and for one at least.
 */
#include "support/suite.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 1 << 10, TOLD = 64 };

typedef struct place {
    const char *file; /* static */
    int line, count;
} place;

void test_mark_point(const char *file, int line)
{
    static _Thread_local place places[PLACES];
    place *p = &places[((uintptr_t)file / 16 + (uint32_t)line) % PLACES];
    if (p->file != file || p->line != line)
        *p = (place){file, line, 0};
    if (p->count == TOLD)
        return;
    p->count++;
    _mark_point(file, line);
}

void test_add_case(TCase *tcase, const TTest *test, int signal, int exit_value, int start,
                   int end)
{
    const char *turn = getenv("PORTOLAN_LOOPS"), *of = turn ? strchr(turn, '/') : NULL;
    int share = of ? atoi(of + 1) : 1;
    if (share > end - start)
        share = end - start;
    if (share <= 1) {
        _tcase_add_test(tcase, test, signal, exit_value, start, end);
        return;
    }
    for (int i = start + atoi(turn) % share; i < end; i += share)
        _tcase_add_test(tcase, test, signal, exit_value, i, i + 1);
}

int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
