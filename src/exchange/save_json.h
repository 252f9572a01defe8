/*
 * Reading a save's JSON: values with checks, and errors with their place in the file. A place
 * is a JSON Pointer, made only where something is wrong.
 */
#ifndef EXCHANGE_SAVE_JSON_H
#define EXCHANGE_SAVE_JSON_H

#include "core/arena.h"
#include "exchange/exchange.h"
#include "json/json_value.h"

enum { SAVE_POINTER_SIZE = 200 };

/* An id that the content does not know. */
typedef struct save_lack {
    char *key; /* owned: a letter for the kind, and the id */
    ptl_save_unknown kind;
    uint64_t count;
    char pointer[SAVE_POINTER_SIZE]; /* of its first place */
} save_lack;

typedef struct save_lacks {
    save_lack *items; /* owned; in the order in which they were met */
    size_t count, room;
    strmap numbers; /* by key */
} save_lacks;

typedef struct save_json {
    const save_reader *reader;
    const char *text;    /* the file's, header line and all */
    size_t start;        /* where the JSON begins in it */
    json_reader *parsed; /* owned; has the document */
    json_t *root;        /* owned */
    save_overmap *out;
    save_lacks *lacks;
    ptl_error *err;
} save_json;

/* Fails with "path:line:column: message" for the value that the pointer names. */
ptl_status save_json_fail(const save_json *j, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Skips the header line and parses the rest. To be disposed of in any case. */
ptl_status save_json_load(save_json *j, const char *text, size_t size);
void save_json_dispose(save_json *j);

/* A member of the root that must be an array (or object) if it is there; *out NULL if not. */
ptl_status save_json_array(const save_json *j, const char *key, json_t **out);

/* Reads value[key] as a whole number in lo..hi. One that is absent gives `fallback`, or, where
 * that is out of lo..hi, an error. pointer is that of value. */
ptl_status save_json_int(const save_json *j, json_t *value, const char *pointer,
                         const char *key, int64_t limits[2], int64_t fallback, int64_t *out);
/* Reads value[key] as text, borrowed from the JSON; fallback NULL: it must be there. */
ptl_status save_json_text(const save_json *j, json_t *value, const char *pointer,
                          const char *key, const char *fallback, const char **out);

/* Reads an array of three whole numbers, of 32 bits each. */
ptl_status save_json_place(const save_json *j, json_t *value, const char *pointer,
                           save_spot *out);

/* Appends "path:line:column" of the value that the pointer names. */
void save_json_place_of(bytes *out, const save_json *j, const char *pointer);

/* save_numbers.c: once the points of specials are read, takes those that have a number out of
 * out->specials into out->placed, with their joins. */
ptl_status save_numbers_read(const save_json *j);

/* save_values.c, ids that the content lacks: */
void save_lacks_init(save_lacks *l);
void save_lacks_dispose(save_lacks *l);
/* Notes an id that the content lacks, count times at the place of the pointer. */
ptl_status save_lacks_add(const save_json *j, ptl_save_unknown kind, const char *id,
                          uint64_t count, const char *pointer);
/* PTL_ERR_CONTENT at the first terrain that is lacking, if any is. */
ptl_status save_lacks_fail(const save_json *j);
/* Tells the reader's callbacks of all. */
ptl_status save_lacks_tell(const save_json *j);

#endif
