/*
 * The sum of Poisson draws is a Poisson draw: a mean is cut into parts of at most 16. Each part
 * is drawn by going up the distribution function until it passes a uniform number of 53 bits.
 */
#include "core/poisson.h"

enum {
    PART = 16,
    TERMS = 80, /* terms of the series of exp: the last one is below 2^-60 of the sum */
    STEPS_MAX =
        128 /* no part is drawn larger: less than 2^-53 of its probability lies beyond */
};

/* exp(x) for 0 <= x <= PART. All terms are positive, so nothing cancels. */
static double exponential(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; k < TERMS; k++) {
        term = term * x / k;
        sum += term;
    }
    return sum;
}

static int32_t draw_part(rng *r, double mean, double none)
{
    const double u = (double)(rng_next(r) >> 11) / 9007199254740992.0; /* 2^53 */
    double chance = none, upto = none;
    int32_t k = 0;
    while (u >= upto && k < STEPS_MAX) {
        k++;
        chance = chance * mean / k;
        upto += chance;
    }
    return k;
}

int32_t poisson_draw(rng *r, double mean)
{
    if (!(mean > 0))
        return 0;
    if (mean > POISSON_MEAN_MAX)
        mean = POISSON_MEAN_MAX;
    const int32_t whole = (int32_t)(mean / PART);
    const double rest = mean - (double)whole * PART;
    const double none = whole > 0 ? 1.0 / exponential(PART) : 0;
    int32_t sum = 0;
    for (int32_t i = 0; i < whole; i++)
        sum += draw_part(r, PART, none);
    return rest > 0 ? sum + draw_part(r, rest, 1.0 / exponential(rest)) : sum;
}
