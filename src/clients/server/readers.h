/*
 * The world file is opened several times, so that several requests can be answered at once.
 * Each time it is opened, this gives a store, which serves one request at a time. One store
 * can write, all others only read. A store is opened when it is first needed. After an error
 * it is closed, and a new one is opened for the next request. The store that writes is closed
 * soon after use, so that other processes can write.
 */
#pragma once

#include "clients/os/mutex.h"
#include "clients/watch/watch.h"
#include "portolan/portolan.h"

/* How many times the file may be open at once: two times for data, two times for local maps,
 * once for queries and once for writing. Each time there is a store of its own. */
enum { READERS = 6 };

typedef struct readers readers;
typedef struct reader reader;

/* What a store, that is, one opening of the file, is used for. Stores for READ_MAPS read local
 * maps and make those that are not stored; they are apart from those for READ_DATA, so that
 * other requests need not wait while maps are made. READ_NOTHING is for requests that need no
 * store. */
typedef enum reader_use {
    READ_DATA,
    READ_MAPS,
    READ_QUERY,
    READ_TO_WRITE,
    READ_NOTHING
} reader_use;

/* How the file is opened. */
typedef struct readers_options {
    const char *path; /* path of the world file; borrowed, like payload */
    bool write;       /* requests may write to the file */
    /* Other processes may write at the same time, if they open the file as shared, too. */
    bool shared;
    /* A world that was made with other content is continued with the file's current content. */
    bool accept_content;
    bool (*should_stop)(void *payload);
    void *payload;
} readers_options;

/* Makes the readers and opens the first one, so that a file that cannot be read fails at once.
 * *out is new and owned by the caller; options are copied. */
ptl_status readers_new(readers **out, const readers_options *options, ptl_error *err);
/* Closes all opened files and frees the readers, of which none may be taken. NULL is fine. */
void readers_free(readers *all);

/* Closes the opened file that can write if it was not used for some seconds. The server calls
 * this many times a second. */
void readers_watch(readers *all);

/*
 * Takes a free reader for a use. If all are taken, it waits some seconds and then fails with
 * PTL_ERR_BUSY; for READ_QUERY it fails at once. Work with the reader is interrupted when the
 * client closes its socket, fd (-1: there is none). READ_TO_WRITE: PTL_ERR_READONLY if nothing
 * may be written, PTL_ERR_BUSY while another process writes.
 */
ptl_status reader_take(reader **out, readers *all, reader_use use, int fd, ptl_error *err);
/* Gives a reader back, so that other requests can take it. `status` is the result of the work
 * that was done with it. */
void reader_give(reader *r, ptl_status status);

/* Returns the reader's store, an opened world file, borrowed until the reader is given back. */
ptl_store *reader_store(const reader *r);
/*
 * Gives the world of that name (NULL: the file's only one) in its present state. It is
 * borrowed until the reader is given back, and stays open for the next request that asks for
 * it.
 */
ptl_status reader_world(ptl_world **out, reader *r, const char *name, ptl_error *err);

/*
 * The temporary world files of `serve --watch` (clients/watch/watch.h). Each holds one world
 * and has readers of its own. A file that the watch wants to remove stays as long as a request
 * uses it.
 */
typedef struct watched {
    readers_options how; /* how each file is opened; each file has a path of its own */
    watch *watch;        /* owned */
    /* Owned; guards the next two members, and for each file the number of requests that use it.
     */
    mutex *lock;
    /* Owned; NULL: a free member. There are at most three files at a time: the shown one, the
     * one that it is compared with, and a new one that is about to replace one of these. */
    readers *files[4];
    /* The file in `files` that was made last, borrowed; NULL: there is no file. */
    readers *newest;
} watched;

/* Starts to watch content. *out is new. Both structs of options are copied; in the copy of the
 * watch options `should_stop`, `on_add` and `on_drop` are replaced. */
ptl_status watched_new(watched **out, const watch_options *options, const readers_options *how,
                       ptl_error *err);
/* Ends the watch and removes its files. No file may be in use. NULL is fine. */
void watched_free(watched *w);
/* Lets the watch look for changes of the content, and calls readers_watch for all files. The
 * server calls this many times a second. */
void watched_look(watched *w);
/* Returns the readers of the file with the world of that name, or else (also for NULL) of the
 * newest file. The file stays until watched_give. Returns NULL if there is no file yet. */
readers *watched_take(watched *w, const char *world);
/* Ends the use of a file. */
void watched_give(watched *w, readers *file);
