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
 * Returns a document's value, new. Of a repeated key the last value counts. Returns NULL with
 * the reason in *fault if a number is out of range, memory is out, or the work was stopped.
 * The hook is asked every few thousand values.
 */
json_t *json_value_of(const json_document *document, json_fault *fault, stop_hook stop);

/* Reads a whole text by json_reader_whole without rules, and returns its value. For texts
 * whose places no message tells. */
json_t *json_value_read(json_reader *r, const char *text, size_t size, json_fault *fault);
/* The same for a game's file, which may have what the games accept beyond strict JSON; the
 * text is made strict in place (json_rules.loose). */
json_t *json_value_read_loose(json_reader *r, char *text, size_t size, json_fault *fault);

/* Appends the text of a string, unescaped and without a NUL. `span` counts its bytes with
 * the quotes. */
void json_scalar_string(bytes *out, const char *at, size_t span);
/* Is the number in at .. end - 1 written with a point or an exponent? */
bool json_scalar_is_real(const char *at, const char *end);
/* Reads a whole number: digits, perhaps with a sign. False where it is out of range. */
bool json_scalar_integer(long long *out, const char *at, const char *end);
/* Reads any number; an infinity where it is out of range. `buffer` is used for scratch and
 * is the same afterwards. False when memory is out. */
bool json_scalar_real(double *out, bytes *buffer, const char *at, const char *end);
