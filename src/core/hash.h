/*
 * Keyed hashing and random streams. Everything random in a world is a function of a key
 * (world seed, position, step, id string); there is no other state. Unsigned arithmetic only,
 * so that every machine gives the same numbers.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What splitmix64 adds to its counter for each number. */
#define HASH_STEP UINT64_C(0x9e3779b97f4a7c15)

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words. */
static inline uint64_t hash_mix(uint64_t v)
{
    v += HASH_STEP;
    v = (v ^ (v >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    v = (v ^ (v >> 27)) * UINT64_C(0x94d049bb133111eb);
    return v ^ (v >> 31);
}

/* Returns a key made from a key and a further word. */
static inline uint64_t hash_add(uint64_t key, uint64_t word)
{
    return hash_mix(key ^ hash_mix(word));
}

/* Makes a key from bytes (FNV-1a, then mixed). */
uint64_t hash_bytes(const void *data, size_t size);

/* A fast hash for tables in memory, which takes eight bytes at a time. Its values may change
 * from version to version, so no world may depend on them; worlds depend on the values of the
 * other functions here. */
uint64_t hash_quick(const void *data, size_t size);

/* Makes a key from an id string. */
uint64_t hash_string(const char *text);

/* A stream of random numbers: splitmix64 over a counter. Copying it copies the stream. */
typedef struct rng {
    uint64_t state;
} rng;

/* Begins a stream; equal keys give equal streams. */
static inline rng rng_from_key(uint64_t key)
{
    return (rng){hash_mix(key)};
}

/* Returns the next number of the stream: 64 random bits. */
static inline uint64_t rng_next(rng *r)
{
    uint64_t v = r->state;
    r->state += HASH_STEP;
    return hash_mix(v);
}

/* Skips `count` numbers of the stream. Counts are modulo 2^64, so (uint64_t)-n goes back by n.
 */
static inline void rng_pass(rng *r, uint64_t count)
{
    r->state += count * HASH_STEP;
}

/* Scales a number of a random stream to 0..n-1 for 1 <= n <= 2^32; 0 for n = 0. The bias is
 * below 2^-32. */
static inline uint32_t hash_scale(uint64_t number, uint64_t n)
{
    return (uint32_t)(((number >> 32) * n) >> 32);
}

/* Returns a random number from 0..n-1, each equally likely, for 1 <= n <= 2^32, by
 * hash_scale; 0 for n = 0. */
static inline uint32_t rng_below(rng *r, uint64_t n)
{
    return hash_scale(rng_next(r), n);
}

/* Returns a random number from a..b, both ends included, each equally likely; the ends are
 * swapped if a > b. */
static inline int32_t rng_range(rng *r, int32_t a, int32_t b)
{
    int32_t lo = a < b ? a : b, hi = a < b ? b : a;
    return (int32_t)(lo + (int64_t)rng_below(r, (uint64_t)((int64_t)hi - lo) + 1));
}

/* True with probability 1/n; always true for n <= 1. */
static inline int rng_one_in(rng *r, int32_t n)
{
    return n <= 1 || rng_below(r, (uint64_t)n) == 0;
}

/* Returns an index of a list of weights, chosen at random by weight: upto[i] is the sum of
 * the weights 0..i. The sum of all weights must be above 0. */
static inline size_t rng_by_weight(rng *r, const uint32_t *upto, size_t count)
{
    const uint32_t at = rng_below(r, upto[count - 1]);
    size_t first = 0;
    /* This finds the index by halving the list. No branch depends on the random number, because
     * the processor could not predict the branch. */
    for (size_t left = count; left > 1; left -= left / 2)
        first += (upto[first + left / 2 - 1] <= at) * (left / 2);
    return first;
}

/* Returns XXH64, a checksum that other programs' file formats use. It is the same on every
 * machine; data may be NULL where size is 0. */
uint64_t xxh64(const void *data, size_t size, uint64_t seed);
