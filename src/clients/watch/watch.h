/*
 * Content that somebody works on. Whenever one of its files is saved, the content is imported
 * into a temporary file, a rectangle of a world is generated with always the same seed, and
 * the differences from an earlier world are told: specials and cities, statistics, local maps.
 * If the content is wrong, the errors are told.
 *
 * Each save has a file and a world of its own, "save N". Two are kept: the last one, and the
 * one it is compared with, which is the last earlier one whose own comparison was finished. A
 * save that comes while another is worked on breaks that work off, at most three times in a
 * row.
 *
 * Threads: one thread calls watch_look and at the end watch_free. The work is done in a second
 * thread, from which all callbacks come. Any thread may call watch_put.
 */
#pragma once

#include "core/bytes.h"
#include "portolan/import.h"
#include "portolan/status.h"
#include "portolan/world.h"

/*
 * Temporary files, which are removed when the command ends. They lie in a folder of their own.
 */

/* Makes the folder inside of `among` (NULL or "": /var/tmp); only its owner can read it. *out
 * is its path, new: free it after throwaway_remove. */
ptl_status throwaway_make(char **out, const char *among, ptl_error *err);
/* Returns the path of a name in the folder, new; NULL when memory is out. */
char *throwaway_path(const char *folder, const char *name);
/* Removes a world file and the files SQLite may have left beside it. Files that do not exist,
 * and NULL, are fine. */
void throwaway_remove_file(const char *path);
/* Removes the folder, which must be empty. NULL is fine. */
void throwaway_remove(const char *folder);

enum { WATCH_NAME_SIZE = 32 };

/* How work on a save ends. */
typedef enum watch_result {
    WATCH_GOOD,      /* there is a new world */
    WATCH_UNCHANGED, /* the content is the same as before */
    WATCH_REFUSED,   /* the content has errors */
    WATCH_FAILED,    /* another error */
    WATCH_LEFT_OFF   /* broken off, because of the next save or the end */
} watch_result;

/* The result of a save. */
typedef struct watch_outcome {
    watch_result result;
    unsigned save;             /* its number, from 1 */
    uint64_t errors, warnings; /* that the import found */
    /* It was compared with the world `before`; false: there is none yet. */
    bool is_compared;
    const char *world, *before;  /* "save N" */
    uint64_t moved, added, lost; /* specials that differ from `before` */
    uint64_t looks;              /* terrains whose name or drawing differs */
    /* Rows of statistics that differ; those that are significant. */
    uint64_t departed, significant;
    /* Local maps that were compared; those of them that differ. */
    uint64_t maps, maps_changed;
    double seconds;
    const ptl_error *err; /* for WATCH_REFUSED and WATCH_FAILED */
} watch_outcome;

/* What to watch and whom to tell. Everything is borrowed until watch_free. */
typedef struct watch_options {
    const ptl_import_options *import; /* what to import; its callbacks are not used */
    const ptl_world_options *settings;
    ptl_chunk_pos from, to; /* the rectangle of overmaps to generate; both included */
    size_t maps;            /* how many local maps to compare, 0..LOCALS_MAX */
    int32_t jobs;
    const char *folder; /* for the temporary files */
    const char *program;
    /* The next three are those of who reads the worlds' files. */
    bool (*should_stop)(void *reading); /* as in ptl_open_options */
    /* The file of a new world exists and can be opened; path is borrowed until on_drop. An
     * error becomes that of the save. */
    ptl_status (*on_add)(void *reading, const char *world, const char *path, ptl_error *err);
    /* The file of the world is removed when this returns, so nothing may read it then. */
    void (*on_drop)(void *reading, const char *world);
    void *reading; /* for these three */
    /* Work on a save begins. `changed` files have changed, the first of which is `file` ("":
     * none, since this is the start). */
    void (*on_begin)(void *payload, unsigned save, size_t changed, const char *file);
    void (*on_diagnostic)(void *payload, const ptl_diagnostic *what);
    void (*on_end)(void *payload, const watch_outcome *outcome);
    void *payload; /* for the last three */
} watch_options;

typedef struct watch watch;

/* Starts to watch. *out is new; the struct of options is copied. Work begins with the first
 * watch_look. */
ptl_status watch_new(watch **out, const watch_options *options, ptl_error *err);
/* Ends the work, drops all worlds and removes their files. NULL is fine. */
void watch_free(watch *w);

/*
 * Looks whether files were saved, and begins or breaks off work. To be called again and again.
 */
void watch_look(watch *w);

/* Puts what there is to tell as JSON; schema/serve.md, "/data/watch", describes it. */
void watch_put(watch *w, bytes *out);
