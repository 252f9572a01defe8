/* How the system gives memory. */
#ifndef OS_MEMORY_H
#define OS_MEMORY_H

#include <stddef.h>

enum { MEMORY_LARGE = 1 << 21 }; /* bytes of a large page, on most machines */

/* Says that so many bytes from `start`, a multiple of MEMORY_LARGE both, will mostly be used:
 * the system may then give them at once, as one page, instead of 512 times a small one. It need
 * not, and what is there is as it was. */
void memory_large(void *start, size_t size);

#endif
