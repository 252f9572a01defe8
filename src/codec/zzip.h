/*
 * Reads and writes the compressed files `NAME.zzip` of DDA 0.I and later. Such a file is a
 * sequence of zstd frames, and holds texts under names. A skippable frame has a name; the next
 * frame that is not skippable has the text, compressed with a dictionary that lies beside the
 * files (schema/saves.md). When the game saves a text again it appends frames, so the last text
 * of a name counts.
 */
#pragma once

#include "core/bytes.h"
#include "portolan/status.h"

typedef struct zzip zzip; /* a dictionary and buffers; one for each thread */

/* Returns a new zzip; NULL when memory is out, or zstd does not accept the dictionary. Without
 * a dictionary (size 0) it reads and writes only texts that need none. */
zzip *zzip_new(const void *dictionary, size_t size);
void zzip_free(zzip *z);

/*
 * Appends to out the text that the file has under the name `entry`, and a NUL that out->size
 * does not count. PTL_ERR_CORRUPT: the bytes are no such file, are not complete, have no such
 * text, or don't match their checksums. PTL_ERR_LIMIT: the text has more than `most` bytes;
 * nothing is allocated for it.
 */
ptl_status zzip_read(zzip *z, bytes *out, const void *file, size_t size, const char *entry,
                     size_t most, ptl_error *err);

/* Appends a whole file with this single text. `entry` is its name, of at most ZZIP_NAME_MAX
 * bytes. */
enum { ZZIP_NAME_MAX = 40 };
ptl_status zzip_write(zzip *z, bytes *out, const char *entry, const void *content, size_t size,
                      ptl_error *err);
