/* The struct of a watch, which only the source files of this folder may use. */
#pragma once

#include "clients/watch/files.h"
#include "clients/watch/told.h"
#include "os/pool.h"

#include <stdatomic.h>

/* A world that was made after the author had saved the content; it lies in a file of its own.
 */
typedef struct kept {
    char *path; /* owned; path of the world's file; NULL: there is no such world */
    char world[WATCH_NAME_SIZE];
    /* Digest of the content from which the world was made. */
    char digest[PTL_CONTENT_DIGEST_SIZE];
    /* The comparison of this world with an earlier one was finished. */
    bool is_whole;
} kept;

/* An order to the working thread: on which save of the content to work. */
typedef struct order {
    bool is_due;
    unsigned save;
    size_t changed; /* number of files that have changed */
    bytes paths;    /* paths of the changed files, each ended by a NUL */
} order;

struct watch {
    watch_options options;
    scan_roots roots; /* owned; the folders and files that are watched */

    /* The next members are used by the thread that calls watch_look alone. */
    notify *notes; /* owned; NULL: the system does not report changes in folders */
    scan seen;     /* the files as the last scan found them */
    scan begun;    /* the files as they were when the present work began */
    scan done;     /* the files as they were when the last finished work began */
    bool is_first; /* no scan of the folders has ended since the watch began */
    double next;   /* time of the next scan if the system reports no change */
    double sooner; /* earliest time of the next scan if the system reports a change */
    pace pace;
    unsigned saves;

    /* The next members are used by both threads. */
    mutex *lock; /* owned; protects `order`, `has_ended` and `was_whole` */
    order order;
    bool has_ended, was_whole;
    atomic_bool is_left_off; /* the present work shall end early */
    atomic_bool is_over;
    ticker *worker; /* owned; the working thread */
    told told;

    /* The next members are only used by the working thread. `shown` is the world that is shown,
     * and `base` the world with which it is compared. */
    kept shown, base;
    bytes paths; /* paths of files that were saved since the world `base` was made */
};

/* Does the work after some files of the content were saved: imports the content and makes a
 * world. Returns false if the work was broken off. */
bool watch_build(watch *w, const order *o);
/* Drops a world, if there is one, and removes its file. */
void watch_drop(watch *w, kept *k);
