/*
 * Runs as the bytes of a level blob: tokens, then lengths (format.md, "Level blobs"). Every
 * run of every stored level passes here in both directions, so no branch depends on what can't
 * be predicted.
 */
#ifndef CODEC_LEVEL_STREAM_H
#define CODEC_LEVEL_STREAM_H

#include "codec/level_runs.h"

enum {
    /* A run takes at most 3 bytes of tokens, and a run of 2 cells or more at most 3 of
     * lengths. */
    LEVEL_STREAM_MAX = 3 * PTL_LEVEL_CELLS,
    LEVEL_STREAM_PAD = 8 /* bytes behind it that may be read or written */
};

/* Writes tokens, then lengths, into `stream`; `lengths` is scratch. Both have room for
 * LEVEL_STREAM_MAX bytes and the padding. */
void level_stream_build(uint8_t *stream, uint8_t *lengths, const level_runs *r,
                        size_t *token_size, size_t *length_size);
/* Reads runs from a stream; r has the palette already. Returns what is wrong, or NULL. */
const char *level_stream_parse(level_runs *r, const uint8_t *stream, size_t token_size,
                               size_t length_size);
/* Reads a stream straight into cells: values[i] is the cell for palette entry i. After an
 * error the cells are undefined. Returns what is wrong, or NULL. */
const char *level_stream_cells(uint16_t cells[PTL_LEVEL_CELLS],
                               const uint16_t values[PTL_LEVEL_CELLS], size_t palette_count,
                               const uint8_t *stream, size_t token_size, size_t length_size);

/* Takes an unsigned LEB128 of up to 4 bytes. False if it is longer, or the bytes end
 * before. */
bool level_take_varint(const uint8_t **at, const uint8_t *end, uint32_t *out);

#endif
