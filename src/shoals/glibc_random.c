#include "shoals/glibc_random.h"

enum { FRONT = 3, WARM_UP = 310, MULTIPLIER = 16807, QUOTIENT = 127773, REMAINDER = 2836 };

void glibc_random_seed(glibc_random *r, uint32_t seed)
{
    /* Schrage's way to MULTIPLIER * word mod 2^31 - 1; of seeds from 2^31 on the word is
     * negative. */
    int64_t word = seed ? (int32_t)seed : 1;
    r->words[0] = (uint32_t)word;
    for (uint32_t i = 1; i < GLIBC_RANDOM_WORDS; i++) {
        word = MULTIPLIER * (word % QUOTIENT) - REMAINDER * (word / QUOTIENT);
        if (word < 0)
            word += INT32_MAX;
        r->words[i] = (uint32_t)word;
    }
    r->front = FRONT;
    r->back = 0;
    for (int i = 0; i < WARM_UP; i++)
        (void)glibc_random_next(r);
    r->drawn = 0;
}

uint32_t glibc_random_next(glibc_random *r)
{
    const uint32_t sum = r->words[r->front] += r->words[r->back];
    r->front = r->front + 1 < GLIBC_RANDOM_WORDS ? r->front + 1 : 0;
    r->back = r->back + 1 < GLIBC_RANDOM_WORDS ? r->back + 1 : 0;
    r->drawn++;
    return sum >> 1;
}

int32_t random_below(glibc_random *r, int32_t n)
{
    return n <= 1 ? 0 : (int32_t)(glibc_random_next(r) % (uint32_t)n);
}

int32_t random_between(glibc_random *r, int32_t low, int32_t high)
{
    return low <= high ? low + random_below(r, high - low + 1)
                       : high + random_below(r, low - high + 1);
}

int32_t random_middling(glibc_random *r, int32_t low, int32_t high)
{
    const int32_t n = high - low + 1;
    const int32_t first = random_below(r, n), second = random_below(r, n + 1);
    return low + (first + second) / 2;
}
