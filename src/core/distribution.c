/* Random draws from the normal and the Poisson distribution, which are the same on every
 * machine. */
#include "core/distribution.h"

/* ---- normal ---- */

/*
 * A table of quantiles of |Z|, where Z is standard normal, times 65,536. They cut |Z| into 64
 * ranges of equal probability. The last range, that of the largest values, is cut into 64
 * again, and so on, in four rounds. Linear interpolation is precise enough in all other ranges.
 * The sign of a draw is a random bit of its own.
 */
enum { CELL_BITS = 6, CELLS = 1 << CELL_BITS, ROUNDS = 4, FRACTION_BITS = 16 };

/* A table of quantiles q of a standard normal variable Z. Element 63 * k + i, for round k
 * (0..3) and i (0..62), is the q for which the probability of |Z| > q is (1 - i / 64) / 64^k.
 * Since |Z| has no largest value, the table ends at the median of the last range of the last
 * round. */
static const int32_t QUANTILES[(CELLS - 1) * ROUNDS + 2] = {
    0,      1283,   2567,   3852,   5139,   6427,   7718,   9012,   10310,  11611,  12917,
    14228,  15545,  16869,  18199,  19536,  20882,  22237,  23601,  24976,  26362,  27759,
    29170,  30594,  32032,  33487,  34958,  36446,  37954,  39482,  41032,  42605,  44203,
    45828,  47482,  49166,  50884,  52637,  54428,  56262,  58140,  60067,  62048,  64087,
    66191,  68364,  70616,  72954,  75389,  77933,  80600,  83408,  86377,  89536,  92917,
    96565,  100540, 104924, 109834, 115453, 122076, 130248, 141156, 158437, 158812, 159193,
    159579, 159970, 160368, 160771, 161181, 161597, 162019, 162449, 162885, 163329, 163781,
    164240, 164708, 165184, 165669, 166163, 166667, 167181, 167705, 168241, 168787, 169346,
    169918, 170502, 171101, 171714, 172343, 172988, 173650, 174330, 175030, 175750, 176492,
    177257, 178048, 178865, 179711, 180588, 181498, 182445, 183432, 184462, 185540, 186670,
    187859, 189113, 190440, 191851, 193356, 194971, 196714, 198608, 200683, 202983, 205563,
    208507, 211943, 216085, 221325, 228531, 240408, 240671, 240939, 241211, 241487, 241767,
    242052, 242342, 242636, 242936, 243240, 243550, 243865, 244187, 244514, 244847, 245187,
    245533, 245887, 246248, 246616, 246992, 247377, 247770, 248173, 248585, 249007, 249440,
    249884, 250340, 250808, 251289, 251785, 252295, 252821, 253363, 253924, 254504, 255104,
    255727, 256374, 257046, 257747, 258479, 259244, 260047, 260890, 261779, 262719, 263716,
    264779, 265915, 267138, 268462, 269905, 271492, 273257, 275245, 277524, 280197, 283438,
    287567, 293295, 302857, 303071, 303288, 303509, 303733, 303961, 304192, 304428, 304667,
    304911, 305159, 305411, 305668, 305929, 306196, 306468, 306745, 307027, 307316, 307611,
    307912, 308219, 308534, 308856, 309185, 309523, 309869, 310223, 310587, 310961, 311346,
    311741, 312148, 312567, 313000, 313447, 313909, 314387, 314882, 315396, 315930, 316486,
    317065, 317671, 318305, 318970, 319670, 320408, 321190, 322019, 322904, 323852, 324873,
    325980, 327188, 328519, 330000, 331673, 333593, 335852, 338597, 342105, 346994, 355204,
    363239,
};

int32_t normal_q16(rng *r)
{
    const uint64_t bits = rng_next(r);
    uint32_t cell = 0, round = 0;
    for (; round < ROUNDS; round++) {
        cell = (uint32_t)(bits >> (CELL_BITS * round)) & (CELLS - 1);
        if (cell != CELLS - 1 || round == ROUNDS - 1)
            break;
    }
    const int32_t *from = &QUANTILES[(CELLS - 1) * round + cell];
    const uint32_t fraction =
        (uint32_t)(bits >> (CELL_BITS * ROUNDS)) & ((1u << FRACTION_BITS) - 1);
    const int64_t rise = (int64_t)(from[1] - from[0]) * fraction;
    const int32_t value = from[0] + (int32_t)(rise >> FRACTION_BITS);
    return bits >> 63 ? -value : value;
}

int64_t normal_draw(rng *r, int32_t mean, int32_t sigma)
{
    if (sigma <= 0)
        return mean;
    return ((int64_t)mean * 65536 + (int64_t)sigma * normal_q16(r)) / 65536;
}

/* ---- Poisson ---- */

/*
 * A Poisson draw with a large mean is the sum of Poisson draws with means of at most 16 (PART).
 * Each of these is made from u, a uniform random number of 53 bits in 0..1: the draw is the
 * least k for which the probability of k or less is above u.
 */
enum {
    PART = 16,
    TERMS = 80, /* number of terms of the power series of exp that are added up; the first one
                 * that is left out is below 2^-60 of the sum */
    /* The largest result of a draw with a mean of at most PART. Larger ones would have a
     * probability below 2^-53. */
    STEPS_MAX = 128
};

/* exp(x) for 0 <= x <= PART. It sums the power series, whose terms are all positive, so that no
 * precision is lost by subtraction. */
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
