/* The ids of --mods. */
#ifndef CLI_CONTENT_MOD_LIST_H
#define CLI_CONTENT_MOD_LIST_H

#include "clients/cli/line/options.h"

typedef struct mod_list {
    char *text;       /* owned; the ids, each ended */
    const char **ids; /* owned */
    size_t count;
} mod_list;

/* Of all that are given. False when memory is out. Dispose it in any case. */
bool mod_list_read(mod_list *out, const args *a);
void mod_list_dispose(mod_list *list);

#endif
