/* Characters on the terminal. */
#ifndef CLI_UTF8_H
#define CLI_UTF8_H

#include "core/utf8.h"

/* 0 for combining marks, 2 for wide East Asian characters and pictographs, else 1. */
size_t utf8_columns(uint32_t c);
/* UTF-8 of a code point; "" for 0. */
void utf8_text(uint32_t c, char out[5]);

#endif
