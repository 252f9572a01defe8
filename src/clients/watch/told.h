/* The state of a watch of the content, as JSON for web pages. The thread that does the work
 * sets the state; any thread may read it. */
#pragma once

#include "clients/os/mutex.h"
#include "clients/watch/watch.h"
#include "core/emit.h"

/* The most remarks of each severity that are listed. The most files that are named. The most
 * bytes of a line of a file that are quoted with an error. */
enum { TOLD_MISTAKES_MAX = 200, TOLD_FILES_MAX = 20, TOLD_TEXT_MAX = 160 };

/* A list of JSON values that grows. A zeroed struct is an empty list. */
typedef struct told_list {
    bytes text;
    emitter j;
    uint64_t count; /* number of all values that were added to the list, including those that
                       are not in `text` */
} told_list;

void told_list_dispose(told_list *l);

/* How many remarks an import made on one pack. */
typedef struct told_pack {
    char *id; /* owned */
    bool is_base;
    uint64_t counts[PTL_NOTE + 1]; /* number of remarks for each ptl_severity */
} told_pack;

/* The remarks of an import. A zeroed struct has none. */
typedef struct told_mistakes {
    told_list errors, others;
    told_pack *packs; /* owned; packs with remarks, in the order of their first remark */
    size_t pack_count, pack_room;
} told_mistakes;

void told_mistakes_dispose(told_mistakes *m);
/*
 * Adds a remark of the import, which is an error, a warning or a note. For an error, the line
 * with the error is read from its file and added as well.
 */
void told_mistakes_add(told_mistakes *m, const ptl_diagnostic *what);

/* The state of the watch, as web pages get it when they ask for it. */
typedef struct told {
    mutex *lock; /* owned; a thread that uses any other member must hold it */
    unsigned save;
    const char *stage; /* a constant text: the present step of the work */
    uint64_t done, total;
    told_list files;
    /* The next members tell how the last work on the watched content ended. */
    unsigned ended;
    const char *result; /* a constant text that says how the last work ended; NULL: no work has
                           ended yet */
    char message[512];
    told_mistakes mistakes;
    /* The next members are about the world that is shown, and about `before`, the world it is
     * compared with. */
    char world[WATCH_NAME_SIZE], before[WATCH_NAME_SIZE];
    /* Differences between the two worlds, as JSON; empty: not known. */
    bytes changes, rates, maps;
} told;

bool told_init(told *t); /* returns false when memory is out */
void told_dispose(told *t);
/* Records that work on a save of the content begins, and which files have changed: `paths`
 * holds their paths, each ended by a NUL. */
void told_begin(told *t, unsigned save, const bytes *paths, size_t changed);
/* Records the present step of the work, and how much of it is done. */
void told_stage(told *t, const char *stage, uint64_t done, uint64_t total);
/*
 * Records that work on a save of the content has ended. The mistakes that were recorded before
 * are replaced by those in `mistakes`, which is empty afterwards. If it is NULL, they stay.
 */
void told_end(told *t, unsigned save, const char *result, const char *message,
              told_mistakes *mistakes);
/* Records which world is shown, and its differences from the world `before`. The bytes are
 * moved into *t and are empty afterwards. Differences that are empty are null in the JSON. */
void told_world(told *t, const char *world, const char *before, bytes *changes, bytes *rates);
/* Records the differences of local maps. They are moved into *t, and *maps is empty afterwards.
 */
void told_maps(told *t, bytes *maps);
/* Writes the whole state as members of an open JSON object. */
void told_put(told *t, emitter *j);
