/*
 * JSON text -> Jansson values, without Jansson's own parser: when memory runs out inside a
 * token, that one drops characters without a word, or reads past its buffer (2.14, lex_save).
 * Building values by its other functions is safe. The grammar is strict JSON in UTF-8, as
 * token.h has it.
 */
#ifndef JSON_JSON_VALUE_H
#define JSON_JSON_VALUE_H

#include "core/stop.h"
#include "json/limits.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct json_fault {
    const char *at;     /* in the text */
    const char *reason; /* a constant; NULL: memory is out */
    bool range;         /* a number out of range */
    bool stopped;       /* no memory was wanting: the reading was stopped */
} json_fault;

/*
 * The value that is all of text[0 .. size - 1], but for white space. A NUL must follow, there
 * or later. Of a repeated key the last value counts. New; NULL with the reason in *fault. stop
 * is asked every few thousand values; it may be NULL.
 */
json_t *json_value_parse(const char *text, size_t size, json_fault *fault,
                         const stop_hook *stop);

#endif
