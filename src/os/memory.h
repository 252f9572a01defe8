/* Advice to the system on how to back memory with pages, and when to take memory back. */
#pragma once

#include <stddef.h>

enum { MEMORY_LARGE = 1 << 21 }; /* size of a large page on most machines, in bytes */

/* Advises the system that most of this memory will be used, so that one large page may take the
 * place of 512 small ones. `start` and `size` must be multiples of MEMORY_LARGE. The system may
 * ignore the advice; the contents stay. */
void memory_large(void *start, size_t size);

/* From now on, pieces of memory from some 100 kB on are given back to the system as soon as
 * they are freed, in each thread of the program. Without this call glibc keeps megabytes of
 * them for each thread that ever had some. */
void memory_give_back(void);
