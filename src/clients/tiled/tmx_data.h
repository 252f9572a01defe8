/* The cells of a layer of a TMX file, as numbers of squares: CSV, or base64 with compression.
 */
#pragma once

#include "core/bytes.h"

/* How the numbers are written. */
typedef enum tmx_coding { TMX_CSV, TMX_BASE64, TMX_ZLIB, TMX_ZSTD, TMX_CODINGS } tmx_coding;

/*
 * Decodes the numbers of a rectangle of cells while its text arrives in pieces. The numbers are
 * kept in memory until the text ends, so that their count is known to be right before any is
 * used.
 */
typedef struct tmx_data {
    tmx_coding coding;
    size_t count; /* how many numbers the rectangle has */
    bytes text;   /* owned; base64 without blanks */
    bytes packed; /* owned; compressed cells */
    bytes cells;  /* owned; the numbers that were read, four bytes each, the lowest first */
    /* For CSV: the number whose digits are being read, and what came before it. */
    uint64_t number;
    bool has_digits, is_ended;
    size_t commas;
} tmx_data;

/* Finds a coding by the attributes `encoding` and `compression`, each NULL if it is not given.
 * Returns TMX_CODINGS if there is no such coding. */
tmx_coding tmx_coding_of(const char *encoding, const char *compression);

/* Begins a rectangle. Its memory is that of the rectangle before it, if any. */
void tmx_data_begin(tmx_data *d, tmx_coding coding, size_t count);
void tmx_data_dispose(tmx_data *d);

/* Takes a piece of the text. Returns NULL, or what is wrong with it, as a constant. */
const char *tmx_data_take(tmx_data *d, const char *text, size_t size);
/* Ends the text. Returns NULL, or what is wrong with it, as a constant. After NULL all numbers
 * can be read by tmx_data_at. */
const char *tmx_data_end(tmx_data *d);

/* Returns a number of the rectangle; they go row by row. */
uint32_t tmx_data_at(const tmx_data *d, size_t i);
