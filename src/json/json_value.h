/*
 * Builds Jansson values from JSON text, without Jansson's parser: when memory runs out inside
 * a token, that parser drops characters silently, or reads past its buffer (2.14, lex_save).
 * Jansson's functions that build values are safe.
 */
#pragma once

#include "core/bytes.h"
#include "json/reader.h"

#include <jansson.h>

/*
 * Makes a Jansson value of a document; it is the caller's. If a key is repeated, its last value
 * counts. Returns NULL with the reason in *fault if a number is out of range, memory is out, or
 * the work was stopped. The work asks `stop` every few thousand values whether to go on.
 */
json_t *json_value_of(const json_document *document, json_fault *fault, stop_hook stop);

/* Reads a whole text as strict JSON and returns its value, a new Jansson value; NULL with the
 * reason in *fault. It is for texts about which no message gives a line and column. */
json_t *json_value_read(json_reader *r, const char *text, size_t size, json_fault *fault);
/* Does what json_value_read does for a game's file, which may have the games' additions to
 * strict JSON; these are replaced by strict JSON in the buffer of the text (json_rules.loose).
 */
json_t *json_value_read_loose(json_reader *r, char *text, size_t size, json_fault *fault);

/* Appends the text of the string at `at`, unescaped and without a NUL. `span` is the number of
 * its bytes with both quotes. */
void json_scalar_string(bytes *out, const char *at, size_t span);
/* Is the number in at .. end - 1 written with a decimal point or an exponent? */
bool json_scalar_is_real(const char *at, const char *end);
/* Reads a whole number: digits, perhaps with a sign. False where it is out of range. */
bool json_scalar_integer(long long *out, const char *at, const char *end);
/* Reads any number; the result is infinite where the number is out of range. `buffer` is used
 * as scratch and is unchanged afterwards. False when memory is out. */
bool json_scalar_real(double *out, bytes *buffer, const char *at, const char *end);

/* Appends a value as compact JSON. If memory is out, out->failed is set. (Jansson's json_dumps
 * is not used, because it does not notice some failed allocations and leaves out characters.)
 */
void json_put(bytes *out, const json_t *value);
