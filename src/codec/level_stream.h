/*
 * Runs as the bytes that a level blob holds: tokens, then lengths (format.md, "Level blobs").
 * Both directions take every run of every stored level, so nothing in them branches on what
 * can't be predicted.
 */
#ifndef CODEC_LEVEL_STREAM_H
#define CODEC_LEVEL_STREAM_H

#include "codec/level_runs.h"

enum {
    /* A run costs 3 bytes in the tokens, and one of 2 cells or more 3 in the lengths. */
    LEVEL_STREAM_MAX = 3 * PTL_LEVEL_CELLS,
    LEVEL_STREAM_PAD = 8 /* bytes after it that may be looked at or written */
};

/* Tokens and lengths into stream; lengths is scratch. Both are LEVEL_STREAM_MAX bytes long, and
 * padded. */
void level_stream_build(uint8_t *stream, uint8_t *lengths, const level_runs *r,
                        size_t *token_size, size_t *length_size);
/* Runs from such a stream, over the palette that r has. Returns what is wrong, or NULL. */
const char *level_stream_parse(level_runs *r, const uint8_t *stream, size_t token_size,
                               size_t length_size);
/* Reads the cells of such a stream: values[i] where it says entry i of the palette. After an
 * error they are anything. */
const char *level_stream_cells(uint16_t cells[PTL_LEVEL_CELLS],
                               const uint16_t values[PTL_LEVEL_CELLS], size_t palette_count,
                               const uint8_t *stream, size_t token_size, size_t length_size);

/* Takes an unsigned LEB128 of up to 4 bytes; false at the end of the bytes, or if it is
 * longer. */
bool level_take_varint(const uint8_t **at, const uint8_t *end, uint32_t *out);

#endif
