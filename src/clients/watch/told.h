/* What a watch has to tell, kept for whoever asks: written by the thread that works, read by
 * any. */
#ifndef WATCH_TOLD_H
#define WATCH_TOLD_H

#include "clients/os/mutex.h"
#include "clients/watch/watch.h"
#include "core/emit.h"

/* Mistakes that are listed at most, of each severity; files that are named. */
enum { TOLD_MISTAKES_MAX = 200, TOLD_FILES_MAX = 20, TOLD_TEXT_MAX = 160 };

/* A list of JSON values, as they come. A zeroed one is empty. */
typedef struct told_list {
    bytes text;
    emitter j;
    uint64_t count; /* also of those that are not listed */
} told_list;

void told_list_dispose(told_list *l);

/* What an import remarked on. */
typedef struct told_pack {
    char *id; /* owned */
    bool is_base;
    uint64_t counts[PTL_NOTE + 1]; /* by ptl_severity */
} told_pack;

/* Zeroed there are none. */
typedef struct told_mistakes {
    told_list errors, others;
    told_pack *packs; /* those with remarks, in the order of the first of each; owned */
    size_t pack_count, pack_room;
} told_mistakes;

void told_mistakes_dispose(told_mistakes *m);
/* Of an error the line where it is, too, is read from its file. */
void told_mistakes_add(told_mistakes *m, const ptl_diagnostic *what);

typedef struct told {
    mutex *lock; /* owned; of all below */
    unsigned save;
    const char *stage; /* a constant */
    uint64_t done, total;
    told_list files;
    /* Of the last save that ended, and what it was about. */
    unsigned ended;
    const char *result; /* a constant; NULL: none has ended */
    char message[512];
    told_mistakes mistakes;
    /* Of the world that is shown. */
    char world[WATCH_NAME_SIZE], before[WATCH_NAME_SIZE];
    bytes changes, rates, maps; /* JSON; empty: not known */
} told;

bool told_init(told *t); /* false when memory is out */
void told_dispose(told *t);
/* A save is worked on. Takes the files' list over. */
void told_begin(told *t, unsigned save, told_list *files);
void told_stage(told *t, const char *stage, uint64_t done, uint64_t total);
/* Takes mistakes over; they may be NULL, and the earlier ones stay then. */
void told_end(told *t, unsigned save, const char *result, const char *message,
              told_mistakes *mistakes);
/* Takes what differs over; what is empty becomes null. */
void told_world(told *t, const char *world, const char *before, bytes *changes, bytes *rates);
void told_maps(told *t, bytes *maps);
void told_put(told *t, emitter *j);

#endif
