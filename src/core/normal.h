/*
 * Normal draws in integers: the same on every machine, with no function of libm. A table of
 * quantiles is interpolated linearly; its deviation from the normal distribution is below what
 * a million draws can show in mean and spread, and its tails end at 5.5 sigma.
 */
#ifndef CORE_NORMAL_H
#define CORE_NORMAL_H

#include "core/hash.h"

/* Gives a standard normal draw times 65,536. Takes one number of the stream. */
int32_t normal_q16(rng *r);

/* Gives a normal draw, cut towards zero to a whole number. sigma <= 0 gives the mean and takes
 * nothing of the stream. */
int64_t normal_draw(rng *r, int32_t mean, int32_t sigma);

#endif
