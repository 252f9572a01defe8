/* Random bytes that nobody can guess. */
#ifndef CLIENTS_OS_RANDOM_H
#define CLIENTS_OS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* Fills out, of at most 256 bytes; false with errno. */
bool random_fill(void *out, size_t size);

#endif
