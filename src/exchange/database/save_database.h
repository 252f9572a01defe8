/*
 * Databases that Bright Nights has in its saves in place of files: map.sqlite3, and one for
 * each character. Each has one table, `files`, with a path, the text and how it is compressed.
 *
 * Databases are read without locks, since the game does not wait for a lock, and would lose
 * what it saves. Therefore each function that reads checks afterwards that nobody has written
 * the database meanwhile. Nothing in a database is trusted.
 */
#pragma once

#include "core/stop.h"

#define SAVE_DATABASE_TAIL ".sqlite3"

typedef struct save_database save_database;

/*
 * Opens a database for reading. PTL_ERR_NOT_FOUND: there is no such file. PTL_ERR_BUSY: the
 * game is writing it, or was interrupted while it did. PTL_ERR_CORRUPT, PTL_ERR_FORMAT: it is
 * damaged, or no database as the game makes it. save_database_close must be called in any case.
 */
ptl_status save_database_open(save_database **out, const char *path, stop_hook stop,
                              ptl_error *err);
/* Makes a new database, to be filled by save_database_put and save_database_copy. Nothing of it
 * lasts until save_database_finish, which syncs the file, has been called. */
ptl_status save_database_make(save_database **out, const char *path, stop_hook stop,
                              ptl_error *err);
void save_database_close(save_database *d);
/* Returns the path of the database's file. */
const char *save_database_path(const save_database *d);

/* Calls visit for the path of each file. An error that visit returns ends the call. */
ptl_status save_database_names(save_database *d,
                               ptl_status (*visit)(void *payload, const char *name,
                                                   ptl_error *err),
                               void *payload, ptl_error *err);
/* Reads a file's text, unpacks it, and puts a NUL behind it. The caller must free it. A text of
 * more than `most` bytes is refused. PTL_ERR_NOT_FOUND: there is no file of that path. */
ptl_status save_database_read(char **text, size_t *size, save_database *d, const char *name,
                              size_t most, ptl_error *err);

/* Checks that nobody has written the database since it was opened. PTL_ERR_BUSY: somebody has.
 */
ptl_status save_database_unchanged(const save_database *d, ptl_error *err);

/* Writes a file into a new database, compressed as the game does. */
ptl_status save_database_put(save_database *d, const char *name, const void *text, size_t size,
                             ptl_error *err);
/* Copies the files for which `keep` returns true into a new database. Files whose path is no
 * text are copied, too. */
ptl_status save_database_copy(save_database *to, save_database *from,
                              bool (*keep)(void *payload, const char *name, size_t size),
                              void *payload, ptl_error *err);
ptl_status save_database_finish(save_database *d, ptl_error *err);

/* Checks that nobody has the database open in a transaction, and that no interrupted one is
 * left. PTL_ERR_BUSY if one of the two is found. A file that does not exist counts as free. */
ptl_status save_database_check_free(const char *path, ptl_error *err);
