/* Advice to the system on how to back memory with pages. */
#pragma once

#include <stddef.h>

enum { MEMORY_LARGE = 1 << 21 }; /* size of a large page on most machines, in bytes */

/* Advises the system that most of this memory will be used, so that one large page may take the
 * place of 512 small ones. `start` and `size` must be multiples of MEMORY_LARGE. The system may
 * ignore the advice; the contents stay. */
void memory_large(void *start, size_t size);
