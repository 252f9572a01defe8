/* UTF-8 (RFC 3629: shortest form, no surrogates), without a locale. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_BAD UINT32_C(0xffffffff)

/* The code point at text, which has size > 0 bytes; UTF8_BAD for one byte that starts none.
 * Returns the bytes used, at least 1. */
size_t utf8_decode(const char *text, size_t size, uint32_t *out);

/* Is the whole text valid UTF-8? */
bool utf8_valid(const char *text);

/* UTF-8 of a code point, ended by NUL; "" for 0. */
void utf8_text(uint32_t c, char out[5]);

/* Returns the width of a character on a terminal in columns: 0 for combining marks, 2 for
 * wide East Asian characters and pictographs, else 1. It does not depend on LC_CTYPE. */
size_t utf8_columns(uint32_t c);
