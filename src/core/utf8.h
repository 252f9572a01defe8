/* UTF-8 (RFC 3629: shortest form, no surrogates), without a locale. */
#ifndef CORE_UTF8_H
#define CORE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_BAD UINT32_C(0xffffffff)

/* The code point at text, which has size > 0 bytes; UTF8_BAD for one byte that starts none.
 * Returns the bytes used, at least 1. */
size_t utf8_decode(const char *text, size_t size, uint32_t *out);

/* Makes a text one line of valid UTF-8: each byte of a control character, and each that belongs
 * to no character, becomes '?'. For what came from a file that may be damaged or hostile. */
void utf8_one_line(char *text);

#endif
