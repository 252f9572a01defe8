/* The parts of portolan serve: the copy into which a save is read, and the options of
 * --watch. */
#ifndef CLI_PICTURES_SERVE_H
#define CLI_PICTURES_SERVE_H

#include "clients/cli/content/import.h"
#include "clients/watch/watch.h"

/* ---- cmd_serve.c: --save, which serves a game's save from a temporary copy ---- */

typedef struct save_copy {
    char *folder;    /* owned; a folder of this process only, inside TMPDIR */
    char *path;      /* owned; the copy in that folder */
    char world[101]; /* the world with the save's overmaps, named like the save's folder */
} save_copy;

/* ---- cmd_serve.c: --watch, which serves content while somebody edits it ---- */

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

#endif
