/* Finds the top-level objects of a JSON file. One pass over the text validates it, rewrites the
 * games' additions to JSON as strict JSON, and gives the objects to the caller one after the
 * other. */
#pragma once

#include "core/bytes.h"
#include "model/remark_codes.h"
#include "json/reader.h"

/* The members of a top-level object whose places the scan notes: its type, and its names. The
 * table kept_name has rows for those from SCAN_ID on. */
typedef enum scan_member {
    SCAN_TYPE,
    SCAN_NAME, /* "name": tells what an object without a type is */
    SCAN_ID,
    SCAN_ABSTRACT,
    SCAN_OM_TERRAIN,
    SCAN_NESTED_MAPGEN_ID,
    SCAN_UPDATE_MAPGEN_ID,
    SCAN_CATEGORY,
    SCAN_FROM,  /* "from": the old id in a replacement */
    SCAN_USAGE, /* "usage": an object that has this member and "name", but no "type", is a list
                   of names */
    SCAN_MEMBERS
} scan_member;

extern const char *const scan_member_names[SCAN_MEMBERS];

/* A part of the text from start to end - 1; both are 0 if it is absent. */
typedef struct scan_span {
    uint32_t start, end;
} scan_span;

/* What is kept of an object from one import to the next. */
typedef struct scan_kept {
    bool listed; /* modules read the object, so its document is kept */
    bool sound;  /* the object was compiled as mapgen, and has no error */
    /* Owned; the Jansson value that was made of the object; NULL: none was. */
    struct json_t *json;
    /* Owned; what the object adds to the content's digest. NULL: no digest was made. */
    char *canonical;
    size_t canonical_size;
} scan_kept;

typedef struct scan_object {
    size_t offset, length; /* span of the whole object, with its braces */
    int line;              /* line on which the object begins; the first line is 1 */
    scan_span members[SCAN_MEMBERS];
    /* All values of the object; only valid until the callback returns. */
    json_document document;
    scan_kept *kept; /* set by the callback; NULL: nothing is kept of the object */
} scan_object;

typedef struct scan_problem {
    ptl_severity severity; /* with scan_handler.lenient, errors become warnings */
    remark_code code;
    size_t offset;
    /* The "id" or "abstract" of the object that has the problem, if the scan has read it
     * before the problem. */
    scan_span id;
    const char *message; /* borrowed until the callback returns */
} scan_problem;

typedef struct scan_handler {
    ptl_status (*on_object)(void *payload, const scan_object *object);
    void (*on_problem)(void *payload, const scan_problem *problem);
    void *payload;
    /* If `lenient` is true, problems are warnings, and the scan goes on at the next line that
     * begins an object with the same indent as the faulty object. Without such a line the scan
     * ends. */
    bool lenient;
} scan_handler;

/*
 * Scans a text, which a NUL must follow (text[size] == 0), and rewrites it as strict JSON in
 * its own buffer. The first addition to strict JSON of each kind is reported as a PTL_WARNING.
 * Scanning the text a second time changes nothing. A problem in the text is not a failure: the
 * status is PTL_OK, PTL_ERR_NOMEM, PTL_ERR_CANCELLED or what on_object returns. Objects before
 * a syntax error are given to on_object.
 */
ptl_status scan_text(json_reader *reader, char *text, size_t size, const scan_handler *handler);
