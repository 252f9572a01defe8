/*
 * The compressed files of Cataclysm: DDA since 0.I, `NAME.zzip`: a row of zstd frames, of which
 * skippable ones name the entries, and each other one is an entry's text, compressed with a
 * dictionary that lies beside (schema/saves.md). Saving again appends: the last text of a name
 * counts.
 */
#ifndef CODEC_ZZIP_H
#define CODEC_ZZIP_H

#include "core/bytes.h"
#include "portolan/status.h"

typedef struct zzip zzip; /* a dictionary, and memory that is used again; one per thread */

/* New; NULL when memory is out, or zstd takes the bytes for no dictionary. Without one (size 0)
 * only texts that need none can be read, and texts are written that need none. */
zzip *zzip_new(const void *dictionary, size_t size);
void zzip_free(zzip *z);

/*
 * Appends the text of the entry to out; a NUL follows it, which out->size does not count.
 * PTL_ERR_CORRUPT: the bytes are no such file, are not whole, have no such entry, or differ
 * from their checksums.
 * PTL_ERR_LIMIT: the text would have more than `most` bytes, which are not taken then.
 */
ptl_status zzip_read(zzip *z, bytes *out, const void *file, size_t size, const char *entry,
                     size_t most, ptl_error *err);

/* Appends a whole file with this one entry, whose name has at most ZZIP_NAME_MAX bytes. */
enum { ZZIP_NAME_MAX = 40 };
ptl_status zzip_write(zzip *z, bytes *out, const char *entry, const void *content, size_t size,
                      ptl_error *err);

#endif
