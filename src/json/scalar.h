/* What the scalars of a document (document.h) mean. The reader has checked their syntax. */
#ifndef JSON_SCALAR_H
#define JSON_SCALAR_H

#include "core/bytes.h"

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

#endif
