/*
 * The reader of JSON, the only code that knows the grammar: strict JSON in UTF-8. If asked to,
 * it also accepts the games' additions, and replaces them by strict JSON (dialect.h). One pass
 * over a text lists its keys, scalars and brackets (document.h). The reader is iterative, so
 * that nesting can't overflow the stack, and builds no values, since most of a game's objects
 * are never looked into. A text is read as a whole, or, if it is an array, element by element,
 * so that only one element's entries are in memory at a time:
 *     json_reader_start(r, text, size, &rules);
 *     while (json_reader_more(r) && json_reader_element(r))
 *         use(json_reader_document(r));
 *     if (json_reader_fault(r)->kind != JSON_SOUND) ...
 */
#pragma once

#include "core/stop.h"
#include "json/dialect.h"
#include "json/document.h"

/* Limits on JSON that is read. Jansson's own limit of depth is 2,048; the limits here stay
 * below what Jansson and recursive functions can handle. */
enum {
    JSON_TEXT_MAX = 64 << 20,  /* most bytes of a text */
    JSON_STRING_MAX = 1 << 20, /* most bytes of a string */
    JSON_DEPTH_MAX = 1000,     /* greatest depth of nested arrays and objects */
    JSON_COUNT_MAX = 1000000   /* most elements of one array or object */
};

typedef enum json_fault_kind {
    JSON_SOUND,
    JSON_NO_MEMORY,
    JSON_STOPPED,
    JSON_SCALAR,     /* a malformed string, number or word (true, false, null) */
    JSON_UNEXPECTED, /* a byte that may not stand where it is */
    JSON_BEHIND,     /* something follows the document's single value */
    JSON_DEEP,       /* arrays and objects are nested deeper than JSON_DEPTH_MAX */
    /* The next three: the text exceeds a limit, which counts only if json_rules.limited is
     * set. */
    JSON_LONG_KEY,
    JSON_LONG_VALUE,
    JSON_MANY, /* too many elements in the array or object that begins at `at` */
    JSON_RANGE /* reported by json_value.h: a number fits neither an integer nor a real */
} json_fault_kind;

typedef struct json_fault {
    json_fault_kind kind;
    const char *at;     /* place of the fault in the text */
    const char *reason; /* a constant text; NULL with JSON_NO_MEMORY and JSON_STOPPED */
    /* With JSON_UNEXPECTED: a constant text that may be appended to the reason, or "". */
    const char *more;
    /* The innermost bracket that is open at the fault; NULL: no bracket is open. */
    const char *open;
} json_fault;

typedef struct json_rules {
    /* The text that is read, as a pointer that may be written through: then the games'
     * additions to strict JSON are accepted, and replaced by strict JSON in the text. Arrays
     * may hold comments, "//...": "...", which are blanked. text[size] must be NUL. With NULL
     * every addition is a fault, and nothing is written. */
    char *loose;
    /* True: strings and counts must not exceed JSON_STRING_MAX and JSON_COUNT_MAX. */
    bool limited;
    bool repeated; /* true: repeated keys are listed, except those that begin with "//" */
} json_rules;

/* Which additions to strict JSON were found in the part of the text that was read so far. */
typedef struct json_oddities {
    uint32_t first[JSON_ODDS]; /* for each kind of addition to strict JSON, the offset at which
                                  it was found first */
    uint32_t count[JSON_ODDS];
} json_oddities;

/* A key that repeats an earlier key of its object. */
typedef struct json_repeated {
    uint32_t start, length; /* offset and length of the key without its quotes */
    uint32_t closed;        /* offset of the closing bracket of the object that has the key */
} json_repeated;

/* Reads JSON. One json_reader can read many texts one after the other, in the same memory. */
typedef struct json_reader json_reader;

/* Returns a new reader, or NULL when memory is out. The reader asks `stop` every few thousand
 * elements whether to go on. */
json_reader *json_reader_new(stop_hook stop);
void json_reader_free(json_reader *r);

/* Reads text[0 .. size - 1], which must be one value and white space. There must be a NUL at
 * text[size] or later. False on a fault, which json_reader_fault returns. rules may be NULL. */
bool json_reader_whole(json_reader *r, const char *text, size_t size, const json_rules *rules);

/* Reads the elements of an array one by one; a value that is no array counts as a single
 * element. text[size] must be NUL. json_reader_more goes to the next element, which
 * json_reader_element then reads; both return false at a fault, and json_reader_more also at
 * the end. */
void json_reader_start(json_reader *r, const char *text, size_t size, const json_rules *rules);
bool json_reader_more(json_reader *r);
bool json_reader_element(json_reader *r);
/* Returns where the next element begins. To be called between json_reader_more and
 * json_reader_element. */
const char *json_reader_at(const json_reader *r);
/* Lets the reading of an array go on after a fault in one of its elements; it is called in
 * place of json_reader_more. `at` is where that element begins. False if the fault is not in an
 * element, or if the reading can't go on after it. */
bool json_reader_resume(json_reader *r, const char *at);
/* After a fault, returns where an object begins at which the reading may go on: at the fault
 * itself, if that is between two elements; else on the next line that begins an object with the
 * same indent as the line of `began`, where the element began that was read last (with no
 * indent, if the element does not begin its line). NULL: there is no such place. */
const char *json_reader_next_like(const json_reader *r, const char *began, bool in_element);

/* Return the document that was read last, and its repeated keys; both are valid until the next
 * element is read. After a fault the document is incomplete. */
json_document json_reader_document(const json_reader *r);
const json_repeated *json_reader_repeated(const json_reader *r, size_t *count);
const json_oddities *json_reader_oddities(const json_reader *r);
const json_fault *json_reader_fault(const json_reader *r);
