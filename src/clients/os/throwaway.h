/*
 * Temporary files, which are removed when the command ends. They lie in a folder that is made
 * for them.
 */
#pragma once

#include "portolan/status.h"

/* Makes the folder for temporary files inside of the folder `among` (NULL or "": /var/tmp);
 * only its owner can read it. *out is its path; the caller frees the string after
 * throwaway_remove. */
ptl_status throwaway_make(char **out, const char *among, ptl_error *err);
/* Returns the path of the file `name` in the folder; the caller frees the string. NULL when
 * memory is out. */
char *throwaway_path(const char *folder, const char *name);
/* Removes a world file and the files that SQLite may have left beside it. Does nothing for
 * files that do not exist, and for NULL. */
void throwaway_remove_file(const char *path);
/* Removes the folder, which must be empty. Does nothing for NULL. */
void throwaway_remove(const char *folder);
