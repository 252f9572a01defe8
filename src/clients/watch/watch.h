/*
 * Watches content that somebody works on. Whenever one of its files is saved, the content is
 * imported into a temporary file, and a rectangle of a world is generated, always with the same
 * seed. Then the differences from an earlier world are reported: in specials and cities, in
 * statistics, and in local maps. If the content is wrong, the errors are reported.
 *
 * Each save has a file and a world of its own, "save N". Two are kept: the last one, and the
 * world it is compared with, which is the last earlier one whose own comparison was finished. A
 * save during the work on another save breaks that work off, at most three times in a row.
 *
 * Threads: one thread calls watch_look and at the end watch_free. The work is done in a second
 * thread, which makes all callbacks. Any thread may call watch_put.
 */
#pragma once

#include "core/bytes.h"
#include "portolan/import.h"
#include "portolan/status.h"
#include "portolan/world.h"

enum { WATCH_NAME_SIZE = 32 };

/* How the work on a save of the content ends. */
typedef enum watch_result {
    WATCH_GOOD,      /* the work ended well, and there is a new world */
    WATCH_UNCHANGED, /* the content is the same as before */
    WATCH_REFUSED,   /* the content has errors */
    WATCH_FAILED,    /* the work failed, but not because of errors in the content */
    WATCH_LEFT_OFF   /* broken off, because of the next save or because the watch ends */
} watch_result;

/* The result of the work after a save of the content. */
typedef struct watch_outcome {
    watch_result result;
    unsigned save;             /* the save's number, counted from 1 */
    uint64_t errors, warnings; /* number of errors and warnings that the import reported */
    /* True: the world was compared with the world `before`; false: there is no earlier
     * world. */
    bool is_compared;
    const char *world, *before; /* names of the new world and of the earlier one; each name is
                                   "save" and a number */
    /* Number of specials that stand elsewhere than in `before`, that `before` lacks, and that
     * only `before` has. */
    uint64_t moved, added, lost;
    uint64_t looks; /* number of terrains whose name, colour or symbol differs from `before` */
    /* How many things (specials, terrains, ...) are more or less frequent than in the world
     * `before`, or have a frequency in their definition that has changed; and how many of them
     * differ significantly. */
    uint64_t departed, significant;
    /* Number of local maps that were compared, and of those that differ. */
    uint64_t maps, maps_changed;
    double seconds;
    const ptl_error *err; /* the error, for WATCH_REFUSED and WATCH_FAILED */
} watch_outcome;

/* What to watch, and which functions get reports. Everything is borrowed until watch_free. */
typedef struct watch_options {
    const ptl_import_options *import; /* what to import; its callbacks are not used */
    const ptl_world_options *settings;
    ptl_chunk_pos from, to; /* the rectangle of overmaps to generate; both included */
    size_t maps;            /* how many local maps to compare, 0..LOCALS_MAX */
    int32_t jobs;
    const char *folder; /* folder for the temporary files */
    const char *program;
    /* should_stop, on_add and on_drop belong to the part of the program that reads the worlds'
     * files. */
    /* Returns true to end the wait for a file, as in ptl_open_options. */
    bool (*should_stop)(void *reading);
    /* Called when the file of a new world exists and can be opened; path is borrowed until
     * on_drop. An error that it returns ends the work, and becomes watch_outcome.err. */
    ptl_status (*on_add)(void *reading, const char *world, const char *path, ptl_error *err);
    /* Called before the file of the world is removed: when on_drop returns, nothing may read
     * the file. */
    void (*on_drop)(void *reading, const char *world);
    void *reading; /* payload of should_stop, on_add and on_drop */
    /* Called when work on a save of the content begins. `changed` files have changed; `file` is
     * the first of them, or "" if there are none because the watch has just started. */
    void (*on_begin)(void *payload, unsigned save, size_t changed, const char *file);
    void (*on_diagnostic)(void *payload, const ptl_diagnostic *what);
    void (*on_end)(void *payload, const watch_outcome *outcome);
    void *payload; /* payload of on_begin, on_diagnostic and on_end */
} watch_options;

typedef struct watch watch;

/* Starts to watch. *out is new; the struct of options is copied. Work begins with the first
 * call of watch_look. */
ptl_status watch_new(watch **out, const watch_options *options, ptl_error *err);
/* Ends the work, drops all worlds and removes their files. Does nothing for NULL. */
void watch_free(watch *w);

/*
 * Checks whether files were saved, and begins or breaks off work. The caller must call this
 * function regularly, several times a second.
 */
void watch_look(watch *w);

/* Writes the state of the watch as JSON; schema/serve.md, "/data/watch", describes it. */
void watch_put(watch *w, bytes *out);
