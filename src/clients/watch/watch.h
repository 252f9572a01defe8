/*
 * Content that is worked on: whenever one of its files is saved it is imported into a file that
 * is thrown away, a rectangle of a world is generated with the same seed, and what differs from
 * the earlier world is told: specials and cities, statistics, local maps; or what is wrong
 * with the content.
 *
 * A save has a file and a world of its own, "save N". Two are kept: the last one, and the last
 * one before it that was compared to the end, which it is compared with. A save that comes
 * while another is worked on ends that work, three times in a row at most.
 *
 * Threads: one thread calls watch_look, and watch_free in the end; work is done in another one,
 * from which all callbacks come; watch_put may be called by any.
 */
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include "core/bytes.h"
#include "portolan/import.h"
#include "portolan/status.h"
#include "portolan/world.h"

/* Files that are thrown away when the command ends, in a folder of their own. */

/* Makes the folder, which only its owner may read, in the one that is given (NULL or "":
 * /var/tmp). *out is new: free it after throwaway_remove. */
ptl_status throwaway_make(char **out, const char *among, ptl_error *err);
/* Returns a new path of a name in the folder, or NULL. */
char *throwaway_path(const char *folder, const char *name);
/* Removes a world file and what may lie beside it; what is not there is fine, and NULL is. */
void throwaway_remove_file(const char *path);
/* Removes the folder, which must be empty. NULL is fine. */
void throwaway_remove(const char *folder);

enum { WATCH_NAME_SIZE = 32 };

typedef enum watch_result {
    WATCH_GOOD,      /* there is a new world */
    WATCH_UNCHANGED, /* the content is what it was */
    WATCH_REFUSED,   /* something is wrong with the content */
    WATCH_FAILED,    /* something else went wrong */
    WATCH_LEFT_OFF   /* the next save has come */
} watch_result;

/* What became of a save. */
typedef struct watch_outcome {
    watch_result result;
    unsigned save;                  /* its number, from 1 */
    uint64_t errors, warnings;      /* of the import */
    bool is_compared;               /* with the world `before`; else it is the first */
    const char *world, *before;     /* "save N" */
    uint64_t moved, added, lost;    /* specials */
    uint64_t looks;                 /* terrains that are called or drawn otherwise */
    uint64_t departed, significant; /* statistics */
    uint64_t maps, maps_changed;    /* local maps: compared, and that differ */
    double seconds;
    const ptl_error *err; /* of WATCH_REFUSED and WATCH_FAILED */
} watch_outcome;

/* All is borrowed until watch_free. */
typedef struct watch_options {
    const ptl_import_options *import; /* without callbacks */
    const ptl_world_options *settings;
    ptl_chunk_pos from, to; /* which overmaps are generated; both included */
    size_t maps;            /* local maps that are compared, 0..LOCALS_MAX */
    int32_t jobs;
    const char *folder; /* for the files that are thrown away */
    const char *program;
    bool (*should_stop)(void *payload); /* as in ptl_open_options */
    /* The file of a new world can be read; what can't be is an error of the save. */
    ptl_status (*on_add)(void *payload, const char *world, const char *path, ptl_error *err);
    /* Nothing of it may be read when that returns: its file is removed then. */
    void (*on_drop)(void *payload, const char *world);
    /* A save is worked on; so many files have changed, and this is the first of them ("": none,
     * it is the beginning). */
    void (*on_begin)(void *payload, unsigned save, size_t changed, const char *file);
    void (*on_diagnostic)(void *payload, const ptl_diagnostic *what);
    void (*on_end)(void *payload, const watch_outcome *outcome);
    void *payload; /* of all */
} watch_options;

typedef struct watch watch;

/* *out is new; the options' struct is copied. Work begins with the first watch_look. */
ptl_status watch_new(watch **out, const watch_options *options, ptl_error *err);
/* Ends the work, drops all worlds and removes their files. NULL is fine. */
void watch_free(watch *w);

/* Looks whether something was saved: to be called again and again. */
void watch_look(watch *w);

/* Puts what there is to tell, as JSON: schema/serve.md, "/data/watch". */
void watch_put(watch *w, bytes *out);

#endif
