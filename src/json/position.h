/* Places in a JSON text, for messages: where the values stand that JSON Pointers (RFC 6901)
 * name, and the line and column of a place. */
#ifndef JSON_POSITION_H
#define JSON_POSITION_H

#include "json/document.h"

typedef struct position_wish {
    const char *pointer; /* a JSON Pointer; borrowed */
    size_t offset;       /* filled: of its value in the text */
    void *owner;         /* the caller's */
    const char *rest;    /* the search's own */
} position_wish;

/* The offsets of the values that the pointers name inside the document, or, where one does not
 * exist, of the nearest value on the way to it. Puts the wishes into another order. False when
 * memory is out. */
bool position_find_all(const json_document *document, position_wish *wishes, size_t count);
/* Finds one. */
size_t position_find(const json_document *document, const char *pointer);

/* Lines and columns, both from 1, of places in the order of the text. */
typedef struct position_cursor {
    const char *text;
    size_t at, line_start; /* offsets */
    int line, column;
} position_cursor;

position_cursor position_begin(const char *text);
/* Goes on to an offset, no less than the one before. */
void position_go(position_cursor *c, size_t offset);

#endif
