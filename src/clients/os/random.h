/* Random bytes for secrets. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Fills `out` with `size` random bytes, at most 256. Returns false with errno set after an
 * error. */
bool random_fill(void *out, size_t size);
