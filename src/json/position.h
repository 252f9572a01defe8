/* Places in a JSON text, for messages: where the values that JSON Pointers (RFC 6901) name
 * stand, and the line and column of an offset. */
#pragma once

#include "json/document.h"

typedef struct position_wish {
    const char *pointer; /* a JSON Pointer; borrowed */
    size_t offset;       /* filled in: where its value begins in the text */
    void *owner;         /* for the caller */
} position_wish;

/* Finds the offsets of the values that the pointers name inside the document. Where a value
 * does not exist, the nearest one on the way to it counts. False when memory is out. */
bool position_find_all(const json_document *document, position_wish *wishes, size_t count);

/* A cursor that finds lines and columns, both from 1, of offsets in ascending order. */
typedef struct position_cursor {
    const char *text;
    size_t at, line_start; /* offsets */
    int line, column;
} position_cursor;

/* Begins at the text's first byte: line 1, column 1. */
position_cursor position_begin(const char *text);
/* Moves the cursor to an offset, which must not be below the previous one. */
void position_go(position_cursor *c, size_t offset);
