/*
 * The texts that an editor has open, and the two ways in which places in texts are named: the
 * editor counts lines from 0, and in a line units of UTF-16 or UTF-8 (`utf8`, as the editor
 * chose); Portolan counts bytes.
 */
#pragma once

#include "portolan/import.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct document {
    char *uri;     /* owned; as the editor writes it */
    char *path;    /* owned */
    char *text;    /* owned; a NUL follows */
    size_t size;   /* bytes */
    size_t room;   /* bytes that `text` has room for */
    size_t *lines; /* owned; where each line begins */
    size_t line_count, line_room;
    int64_t version; /* number of the version that the editor has given to the text */
    bool has_version;
} document;

typedef struct documents {
    document *items; /* owned */
    size_t count, room;
} documents;

/* A place in a text as LSP has it, both numbers from 0: a line, and a place in that line in
 * units of UTF-16 or in bytes. */
typedef struct text_place {
    size_t line, unit;
} text_place;

void documents_dispose(documents *list);
/* Returns the document of this address; NULL if it is not open. */
document *documents_find(const documents *list, const char *uri);
document *documents_of_path(const documents *list, const char *path);
/* Opens a document. If the document is open, replaces its text. Address and text are copied.
 * Returns the document; NULL when memory is out, or if the address is that of no file. */
document *documents_put(documents *list, const char *uri, const char *text);
void documents_close(documents *list, document *d);
/* Replaces a part of the text. False when memory is out; then the document can only be closed.
 */
bool document_edit(document *d, text_place from, text_place to, bool utf8, const char *text);
/* Returns the size of the byte order mark at the beginning of the text; 0: there is none. */
size_t document_mark(const document *d);
/* Returns the offset of a place in the text; a place behind the end of its line, or of the
 * text, is that end. */
size_t document_offset(const document *d, text_place at, bool utf8);
/* Returns the place of an offset, which is at most `size`. */
text_place text_place_of(const char *text, size_t size, size_t offset, bool utf8);

/* A cursor finds many places of one text, one after the other. If the next place lies behind
 * the last one, only the text between them is read. The members after `text`, `size` and `utf8`
 * must be zero at first. */
typedef struct text_cursor {
    const char *text;
    size_t size;
    bool utf8;
    size_t at;
    text_place place;
} text_cursor;
typedef struct remark_cursor {
    const char *text;
    size_t size;
    size_t at; /* where the line begins */
    int line;
} remark_cursor;
/* Returns the place of an offset. */
text_place text_cursor_to(text_cursor *c, size_t offset);
/* Returns the offset in the text that belongs to the line and column of a remark, which are
 * counted from 1. */
size_t remark_cursor_to(remark_cursor *c, int line, int column);

/* Returns the path of a file's address, file:///..., with the links of its folder resolved. The
 * caller frees it. NULL if it is the address of no local file, or memory is out. */
char *path_of_uri(const char *uri);
/* Returns the address of a path: file:///... if the path is absolute, else an address that
 * begins with "portolan:". The caller frees it; NULL when memory is out. */
char *uri_of_path(const char *path);
