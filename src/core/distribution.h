/*
 * Random draws from distributions, the same on every machine and with no function of libm.
 * Normal draws are made of integers: a table of quantiles is interpolated linearly. Their
 * deviation from the normal distribution is below what a million draws can show in mean and
 * spread, and their tails end at 5.5 sigma. Poisson draws are made by additions,
 * multiplications and divisions of doubles alone, each of which IEEE 754 rounds in one way.
 */
#pragma once

#include "core/hash.h"

/* Returns a standard normal draw times 65,536. Takes one number from the random stream. */
int32_t normal_q16(rng *r);

/* Returns a normal draw, cut towards zero to a whole number. With sigma <= 0 it returns the
 * mean and takes nothing from the random stream. */
int64_t normal_draw(rng *r, int32_t mean, int32_t sigma);

enum { POISSON_MEAN_MAX = 10000 };

/* Returns a Poisson draw with this mean. A mean below 0, or NaN, counts as 0; a mean above
 * POISSON_MEAN_MAX counts as POISSON_MEAN_MAX. A mean of 0 takes nothing from the random
 * stream; all other means take mean / 16 numbers, rounded up. */
int32_t poisson_draw(rng *r, double mean);
