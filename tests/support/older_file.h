/* World files of an older schema, for programs that link schema_made: that of
 * tests/files/migration. */
#ifndef SUPPORT_OLDER_FILE_H
#define SUPPORT_OLDER_FILE_H

enum { OLDER_VERSION = 9998 }; /* theirs; OLDER_VERSION + 1 is the program's */

/* Makes a file of the program's schema one of the older. Returns what is wrong, or NULL. */
const char *older_file(const char *path);

#endif
