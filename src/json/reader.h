/*
 * The reader of JSON, the only code that knows the grammar: strict JSON in UTF-8. Where asked
 * to, it also accepts what the games read beyond that, and makes it strict (dialect.h). One
 * pass over a text finds its entries (document.h). It is iterative, so that nesting can't
 * overflow the stack, and builds no values, since most of a game's objects are never looked
 * into.
 * A text is read as a whole, or, if it is an array, element by element, so that only one
 * element is in memory at a time:
 *     json_reader_start(r, text, size, &rules);
 *     while (json_reader_more(r) && json_reader_element(r))
 *         use(json_reader_document(r));
 *     if (json_reader_fault(r)->kind != JSON_SOUND) ...
 */
#pragma once

#include "core/stop.h"
#include "json/dialect.h"
#include "json/document.h"
#include "json/limits.h"

typedef enum json_fault_kind {
    JSON_SOUND,
    JSON_NO_MEMORY,
    JSON_STOPPED,
    JSON_SCALAR,     /* a string, number or word that is malformed */
    JSON_UNEXPECTED, /* a byte that can't stand at its place */
    JSON_BEHIND,     /* something follows the value */
    JSON_DEEP,       /* nested deeper than JSON_DEPTH_MAX */
    JSON_LONG_KEY,   /* a limit of json_rules.limited, as the next two */
    JSON_LONG_VALUE,
    JSON_MANY, /* too many elements in the array or object that begins there */
    JSON_RANGE /* from json_value.h: the number fits neither an integer nor a real */
} json_fault_kind;

typedef struct json_fault {
    json_fault_kind kind;
    const char *at;     /* where, in the text */
    const char *reason; /* a constant; NULL with JSON_NO_MEMORY and JSON_STOPPED */
    /* Of JSON_UNEXPECTED: a constant that may be appended to the reason; "" if there is
     * none. */
    const char *more;
    /* The innermost bracket that is open there; NULL: none is. */
    const char *open;
} json_fault;

typedef struct json_rules {
    /* The same text, as a pointer that may be written through: then what the games accept
     * beyond strict JSON is made strict. Arrays may hold comments, "//...": "...", which
     * are blanked. text[size] must be NUL. With NULL all of that is a fault, and nothing is
     * written. */
    char *loose;
    bool limited;  /* limits strings and counts to JSON_STRING_MAX and JSON_COUNT_MAX */
    bool repeated; /* lists repeated keys, except those that begin with "//" */
} json_rules;

/* What was found beyond strict JSON in the text, as far as it has been read. */
typedef struct json_oddities {
    uint32_t first[JSON_ODDS]; /* offset of the first of each kind */
    uint32_t count[JSON_ODDS];
} json_oddities;

/* A key that repeats an earlier key of its object. */
typedef struct json_repeated {
    uint32_t start, length; /* between the quotes */
    uint32_t closed;        /* where its object is closed */
} json_repeated;

typedef struct json_reader json_reader; /* keeps its memory from text to text */

/* Returns a new reader, or NULL when memory is out. The hook is asked every few thousand
 * elements. */
json_reader *json_reader_new(stop_hook stop);
void json_reader_free(json_reader *r);

/* Reads text[0 .. size - 1], which must be one value and white space. There must be a NUL
 * at text[size] or later. False on a fault, which json_reader_fault tells. rules may be
 * NULL. */
bool json_reader_whole(json_reader *r, const char *text, size_t size, const json_rules *rules);

/* Reads the elements of an array one by one; a value that is no array counts as the only
 * element. text[size] must be NUL. json_reader_more goes to the next element, which
 * json_reader_element then reads; both return false at a fault, and json_reader_more at the
 * end, too. */
void json_reader_start(json_reader *r, const char *text, size_t size, const json_rules *rules);
bool json_reader_more(json_reader *r);
bool json_reader_element(json_reader *r);
/* Tells where the element begins, between a call of json_reader_more and
 * json_reader_element. */
const char *json_reader_at(const json_reader *r);
/* Continues after a fault inside an array, at the beginning of an element: takes the place
 * of json_reader_more. False if the fault is not in an element, or reading can't continue
 * after it. */
bool json_reader_resume(json_reader *r, const char *at);

/* What was read last; valid until the next element is read. After a fault it is incomplete. */
json_document json_reader_document(const json_reader *r);
const json_repeated *json_reader_repeated(const json_reader *r, size_t *count);
const json_oddities *json_reader_oddities(const json_reader *r);
const json_fault *json_reader_fault(const json_reader *r);
