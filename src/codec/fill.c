#include "codec/fill.h"

#include "core/error.h"

void fill_build(bytes *out, const uint32_t numbers[PTL_LEVELS])
{
    for (size_t i = 0; i < PTL_LEVELS;) {
        size_t end = i + 1;
        while (end < PTL_LEVELS && numbers[end] == numbers[i])
            end++;
        bytes_put_u8(out, (uint8_t)(end - i));
        bytes_put_varint(out, numbers[i]);
        i = end;
    }
}

ptl_status fill_parse(uint32_t numbers[PTL_LEVELS], const void *blob, size_t size, size_t limit,
                      ptl_error *err)
{
    byte_reader r = byte_reader_over(blob, size);
    size_t level = 0;
    while (byte_reader_left(&r) > 0 && !r.failed) {
        size_t count = byte_reader_u8(&r);
        uint64_t number = byte_reader_varint(&r);
        if (r.failed || count == 0 || count > PTL_LEVELS - level || number < 1 ||
            number >= limit)
            return error_set(err, PTL_ERR_CORRUPT, "fill: damaged");
        for (size_t i = 0; i < count; i++)
            numbers[level++] = (uint32_t)number;
    }
    if (level != PTL_LEVELS)
        return error_set(err, PTL_ERR_CORRUPT, "fill: %zu levels instead of %d", level,
                         (int)PTL_LEVELS);
    return PTL_OK;
}
