/* UTF-8 (RFC 3629: shortest form, no surrogates), without a locale. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_BAD UINT32_C(0xffffffff)

/* Reads the code point at text, which must have size > 0 bytes. Returns the number of bytes
 * used, at least 1. If no code point begins there, *out is UTF8_BAD and one byte is used. */
size_t utf8_decode(const char *text, size_t size, uint32_t *out);

/* Is the whole text valid UTF-8? */
bool utf8_valid(const char *text);
/* Returns true if the text is valid and has no control characters (below U+0020, U+007F). */
bool utf8_is_plain(const char *text);

/* Returns how many bytes of the text a message of at most `most` bytes can show: no character
 * is cut. A character has at most four bytes, and what is no UTF-8 is cut anywhere. */
size_t utf8_cut(const char *text, size_t most);
/* The arguments of "%.*s" that print a text, or of a long one the characters in its first
 * `most` bytes. */
#define UTF8_CUT(text, most) (int)utf8_cut(text, most), text

/* Writes a code point as UTF-8, ended by a NUL; "" for 0. */
void utf8_text(uint32_t c, char out[5]);

/* Returns the width of a character on a terminal in columns: 0 for combining marks, 2 for
 * wide East Asian characters and pictographs, else 1. It does not depend on LC_CTYPE. */
size_t utf8_columns(uint32_t c);
