/*
 * What every program of tests shares. portolan_test (tests/CMakeLists.txt) compiles tests so
 * that their `_mark_point`, which each assertion that holds calls, is the one here. Check's own
 * writes the place to a file at once, with several system calls, to say where a test died of a
 * signal; assertions over all cells of an overmap did that millions of times, and took more
 * time than what they look at. So each place is told a number of times, then no more.
 * Assertions that fail are told by Check itself, always.
 */
#include "support/suite.h"

#include <stdint.h>
#include <stdlib.h>

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

int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
