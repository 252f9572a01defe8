/* Reading a save's JSON: checked access to values, and errors with the place in the file.
 * Values are views of the text (json/view.h), of which no copies are made. */
#pragma once

#include "core/arena.h"
#include "exchange/exchange.h"
#include "json/reader.h"
#include "json/view.h"

/* An id that the content does not know. */
typedef struct save_lack {
    char *key; /* owned: a letter for the kind, followed by the id */
    ptl_save_unknown kind;
    uint64_t count;
    size_t offset; /* where it first occurs in the file's text */
} save_lack;

/* A file while it is read. */
typedef struct save_json {
    const save_reader *reader;
    const char *text;    /* the whole text of the file, with its header line */
    size_t start;        /* where the JSON begins in it */
    json_reader *parsed; /* owned; holds the parsed document */
    json_document document;
    json_view root;
    bytes buffer; /* owned; scratch for texts */
    save_overmap *out;
    /* All ids of the file that the content does not know, in the order of first occurrence. */
    save_lack *lacks; /* owned */
    size_t lack_count, lack_room;
    strmap lack_numbers; /* index into lacks, by key */
    void *more;          /* for the reader of a list's elements */
    ptl_error *err;
} save_json;

/* Fails with "path:line:column: message", the place of the value. PTL_ERR_NOMEM instead if
 * there was no memory for a text. */
ptl_status save_json_fail(const save_json *j, json_view at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Skips the header line and parses the rest. j must be disposed of in any case. */
ptl_status save_json_load(save_json *j, const char *text, size_t size);
void save_json_dispose(save_json *j);

/* Gives a member of the root, which must be an array if it exists. */
ptl_status save_json_array(const save_json *j, const char *key, json_view *out);
/* Reads each element of such an array with the given function. */
ptl_status save_json_each(save_json *j, const char *key,
                          ptl_status (*read)(save_json *j, json_view element));
/* Gives the first elements of an array, at most `most`; those that it lacks are absent. Returns
 * the number of all its elements, 0 for any other value. */
size_t save_json_parts(json_view *out, size_t most, json_view array);
/* Returns a text, borrowed until the next call; NULL for any other value, and when memory is
 * out. */
const char *save_json_string(save_json *j, json_view value);

/* Reads an array of three whole numbers, of 32 bits each, that lies in another value. */
ptl_status save_json_place(const save_json *j, json_view in, json_view at, save_spot *out);

/* In save_numbers.c. After the points of specials were read, moves those that have a number
 * from out->specials to out->placed, with their joins. */
ptl_status save_numbers_read(save_json *j);
