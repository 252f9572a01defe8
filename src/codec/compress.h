/*
 * Compresses texts, each into one zstd frame with its content size and a checksum. (Chunks
 * have a codec of their own, chunk_codec.h.)
 */
#pragma once

#include "core/bytes.h"
#include "portolan/status.h"

/* What zstd needs while it works; each thread needs one of its own. */
typedef struct compressor compressor;

compressor *compressor_new(void); /* free it with compressor_free; NULL when memory is out */
void compressor_free(compressor *c);

/* Compresses the data into one zstd frame, and appends that to out. */
ptl_status compressor_run(compressor *c, bytes *out, const void *data, size_t size, int level,
                          ptl_error *err);
/* Appends the content of a zstd frame to out. PTL_ERR_CORRUPT if the bytes are not exactly one
 * frame, or its content does not have `size` bytes; the frame's header is checked before memory
 * is allocated. */
ptl_status decompressor_run(compressor *c, bytes *out, const void *frame, size_t frame_size,
                            size_t size, ptl_error *err);
