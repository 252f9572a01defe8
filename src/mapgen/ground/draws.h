/*
 * A stream of random numbers (core/hash.h) of which thousands are drawn: the same numbers in
 * the same order, found many at a time. Each is a function of the stream's key and of its
 * place, so that it does not matter how many were found that nobody drew.
 */
#ifndef MAPGEN_GROUND_DRAWS_H
#define MAPGEN_GROUND_DRAWS_H

#include "core/hash.h"

enum { DRAWS = 64 };

typedef struct draws {
    rng behind;  /* the stream behind the last of the values */
    uint32_t at; /* of the next value; DRAWS: all were drawn */
    uint64_t values[DRAWS];
} draws;

/* Finds a stream's next numbers; all kernels find the same. */
typedef void draws_kernel(uint64_t out[DRAWS], uint64_t state);
draws_kernel draws_find_base, draws_find_avx512;
/* The one that this processor runs best. */
draws_kernel *draws_best(void);

/* Finds the next values; the ones before are gone. */
void draws_refill(draws *d);

/* The stream goes on from here, and is not to be drawn from until draws_end. */
static inline void draws_begin(draws *d, const rng *from)
{
    d->behind = *from;
    d->at = DRAWS;
}

/* Returns the stream behind what was drawn. */
static inline rng draws_end(const draws *d)
{
    rng left = d->behind;
    rng_pass(&left, (uint64_t)d->at - DRAWS);
    return left;
}

static inline uint64_t draws_next(draws *d)
{
    if (d->at == DRAWS)
        draws_refill(d);
    return d->values[d->at++];
}

/* Passes over so many numbers. */
static inline void draws_pass(draws *d, uint32_t count)
{
    const uint32_t left = DRAWS - d->at;
    if (count > left)
        rng_pass(&d->behind, count - left);
    d->at += count > left ? left : count;
}

/* As rng_below. */
static inline uint32_t draws_below(draws *d, uint64_t n)
{
    return hash_scale(draws_next(d), n);
}

#endif
