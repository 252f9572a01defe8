/*
 * Codes the numbers of local maps and of near lists (number_list.h) by a range coder
 * (format.md, "Range coding" and "Numbers"). Each function here both writes and reads, so that
 * the two directions can't come to differ.
 */
#pragma once

#include "core/range_coder.h"

/* Coding functions are inlined, so that the compiler makes one version that writes and one that
 * reads. */
#define INLINE static inline __attribute__((always_inline))

/* The direction of coding: to write, `to` is set and `from` is NULL; to read, it is the other
 * way round. */
typedef struct coder {
    range_encoder *to;
    range_decoder *from;
} coder;

/* Codes a bit with the probability that its model gives, and lets the model learn from the
 * bit. */
INLINE bool code_bit(coder *c, range_bit *m, bool bit)
{
    if (c->to)
        range_put_bit(c->to, m, bit);
    else
        bit = range_take_bit(c->from, m);
    range_learn(m, bit);
    return bit;
}

/* Codes a value below `total` (1..RANGE_TOTAL_MAX), if all values are equally likely. */
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

/* Codes a value below `total` as code_share does, for a total up to 2^32 - 1. If total is above
 * 2^16, the value is coded in two parts, and a value that is read may be `total` or more:
 * callers must check that. */
INLINE uint32_t code_even(coder *c, uint32_t value, uint32_t total)
{
    if (total <= RANGE_TOTAL_MAX)
        return code_share(c, value, total);
    const uint32_t high = code_share(c, value >> 16, ((total - 1) >> 16) + 1);
    return high << 16 | code_share(c, value & 0xffff, RANGE_TOTAL_MAX);
}

enum { NUMBER_LENGTHS = 32, NUMBER_SHAPED = 9 };

/* The model of one kind of numbers. It predicts how many bits a number has, and in short
 * numbers also the two bits below the highest one. */
typedef struct number_model {
    range_bit longer[NUMBER_LENGTHS - 1], second[NUMBER_SHAPED], third[2 * NUMBER_SHAPED];
} number_model;

/* Codes a number below 2^32 - 1. */
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
