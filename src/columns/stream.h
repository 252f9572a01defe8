/* Streams of batches (portolan/arrow.h): what all kinds of them have in common. */
#pragma once

#include "columns/schema.h"

typedef struct column_stream column_stream;

/* What one kind of stream does. */
typedef struct stream_kind {
    /* Fills the columns, which are empty, with the next rows; none: the stream is at its end.
     */
    ptl_status (*fill)(void *state, column_data *columns, ptl_error *err);
    /* Frees the state. */
    void (*free)(void *state);
} stream_kind;

enum { STREAM_NOTES = 5 };

typedef struct stream_setup {
    const stream_kind *kind;
    void *state; /* taken over, also after an error */
    /* Borrowed until the state is freed. */
    const column_spec *specs;
    size_t count;
    const column_dictionary *dictionary; /* for columns of oters; else NULL */
    const ptl_arrow_options *options;    /* borrowed for the call */
    schema_note notes[STREAM_NOTES];     /* borrowed for the call */
} stream_setup;

/* Checks the ranges of the caller's options. */
ptl_status stream_check_options(const ptl_arrow_options *options, ptl_error *err);
/* Makes *out a stream. If the type of a column is COLUMN_OPEN, the first batch is read to
 * settle it. */
ptl_status stream_open(struct ArrowArrayStream *out, const stream_setup *setup, ptl_error *err);
