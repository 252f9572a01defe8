/* What the scalars of a document (document.h) mean, which the reader has found to be sound. */
#ifndef JSON_SCALAR_H
#define JSON_SCALAR_H

#include "core/bytes.h"

/* Appends the text of a string of span bytes, quotes included, unescaped and without a NUL. */
void json_scalar_string(bytes *out, const char *at, size_t span);
/* Is the number at[0 .. end - 1] written with a point or an exponent? */
bool json_scalar_is_real(const char *at, const char *end);
/* Reads a whole number of a sign, if any, and digits; false where it is out of range. */
bool json_scalar_integer(long long *out, const char *at, const char *end);
/* Reads any number; infinite where it is out of range. The buffer is as before then; false when
 * memory is out. */
bool json_scalar_real(double *out, bytes *buffer, const char *at, const char *end);

#endif
