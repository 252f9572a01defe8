/* What is said where a file has no world or sweep of a name. */
#ifndef STORE_SQLITE_ROWS_NO_SUCH_H
#define STORE_SQLITE_ROWS_NO_SUCH_H

#include "store/sqlite/connection/prepared.h"

/*
 * PTL_ERR_NOT_FOUND with the names that there are, for one that matches none of them, or NULL
 * where there is not exactly one. id reads rows by name (all: NULL), the name in column 1; noun
 * is what they are. In world_rows.c.
 */
ptl_status no_such_row(ptl_store *store, stmt_id id, const char *noun, const char *name,
                       ptl_error *err);

#endif
