/* The files of content that is worked on (clients/watch/watch.h), each with a world of its own,
 * for those who read them while they come and go. */
#ifndef WATCH_WATCHED_H
#define WATCH_WATCHED_H

#include "clients/watch/watch.h"

/* So many are there at a time: one that is shown, one that it is compared with, and a new one
 * while it takes the place of one of them. */
enum { WATCHED_MAX = 4 };

typedef struct watched watched;
typedef struct watched_file watched_file;

/* How files are opened: what that gives is its giver's. */
typedef struct watched_reading {
    /* *out is new. What reads for it asks should_stop of_file all the time, and ends soon where
     * that says so. */
    ptl_status (*open)(void *payload, void **out, const char *path,
                       bool (*should_stop)(void *of_file), void *of_file, ptl_error *err);
    void (*close)(void *opened);        /* nobody has it */
    void (*look)(void *opened);         /* called again and again */
    bool (*should_stop)(void *payload); /* all ends */
    void *payload;
} watched_reading;

/* Begins to watch. *out is new; both structs are copied. Of the options on_add, on_drop and
 * should_stop are set here; the other callbacks get their payload. */
ptl_status watched_new(watched **out, const watch_options *options,
                       const watched_reading *reading, ptl_error *err);
/* Ends it; the files are gone then. Nobody may have one. NULL is fine. */
void watched_free(watched *w);
/* To be called again and again. */
void watched_look(watched *w);

/* Gives the file that has the world of that name, or the newest one (NULL, and where no file
 * has it), until watched_give. NULL: there is none yet. */
watched_file *watched_take(watched *w, const char *world);
/* What opening it gave: borrowed until it is given back. */
void *watched_opened(const watched_file *f);
void watched_give(watched *w, watched_file *f);

/* Puts what there is to tell, as JSON. */
void watched_put(watched *w, bytes *out);

#endif
