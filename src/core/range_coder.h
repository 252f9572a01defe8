/*
 * A range coder, which stores what is likely in few bits, a likely bit in less than one bit.
 * The probability of a value is given as `size` numbers out of `total`; that of a bit comes
 * from an adaptive model, which learns from earlier bits. It computes with whole numbers only,
 * so that every machine gives the same bytes. schema/format.md, "Range coding".
 */
#pragma once

#include "core/bytes.h"

enum {
    RANGE_TOTAL_MAX = 1 << 16, /* the largest `total` of range_put and range_target */
    /* A model learns more slowly with each bit that it sees, up to RANGE_MEMORY bits. */
    RANGE_MEMORY = 62,
    RANGE_HALF = 1 << 15,
    RANGE_LEAST = 64 /* the lowest probability that a model may have, in 1 / 65,536 */
};

#define RANGE_LOW_LIMIT (UINT32_C(1) << 24)

/* A model of one bit. one: the probability that the bit is 1, in 1 / 65,536; seen: how many
 * bits the model has learnt from, at most RANGE_MEMORY. */
typedef struct range_bit {
    uint16_t one, seen;
} range_bit;

#define RANGE_BIT_INIT ((range_bit){RANGE_HALF, 0})

/* Teaches the model a bit: moves the probability of a 1 towards 1 if `bit` is true, else
 * towards 0, by the fraction 2 / (2 * seen + 3) of the distance to there. */
static inline void range_learn(range_bit *m, bool bit)
{
    static const uint16_t rates[RANGE_MEMORY + 1] = {
        43690, 26214, 18724, 14563, 11915, 10082, 8738, 7710, 6898, 6241, 5698, 5242, 4854,
        4519,  4228,  3971,  3744,  3542,  3360,  3196, 3048, 2912, 2788, 2674, 2570, 2473,
        2383,  2299,  2221,  2148,  2080,  2016,  1956, 1899, 1846, 1795, 1747, 1702, 1659,
        1618,  1579,  1542,  1506,  1472,  1440,  1409, 1379, 1351, 1323, 1297, 1272, 1248,
        1224,  1202,  1180,  1159,  1139,  1120,  1101, 1083, 1065, 1048, 1032};
    const uint32_t zero = (uint32_t)RANGE_TOTAL_MAX - m->one, from = bit ? zero : m->one;
    const uint32_t way = from * rates[m->seen] >> 16;
    uint32_t one = bit ? m->one + way : m->one - way;
    one = one < RANGE_LEAST ? RANGE_LEAST : one;
    m->one =
        (uint16_t)(one > RANGE_TOTAL_MAX - RANGE_LEAST ? RANGE_TOTAL_MAX - RANGE_LEAST : one);
    m->seen = (uint16_t)(m->seen + (m->seen < RANGE_MEMORY));
}

/* ---- writing ---- */

/* RANGE_BEFORE: how many of the bytes that were written last are also kept in `low`, since a
 * carry of a later addition may still change them. RANGE_STORE: bytes that one store writes.
 * RANGE_ROOM: bytes by which the buffer grows. */
enum { RANGE_BEFORE = 4, RANGE_STORE = 8, RANGE_ROOM = 192 };

/* Writes a stream. How many bytes an operation writes can't be predicted, so no branch depends
 * on that number: each operation stores all bytes of `low`, and moves `at` only over the bytes
 * that are final. */
typedef struct range_encoder {
    bytes *out; /* borrowed */
    /* Offset in `out` at which this stream began. The RANGE_BEFORE bytes at that offset are
     * removed when the stream ends. */
    size_t first;
    /* `at`: where the next bytes are stored. `end`: the end of the memory that is allocated for
     * them. If memory is out, `end` is equal to `at`. */
    uint8_t *at, *end;
    /* The low 32 bits are the lower end of the coder's interval; the bits above are the bytes
     * that were written last. */
    uint64_t low;
    uint32_t range;
} range_encoder;

/* Makes room for the next store; NULL when memory is out. It does not take the encoder's
 * address, so that compilers can keep the encoder in registers. */
static inline uint8_t *range_grow(bytes *out, const uint8_t *at)
{
    out->size = at ? (size_t)(at - out->data) : out->size;
    return bytes_reserve(out, RANGE_ROOM) ? out->data + out->size : NULL;
}

/* Begins a stream at the end of `out`. If memory is out, nothing is written, and out->failed
 * is set. */
static inline range_encoder range_encoder_over(bytes *out)
{
    uint8_t *at = range_grow(out, NULL);
    return (range_encoder){out, out->size, at, at ? out->data + out->capacity : NULL,
                           0,   UINT32_MAX};
}

/* Adds to `low`, the lower end of the coder's interval. If `low` overflows, a 1 is carried into
 * the bytes that were stored before. */
