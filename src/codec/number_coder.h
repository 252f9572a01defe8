/*
 * What local maps and near lists are coded with (format.md, "Range coding" and "Numbers"): one
 * walk both writes and reads, so that the two can't come to differ.
 */
#ifndef CODEC_NUMBER_CODER_H
#define CODEC_NUMBER_CODER_H

#include "core/range_coder.h"

/* A walk is compiled once for each direction. */
#define INLINE static inline __attribute__((always_inline))

/* One of both. */
typedef struct coder {
    range_encoder *to;
    range_decoder *from;
} coder;

INLINE bool code_bit(coder *c, range_bit *m, bool bit)
{
    if (c->to)
        range_put_bit(c->to, m, bit);
    else
        bit = range_take_bit(c->from, m);
    range_learn(m, bit);
    return bit;
}

/* One of `total` that are all as likely, 1..RANGE_TOTAL_MAX. */
INLINE uint32_t code_share(coder *c, uint32_t value, uint32_t total)
{
    if (c->to) {
        range_put(c->to, value, 1, total);
        return value;
    }
    value = range_target(c->from, total);
    range_take(c->from, value, 1);
    return value;
}

/* The same where total may be 2^32 - 1: above 2^16 it is two shares, and what is read may be
 * total or more. */
INLINE uint32_t code_even(coder *c, uint32_t value, uint32_t total)
{
    if (total <= RANGE_TOTAL_MAX)
        return code_share(c, value, total);
    const uint32_t high = code_share(c, value >> 16, ((total - 1) >> 16) + 1);
    return high << 16 | code_share(c, value & 0xffff, RANGE_TOTAL_MAX);
}

enum { NUMBER_LENGTHS = 32, NUMBER_SHAPED = 9 };

/* How long numbers are, and of short ones what follows the highest bit. */
typedef struct number_model {
    range_bit longer[NUMBER_LENGTHS - 1], second[NUMBER_SHAPED], third[2 * NUMBER_SHAPED];
} number_model;

/* A number below 2^32 - 1. */
INLINE uint32_t code_number(coder *c, number_model *m, uint32_t value)
{
    const uint32_t wanted = value + 1, length = 31u - (uint32_t)__builtin_clz(wanted | 1);
    uint32_t n = 0, rest, found = 1;
    while (n < NUMBER_LENGTHS - 1 && code_bit(c, &m->longer[n], n < length))
        n++;
    rest = n;
    if (n > 0 && n < NUMBER_SHAPED) {
        const bool second = code_bit(c, &m->second[n], wanted >> --rest & 1);
        found = 2u | second;
        if (rest > 0) {
            const bool third = code_bit(c, &m->third[2 * n + second], wanted >> --rest & 1);
            found = 2 * found | third;
        }
    }
    if (rest > 0)
        found = found << rest |
                code_even(c, wanted & ((UINT32_C(1) << rest) - 1), UINT32_C(1) << rest);
    return found - 1;
}

static inline void model_bits(range_bit *bits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bits[i] = RANGE_BIT_INIT;
}

#endif
