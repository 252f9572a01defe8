/* `portolan serve --watch`: content that is worked on, and what is told of it at the terminal.
 */
#ifndef CLI_PICTURES_SERVE_WATCH_H
#define CLI_PICTURES_SERVE_WATCH_H

#include "clients/cli/content/import_issues.h"
#include "clients/cli/content/mod_list.h"
#include "clients/cli/session/session.h"
#include "clients/watch/watch.h"

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
