/*
 * Chunks to bytes and back. schema/format.md, section "Level blobs", is the specification.
 * Encoding needs no database, so that generating threads do it; the file's oter numbers are
 * filled in later, by the one that writes.
 */
#ifndef CODEC_CHUNK_CODEC_H
#define CODEC_CHUNK_CODEC_H

#include "codec/overview.h"
#include "core/bytes.h"
#include "core/digest.h"
#include "model/chunk.h"
#include "portolan/types.h"

typedef struct ptl_catalogue catalogue;
typedef struct codec codec; /* zstd contexts and scratch memory; one per thread */

codec *codec_new(void); /* new; NULL when memory is out */
void codec_free(codec *c);

/* One level, before the file's oter numbers are known. */
typedef struct encoded_level {
    ptl_oter *palette; /* owned; catalogue oters in order of first appearance */
    size_t palette_count;
    bytes body; /* the compressed cells; empty for a uniform level */
} encoded_level;

typedef struct encoded_chunk {
    ptl_chunk_pos pos;
    uint32_t level_mask; /* bit z + 10: the level is stored; else it holds its default oter */
    ptl_oter defaults[PTL_LEVELS]; /* those oters: the chunk's row names them */
    encoded_level levels[PTL_LEVELS];
    overview overview; /* of level 0, of oters */
    digest tiles;      /* canonical digest over id strings */
} encoded_chunk;

/*
 * Encodes a chunk. defaults[z + 10] is the oter that an unstored level means. chunk is not
 * changed. Dispose *out afterwards, also after an error.
 */
ptl_status chunk_encode(encoded_chunk *out, codec *c, const ptl_chunk *chunk,
                        const ptl_oter defaults[PTL_LEVELS], const catalogue *cat,
                        ptl_error *err);
void encoded_chunk_dispose(encoded_chunk *e);

/* Gives the overview of the level that was parsed last (level_parse.h), of file numbers. */
void codec_overview(overview *out, codec *c);

/* Builds a level's blob: numbers[i] is the file's number of palette[i]. */
void level_blob_build(bytes *out, const encoded_level *encoded, const uint32_t *numbers);

/*
 * A stream of bytes inside a larger blob: its size, the stored size (varints), and the stored
 * bytes, a zstd frame if they are fewer. Taking checks everything and reads at most limit
 * bytes; what they hold is appended to out.
 */
ptl_status codec_put_stream(bytes *out, codec *c, const void *data, size_t size,
                            ptl_error *err);
ptl_status codec_take_stream(bytes *out, codec *c, byte_reader *r, size_t limit,
                             ptl_error *err);

/*
 * A chunk row's `fill` (format.md, "Fill"): what each level without a row of its own holds,
 * as pairs of a count (1 byte) and a file number (varint), from z = -10 upwards, 21 in all.
 */

void fill_build(bytes *out, const uint32_t numbers[PTL_LEVELS]);
/* PTL_ERR_CORRUPT unless it is well-formed with numbers from 1 to limit - 1. */
ptl_status fill_parse(uint32_t numbers[PTL_LEVELS], const void *blob, size_t size, size_t limit,
                      ptl_error *err);

#endif
