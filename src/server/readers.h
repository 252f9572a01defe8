/*
 * Stores that read the file for requests: a few, each for one request at a time, opened when
 * they are needed first. A reader that met an error opens the file anew next time.
 */
#ifndef SERVER_READERS_H
#define SERVER_READERS_H

#include "portolan/portolan.h"

enum { READERS = 3 };

typedef struct readers readers;
typedef struct reader reader;

/* Opens the first, so that a file that can't be read is told at once. *out is new. path, and
 * should_stop with its payload, are borrowed. */
ptl_status readers_new(readers **out, const char *path, bool (*should_stop)(void *payload),
                       void *payload, ptl_error *err);
/* Frees them. Nobody may have one. NULL is fine. */
void readers_free(readers *all);

/*
 * Gives one that nobody has, and waits for it some seconds: PTL_ERR_BUSY then. What it reads is
 * ended once whoever asked has closed the socket fd. for_sql: the one that is kept for queries
 * alone, which is not waited for.
 */
ptl_status reader_take(reader **out, readers *all, bool for_sql, int fd, ptl_error *err);
/* Gives it back; status is that of what was done with it. */
void reader_give(reader *r, ptl_status status);

ptl_store *reader_store(const reader *r);
/*
 * Gives the world of that name (NULL: the only one), as it is now: borrowed until the reader
 * is given back. It stays open for the next request that asks for it.
 */
ptl_status reader_world(ptl_world **out, reader *r, const char *name, ptl_error *err);

#endif
