#include "clients/server/gzip.h"

#define ZLIB_CONST /* what is packed is not changed */
#include <zlib.h>

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
