/*
 * Stores for requests: a few that read the file, each for one request at a time, and one that
 * writes it. They are opened when they are needed first; one that met an error is opened anew
 * next time, and the one that writes is closed soon, so that others may write.
 */
#ifndef SERVER_READERS_H
#define SERVER_READERS_H

#include "portolan/portolan.h"

enum { READERS = 4 };

typedef struct readers readers;
typedef struct reader reader;

/* What a store is for: READ_QUERY and READ_TO_WRITE have one each, READ_NOTHING none. */
typedef enum reader_use { READ_DATA, READ_QUERY, READ_TO_WRITE, READ_NOTHING } reader_use;

typedef struct readers_options {
    const char *path;    /* borrowed, as the rest */
    bool write;          /* one may write */
    bool shared;         /* together with others that say the same */
    bool accept_content; /* of worlds of another content */
    bool (*should_stop)(void *payload);
    void *payload;
} readers_options;

/* Opens the first, so that a file that can't be read is told at once. *out is new; options are
 * copied. */
ptl_status readers_new(readers **out, const readers_options *options, ptl_error *err);
/* Frees them. Nobody may have one. NULL is fine. */
void readers_free(readers *all);

/* Closes what was opened to write and is not used: to be called again and again. */
void readers_watch(readers *all);

/*
 * Gives one that nobody has, and waits for it some seconds: PTL_ERR_BUSY then. What it does is
 * ended once whoever asked has closed the socket fd. The one for queries is not waited for.
 * READ_TO_WRITE: PTL_ERR_READONLY where nothing may be written, PTL_ERR_BUSY while another
 * process writes.
 */
ptl_status reader_take(reader **out, readers *all, reader_use use, int fd, ptl_error *err);
/* Gives it back; status is that of what was done with it. */
void reader_give(reader *r, ptl_status status);

ptl_store *reader_store(const reader *r);
/*
 * Gives the world of that name (NULL: the only one), as it is now: borrowed until the reader
 * is given back. It stays open for the next request that asks for it.
 */
ptl_status reader_world(ptl_world **out, reader *r, const char *name, ptl_error *err);

#endif
