/*
 * Encodes chunks as bytes and decodes them; schema/format.md, "Level blobs", is the
 * specification. Encoding needs no database, so it runs in the threads that generate chunks.
 * The thread that writes to the file fills in the file's numbers of oters later.
 */
#pragma once

#include "codec/overview.h"
#include "core/bytes.h"
#include "core/digest.h"
#include "model/chunk.h"
#include "portolan/types.h"

typedef struct ptl_catalogue catalogue;
typedef struct codec codec; /* zstd contexts and scratch memory; one for each thread */

codec *codec_new(void); /* makes a codec; NULL when memory is out */
void codec_free(codec *c);

/* An encoded level, before the file's oter numbers are known. */
typedef struct encoded_level {
    /* Owned; oters of the catalogue, in the order in which the level's cells have them first.
     */
    ptl_oter *palette;
    size_t palette_count;
    bytes body; /* the level's cells, compressed; empty for a uniform level */
} encoded_level;

typedef struct encoded_chunk {
    ptl_chunk_pos pos;
    /* Bit z + 10 says that level z is stored. Any other level consists of its default oter
     * alone. */
    uint32_t level_mask;
    ptl_oter defaults[PTL_LEVELS]; /* the default oters, which the chunk's row names */
    encoded_level levels[PTL_LEVELS];
    overview overview; /* the overview of level 0; its cells have oters */
    digest omts;       /* canonical digest of the chunk's cells, computed over id strings */
} encoded_chunk;

/*
 * Encodes a chunk, which is not changed. defaults[z + 10] is the default oter of level z: a
 * level that consists of it alone is not stored. Dispose *out afterwards, also after an error.
 */
ptl_status chunk_encode(encoded_chunk *out, codec *c, const ptl_chunk *chunk,
                        const ptl_oter defaults[PTL_LEVELS], const catalogue *cat,
                        ptl_error *err);
void encoded_chunk_dispose(encoded_chunk *e);

/* Computes the overview of the level that was parsed last (level_parse.h). The overview's cells
 * get the numbers that the file gives to oters. */
void codec_overview(overview *out, codec *c);

/* Builds a level's blob. numbers[i] is the file's number of the oter encoded->palette[i]. */
void level_blob_build(bytes *out, const encoded_level *encoded, const uint32_t *numbers);

/*
 * A stream is a sequence of bytes inside a larger blob. First come its size and its stored
 * size, both as varints. Then come the stored bytes: a zstd frame, or the plain bytes if a
 * frame would not be smaller. codec_take_stream checks all of this, and appends the plain
 * bytes, at most `limit`, to out.
 */
ptl_status codec_put_stream(bytes *out, codec *c, const void *data, size_t size,
                            ptl_error *err);
ptl_status codec_take_stream(bytes *out, codec *c, byte_reader *r, size_t limit,
                             ptl_error *err);

/*
 * The column `fill` of a chunk's row (format.md, "Fill") names the default oter of each level,
 * which fills the level if it has no row of its own. It holds pairs of a count of levels (1
 * byte) and the file's number of an oter (varint), from z = -10 upwards. The counts add up to
 * 21.
 */

void fill_build(bytes *out, const uint32_t numbers[PTL_LEVELS]);
/* Reads the column `fill` into numbers. PTL_ERR_CORRUPT unless it is well-formed and all
 * numbers are 1 .. limit - 1. */
ptl_status fill_parse(uint32_t numbers[PTL_LEVELS], const void *blob, size_t size, size_t limit,
                      ptl_error *err);
