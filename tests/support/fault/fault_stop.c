#include "support/fault/fault_stop.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_uint_fast64_t asked, first, stopped;
static atomic_bool armed;

bool fault_stop_asked(void *payload)
{
    (void)payload;
    if (!atomic_load(&armed))
        return false;
    const uint64_t number = atomic_fetch_add(&asked, 1) + 1, nth = atomic_load(&first);
    const bool yes = nth > 0 && number >= nth;
    atomic_fetch_add(&stopped, yes);
    return yes;
}

void fault_stop_arm(uint64_t nth)
{
    atomic_store(&asked, 0);
    atomic_store(&stopped, 0);
    atomic_store(&first, nth);
    atomic_store(&armed, true);
}

uint64_t fault_stop_disarm(uint64_t *failed)
{
    atomic_store(&armed, false);
    *failed = atomic_load(&stopped);
    return atomic_load(&asked);
}
