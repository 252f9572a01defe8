/*
 * Compressed texts: one zstd frame with its content size and checksum. (Chunks have their own
 * codec, chunk_codec.h.)
 */
#ifndef CODEC_COMPRESS_H
#define CODEC_COMPRESS_H

#include "core/bytes.h"
#include "portolan/status.h"

typedef struct compressor compressor; /* contexts that are used again; one per thread */

compressor *compressor_new(void); /* new; NULL when memory is out */
void compressor_free(compressor *c);

/* Appends the frame of data to out. */
ptl_status compressor_run(compressor *c, bytes *out, const void *data, size_t size, int level,
                          ptl_error *err);
/* Appends the content of a frame to out. PTL_ERR_CORRUPT if the bytes are not one whole frame,
 * or its content is not of `size` bytes (which bounds the memory before it is taken). */
ptl_status decompressor_run(compressor *c, bytes *out, const void *frame, size_t frame_size,
                            size_t size, ptl_error *err);

#endif
