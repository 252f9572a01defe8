/* The files of a watch (clients/watch/watch.h), each with a world of its own, for requests
 * that read them. A file stays while a request uses it, even if the watch wants to drop it. */
#ifndef WATCH_WATCHED_H
#define WATCH_WATCHED_H

#include "clients/watch/watch.h"

/* The most files at a time: the shown one, the one it is compared with, and a new one before
 * it replaces another. */
enum { WATCHED_MAX = 4 };

typedef struct watched watched;
typedef struct watched_file watched_file;

/* How to open files for reading. What `opened` points to is known to these callbacks only. */
typedef struct watched_reading {
    /* Opens a file; *out is new. All reading from it must call should_stop(of_file) often and
     * end soon once that is true. */
    ptl_status (*open)(void *payload, void **out, const char *path,
                       bool (*should_stop)(void *of_file), void *of_file, ptl_error *err);
    void (*close)(void *opened);        /* nobody uses it any more */
    void (*look)(void *opened);         /* called again and again, for chores */
    bool (*should_stop)(void *payload); /* everything ends */
    void *payload;
} watched_reading;

/* Starts a watch. *out is new; both structs are copied. on_add, on_drop and should_stop of the
 * options are replaced; the other callbacks get the payload of the options. */
ptl_status watched_new(watched **out, const watch_options *options,
                       const watched_reading *reading, ptl_error *err);
/* Ends the watch and removes its files. No file may be in use. NULL is fine. */
void watched_free(watched *w);
/* Lets the watch look, and does the chores of all files. To be called again and again. */
void watched_look(watched *w);

/* Returns the file with the world of that name, or else the newest file (also for NULL). It
 * cannot go away until watched_give. NULL: there is no file yet. */
watched_file *watched_take(watched *w, const char *world);
/* Returns what reading.open gave for the file; borrowed until watched_give. */
void *watched_opened(const watched_file *f);
/* Ends the use of a file. */
void watched_give(watched *w, watched_file *f);

/* Puts what the watch has to tell as JSON. */
void watched_put(watched *w, bytes *out);

#endif
