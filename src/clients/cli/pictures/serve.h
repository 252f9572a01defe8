/* The parts of portolan serve. */
#ifndef CLI_PICTURES_SERVE_H
#define CLI_PICTURES_SERVE_H

#include "clients/cli/content/import.h"
#include "clients/watch/watch.h"

/* ---- serve_save.c: --save, a game's save as one more world of a copy that is thrown away ----
 */

typedef struct save_copy {
    char *folder;    /* owned; in that of TMPDIR, this process's own */
    char *path;      /* owned; of the copy in it */
    char world[101]; /* that has the save's overmaps: the name of its folder */
} save_copy;

/*
 * Copies the session's file, makes the world in the copy and reads the save into it; terrain
 * that the content lacks becomes its level's default. EXIT_DONE, or prints why not. Remove it
 * in any case.
 */
int save_copy_make(save_copy *out, session *s, const char *save);
void save_copy_remove(save_copy *copy);

/* ---- serve_watch.c: --watch, content that is worked on, and what is told of it here ---- */

typedef struct serve_watch {
    const args *args;
    watch_options options;      /* for the server */
    ptl_import_options import;  /* what is imported */
    ptl_world_options settings; /* of the world */
    const char **directories;   /* owned */
    mod_list mods;
    char *region; /* owned; of the settings */
    char *folder; /* owned; in which files are thrown away */
    import_issues issues;
} serve_watch;

/* Reads the command line, with the settings of a world of FILE where it names one, and makes
 * the folder. EXIT_DONE, or prints why not. Dispose it in any case, after the server. */
int serve_watch_make(serve_watch *out, const args *a);
/* Removes the folder. */
void serve_watch_dispose(serve_watch *w);

#endif
