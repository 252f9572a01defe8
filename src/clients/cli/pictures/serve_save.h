/* `portolan serve --save`: a game's save as one more world of a copy that is thrown away. */
#ifndef CLI_PICTURES_SERVE_SAVE_H
#define CLI_PICTURES_SERVE_SAVE_H

#include "clients/cli/session/session.h"

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

#endif
