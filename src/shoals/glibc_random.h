/* Draws numbers as glibc's random() does with its default state of 31 words (TYPE_3), on any
 * platform. */
#ifndef SHOALS_GLIBC_RANDOM_H
#define SHOALS_GLIBC_RANDOM_H

#include <stdint.h>

enum { GLIBC_RANDOM_WORDS = 31 };

typedef struct glibc_random {
    uint32_t words[GLIBC_RANDOM_WORDS];
    uint32_t front, back; /* indices */
    uint64_t drawn;       /* numbers, since the seed */
} glibc_random;

/* As srandom(seed): 0 counts as 1. */
void glibc_random_seed(glibc_random *r, uint32_t seed);

/* Draws the next number, 0 .. 2^31 - 1. */
uint32_t glibc_random_next(glibc_random *r);

/* Draws from 0 .. n - 1, as the published program does: the remainder of one number; 0, and
 * nothing is drawn, where n <= 1. */
int32_t random_below(glibc_random *r, int32_t n);

/* Draws from low .. high, both included; the ends are swapped if low > high. */
int32_t random_between(glibc_random *r, int32_t low, int32_t high);

/* Draws from low .. high, with a peak in the middle: the game's mean of two rolls, of 0 .. n -
 * 1 and of 0 .. n where n values are wanted, halved and rounded down. */
int32_t random_middling(glibc_random *r, int32_t low, int32_t high);

#endif
