#define ZLIB_CONST /* zlib declares its input as const */
#include "clients/server/reply.h"

#include "core/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <zlib.h>

/* Bodies of fewer than PACK_FROM bytes are not packed, because they would hardly get smaller.
 * PACK_LEVEL is zlib's fastest level. */
enum { PACK_FROM = 512, PACK_LEVEL = 1 };

void reply_init(reply *r)
{
    *r = (reply){.code = 200, .type = "application/json; charset=utf-8"};
    r->j.out = &r->body;
}

void reply_fail(reply *r, unsigned code, const char *format, ...)
{
    char message[PTL_ERROR_MESSAGE_SIZE];
    emitter j = {&r->body, false};
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list);
    va_end(list);
    bytes_clear(&r->body);
    r->code = code;
    r->type = "application/json; charset=utf-8";
    r->etag[0] = '\0';
    r->allow = NULL;
    emit_put(&j, "{error:%s}", message);
}

void reply_error(reply *r, const ptl_error *err)
{
    static const struct {
        ptl_status status;
        unsigned code;
    } codes[] = {{PTL_ERR_ARGUMENT, 400}, {PTL_ERR_READONLY, 403}, {PTL_ERR_NOT_FOUND, 404},
                 {PTL_ERR_MISMATCH, 409}, {PTL_ERR_CONTENT, 409},  {PTL_ERR_EXISTS, 409},
                 {PTL_ERR_LIMIT, 503},    {PTL_ERR_BUSY, 503},     {PTL_ERR_CANCELLED, 503}};
    unsigned code = 500;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (codes[i].status == err->status)
            code = codes[i].code;
    reply_fail(r, code, "%s", err->message[0] ? err->message : ptl_status_name(err->status));
}

void reply_tag(reply *r)
{
    const uint64_t sum = (uint64_t)checksum64(r->body.data, r->body.size);
    (void)snprintf(r->etag, sizeof r->etag, "\"%016" PRIx64 "\"", sum);
}

bool reply_pack(reply *r)
{
    bytes packed = {.size = 0};
    if (r->body.size < PACK_FROM || r->body.size > UINT32_MAX / 2)
        return true;
    const bool done = gzip_put(&packed, r->body.data, r->body.size, PACK_LEVEL);
    if (done && packed.size < r->body.size) {
        bytes_dispose(&r->body);
        r->body = packed;
        r->packed = true;
    } else {
        bytes_dispose(&packed);
    }
    return done;
}

/* GZIP is a number that is added to zlib's parameter windowBits; zlib then writes the header of
 * gzip instead of its own. MEMORY is zlib's default for the memory that packing takes. */
enum { GZIP = 16, MEMORY = 8 };

bool gzip_put(bytes *out, const void *data, size_t size, int level)
{
    z_stream stream = {.next_in = data};
    if (size > INT32_MAX || deflateInit2(&stream, level, Z_DEFLATED, MAX_WBITS + GZIP, MEMORY,
                                         Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    const uLong most = deflateBound(&stream, (uLong)size);
    int code = Z_MEM_ERROR;
    if (bytes_reserve(out, most)) {
        stream.avail_in = (uInt)size;
        stream.next_out = out->data + out->size;
        stream.avail_out = (uInt)most;
        code = deflate(&stream, Z_FINISH);
        out->size += (size_t)stream.total_out;
    }
    (void)deflateEnd(&stream);
    return code == Z_STREAM_END;
}

void png_put_with_dots(bytes *out, const bytes *png)
{
    /* HEADER: bytes of the signature and the chunk IHDR. CHUNK: bytes of data of pHYs. DOTS:
     * 300 dots an inch, in dots a metre. */
    enum { HEADER = 33, CHUNK = 9, DOTS = 11811 };
    uint8_t dots[4 + CHUNK] = {'p', 'H', 'Y', 's'};
    dots[6] = dots[10] = DOTS >> 8;
    dots[7] = dots[11] = DOTS & 255;
    dots[12] = 1; /* the unit is the metre */
    const uint32_t sum = (uint32_t)crc32(0, dots, sizeof dots);
    const uint8_t size[4] = {0, 0, 0, CHUNK};
    const uint8_t check[4] = {(uint8_t)(sum >> 24), (uint8_t)(sum >> 16), (uint8_t)(sum >> 8),
                              (uint8_t)sum};
    bytes_put(out, png->data, HEADER);
    bytes_put(out, size, sizeof size);
    bytes_put(out, dots, sizeof dots);
    bytes_put(out, check, sizeof check);
    bytes_put(out, png->data + HEADER, png->size - HEADER);
}
