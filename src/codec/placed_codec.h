/*
 * Specials that games have placed. A placement belongs to an edit (codec/edit_codec.h), which
 * changes the cells; here are the placement's own values, and the bytes in which the file has
 * the pieces and joins of a mutable special (schema/format.md, "Placed specials"). Ids stand
 * there as texts, so that they are understood with every content.
 */
#pragma once

#include "core/bytes.h"
#include "core/error.h"
#include "portolan/types.h"

enum {
    PLACED_ID_SIZE = 1000,       /* most bytes of the id of a special, piece or join */
    PLACED_PARTS_MAX = 1 << 18,  /* most pieces of a placement, and most joins */
    PLACED_NUMBER_MAX = 256 + 1, /* most placements of an edit: a special and those nested in
                                  * it */
};

/* A piece or a join of a placement. */
typedef struct placed_part {
    const char *id; /* of the piece or join, unique only inside its special */
    int16_t x, y;   /* in the chunk */
    int8_t z;
    uint8_t turn; /* of a piece: its rotation, 0..3; of a join: its side, 0..5 */
} placed_part;

/* The pieces of a placement, and behind them its joins. */
typedef struct placed_parts {
    placed_part *list; /* owned */
    char *texts;       /* owned: the ids, if placed_decode has made the list */
    size_t piece_count, join_count;
} placed_parts;

void placed_parts_dispose(placed_parts *p);

/* Appends the bytes of pieces and joins. Sets out->failed when memory is out. */
void placed_encode(bytes *out, const placed_parts *p);
/* Reads what placed_encode has written. The caller disposes of *out, also after an error;
 * PTL_ERR_CORRUPT if no placement has such bytes. */
ptl_status placed_decode(placed_parts *out, const void *blob, size_t size, ptl_error *err);

/* A placement of an edit. */
typedef struct placed_row {
    ptl_chunk_pos chunk;
    int64_t number;      /* of the edit, from 1 */
    int32_t part;        /* 0: the special that was asked for; from 1: those nested in it */
    const char *special; /* its id */
    int32_t x, y, z;     /* its origin, in the chunk */
    int32_t rotation;    /* 0..3 = N, E, S, W */
    int32_t omts;        /* how many it has, with what a blob spread */
    placed_parts parts;  /* its ids are borrowed */
} placed_row;

/* Checks that all values of a row lie in their ranges. `fault` is the status of an error. */
ptl_status placed_row_check(const placed_row *row, ptl_status fault, ptl_error *err);
