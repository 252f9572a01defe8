/* Places in a JSON text, for messages: the offsets of values that JSON Pointers (RFC 6901)
 * name, and the line and column of an offset. */
#pragma once

#include "json/document.h"

typedef struct position_wish {
    const char *pointer; /* a JSON Pointer; borrowed */
    size_t offset;       /* output: offset in the text of the value that the pointer names */
    void *owner;         /* any address that the caller wants to keep here */
} position_wish;

/* Sets the `offset` of each element of `wishes` to that of the value which its JSON Pointer
 * names in the document; if there is no such value, to that of the innermost existing value on
 * the way to it. False when memory is out. */
bool position_find_all(const json_document *document, position_wish *wishes, size_t count);

/* A cursor that finds lines and columns, both from 1, of offsets in ascending order. */
typedef struct position_cursor {
    const char *text;
    /* Offsets in the text: of the cursor, and of the beginning of its line. */
    size_t at, line_start;
    int line, column;
} position_cursor;

/* Begins at the text's first byte: line 1, column 1. */
position_cursor position_begin(const char *text);
/* Moves the cursor to an offset, which must not be below the cursor's present offset. */
void position_go(position_cursor *c, size_t offset);
