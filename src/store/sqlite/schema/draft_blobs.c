/*
 * Blobs of version 1, as the drafts have them. A level of version 1 holds the same tokens and
 * lengths as one of version 2; its palette is a list of differences, and its zstd frame has the
 * four bytes that all frames begin with. A pack of version 1 has a stream for each column. So
 * both become blobs of today by their frames alone, and today's readers check what is in them.
 */
#include "codec/number_list.h"
#include "core/error.h"
#include "store/sqlite/schema/draft.h"

#include <stdlib.h>
#include <string.h>

enum {
    OLD_VERSION = 1,
    NEW_VERSION = 2,
    KIND_UNIFORM = 0,
    KIND_PACKED = 1,
    KIND_COMPRESSED = 2,
    VARINT_MAX = 5
};

static const uint8_t MAGIC[] = {0x28, 0xb5, 0x2f, 0xfd};

static ptl_status corrupt(const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "blob of version 1: %s", what);
}

/* count numbers as differences from the one before. */
static ptl_status take_numbers(uint32_t *numbers, size_t count, size_t limit, byte_reader *r,
                               ptl_error *err)
{
    int64_t number = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t step = byte_reader_varint(r);
        if (r->failed || step > UINT32_MAX)
            return corrupt("its numbers are cut off", err);
        number += step & 1 ? -(int64_t)(step / 2) - 1 : (int64_t)(step / 2);
        if (number < 1 || number > NUMBER_MAX || (uint64_t)number >= limit)
            return corrupt("a number that the file does not have", err);
        numbers[i] = (uint32_t)number;
    }
    return PTL_OK;
}

/* How many numbers, low..high, and the numbers: as a list of version 2. */
static ptl_status put_numbers(bytes *out, byte_reader *r, size_t low, size_t high, size_t limit,
                              ptl_error *err)
{
    size_t count = (size_t)byte_reader_varint(r);
    if (r->failed || count < low || count > high)
        return corrupt("a bad number of numbers", err);
    uint32_t *numbers = malloc(count * sizeof *numbers);
    if (!numbers)
        return error_nomem(err);
    ptl_status status = take_numbers(numbers, count, limit, r, err);
    if (status == PTL_OK) {
        bytes_put_varint(out, count);
        number_list_put(out, numbers, count);
    }
    free(numbers);
    return status;
}

/* The frame's bytes after MAGIC. */
static ptl_status take_frame(const uint8_t **out, size_t *out_size, byte_reader *r, size_t size,
                             ptl_error *err)
{
    const uint8_t *at = size >= sizeof MAGIC ? byte_reader_take(r, size) : NULL;
    if (!at || r->failed || memcmp(at, MAGIC, sizeof MAGIC) != 0)
        return corrupt("no zstd frame", err);
    *out = at + sizeof MAGIC;
    *out_size = size - sizeof MAGIC;
    return PTL_OK;
}

/* ---- levels ---- */

static ptl_status put_body(bytes *out, byte_reader *r, bool compressed, ptl_error *err)
{
    uint64_t tokens = byte_reader_varint(r), lengths = byte_reader_varint(r);
    const size_t left = byte_reader_left(r);
    const uint8_t *body = r->at;
    size_t size = left;
    if (r->failed)
        return corrupt("a bad stream size", err);
    if (compressed) {
        ptl_status status = take_frame(&body, &size, r, left, err);
        if (status != PTL_OK)
            return status;
    }
    bytes_put_varint(out, tokens);
    bytes_put_varint(out, lengths);
    bytes_put(out, body, size);
    return PTL_OK;
}

ptl_status draft_level_blob(bytes *out, const void *blob, size_t size, size_t limit,
                            ptl_error *err)
{
    byte_reader r = byte_reader_over(blob, size);
    ptl_status status = PTL_OK;
    if (byte_reader_u8(&r) != OLD_VERSION || r.failed)
        return corrupt("an unknown version", err);
    const unsigned kind = byte_reader_u8(&r);
    if (r.failed || kind > KIND_COMPRESSED)
        return corrupt("an unknown kind", err);
    bytes_put_u8(out, NEW_VERSION);
    bytes_put_u8(out, (uint8_t)kind);
    if (kind == KIND_UNIFORM) {
        bytes_put(out, r.at, byte_reader_left(&r));
    } else {
        status = put_numbers(out, &r, 2, PTL_LEVEL_CELLS, limit, err);
        if (status == PTL_OK)
            status = put_body(out, &r, kind == KIND_COMPRESSED, err);
    }
    return status == PTL_OK && out->failed ? error_nomem(err) : status;
}

/* ---- packs ---- */

/* A column's stream, appended to columns. */
static ptl_status take_column(bytes *columns, codec *c, byte_reader *r, size_t limit,
                              ptl_error *err)
{
    uint64_t size = byte_reader_varint(r), stored = byte_reader_varint(r);
    bytes stream = {0};
    if (r->failed || size > limit || stored > size || stored > byte_reader_left(r))
        return corrupt("a bad stream size", err);
    if (stored == size) {
        bytes_put(columns, byte_reader_take(r, (size_t)size), (size_t)size);
        return PTL_OK;
    }
    const uint8_t *frame = NULL;
    size_t frame_size = 0;
    ptl_status status = take_frame(&frame, &frame_size, r, (size_t)stored, err);
    if (status != PTL_OK)
        return status;
    bytes_put_varint(&stream, size);
    bytes_put_varint(&stream, frame_size);
    bytes_put(&stream, frame, frame_size);
    byte_reader inner = byte_reader_over(stream.data, stream.size);
    status = stream.failed ? error_nomem(err)
                           : codec_take_stream(columns, c, &inner, (size_t)size, err);
    bytes_dispose(&stream);
    return status;
}

/* The blob of version 2 that says the same. */
static ptl_status put_pack(bytes *out, codec *c, pack_kind kind, byte_reader *r, size_t limit,
                           ptl_error *err)
{
    bytes columns = {0};
    if (byte_reader_u8(r) != OLD_VERSION || r->failed)
        return corrupt("an unknown version", err);
    uint64_t count = byte_reader_varint(r);
    if (r->failed || count < 1 || count > PACK_COUNT_MAX)
        return corrupt("a bad number of entries", err);
    bytes_put_u8(out, NEW_VERSION);
    bytes_put_varint(out, count);
    ptl_status status = put_numbers(out, r, 1, (size_t)count, limit, err);
    for (size_t k = 0; k < pack_layout_of(kind)->column_count && status == PTL_OK; k++)
        status = take_column(&columns, c, r, VARINT_MAX * (size_t)count, err);
    if (status == PTL_OK && byte_reader_left(r) > 0)
        status = corrupt("bytes after its end", err);
    if (status == PTL_OK && columns.failed)
        status = error_nomem(err);
    if (status == PTL_OK)
        status = codec_put_stream(out, c, columns.data, columns.size, err);
    bytes_dispose(&columns);
    return status;
}

ptl_status draft_pack_parse(pack_table *out, codec *c, bytes *scratch, pack_kind kind,
                            const void *blob, size_t size, size_t limit, ptl_error *err)
{
    byte_reader r = byte_reader_over(blob, size);
    bytes_clear(scratch);
    ptl_status status = put_pack(scratch, c, kind, &r, limit, err);
    if (status != PTL_OK)
        return status;
    return pack_parse(out, c, kind, scratch->data, scratch->size, limit, err);
}
