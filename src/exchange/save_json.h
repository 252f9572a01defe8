/* Reading a save's JSON: checked access to values, and errors with the place in the file.
 * Places are given as JSON Pointers, and turned into line and column only for messages. */
#ifndef EXCHANGE_SAVE_JSON_H
#define EXCHANGE_SAVE_JSON_H

#include "core/arena.h"
#include "exchange/exchange.h"
#include "json/json_value.h"

enum { SAVE_POINTER_SIZE = 200 };

/* A value, and the way to it, from which messages tell its place. */
typedef struct save_value {
    json_t *json;                /* borrowed; NULL: there is no such value */
    const struct save_value *in; /* what contains it; NULL: it is the whole overmap */
    const char *key;             /* its name there; NULL: it is the element `index` of a list */
    size_t index;
} save_value;

static inline save_value save_member(const save_value *in, const char *key)
{
    return (save_value){json_object_get(in->json, key), in, key, 0};
}

static inline save_value save_element(const save_value *in, size_t index)
{
    return (save_value){json_array_get(in->json, index), in, NULL, index};
}

/* An id that the content does not know. */
typedef struct save_lack {
    char *key; /* owned: a letter for the kind, followed by the id */
    ptl_save_unknown kind;
    uint64_t count;
    char pointer[SAVE_POINTER_SIZE]; /* of the first occurrence */
} save_lack;

/* All ids of a file that the content does not know. */
typedef struct save_lacks {
    save_lack *items; /* owned; in the order of first occurrence */
    size_t count, room;
    strmap numbers; /* index into items, by key */
} save_lacks;

/* A file while it is read. */
typedef struct save_json {
    const save_reader *reader;
    const char *text;    /* the whole text of the file, with its header line */
    size_t start;        /* where the JSON begins in it */
    json_reader *parsed; /* owned; holds the parsed document */
    save_value root;     /* owned */
    save_overmap *out;
    save_lacks *lacks;
    ptl_error *err;
} save_json;

/* Fails with "path:line:column: message", the place of the value. */
ptl_status save_json_fail(const save_json *j, const save_value *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Skips the header line and parses the rest. j must be disposed of in any case. */
ptl_status save_json_load(save_json *j, const char *text, size_t size);
void save_json_dispose(save_json *j);

/* Gives a member of the root, which must be an array if it exists. */
ptl_status save_json_array(const save_json *j, const char *key, save_value *out);

/* Reads an array of three whole numbers, of 32 bits each. */
ptl_status save_json_place(const save_json *j, const save_value *at, save_spot *out);

/* In save_numbers.c. After the points of specials were read, moves those that have a number
 * from out->specials to out->placed, with their joins. */
ptl_status save_numbers_read(const save_json *j);

#endif
