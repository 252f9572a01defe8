/*
 * Whose each table, index and view is: sqlite_schema.tbl_name. SQLite refuses a file where it
 * is wrong, but not for indexes of keys, which have no statement of their own, nor for a letter
 * of another case; it reads the column again when something is dropped, so that such a turned
 * bit hides until a migration fails.
 */
#ifndef STORE_SQLITE_SCHEMA_SCHEMA_OWNER_H
#define STORE_SQLITE_SCHEMA_SCHEMA_OWNER_H

#include "store/sqlite/connection/stmt.h"

/* An object that is said to be of another table than it is of. Texts may hold anything. */
typedef struct schema_stray {
    char *type;       /* as in sqlite_schema; the other texts lie behind it */
    const char *name; /* likewise */
    const char *said, *owner;
} schema_stray;

typedef ptl_status schema_stray_fn(void *payload, const schema_stray *stray, ptl_error *err);
ptl_status schema_owner_walk(ptl_store *store, schema_stray_fn *found, void *payload,
                             ptl_error *err);

/* Puts right what the walk finds, in a transaction of the caller's. found may be NULL. The
 * store's schema must be writable (schema_writable). */
ptl_status schema_owner_mend(ptl_store *store, schema_stray_fn *found, void *payload,
                             ptl_error *err);

/* Whether statements of ours may write sqlite_schema: else SQLite refuses them. */
ptl_status schema_writable(ptl_store *store, bool on, ptl_error *err);

#endif