static inline void range_add(range_encoder *e, uint32_t more)
{
    e->low += more;
    if (__builtin_expect(e->low >= more, 1))
        return;
    for (uint8_t *at = e->at; at > e->out->data + e->first && ++at[-1] == 0;)
        at--;
}

/* Stores the eight bytes of `low` behind the final bytes of the stream, and makes room for
 * them first. Those bytes that may still change are stored again later. False when memory is
 * out. */
static inline bool range_store(range_encoder *e)
{
    if (__builtin_expect(e->end - e->at < RANGE_STORE, 0)) {
        uint8_t *at = range_grow(e->out, e->at);
        if (!at)
            return false;
        e->at = at;
        e->end = e->out->data + e->out->capacity;
    }
    bytes_store_u64(e->at, __builtin_bswap64(e->low));
    return true;
}

/* Moves into the stream those bytes of `low` that nothing but a carry can change any more.
 * Afterwards `range` is at least 2^24. */
static inline void range_shift(range_encoder *e)
{
    const unsigned size = (unsigned)__builtin_clz(e->range) / 8;
    if (range_store(e))
        e->at += size;
    e->low <<= 8 * size;
    e->range <<= 8 * size;
}

/* Codes a value of the probability size / total. Each possible value has some of the numbers 0
 * .. total - 1; this one has the numbers from .. from + size - 1. total must be
 * 1..RANGE_TOTAL_MAX. */
static inline void range_put(range_encoder *e, uint32_t from, uint32_t size, uint32_t total)
{
    const uint32_t unit = e->range / total;
    range_add(e, unit * from);
    e->range = unit * size;
    range_shift(e);
}

/* Codes a bit by the probability in its model. The model stays as it is: range_learn changes
 * it. */
static inline void range_put_bit(range_encoder *e, const range_bit *m, bool bit)
{
    const uint32_t one = (e->range >> 16) * m->one;
    range_add(e, bit ? 0 : one);
    e->range = bit ? one : e->range - one;
    range_shift(e);
}

/* Ends the stream with the fewest bytes from which everything that was put can be read; the
 * last byte is never 0. */
static inline void range_finish(range_encoder *e)
{
    const uint32_t low = (uint32_t)e->low;
    bytes *out = e->out;
    for (unsigned size = 0; size <= 4; size++) {
        const uint32_t rest = size == 4 ? 0 : UINT32_MAX >> 8 * size;
        const uint64_t value = ((uint64_t)low + rest) & ~(uint64_t)rest;
        if (value >= (uint64_t)low + e->range)
            continue;
        range_add(e, (uint32_t)value - low);
        if (!range_store(e))
            return;
        out->size = (size_t)(e->at - out->data) + size;
        break;
    }
    memmove(out->data + e->first, out->data + e->first + RANGE_BEFORE, out->size - e->first);
    while (out->size > e->first && out->data[out->size - 1] == 0)
        out->size--;
}

/* ---- reading ---- */

/* Reads what a range_encoder has written; behind the end it reads zeros. Any bytes decode to
 * something, so callers must check the values. */
typedef struct range_decoder {
    const uint8_t *at, *end;
    uint32_t code, range;
    /* The quotient of `range` and the argument `total` of range_target, which sets it. */
    uint32_t unit;
} range_decoder;

/* Shifts the stream's next byte into `code`; behind the end of the stream, a zero. */
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

/* Returns a number below `total` by which the caller finds out the next value in the stream:
 * each possible value has some of the numbers 0 .. total - 1 (see range_put), and the value is
 * the one that has the returned number. The caller then passes the value's first number, and
 * how many numbers it has, to range_take. */
static inline uint32_t range_target(range_decoder *d, uint32_t total)
{
    d->unit = d->range / total;
    const uint32_t target = d->code / d->unit;
    return target < total ? target : total - 1;
}

/* Reads bytes until `range` is at least RANGE_LOW_LIMIT. */
static inline void range_fill(range_decoder *d)
{
    for (; d->range < RANGE_LOW_LIMIT; d->range <<= 8)
        range_next(d);
}

/* Ends the reading of a value: moves the decoder behind the value that range_target has looked
 * up. `from` and `size` are the numbers with which range_put wrote the value. */
static inline void range_take(range_decoder *d, uint32_t from, uint32_t size)
{
    d->code -= d->unit * from;
    d->range = d->unit * size;
    range_fill(d);
}

/* Reads a bit by the probability in its model. The model stays as it is: range_learn changes
 * it. */
static inline bool range_take_bit(range_decoder *d, const range_bit *m)
{
    const uint32_t one = (d->range >> 16) * m->one;
    const bool bit = d->code < one;
    d->code -= bit ? 0 : one;
    d->range = bit ? one : d->range - one;
    range_fill(d);
    return bit;
}
