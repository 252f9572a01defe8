/* What takes part in a migration besides the store: who looks on, and what they want. */
#ifndef STORE_SQLITE_SCHEMA_MIGRATE_H
#define STORE_SQLITE_SCHEMA_MIGRATE_H

#include "portolan/migrate.h"
#include "store/sqlite/connection/store_impl.h"

/* NULL where one is taken: nobody looks on. */
typedef struct migrate_watch {
    bool (*on_progress)(void *payload, const ptl_migrate_progress *now); /* may be NULL */
    void *payload;
    const char *backup; /* where to keep a copy of an older file; NULL: none */
    int version;        /* out: as the file was found */
    bool copied;        /* out: the copy is there */
} migrate_watch;

/* PTL_ERR_CANCELLED if the one who looks on says so. */
ptl_status migrate_tell(migrate_watch *watch, const char *what, uint64_t done, uint64_t total,
                        ptl_error *err);

/*
 * Makes an empty database a world file, or brings an older one's schema up to this library's
 * version, in one transaction. Refuses what is not ours.
 */
ptl_status migrate(ptl_store *store, ptl_error *err);
/* Checks application_id and user_version without writing. *current false: migrations pend. */
ptl_status migrate_check(ptl_store *store, bool *empty, bool *current, ptl_error *err);
/* Gives the error for a reader of an older file: PTL_ERR_READONLY with what to do. */
ptl_status migrate_refuse(ptl_store *store, ptl_error *err);
/* The user_version that this library writes. */
int migrate_last_version(void);
/* Makes an empty database a world file, without checks or a transaction. */
ptl_status migrate_create(ptl_store *store, ptl_error *err);

/* The schema and its migrations (schema/), embedded at build time by embed_schema.cmake. */

/* The user_version of the schema while it has no migrations. Files below it were written by
 * drafts, before the first release, and are refused: until 0.2.0 who changes the schema adds 1.
 */
enum { SCHEMA_FIRST = 16 };

typedef struct migration {
    int number;       /* the user_version that it leads to */
    const char *name; /* its file's name without ".sql" */
    const char *sql;
} migration;

/* All statements of the schema as it is: an empty file becomes a world file by them. */
extern const char *const schema_sql;
/* What brings older files to it, in number order; ends with number 0. */
extern const migration migrations[];

#endif
