/*
 * What a game keeps in a world beside its edits: *notes*, *marks* and *facts*
 * (portolan/save.h). All three are rows with a key and a value, so that one struct, one order
 * and one check serve for them. Here are also the bytes in which the file has the bits of marks
 * and the values of facts (schema/format.md, "Notes, marks and facts").
 */
#pragma once

#include "codec/compress.h"
#include "core/digest.h"
#include "core/error.h"
#include "portolan/save.h"

/* The kinds of rows; the numbers are part of a world's digest. */
typedef enum saved_type { SAVED_NOTE, SAVED_MARK, SAVED_FACT, SAVED_TYPES } saved_type;

/* A note, the marks of a level of a chunk, or a fact. Texts are never NULL. Members that the
 * type does not use are 0 or "". */
typedef struct saved_row {
    saved_type type;
    int64_t revision; /* of the save that wrote the row last */
    bool removed;     /* there is nothing under the key any more; the row says only when a save
                       * removed it */
    /* The key. */
    const char *space;  /* of a fact: its namespace */
    int32_t scope;      /* of a fact: a ptl_fact_scope */
    const char *viewer; /* of a note, of marks and of a fact of a viewer */
    int32_t kind;       /* of marks */
    int64_t x, y; /* of a note and a fact of an OMT: absolute OMT; of marks and a fact of a
                   * chunk: the chunk */
    int32_t z;
    const char *name; /* of a fact */
    /* The value. */
    const char *text, *symbol, *colour; /* of a note */
    int32_t radius;                     /* of a note */
    bool dangerous;                     /* of a note */
    const void *data; /* of marks: PTL_MARKS_BYTES bytes; of a fact: its value */
    size_t size;
} saved_row;

/* A row of a type with an empty key and value. */
#define SAVED_ROW_OF(t)                                                                        \
    {                                                                                          \
        .type = (t), .space = "", .viewer = "", .name = "", .text = "", .symbol = "",          \
        .colour = ""                                                                           \
    }

/* Copies a row and what it points to into one block of memory, which the caller frees. Returns
 * NULL when memory is out. */
saved_row *saved_row_copy(const saved_row *from);
/* Returns about how many bytes saved_row_copy takes. */
size_t saved_row_bytes(const saved_row *row);

/* Compares the keys of two rows: -1, 0 or 1. The store visits rows in this order: by type,
 * namespace, scope, viewer, kind, x, y, z, name; texts by their bytes. */
int saved_row_compare(const saved_row *a, const saved_row *b);
/* Returns true if rows with equal keys have equal values, too. */
bool saved_row_is_same(const saved_row *a, const saved_row *b);
/* Returns a hash of the key, for tables in memory. */
uint64_t saved_row_hash(const saved_row *row);
/* Adds the key and the value to a digest. */
void saved_row_digest(digest_state *state, const saved_row *row);
/* Writes into `out` what the row is, for messages: "the note of 'ann' at 3,4,0". */
void saved_row_name(char *out, size_t room, const saved_row *row);

/* Checks all lengths, ranges and texts of a row. `fault` is the status of an error. */
ptl_status saved_row_check(const saved_row *row, ptl_status fault, ptl_error *err);

/* Returns how many of the bits of marks are set. */
int32_t marks_count(const uint8_t bits[PTL_MARKS_BYTES]);
/* Appends the bytes of marks to out: as runs or compressed, whichever is shorter. */
ptl_status marks_encode(bytes *out, compressor *c, const uint8_t bits[PTL_MARKS_BYTES],
                        ptl_error *err);
/* Appends the PTL_MARKS_BYTES bytes of bits that marks_encode was given to out. PTL_ERR_CORRUPT
 * if no marks have such bytes. */
ptl_status marks_decode(bytes *out, compressor *c, const void *blob, size_t size,
                        ptl_error *err);

/* Appends the bytes of a fact's value to out: compressed, if that is shorter, else as it is. */
ptl_status fact_encode(bytes *out, compressor *c, const void *value, size_t size,
                       ptl_error *err);
/* Appends a value of `size` bytes to out, of which fact_encode made the blob. PTL_ERR_CORRUPT
 * if the value has another size, or could not be so long. */
ptl_status fact_decode(bytes *out, compressor *c, const void *blob, size_t blob_size,
                       int64_t size, ptl_error *err);
