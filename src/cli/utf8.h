/* How many terminal columns a character takes. */
#ifndef CLI_UTF8_H
#define CLI_UTF8_H

#include "core/utf8.h"

/* 0 for combining marks, 2 for wide East Asian characters and pictographs, else 1. */
size_t utf8_columns(uint32_t c);

#endif
