/* The inside of a watch, for its own files. */
#pragma once

#include "clients/watch/files.h"
#include "clients/watch/told.h"
#include "os/pool.h"

#include <stdatomic.h>

/* The world of a save, in a file of its own. */
typedef struct kept {
    char *path; /* owned; NULL: there is none */
    char world[WATCH_NAME_SIZE];
    char digest[PTL_CONTENT_DIGEST_SIZE]; /* of the world's content */
    /* Its comparison with an earlier world was finished. */
    bool is_whole;
} kept;

/* An order to the working thread: which save to work on. */
typedef struct order {
    bool is_due;
    unsigned save;
    size_t changed; /* number of files that have changed */
    bytes paths;    /* their paths, each ended by a NUL */
} order;

struct watch {
    watch_options options;
    const char **roots; /* owned; the folders and files that are watched */
    size_t root_count;
    char *data; /* owned; the game's folder of content; NULL: none */

    /* Used by the looking thread alone. */
    notify *notes; /* owned; NULL: the system gives no notices */
    scan seen;     /* the last scan */
    scan begun;    /* the state of the files that the current work is about */
    scan done;     /* the state for which work was last finished */
    bool is_first; /* nothing was scanned yet */
    double next;   /* when to scan next without a notice */
    double sooner; /* when to scan, at the earliest, after a notice */
    pace pace;
    unsigned saves;

    /* Used by both threads. */
    mutex *lock; /* owned; guards the next three members */
    order order;
    bool has_ended, was_whole;
    atomic_bool is_left_off; /* the current work shall end */
    atomic_bool is_over;
    ticker *worker; /* owned */
    told told;

    /* Used by the working thread alone. */
    kept shown, base;
    bytes paths; /* files that were saved since the world that is compared with */
};

/* Works on a save (build.c). False: it was broken off. */
bool watch_build(watch *w, const order *o);
/* Drops a world, if there is one, and removes its file. */
void watch_drop(watch *w, kept *k);
