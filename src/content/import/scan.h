/*
 * The top-level objects of a JSON file: one pass over its text validates it, makes
 * what the games read beyond JSON strict and finds the objects, which are given one after the
 * other.
 */
#ifndef CONTENT_IMPORT_SCAN_H
#define CONTENT_IMPORT_SCAN_H

#include "core/bytes.h"
#include "portolan/import.h"
#include "json/reader.h"

/* Members of a top-level object whose place is remembered: its type, and what it is called.
 * kept_name lists those from SCAN_ID on. */
typedef enum scan_member {
    SCAN_TYPE,
    SCAN_NAME, /* looked at only to tell what an object without a type is */
    SCAN_ID,
    SCAN_ABSTRACT,
    SCAN_OM_TERRAIN,
    SCAN_NESTED_MAPGEN_ID,
    SCAN_UPDATE_MAPGEN_ID,
    SCAN_CATEGORY,
    SCAN_FROM,  /* replacements: "from" */
    SCAN_USAGE, /* lists of names: "usage" */
    SCAN_MEMBERS
} scan_member;

extern const char *const scan_member_names[SCAN_MEMBERS];

/* A part of the text: [start, end); both 0 if absent. */
typedef struct scan_span {
    uint32_t start, end;
} scan_span;

typedef struct scan_object {
    size_t offset, length; /* braces included */
    int line;              /* from 1 */
    scan_span members[SCAN_MEMBERS];
    json_document document; /* borrowed until the callback returns */
} scan_object;

typedef struct scan_problem {
    ptl_severity severity;
    size_t offset;
    scan_span id; /* the "id" or "abstract" of the object it lies in, as far as it was read */
    const char *message; /* borrowed until the callback returns */
} scan_problem;

typedef struct scan_handler {
    ptl_status (*on_object)(void *payload, const scan_object *object);
    void (*on_problem)(void *payload, const scan_problem *problem);
    void *payload;
    /* What is wrong is a warning, and the scan goes on at the next line that begins as the one
     * of the object did in which the text is wrong, or ends where there is none. */
    bool lenient;
} scan_handler;

/*
 * Scans text, which is followed by a NUL (text[size] == 0), and makes strict JSON of it, which
 * is a problem of severity PTL_WARNING the first time. Scanning a text again changes nothing. A
 * problem in the text is no failure: only PTL_ERR_NOMEM, PTL_ERR_CANCELLED or what on_object
 * returns. The objects before a syntax error are given.
 */
ptl_status scan_text(json_reader *reader, char *text, size_t size, const scan_handler *handler);

/* Appends the object's canonical text: without white space, and without members whose key
 * begins with "//". */
void scan_canonical(bytes *out, const json_document *object);

#endif
