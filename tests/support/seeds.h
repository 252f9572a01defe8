/* How many seeds a property test tries: PORTOLAN_SOAK_SEEDS if it is set (tools/soak), else the
 * test's own number; a fifth of that where PORTOLAN_QUICK is set (tools/test: slow builds). */
#ifndef SUPPORT_SEEDS_H
#define SUPPORT_SEEDS_H

#include <stdlib.h>

static inline int test_seeds(int standard)
{
    const char *text = getenv("PORTOLAN_SOAK_SEEDS");
    int n = text ? atoi(text) : 0;
    if (n > 0)
        return n;
    return getenv("PORTOLAN_QUICK") && standard > 4 ? standard / 5 + 1 : standard;
}

#endif
