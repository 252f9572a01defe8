/* Columns of a batch while it is filled. */
#pragma once

#include "core/error.h"
#include "portolan/arrow.h"

/* What a column's values are. */
typedef enum column_type {
    COLUMN_OPEN, /* not settled: so far all values are NULL */
    COLUMN_INT8,
    COLUMN_INT16,
    COLUMN_INT32,
    COLUMN_INT64,
    COLUMN_UINT64, /* given as the signed number that has the same bits */
    COLUMN_DOUBLE,
    COLUMN_TEXT,
    COLUMN_BLOB,
    COLUMN_OTER /* an index into the stream's dictionary, 16 bits */
} column_type;

/* One column of a stream. */
typedef struct column_spec {
    const char *name;
    column_type type;
    bool nullable;
    const char *meaning, *unit; /* NULL: none */
} column_spec;

/* Memory that grows, and begins at a multiple of 64. All zeros: empty. */
typedef struct column_block {
    void *memory; /* owned */
    unsigned char *at;
    size_t size, room;
} column_block;

/* The values of one column. All zeros but the type: empty. */
typedef struct column_data {
    column_type type;
    bool settled;         /* the type stays as it is */
    column_block values;  /* numbers, or the offsets of texts: one more than there are rows */
    column_block texts;   /* the bytes of texts or blobs */
    column_block present; /* bit i % 8 of byte i / 8: row i is not NULL; empty: no row is */
    size_t rows, nulls;
} column_data;

/* The texts of a dictionary, numbered from 0. */
typedef struct column_dictionary {
    column_block offsets, texts;
    size_t count;
} column_dictionary;

enum { COLUMN_TEXT_BYTES = 64 << 20 }; /* a batch ends when its texts have so many bytes */

/* Makes the block larger by `extra` bytes, which are not set, and returns their address; NULL
 * when memory is out. */
void *column_block_extend(column_block *b, size_t extra);
/* Makes the column longer by `rows` rows of a type of fixed width, and returns the address of
 * their values; NULL when memory is out. */
void *column_extend(column_data *c, size_t rows);
/* Adds a value. A column that is not settled gets its type by its values. A value that does not
 * fit is an error that names the column: PTL_ERR_ARGUMENT, or PTL_ERR_CORRUPT where the spec
 * has the type. */
ptl_status column_put(column_data *c, const column_spec *spec, const ptl_value *value,
                      ptl_error *err);
/* Settles the type: a column that has only NULLs is one of texts. Returns false when memory is
 * out. */
bool column_settle(column_data *c);
void column_dispose(column_data *c);

/* Adds a copy of the text. Returns false when memory is out. */
bool column_dictionary_add(column_dictionary *d, const char *text);
void column_dictionary_dispose(column_dictionary *d);
