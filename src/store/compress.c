#include "store/compress.h"

#include "core/error.h"

#include <stdlib.h>
#include <zstd.h>

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
    if (ZSTD_isError(code))
        return error_set(err, PTL_ERR_INTERNAL, "zstd: %s", ZSTD_getErrorName(code));
    out->size += code;
    return PTL_OK;
}

ptl_status decompressor_run(compressor *c, bytes *out, const void *frame, size_t frame_size,
                            size_t size, ptl_error *err)
{
    if (ZSTD_getFrameContentSize(frame, frame_size) != size ||
        ZSTD_findFrameCompressedSize(frame, frame_size) != frame_size)
        return error_set(err, PTL_ERR_CORRUPT, "a compressed text is damaged");
    if (!bytes_reserve(out, size + 1))
        return error_nomem(err);
    size_t code = ZSTD_decompressDCtx(c->out, out->data + out->size, size, frame, frame_size);
    if (ZSTD_isError(code))
        return error_set(err, PTL_ERR_CORRUPT, "a compressed text is damaged: %s",
                         ZSTD_getErrorName(code));
    if (code != size)
        return error_set(err, PTL_ERR_CORRUPT, "a compressed text is %zu bytes, not %zu", code,
                         size);
    out->size += size;
    return PTL_OK;
}
