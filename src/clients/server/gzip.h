/* Gzip, which every browser unpacks. */
#ifndef SERVER_GZIP_H
#define SERVER_GZIP_H

#include "core/bytes.h"

/* Appends data as gzip; level 1 (quick) to 9 (small). Equal data is equal gzip. False when
 * memory is out, or data is larger than 2 GiB. */
bool gzip_put(bytes *out, const void *data, size_t size, int level);

#endif
