/*
 * Encodes packs as bytes: the values of a column become codes, and the codes become varints. In
 * most columns all codes fit into one byte, which the loops here make use of.
 */
#include "codec/pack.h"

#include "codec/level_kernels.h"
#include "codec/level_runs.h"
#include "codec/number_list.h"
#include "core/error.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static inline uint32_t zigzag(int32_t v)
{
    return (uint32_t)v << 1 ^ (0u - (uint32_t)(v < 0));
}

/* Writes a varint and returns its end. The byte after the end may be overwritten, too. */
static inline uint8_t *put(uint8_t *at, uint32_t v)
{
    if (v < LEVEL_VARINT_LIMIT)
        return level_put_varint(at, v);
    while (v >= 0x80) {
        *at++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *at++ = (uint8_t)v;
    return at;
}

enum { VALUES_AT_ONCE = 256 }; /* how many values are turned into codes in one pass */

/* Writes codes (the numbers that values of a column have become) as varints. In most columns
 * each code takes only one byte; in nearly all others each takes at most two. */
static uint8_t *put_codes(uint8_t *at, const uint32_t *codes, size_t count)
{
    uint32_t all = 0;
    for (size_t k = 0; k < count; k++)
        all |= codes[k];
    size_t i = 0;
    for (; all < 0x80 && i < count; i++)
        *at++ = (uint8_t)codes[i];
    if (all >= 0x80 && all < 1u << 14) {
        uint16_t shorts[VALUES_AT_ONCE];
        for (size_t k = 0; k < count; k++)
            shorts[k] = (uint16_t)codes[k];
        return level_kernels_best()->put_varints(at, shorts, count);
    }
    for (; i < count; i++)
        at = put(at, codes[i]);
    return at;
}

/* Reserves the bytes that the codes of `count` values may take at most. */
static bool reserve_codes(bytes *out, size_t count)
{
    return bytes_reserve(out, PACK_VARINT_MAX * count + LEVEL_VARINTS_PAD);
}

/* Turns `count` values of a column into the codes that are then written as varints, in loops
 * without branches. `left` has the values that the previous column has in the same rows, which
 * PACK_LEFT needs. `before` is the column's value in the row before these. */
static void code_values(uint32_t *restrict codes, const pack_column *column,
                        const int32_t *restrict values, const int32_t *restrict left,
                        size_t count, int32_t before, int32_t *fresh)
{
    switch (column->coding) {
    case PACK_PLAIN:
        for (size_t i = 0; i < count; i++)
            codes[i] = (uint32_t)values[i] - (uint32_t)column->low;
        break;
    case PACK_LEFT:
        assert(left);
        for (size_t i = 0; i < count; i++)
            codes[i] = zigzag(values[i] - left[i]);
        break;
    case PACK_DELTA:
        codes[0] = zigzag(values[0] - before);
        for (size_t i = 1; i < count; i++)
            codes[i] = zigzag(values[i] - values[i - 1]);
        break;
    /* PACK_TOKEN or PACK_NAME: the values are indices of names. A name that is used for the
     * first time has the index *fresh, which is the number of names used before. */
    default:
        assert(fresh);
        for (size_t i = 0; i < count; i++) {
            const int32_t v = values[i];
            const uint32_t none = column->coding == PACK_NAME;
            codes[i] = v < 0 ? 0 : none + (v == *fresh ? 0 : (uint32_t)v + 1);
            *fresh += v == *fresh;
        }
    }
}

/* Writes a column. `left` has the values of the previous column: with the coding PACK_LEFT the
 * differences from them are written. */
static void put_column(bytes *out, const pack_column *column, const int32_t *values,
                       const int32_t *left, size_t count, int32_t *fresh)
{
    if (column->coding == PACK_QUADS) {
        if (!bytes_reserve(out, (count + 3) / 4))
            return;
        for (size_t i = 0; i < count; i += 4) {
            unsigned byte = 0;
            for (size_t k = 0; k < 4 && i + k < count; k++)
                byte |= (unsigned)values[i + k] << (2 * k);
            out->data[out->size++] = (uint8_t)byte;
        }
        return;
    }
    if (count == 0 || !reserve_codes(out, count))
        return;
    uint8_t *at = out->data + out->size;
    for (size_t i = 0; i < count; i += VALUES_AT_ONCE) {
        uint32_t codes[VALUES_AT_ONCE];
        const size_t some = count - i < VALUES_AT_ONCE ? count - i : VALUES_AT_ONCE;
        code_values(codes, column, values + i, left ? left + i : NULL, some,
                    i > 0 ? values[i - 1] : 0, fresh);
        at = put_codes(at, codes, some);
    }
    out->size = (size_t)(at - out->data);
}

/* Writes `count` values of a column: the first, the third, the fifth and so on. */
static void put_each_second(bytes *out, const pack_column *column, const int32_t *values,
                            size_t count)
{
    int32_t *firsts = malloc((count + 1) * sizeof *firsts);
    for (size_t i = 0; i < count && firsts; i++)
        firsts[i] = values[2 * i];
    if (firsts)
        /* The argument for names is NULL, as the column holds none. */
        put_column(out, column, firsts, NULL, count, NULL);
    out->failed = out->failed || !firsts;
    free(firsts);
}

void pack_put_signed(bytes *out, const int32_t *values, size_t count)
{
    if (count == 0 || !reserve_codes(out, count))
        return;
    uint8_t *at = out->data + out->size;
    for (size_t i = 0; i < count; i += VALUES_AT_ONCE) {
        uint32_t codes[VALUES_AT_ONCE];
        const size_t some = count - i < VALUES_AT_ONCE ? count - i : VALUES_AT_ONCE;
        for (size_t k = 0; k < some; k++)
            codes[k] = zigzag(values[i + k]);
        at = put_codes(at, codes, some);
    }
    out->size = (size_t)(at - out->data);
}

/* Is any value outside of the column's range? */
static bool out_of_range(const pack_column *column, const int32_t *values, size_t count)
{
    /* One comparison tells whether a value is in the range: value - low, as an unsigned number,
     * must be at most high - low. Vector instructions compare only signed numbers, so 2^31 is
     * subtracted from both sides. */
    const uint32_t low = (uint32_t)column->low, shift = low + (UINT32_C(1) << 31);
    const int32_t high = (int32_t)((uint32_t)column->high - shift);
    int32_t bad = 0;
    for (size_t i = 0; i < count; i++)
        bad |= -((int32_t)((uint32_t)values[i] - shift) > high);
    return bad != 0;
}

/* Writes the joins of the table, which come in pairs: the two sides at which two pieces meet.
 * Of each pair only one join is written: the second one, as its piece and side. If the piece of
 * some second join is not known, the first joins are written instead. Returns the version of
 * the pack, which says which of the two it is. */
static uint8_t put_joins(pack_table *t, int32_t *fresh)
{
    const pack_layout *layout = pack_layout_of(PACK_JOINS);
    bytes *out = &t->stream;
    int32_t *pieces = pack_joins_pieces(t);
    put_column(out, &layout->columns[JOIN_ID], t->columns[JOIN_ID], NULL, t->count, fresh);
    if (pieces) {
        put_column(out, pack_pair_column(PACK_PAIR_PIECE), pieces, NULL, t->count / 2, NULL);
        put_each_second(out, pack_pair_column(PACK_PAIR_SIDE), t->columns[JOIN_SIDE] + 1,
                        t->count / 2);
    }
    for (size_t k = JOIN_PLACEMENT; k < layout->column_count && !pieces; k++)
        put_each_second(out, &layout->columns[k], t->columns[k], t->count / 2);
    free(pieces);
    return pieces ? PACK_VERSION_PIECES : PACK_VERSION_PAIRS;
}

ptl_status pack_body_encode(encoded_pack *out, codec *c, pack_kind kind, pack_table *t,
                            ptl_error *err)
{
    const pack_layout *layout = pack_layout_of(kind);
    int32_t fresh = 0;
    bytes_clear(&t->stream);
    for (size_t k = 0; k < layout->column_count; k++)
        if (out_of_range(&layout->columns[k], t->columns[k], t->count)) {
            const pack_column *column = &layout->columns[k];
            size_t i = 0;
            while (t->columns[k][i] >= column->low && t->columns[k][i] <= column->high)
                i++;
            return error_set(err, PTL_ERR_INTERNAL, "%s: entry %zu has %s %d, not %d..%d",
                             layout->name, i, column->name, t->columns[k][i], column->low,
                             column->high);
        }
    const bool pairs = kind == PACK_JOINS && pack_joins_are_pairs(t);
    out->version = pairs ? put_joins(t, &fresh) : PACK_VERSION;
    for (size_t k = 0; k < layout->column_count && !pairs; k++)
        put_column(&t->stream, &layout->columns[k], t->columns[k],
                   k > 0 ? t->columns[k - 1] : NULL, t->count, &fresh);
    if (t->stream.failed)
        return error_nomem(err);
    return codec_put_stream(&out->body, c, t->stream.data, t->stream.size, err);
}

void pack_blob_build(bytes *out, const encoded_pack *p, const uint32_t *numbers)
{
    bytes_put_u8(out, p->version);
    bytes_put_varint(out, p->count);
    const size_t palettes = p->local && p->version == PACK_VERSION_PALETTE;
    const size_t count = p->name_count - palettes;
    if (palettes > 0)
        bytes_put_varint(out, *numbers++);
    bytes_put_varint(out, count);
    if (p->local && count >= NEAR_LEAST)
        near_list_put(out, numbers, count);
    else if (count > 0)
        number_list_put(out, numbers, count);
    bytes_put(out, p->body.data, p->body.size);
}
