/* Reading a save's JSON: checked access to values, and errors with the place in the file. A
 * value (json_view) refers to its place in the text of the file; no text is copied. */
#pragma once

#include "core/arena.h"
#include "exchange/exchange.h"
#include "json/reader.h"
#include "json/view.h"

/* An id that the content does not know. */
typedef struct save_lack {
    /* Owned: a letter for the kind, followed by the id, so that each kind and id has one key.
     */
    char *key;
    ptl_game_save_unknown kind;
    uint64_t count;
    size_t offset; /* where the id first occurs in the file's text */
} save_lack;

/* A save's file while it is read. */
typedef struct save_json {
    const save_reader *reader;
    const char *text; /* the whole text of the file, from its header line on */
    size_t start;     /* offset of the JSON in the text */
    int version;      /* version of the save, as the header line says; 0 without such a line */
    json_reader *parsed; /* owned; the reader that holds the parsed document */
    json_document document;
    json_view root;
    bytes buffer; /* owned; scratch for texts */
    save_overmap *out;
    /* Ids in the file that the content does not know, each once, in the order of first
     * occurrence. */
    save_lack *lacks; /* owned */
    size_t lack_count, lack_room;
    strmap lack_numbers; /* gives the index in `lacks` for each save_lack.key */
    void *more;          /* data for the function that save_json_each calls */
    ptl_error *err;
} save_json;

/* Fails with a message that begins with the place of the value in the file: "path:line:column:
 * message". If there is no memory for a text, fails with PTL_ERR_NOMEM instead. */
ptl_status save_json_fail(const save_json *j, json_view at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Skips the header line "# version N" and parses the JSON behind it. save_json_dispose must be
 * called in any case. */
ptl_status save_json_load(save_json *j, const char *text, size_t size);
void save_json_dispose(save_json *j);

/* Gets the member `key` of the root. If it exists, it must be an array. */
ptl_status save_json_array(const save_json *j, const char *key, json_view *out);
/* Calls `read` for each element of the root's member `key`, which must be an array if it
 * exists. */
ptl_status save_json_each(save_json *j, const char *key,
                          ptl_status (*read)(save_json *j, json_view element));
/* Gets the first `most` elements of an array. If the array has fewer elements, the rest of
 * `out` is set to absent values. Returns the number of all elements of the array; 0 if the
 * value is no array. */
size_t save_json_parts(json_view *out, size_t most, json_view array);
/* Returns the text of a string value, borrowed until the next call; NULL for any other value,
 * and when memory is out. */
const char *save_json_string(save_json *j, json_view value);

/* Reads the member `key`, a whole number from `low` to `high`. If it is absent, *out is
 * `fallback`; but if `fallback` is outside of that range, absence is an error. */
ptl_status save_json_int(const save_json *j, json_view in, const char *key, int64_t low,
                         int64_t high, int64_t fallback, int64_t *out);
/* Reads the member `key`, a text, and copies it to the overmap's features. If the member is
 * absent, *out is fallback; if fallback is NULL, an absent member is an error. */
ptl_status save_json_text(save_json *j, json_view in, const char *key, const char *fallback,
                          const char **out);
/* Counts an id that the content lacks, or a member that Portolan does not know: adds `count` to
 * how often it occurs. `at` is the JSON value that has it. All of them are reported when the
 * whole file is read. */
ptl_status save_json_lack(save_json *j, ptl_game_save_unknown kind, const char *id,
                          uint64_t count, json_view at);

/* Reads the array `at` of three whole numbers of 32 bits each. `in` is the value that contains
 * the array; if the array is missing, the message names the place of `in`. */
ptl_status save_json_place(const save_json *j, json_view in, json_view at, save_spot *out);

/* Is called when the points (OMTs of specials) have been read. Moves those points to which the
 * file gives the number of a placement from out->specials to out->placed, and adds the joins.
 * The function is in save_numbers.c. */
ptl_status save_numbers_read(save_json *j);

/* Reads an element of `monster_groups` (save_groups.c). */
ptl_status save_groups_read(save_json *j, json_view value);

/* Counts the entries of those members of the JSON that are not read, and reports members that
 * Portolan does not know (save_version.c). */
ptl_status save_rest_read(save_json *j);
