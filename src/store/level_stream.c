#include "store/level_stream.h"

#include <string.h>

void level_stream_build(uint8_t *stream, uint8_t *lengths, const level_runs *r,
                        size_t *token_size, size_t *length_size)
{
    uint8_t *token = stream, *length = lengths;
    uint32_t next_new = 0;
    for (size_t i = 0; i < r->run_count; i++) {
        level_run run = r->runs[i];
        uint32_t fresh = run.symbol == next_new, longer = run.length > 1;
        uint32_t k = (run.symbol + 1u) & (fresh - 1);
        next_new += fresh;
        token = level_put_varint(token, k << 1 | longer);
        /* Without a length its bytes are written, too, and the next ones over them. */
        uint8_t *end = level_put_varint(length, longer ? run.length - 2u : 0);
        length = longer ? end : length;
    }
    *token_size = (size_t)(token - stream);
    *length_size = (size_t)(length - lengths);
    memcpy(token, lengths, *length_size);
}

bool level_take_varint(const uint8_t **at, const uint8_t *end, uint32_t *out)
{
    uint32_t v = 0;
    for (unsigned shift = 0; shift < 28 && *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        v |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = v;
            return true;
        }
    }
    return false;
}

/*
 * A token and, if it has one, its length. Nearly all tokens have one or two bytes and lengths
 * one, in an order that can't be predicted: the path for them has no branch on it. The stream
 * is padded, so bytes after its end may be looked at. False at a bad one.
 */
static bool take_run(const uint8_t **token, const uint8_t *token_end, const uint8_t **length,
                     const uint8_t *length_end, uint32_t *k, uint32_t *cells)
{
    uint32_t low = (*token)[0], high = (*token)[1], first = (*length)[0];
    uint32_t two = low >> 7, longer = low & 1;
    if (((two & high >> 7) | (longer & first >> 7)) == 0) {
        *k = (low >> 1 & 0x3f) | (high << 6 & (0u - two));
        *cells = 1 + (longer * (first + 1));
        *token += 1 + two;
        *length += longer;
        return *token <= token_end && *length <= length_end;
    }
    uint32_t t;
    if (!level_take_varint(token, token_end, &t))
        return false;
    *k = t >> 1;
    *cells = 1;
    if (!(t & 1))
        return true;
    if (!level_take_varint(length, length_end, cells))
        return false;
    *cells += 2;
    return true;
}

const char *level_stream_parse(level_runs *r, const uint8_t *stream, size_t token_size,
                               size_t length_size)
{
    const uint8_t *token = stream, *token_end = token + token_size, *length = token_end;
    const uint8_t *length_end = length + length_size;
    uint32_t next_new = 0, before = UINT32_MAX, left = PTL_LEVEL_CELLS;
    size_t count = 0;
    while (token < token_end) {
        uint32_t k, cells;
        if (!take_run(&token, token_end, &length, length_end, &k, &cells))
            return "the tokens or lengths are cut off";
        uint32_t symbol = k ? k - 1 : next_new;
        next_new += k == 0;
        if (symbol >= next_new || next_new > r->palette_count)
            return "a palette index out of range";
        if (symbol == before)
            return "two runs of the same oter side by side";
        if (cells > left)
            return "more cells than a level has";
        left -= cells;
        before = symbol;
        r->runs[count++] = (level_run){(uint16_t)symbol, (uint16_t)cells};
    }
    r->run_count = count;
    if (left > 0)
        return "fewer cells than a level has";
    if (length != length_end)
        return "lengths are left over";
    return next_new == r->palette_count ? NULL : "palette entries that no cell uses";
}
