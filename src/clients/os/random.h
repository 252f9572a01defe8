/* Random bytes for secrets. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Fills out with size bytes, at most 256. False with errno. */
bool random_fill(void *out, size_t size);
