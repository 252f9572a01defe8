/*
 * Draws of distributions, the same on every machine and with no function of libm. Normal draws
 * are made of integers: a table of quantiles is interpolated linearly; its deviation from the
 * normal distribution is below what a million draws can show in mean and spread, and its tails
 * end at 5.5 sigma. Poisson draws are made by additions, multiplications and divisions of
 * doubles alone, each of which IEEE 754 rounds in one way.
 */
#ifndef CORE_DISTRIBUTION_H
#define CORE_DISTRIBUTION_H

#include "core/hash.h"

/* Gives a standard normal draw times 65,536. Takes one number of the stream. */
int32_t normal_q16(rng *r);

/* Gives a normal draw, cut towards zero to a whole number. sigma <= 0 gives the mean and takes
 * nothing of the stream. */
int64_t normal_draw(rng *r, int32_t mean, int32_t sigma);

enum { POISSON_MEAN_MAX = 10000 };

/* A draw with this mean, which is taken for 0 where it is below (or no number), and for
 * POISSON_MEAN_MAX where it is above. A mean of 0 takes nothing of the stream; others take a
 * number for each 16 of the mean, or part of it. */
int32_t poisson_draw(rng *r, double mean);

#endif
