/* The parts of portolan serve: the copy into which a save is read, and the options of
 * --watch. */
#ifndef CLI_PICTURES_SERVE_H
#define CLI_PICTURES_SERVE_H

#include "clients/cli/content/import.h"
#include "clients/watch/watch.h"

/* ---- serve_save.c: --save, which serves a game's save from a temporary copy ---- */

typedef struct save_copy {
    char *folder;    /* owned; a folder of this process only, inside TMPDIR */
    char *path;      /* owned; the copy in that folder */
    char world[101]; /* the world with the save's overmaps, named like the save's folder */
} save_copy;

/*
 * Copies the session's file, makes a world in the copy and reads the save's overmaps into it.
 * Terrain that the content lacks becomes the default of its level. Returns EXIT_DONE, or
 * prints why it failed. Remove the copy in any case.
 */
int save_copy_make(save_copy *out, session *s, const char *save);
void save_copy_remove(save_copy *copy);

/* ---- serve_watch.c: --watch, which serves content while somebody edits it ---- */

typedef struct serve_watch {
    const args *args;
    watch_options options;      /* for the server; its pointers are to the members below */
    ptl_import_options import;  /* what content is imported */
    ptl_world_options settings; /* of the world that is generated */
    const char **directories;   /* owned */
    mod_list mods;
    char *region; /* owned; settings.region if it comes from a file */
    char *folder; /* owned; temporary files are in it */
    import_issues issues;
} serve_watch;

/* Reads the command line and makes the folder for temporary files. The settings are those of a
 * world of FILE, if one is named. Returns EXIT_DONE, or prints why it failed. Dispose *out in
 * any case, but after the server has ended. */
int serve_watch_make(serve_watch *out, const args *a);
/* Removes the folder and frees all memory. */
void serve_watch_dispose(serve_watch *w);

#endif
