/*
 * Reading a save's JSON: values with checks, and errors with their place in the file. A place
 * is a JSON Pointer, made only where something is wrong.
 */
#ifndef EXCHANGE_SAVE_JSON_H
#define EXCHANGE_SAVE_JSON_H

#include "exchange/exchange.h"
#include "json/json_value.h"

typedef struct save_json {
    const save_reader *reader;
    const char *text;    /* the file's, header line and all */
    size_t start;        /* where the JSON begins in it */
    json_reader *parsed; /* owned; has the document */
    json_t *root;        /* owned */
    save_overmap *out;
    ptl_error *err;
} save_json;

enum { SAVE_POINTER_SIZE = 200 };

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
                           int32_t out[3]);

#endif
