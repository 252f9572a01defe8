/* What the command line says of an import: its mods, and whether its folders are those that
 * were meant. */
#ifndef CLI_CONTENT_IMPORT_FOLDERS_H
#define CLI_CONTENT_IMPORT_FOLDERS_H

#include "clients/cli/line/options.h"

/* The ids of --mods. */
typedef struct mod_list {
    char *text;       /* owned; the ids, each ended */
    const char **ids; /* owned */
    size_t count;
} mod_list;

/* Of all that are given. False when memory is out. Dispose it in any case. */
bool mod_list_read(mod_list *out, const args *a);
void mod_list_dispose(mod_list *list);

/* Refuses the game's own folder, and its data folder, and names the content in it: reading all
 * of it finds thousands of mistakes that are none. EXIT_DONE or EXIT_FAILED. */
int import_folders_check(const args *a);
/* After an import that was refused with so many errors: says on standard error which folder may
 * have been meant, or is missing, if that may be why. */
void import_folders_advise(const args *a, uint64_t errors);

#endif
