/*
 * Poisson draws, the same on every machine: additions, multiplications and divisions of doubles
 * alone, each of which IEEE 754 rounds in one way, and no function of libm.
 */
#ifndef CORE_POISSON_H
#define CORE_POISSON_H

#include "core/hash.h"

enum { POISSON_MEAN_MAX = 10000 };

/* A draw with this mean, which is taken for 0 where it is below (or no number), and for
 * POISSON_MEAN_MAX where it is above. A mean of 0 takes nothing of the stream; others take a
 * number for each 16 of the mean, or part of it. */
int32_t poisson_draw(rng *r, double mean);

#endif
