/* What a watch has to tell, as JSON. It is written by the thread that works and may be read by
 * any thread. */
#pragma once

#include "clients/os/mutex.h"
#include "clients/watch/watch.h"
#include "core/emit.h"

/* The most mistakes of each severity that are listed, the most files that are named, and the
 * most bytes of a line that are quoted. */
enum { TOLD_MISTAKES_MAX = 200, TOLD_FILES_MAX = 20, TOLD_TEXT_MAX = 160 };

/* A list of JSON values that grows. One that is all zero is empty. */
typedef struct told_list {
    bytes text;
    emitter j;
    uint64_t count; /* of all values, listed or not */
} told_list;

void told_list_dispose(told_list *l);

/* How many remarks an import made on one pack. */
typedef struct told_pack {
    char *id; /* owned */
    bool is_base;
    uint64_t counts[PTL_NOTE + 1]; /* indexed by ptl_severity */
} told_pack;

/* The remarks of an import. All zero means that there are none. */
typedef struct told_mistakes {
    told_list errors, others;
    told_pack *packs; /* owned; packs with remarks, in the order of their first remark */
    size_t pack_count, pack_room;
} told_mistakes;

void told_mistakes_dispose(told_mistakes *m);
/*
 * Adds a remark. For an error the line with the error is read from its file and put with it.
 */
void told_mistakes_add(told_mistakes *m, const ptl_diagnostic *what);

/* All that is told now. */
typedef struct told {
    mutex *lock; /* owned; guards all members below */
    unsigned save;
    const char *stage; /* a constant: what is being done now */
    uint64_t done, total;
    told_list files;
    /* About the last save whose work has ended. */
    unsigned ended;
    const char *result; /* a constant; NULL: none has ended yet */
    char message[512];
    told_mistakes mistakes;
    /* About the world that is shown, and `before`, the one it is compared with. */
    char world[WATCH_NAME_SIZE], before[WATCH_NAME_SIZE];
    bytes changes, rates, maps; /* JSON; empty: unknown */
} told;

bool told_init(told *t); /* false when memory is out */
void told_dispose(told *t);
/* Tells that work on a save begins, and which files have changed: paths, each ended by a NUL.
 */
void told_begin(told *t, unsigned save, const bytes *paths, size_t changed);
/* Tells what is being done, and how much of it is done. */
void told_stage(told *t, const char *stage, uint64_t done, uint64_t total);
/*
 * Tells that work on a save has ended. Takes over the mistakes; NULL: the earlier ones stay.
 */
void told_end(told *t, unsigned save, const char *result, const char *message,
              told_mistakes *mistakes);
/* Tells which world is shown now, and takes over how it differs; empty bytes become null. */
void told_world(told *t, const char *world, const char *before, bytes *changes, bytes *rates);
/* Takes over how local maps differ. */
void told_maps(told *t, bytes *maps);
/* Puts all of this as members of an object. */
void told_put(told *t, emitter *j);
