/* Wilson's interval of a proportion (Wilson 1927). */
#pragma once

#include <math.h>

/* Returns an end of the interval of successes / trials, limited to 0..1: the lower end for sign
 * -1, the upper end for sign 1. `z` is the half width in standard deviations, e.g. 1.96 for 95
 * %. trials must be above 0. */
static inline double wilson_end(double successes, double trials, double z, double sign)
{
    const double share = successes / trials;
    const double half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials));
    return fmin(fmax((share + z * z / (2 * trials) + sign * half) / (1 + z * z / trials), 0),
                1);
}
