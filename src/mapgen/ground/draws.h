/*
 * Draws thousands of random numbers from one stream (core/hash.h). They are the same numbers in
 * the same order as rng_next gives, but many are found at a time. Each number follows from the
 * stream's key and the number's place alone, so it does no harm to find numbers that nobody
 * draws.
 */
#pragma once

#include "core/hash.h"

enum { DRAWS = 64 };

typedef struct draws {
    rng behind;  /* the stream in the state that it has after all of `values` were drawn */
    uint32_t at; /* index in `values` of the next number; DRAWS: all were drawn */
    uint64_t values[DRAWS];
} draws;

/* Finds the next DRAWS numbers of a stream. This function is compiled for several instruction
 * sets, and each result is called a kernel. All kernels find the same numbers. */
static inline void draws_find(uint64_t out[DRAWS], uint64_t state)
{
    rng r = {state};
    for (int i = 0; i < DRAWS; i++)
        out[i] = rng_next(&r);
}

typedef void draws_kernel(uint64_t out[DRAWS], uint64_t state);
draws_kernel draws_find_base, draws_find_avx512;
/* Returns the kernel (draws_find, compiled for one instruction set) that is fastest on this
 * processor. */
draws_kernel *draws_best(void);

/* Replaces the values, all of which were drawn, by the next numbers of the stream. */
void draws_refill(draws *d);

/* Begins to draw from a stream. The caller must not draw from the stream itself until
 * draws_end gives it back. */
static inline void draws_begin(draws *d, const rng *from)
{
    d->behind = *from;
    d->at = DRAWS;
}

/* Ends drawing: returns the stream in the state that it has after all the numbers that were
 * drawn. */
static inline rng draws_end(const draws *d)
{
    rng left = d->behind;
    rng_pass(&left, (uint64_t)d->at - DRAWS);
    return left;
}

/* Draws the next number of the stream, as rng_next. */
static inline uint64_t draws_next(draws *d)
{
    if (d->at == DRAWS)
        draws_refill(d);
    return d->values[d->at++];
}

/* Skips `count` numbers. */
static inline void draws_pass(draws *d, uint32_t count)
{
    const uint32_t left = DRAWS - d->at;
    if (count > left)
        rng_pass(&d->behind, count - left);
    d->at += count > left ? left : count;
}

/* Draws a number below n, the same as rng_below. */
static inline uint32_t draws_below(draws *d, uint64_t n)
{
    return hash_scale(draws_next(d), n);
}
