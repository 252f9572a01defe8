/*
 * A range coder: what is likely takes less than a bit. Shares of a whole are coded by their
 * sizes, bits by models that learn from those before. All of it is whole numbers: the same
 * everywhere. schema/format.md, "Range coding".
 */
#ifndef CORE_RANGE_CODER_H
#define CORE_RANGE_CODER_H

#include "core/bytes.h"

enum {
    RANGE_TOTAL_MAX = 1 << 16, /* a whole that shares are parts of */
    RANGE_MEMORY = 62,         /* bits that a model goes by */
    RANGE_HALF = 1 << 15,
    RANGE_LEAST = 64 /* of 65,536: no bit is less likely */
};

#define RANGE_LOW_LIMIT (UINT32_C(1) << 24)

/* How likely a bit is 1, of 65,536; how many were seen. */
typedef struct range_bit {
    uint16_t one, seen;
} range_bit;

#define RANGE_BIT_INIT ((range_bit){RANGE_HALF, 0})

/* Moves by 2 / (2 seen + 3) of the way. */
static inline void range_learn(range_bit *m, bool bit)
{
    static const uint16_t rates[RANGE_MEMORY + 1] = {
        43690, 26214, 18724, 14563, 11915, 10082, 8738, 7710, 6898, 6241, 5698, 5242, 4854,
        4519,  4228,  3971,  3744,  3542,  3360,  3196, 3048, 2912, 2788, 2674, 2570, 2473,
        2383,  2299,  2221,  2148,  2080,  2016,  1956, 1899, 1846, 1795, 1747, 1702, 1659,
        1618,  1579,  1542,  1506,  1472,  1440,  1409, 1379, 1351, 1323, 1297, 1272, 1248,
        1224,  1202,  1180,  1159,  1139,  1120,  1101, 1083, 1065, 1048, 1032};
    uint32_t one = m->one;
    if (bit)
        one += (RANGE_TOTAL_MAX - one) * rates[m->seen] >> 16;
    else
        one -= one * rates[m->seen] >> 16;
    one = one < RANGE_LEAST ? RANGE_LEAST : one;
    m->one =
        (uint16_t)(one > RANGE_TOTAL_MAX - RANGE_LEAST ? RANGE_TOTAL_MAX - RANGE_LEAST : one);
    m->seen = (uint16_t)(m->seen + (m->seen < RANGE_MEMORY));
}

/* ---- writing ---- */

typedef struct range_encoder {
    bytes *out;   /* borrowed */
    size_t first; /* where in it this began */
    uint32_t low, range;
} range_encoder;

static inline range_encoder range_encoder_over(bytes *out)
{
    return (range_encoder){out, out->size, 0, UINT32_MAX};
}

/* Adds to what is written: a carry goes into the bytes before. */
static inline void range_add(range_encoder *e, uint32_t more)
{
    e->low += more;
    if (e->low >= more)
        return;
    for (size_t i = e->out->size; i > e->first && ++e->out->data[i - 1] == 0;)
        i--;
}

static inline void range_shift(range_encoder *e)
{
    while (e->range < RANGE_LOW_LIMIT) {
        bytes *out = e->out;
        if (out->size < out->capacity)
            out->data[out->size++] = (uint8_t)(e->low >> 24);
        else
            bytes_put_u8(out, (uint8_t)(e->low >> 24));
        e->low <<= 8;
        e->range <<= 8;
    }
}

/* The share from..from + size - 1 of total, 1..RANGE_TOTAL_MAX. */
static inline void range_put(range_encoder *e, uint32_t from, uint32_t size, uint32_t total)
{
    const uint32_t unit = e->range / total;
    range_add(e, unit * from);
    e->range = unit * size;
    range_shift(e);
}

static inline void range_put_bit(range_encoder *e, const range_bit *m, bool bit)
{
    const uint32_t one = (e->range >> 16) * m->one;
    if (!bit)
        range_add(e, one);
    e->range = bit ? one : e->range - one;
    range_shift(e);
}

/* Ends with as few bytes as tell all that was put; the last one is not 0. */
static inline void range_finish(range_encoder *e)
{
    for (int bits = 0; bits <= 32; bits += 8) {
        const uint32_t rest = bits == 32 ? 0 : UINT32_MAX >> bits;
        const uint64_t value = ((uint64_t)e->low + rest) & ~(uint64_t)rest;
        if (value >= (uint64_t)e->low + e->range)
            continue;
        range_add(e, (uint32_t)value - e->low);
        for (int i = 0; i < bits; i += 8, e->low <<= 8)
            bytes_put_u8(e->out, (uint8_t)(e->low >> 24));
        break;
    }
    while (e->out->size > e->first && e->out->data[e->out->size - 1] == 0)
        e->out->size--;
}

/* ---- reading ---- */

/* Reads zeros behind the end. Whatever bytes it is given, it reads something. */
typedef struct range_decoder {
    const uint8_t *at, *end;
    uint32_t code, range;
    uint32_t unit; /* of the whole that is asked for */
} range_decoder;

static inline void range_next(range_decoder *d)
{
    d->code = d->code << 8 | (d->at < d->end ? *d->at++ : 0);
}

static inline range_decoder range_decoder_over(const uint8_t *at, const uint8_t *end)
{
    range_decoder d = {at, end, 0, UINT32_MAX, 0};
    for (int i = 0; i < 4; i++)
        range_next(&d);
    return d;
}

/* Returns a number below total that lies in the next share; range_take goes behind that. */
static inline uint32_t range_target(range_decoder *d, uint32_t total)
{
    d->unit = d->range / total;
    const uint32_t target = d->code / d->unit;
    return target < total ? target : total - 1;
}

static inline void range_fill(range_decoder *d)
{
    for (; d->range < RANGE_LOW_LIMIT; d->range <<= 8)
        range_next(d);
}

static inline void range_take(range_decoder *d, uint32_t from, uint32_t size)
{
    d->code -= d->unit * from;
    d->range = d->unit * size;
    range_fill(d);
}

static inline bool range_take_bit(range_decoder *d, const range_bit *m)
{
    const uint32_t one = (d->range >> 16) * m->one;
    const bool bit = d->code < one;
    d->code -= bit ? 0 : one;
    d->range = bit ? one : d->range - one;
    range_fill(d);
    return bit;
}

#endif
