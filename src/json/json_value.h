/*
 * Jansson values of JSON text, without Jansson's own parser: when memory runs out inside a
 * token, that one drops characters without a word, or reads past its buffer (2.14, lex_save).
 * Building values by its other functions is safe.
 */
#ifndef JSON_JSON_VALUE_H
#define JSON_JSON_VALUE_H

#include "json/reader.h"

#include <jansson.h>

/*
 * The value that the document is. Of a repeated key the last value counts. New; NULL with the
 * reason in *fault: a number out of range, or no memory, or stopped. The hook is asked every
 * few thousand values.
 */
json_t *json_value_of(const json_document *document, json_fault *fault, stop_hook stop);

/* Does json_reader_whole without rules, and makes the value of it: for texts of which no place
 * is told. */
json_t *json_value_read(json_reader *r, const char *text, size_t size, json_fault *fault);
/* The same of a file of a game's, which may be what the games read beyond JSON, and is made
 * strict (json_rules). */
json_t *json_value_read_loose(json_reader *r, char *text, size_t size, json_fault *fault);

#endif
