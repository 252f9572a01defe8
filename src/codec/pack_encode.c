/*
 * Packs to bytes: each column's values become codes, the codes varints. Codes are made eight at
 * a time, since in most columns eight in a row are small, and are then stored at once.
 */
#include "codec/pack.h"

#include "codec/level_runs.h"
#include "codec/number_list.h"
#include "core/error.h"

#include <string.h>

static inline uint32_t zigzag(int32_t v)
{
    return (uint32_t)v << 1 ^ (0u - (uint32_t)(v < 0));
}

/* Two bytes may be written where one counts. */
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

static void put_quads(bytes *out, const int32_t *values, size_t count)
{
    if (!bytes_reserve(out, (count + 3) / 4))
        return;
    for (size_t i = 0; i < count; i += 4) {
        unsigned byte = 0;
        for (size_t k = 0; k < 4 && i + k < count; k++)
            byte |= (unsigned)values[i + k] << (2 * k);
        out->data[out->size++] = (uint8_t)byte;
    }
}

enum { VALUES_AT_ONCE = 8 };

/* Varints of eight codes. Most columns have small ones alone, a byte each. */
static inline uint8_t *put_eight(uint8_t *at, const uint32_t *codes)
{
    uint32_t all = 0;
    uint8_t low[VALUES_AT_ONCE];
    for (size_t k = 0; k < VALUES_AT_ONCE; k++) {
        all |= codes[k];
        low[k] = (uint8_t)codes[k];
    }
    if (all < 0x80) {
        memcpy(at, low, VALUES_AT_ONCE);
        return at + VALUES_AT_ONCE;
    }
    for (size_t k = 0; k < VALUES_AT_ONCE; k++)
        at = put(at, codes[k]);
    return at;
}

/* Codes of some of a column's values. left: the same entries in the column before. *before: the
 * entry before them. *fresh: names that were used so far. */
static inline void code_values(uint32_t *codes, const pack_column *column,
                               const int32_t *values, const int32_t *left, size_t count,
                               int32_t *before, int32_t *fresh)
{
    const uint32_t none = column->coding == PACK_NAME; /* tokens begin at 1 */
    for (size_t i = 0; i < count; i++) {
        const int32_t v = values[i];
        if (column->coding == PACK_PLAIN) {
            codes[i] = (uint32_t)v - (uint32_t)column->low;
        } else if (column->coding == PACK_LEFT && left) {
            codes[i] = zigzag(v - left[i]);
        } else if (column->coding == PACK_DELTA) {
            codes[i] = zigzag(v - *before);
            *before = v;
        } else if (v < 0) {
            codes[i] = 0;
        } else {
            codes[i] = none + (v == *fresh ? 0 : (uint32_t)v + 1);
            *fresh += v == *fresh;
        }
    }
}

/* left: the column before, for PACK_LEFT. */
static void put_column(bytes *out, const pack_column *column, const int32_t *values,
                       const int32_t *left, size_t count, int32_t *fresh)
{
    if (column->coding == PACK_QUADS) {
        put_quads(out, values, count);
        return;
    }
    if (count == 0 || !bytes_reserve(out, PACK_VARINT_MAX * count))
        return;
    uint8_t *at = out->data + out->size;
    uint32_t codes[VALUES_AT_ONCE];
    int32_t before = 0;
    size_t i = 0;
    for (; i + VALUES_AT_ONCE <= count; i += VALUES_AT_ONCE) {
        code_values(codes, column, values + i, left ? left + i : NULL, VALUES_AT_ONCE, &before,
                    fresh);
        at = put_eight(at, codes);
    }
    code_values(codes, column, values + i, left ? left + i : NULL, count - i, &before, fresh);
    for (size_t k = 0; k < count - i; k++)
        at = put(at, codes[k]);
    out->size = (size_t)(at - out->data);
}

void pack_put_signed(bytes *out, const int32_t *values, size_t count)
{
    if (count == 0 || !bytes_reserve(out, PACK_VARINT_MAX * count))
        return;
    uint8_t *at = out->data + out->size;
    uint32_t codes[VALUES_AT_ONCE];
    size_t i = 0;
    for (; i + VALUES_AT_ONCE <= count; i += VALUES_AT_ONCE) {
        for (size_t k = 0; k < VALUES_AT_ONCE; k++)
            codes[k] = zigzag(values[i + k]);
        at = put_eight(at, codes);
    }
    for (; i < count; i++)
        at = put(at, zigzag(values[i]));
    out->size = (size_t)(at - out->data);
}

/* Is a value out of the column's range? */
static bool out_of_range(const pack_column *column, const int32_t *values, size_t count)
{
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++)
        bad |= (uint32_t)(values[i] < column->low) | (uint32_t)(values[i] > column->high);
    return bad != 0;
}

static ptl_status range_error(const pack_layout *layout, size_t k, const pack_table *t,
                              ptl_error *err)
{
    const pack_column *column = &layout->columns[k];
    size_t i = 0;
    while (t->columns[k][i] >= column->low && t->columns[k][i] <= column->high)
        i++;
    return error_set(err, PTL_ERR_INTERNAL, "%s: entry %zu has %s %d, not %d..%d", layout->name,
                     i, column->name, t->columns[k][i], column->low, column->high);
}

ptl_status pack_body_encode(bytes *body, codec *c, pack_kind kind, pack_table *t,
                            ptl_error *err)
{
    const pack_layout *layout = pack_layout_of(kind);
    int32_t fresh = 0;
    bytes_clear(&t->stream);
    for (size_t k = 0; k < layout->column_count; k++) {
        const pack_column *column = &layout->columns[k];
        if (out_of_range(column, t->columns[k], t->count))
            return range_error(layout, k, t, err);
        put_column(&t->stream, column, t->columns[k], k > 0 ? t->columns[k - 1] : NULL,
                   t->count, &fresh);
    }
    if (t->stream.failed)
        return error_nomem(err);
    return codec_put_stream(body, c, t->stream.data, t->stream.size, err);
}

void pack_blob_build(bytes *out, const encoded_pack *p, const uint32_t *numbers)
{
    bytes_put_u8(out, PACK_VERSION);
    bytes_put_varint(out, p->count);
    bytes_put_varint(out, p->name_count);
    if (p->name_count > 0)
        number_list_put(out, numbers, p->name_count);
    bytes_put(out, p->body.data, p->body.size);
}
