/* What a watch is made of, for its own files. */
#ifndef WATCH_WATCH_IMPL_H
#define WATCH_WATCH_IMPL_H

#include "clients/watch/pace.h"
#include "clients/watch/scan.h"
#include "clients/watch/told.h"
#include "os/ticker.h"

#include <stdatomic.h>

/* A world that can be looked at, in a file of its own. */
typedef struct kept {
    char *path; /* owned; NULL: there is none */
    char world[WATCH_NAME_SIZE];
    char digest[PTL_CONTENT_DIGEST_SIZE]; /* of its content */
    bool is_whole;                        /* it was compared to the end */
} kept;

/* What the work begins with. */
typedef struct order {
    bool is_due;
    unsigned save;
    size_t changed;   /* files */
    told_list files;  /* their names */
    bytes paths;      /* all of them, with a 0 behind each */
    char first[4096]; /* of them */
} order;

struct watch {
    watch_options options;
    const char **roots; /* owned; folders and files that are looked at */
    size_t root_count;
    char *data; /* owned; the game's folder of data; NULL: none */

    /* Of the thread that looks. */
    notify *notes; /* owned; NULL: the system tells nobody */
    scan seen;     /* now */
    scan begun;    /* when the work that was begun last was */
    scan done;     /* when the last work that was not left off began */
    bool is_first; /* nothing was looked at yet */
    double next;   /* when to look without being told */
    double sooner; /* and with */
    pace pace;
    unsigned saves;

    /* Of both. */
    mutex *lock; /* owned; of the next three */
    order order;
    bool has_ended, was_whole;
    atomic_bool is_left_off; /* what is worked on */
    atomic_bool is_over;
    ticker *worker; /* owned */
    told told;

    /* Of the thread that works. */
    kept shown, base;
    bytes paths; /* of files that were saved since what is compared with */
};

/* Works on a save (build.c), and takes the list of files. False: it was left off. */
bool watch_build(watch *w, order *o);
/* Drops a world, if there is one, and removes its file. */
void watch_drop(watch *w, kept *k);

#endif
