/* Creating and migrating the schema, and whom to tell about it. */
#ifndef STORE_SQLITE_SCHEMA_MIGRATE_H
#define STORE_SQLITE_SCHEMA_MIGRATE_H

#include "portolan/migrate.h"
#include "store/sqlite/connection/store_impl.h"

/* Who looks on during a migration, and what they want. NULL in its place means nobody. */
typedef struct migrate_watch {
    bool (*on_progress)(void *payload, const ptl_migrate_progress *now); /* may be NULL */
    void *payload;
    const char *backup; /* where to keep a copy of an older file; NULL: no copy */
    int version;        /* out: the version that the file had */
    bool copied;        /* out: the copy was made */
} migrate_watch;

/* Makes an empty database a world file, or migrates an older file's schema to this library's
 * version, in one transaction. Refuses a file that is not ours. */
ptl_status migrate(ptl_store *store, ptl_error *err);
/* Checks application_id and user_version without writing. *current is false if migrations are
 * pending. */
ptl_status migrate_check(ptl_store *store, bool *empty, bool *current, ptl_error *err);
/* Returns the error for reading an older file: PTL_ERR_READONLY, with a message that says what
 * to do. */
ptl_status migrate_refuse(ptl_store *store, ptl_error *err);
/* Returns the user_version that this library writes. */
int migrate_last_version(void);
/* Makes an empty database a world file, without checks and without a transaction of its
 * own. */
ptl_status migrate_create(ptl_store *store, ptl_error *err);

/* The schema and its migrations (folder schema/), embedded at build time by
 * embed_schema.cmake. */

/*
 * The user_version of the schema as long as it has no migrations. Files with smaller ones were
 * written by drafts before the first release and are refused. Until 0.2.0, whoever changes the
 * schema adds 1.
 */
enum { SCHEMA_FIRST = 16 };

typedef struct migration {
    int number;       /* the user_version that the migration leads to */
    const char *name; /* name of its file, without ".sql" */
    const char *sql;
} migration;

/* All statements of the present schema; they make an empty file a world file. */
extern const char *const schema_sql;
/* The migrations of older files in the order of their numbers; number 0 ends the list. */
extern const migration migrations[];

#endif
