/* Files that are thrown away when the command ends, in a folder of their own. */
#ifndef WATCH_THROWAWAY_H
#define WATCH_THROWAWAY_H

#include "portolan/status.h"

/* Makes the folder, which only its owner may read, in the one that is given (NULL or "":
 * /var/tmp). *out is new: free it after throwaway_remove. */
ptl_status throwaway_make(char **out, const char *among, ptl_error *err);
/* Returns a new path of a name in the folder, or NULL. */
char *throwaway_path(const char *folder, const char *name);
/* Removes a world file and what may lie beside it; what is not there is fine, and NULL is. */
void throwaway_remove_file(const char *path);
/* Removes the folder, which must be empty. NULL is fine. */
void throwaway_remove(const char *folder);

#endif
