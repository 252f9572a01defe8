/*
 * The reader of JSON: the one that knows its grammar, which is strict JSON in UTF-8; what the
 * games read beyond it is made strict (dialect.h) where that is asked for. One pass over a text
 * finds its entries (document.h). It is iterative, so that nesting can't overflow
 * the stack, and builds no values: most of a game's objects are never looked into.
 *
 * A text is read as a whole, or, where it is a list, element by element, so that no more than
 * one of them is in memory:
 *
 *     json_reader_start(r, text, size, &rules);
 *     while (json_reader_more(r) && json_reader_element(r))
 *         use(json_reader_document(r));
 *     if (json_reader_fault(r)->kind != JSON_SOUND) ...
 */
#ifndef JSON_READER_H
#define JSON_READER_H

#include "core/stop.h"
#include "json/dialect.h"
#include "json/document.h"
#include "json/limits.h"

typedef enum json_fault_kind {
    JSON_SOUND,
    JSON_NO_MEMORY,
    JSON_STOPPED,
    JSON_SCALAR,     /* a string, number or word that is none */
    JSON_UNEXPECTED, /* what stands there can't stand there */
    JSON_BEHIND,     /* something stands behind the end */
    JSON_DEEP,       /* more than JSON_DEPTH_MAX brackets inside each other */
    JSON_LONG_KEY,   /* the limits of a json_rules, from here on */
    JSON_LONG_VALUE,
    JSON_MANY, /* elements of the array or object that begins there */
    JSON_RANGE /* json_value.h: a number that no integer or real can hold */
} json_fault_kind;

typedef struct json_fault {
    json_fault_kind kind;
    const char *at;     /* in the text */
    const char *reason; /* a constant; NULL with JSON_NO_MEMORY and JSON_STOPPED */
    const char *more; /* of JSON_UNEXPECTED: a constant that may be put behind the reason, "" */
    const char *open; /* the innermost bracket that is not closed; NULL: there is none */
} json_fault;

typedef struct json_rules {
    /* The text once more, to be written to: what the games read beyond strict JSON is made
     * strict, and arrays may hold comments, "//...": "...", which are blanked; text[size] must
     * be NUL then. NULL: all that is a fault, and nothing is written to. */
    char *loose;
    bool limited;  /* JSON_STRING_MAX and JSON_COUNT_MAX hold */
    bool repeated; /* repeated keys are listed; those that begin with "//" are not keys */
} json_rules;

/* What was found beyond strict JSON, of the whole text as far as it was read. */
typedef struct json_oddities {
    uint32_t first[JSON_ODDS]; /* offset of the first of each kind */
    uint32_t count[JSON_ODDS];
} json_oddities;

/* A key that its object has already. */
typedef struct json_repeated {
    uint32_t start, length; /* between the quotes */
    uint32_t closed;        /* where its object is closed */
} json_repeated;

typedef struct json_reader json_reader; /* its memory is used again for each text */

/* Returns a new reader, or NULL when memory is out. The hook is asked every few thousand
 * elements. */
json_reader *json_reader_new(stop_hook stop);
void json_reader_free(json_reader *r);

/* Reads text[0 .. size - 1], which is one value, but for white space. A NUL must follow, there
 * or later. False: json_reader_fault has the reason. rules may be NULL. */
bool json_reader_whole(json_reader *r, const char *text, size_t size, const json_rules *rules);

/* The same element by element, or the value itself if it is no array. text[size] must be NUL.
 * json_reader_more goes to the next one, which json_reader_element reads: false at the end, and
 * at a fault. */
void json_reader_start(json_reader *r, const char *text, size_t size, const json_rules *rules);
bool json_reader_more(json_reader *r);
bool json_reader_element(json_reader *r);
/* Between the two calls, tells where the element begins. */
const char *json_reader_at(const json_reader *r);
/* Goes on after a fault in a list at `at`, where an element begins, as json_reader_more does.
 * False if the fault is none of the list's elements, or there is no going on after it. */
bool json_reader_resume(json_reader *r, const char *at);

/* What was read last, until the next is. After a fault: what there was of it until then. */
json_document json_reader_document(const json_reader *r);
const json_repeated *json_reader_repeated(const json_reader *r, size_t *count);
const json_oddities *json_reader_oddities(const json_reader *r);
const json_fault *json_reader_fault(const json_reader *r);

#endif
