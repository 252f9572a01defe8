/* Addresses of files (RFC 8089). */
#pragma once

#include "core/bytes.h"

/* Appends the address of a path: "file://" and the path, with an escape for each byte that has
 * another meaning in addresses, or none. A relative path stays relative. */
void address_put(bytes *out, const char *path);
