/* Decoding UTF-8 and how many terminal columns a character takes. */
#ifndef CLI_UTF8_H
#define CLI_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_BAD UINT32_C(0xffffffff)

/* The code point at text, which has size > 0 bytes; UTF8_BAD for one byte that starts none.
 * Returns the bytes used, at least 1. */
size_t utf8_decode(const char *text, size_t size, uint32_t *out);

/* 0 for combining marks, 2 for wide East Asian characters and pictographs, else 1. */
size_t utf8_columns(uint32_t c);

#endif
