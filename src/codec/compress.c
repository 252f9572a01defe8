#include "codec/compress.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* Most bytes that a frame may stand for; a file of content may have as many. */
enum { COMPRESS_SIZE_MAX = 64 << 20 };

static const uint8_t MAGIC[4] = {0x28, 0xb5, 0x2f, 0xfd};

struct compressor {
    ZSTD_CCtx *in;
    ZSTD_DCtx *out;
};

compressor *compressor_new(void)
{
    compressor *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->in = ZSTD_createCCtx();
    c->out = ZSTD_createDCtx();
    if (!c->in || !c->out) {
        compressor_free(c);
        return NULL;
    }
    return c;
}

void compressor_free(compressor *c)
{
    if (!c)
        return;
    ZSTD_freeCCtx(c->in);
    ZSTD_freeDCtx(c->out);
    free(c);
}

ptl_status compressor_run(compressor *c, bytes *out, const void *data, size_t size, int level,
                          ptl_error *err)
{
    size_t bound = ZSTD_compressBound(size);
    if (ZSTD_isError(bound) || !bytes_reserve(out, bound))
        return error_nomem(err);
    size_t code = ZSTD_CCtx_setParameter(c->in, ZSTD_c_compressionLevel, level);
    if (!ZSTD_isError(code))
        code = ZSTD_CCtx_setParameter(c->in, ZSTD_c_checksumFlag, 1);
    if (!ZSTD_isError(code))
        code = ZSTD_compress2(c->in, out->data + out->size, bound, data, size);
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return error_nomem(err);
    if (ZSTD_isError(code))
        return error_set(err, PTL_ERR_INTERNAL, "zstd: %s", ZSTD_getErrorName(code));
    out->size += code;
    return PTL_OK;
}

ptl_status decompressor_run(compressor *c, bytes *out, const void *frame, size_t frame_size,
                            size_t size, ptl_error *err)
{
    /* A frame with another magic number than MAGIC is refused. compressor_run never writes such
     * a frame, but zstd also knows skippable frames, which would pass here as frames with 0
     * bytes of content. */
    if (frame_size < sizeof MAGIC || memcmp(frame, MAGIC, sizeof MAGIC) != 0 ||
        ZSTD_getFrameContentSize(frame, frame_size) != size ||
        ZSTD_getDictID_fromFrame(frame, frame_size) != 0 ||
        ZSTD_findFrameCompressedSize(frame, frame_size) != frame_size)
        return error_set(err, PTL_ERR_CORRUPT, "a compressed text is damaged");
    if (size > COMPRESS_SIZE_MAX)
        return error_set(err, PTL_ERR_CORRUPT, "a compressed text of %zu bytes", size);
    if (!bytes_reserve(out, size + 1))
        return error_nomem(err);
    size_t code = ZSTD_decompressDCtx(c->out, out->data + out->size, size, frame, frame_size);
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return error_nomem(err);
    if (ZSTD_isError(code))
        return error_set(err, PTL_ERR_CORRUPT, "a compressed text is damaged: %s",
                         ZSTD_getErrorName(code));
    if (code != size)
        return error_set(err, PTL_ERR_CORRUPT, "a compressed text is %zu bytes, not %zu", code,
                         size);
    out->size += size;
    return PTL_OK;
}
