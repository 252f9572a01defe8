/* How many seeds a property test tries: PORTOLAN_SOAK_SEEDS if it is set (tools/soak), else the
 * test's own number, or a part of it where PORTOLAN_QUICK is set (tools/test):
 * PORTOLAN_QUICK=N, N above 1, an Nth (the short run), else a fifth (slow builds). */
#ifndef SUPPORT_SEEDS_H
#define SUPPORT_SEEDS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The N above; 1: all of it. */
static inline int test_part(void)
{
    const char *text = getenv("PORTOLAN_QUICK");
    const int n = text ? atoi(text) : 0;
    return !text ? 1 : n > 1 ? n : 5;
}

static inline int test_seeds(int standard)
{
    const char *text = getenv("PORTOLAN_SOAK_SEEDS");
    int n = text ? atoi(text) : 0;
    if (n > 0)
        return n;
    return test_part() > 1 && standard > 4 ? standard / test_part() + 1 : standard;
}

/* Of how many alike one has its turn; 1: all have. */
static inline int test_share(void)
{
    const char *turn = getenv("PORTOLAN_SHORT"), *of = turn ? strchr(turn, '/') : NULL;
    return of ? atoi(of + 1) : 1;
}

/* Is it the turn of the ith of many alike? Where PORTOLAN_SHORT is "turn/of" (tools/test) of
 * one in so many. */
static inline bool test_takes(int i)
{
    return test_share() <= 1 || i % test_share() == atoi(getenv("PORTOLAN_SHORT"));
}

/* Does a test that looks for something take one more seed? Until it has enough, a part of its
 * own number does not do. */
static inline bool test_goes_on(int seed, int standard, bool enough)
{
    return seed < test_seeds(standard) || (!enough && seed < standard);
}

#endif
