/*
 * Decides whether the file's schema is Portolan's. A world file may come from anyone, and
 * triggers, views and virtual tables run what their maker wrote. Therefore the file may have
 * only Portolan's own objects, with exactly Portolan's text, and plain tables and indexes that
 * someone has added.
 */
#pragma once

#include "portolan/migrate.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/connection/store_impl.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum schema_fault {
    SCHEMA_FOREIGN, /* neither an object of Portolan, nor a plain table or index that someone
                       may have added */
    SCHEMA_CHANGED, /* an object of Portolan's name whose CREATE statement differs from
                       Portolan's */
    SCHEMA_MISSING  /* an object of Portolan that the file lacks */
} schema_fault;

typedef struct schema_problem {
    schema_fault fault;
    const char *type, *name; /* the object's type and name as they are in sqlite_schema; they
                              * may be any text */
    const char *why;         /* what is wrong with the object, e.g. "is missing" */
} schema_problem;

/* Calls `found` for each problem of the schema. The file's schema version must be the present
 * one. */
typedef void schema_problem_fn(void *payload, const schema_problem *problem);
ptl_status schema_walk(ptl_store *store, schema_problem_fn *found, void *payload,
                       ptl_error *err);

/*
 * Checks the schema when a file is opened. The first problem is returned as PTL_ERR_FORMAT (an
 * object that is not Portolan's) or PTL_ERR_CORRUPT; the message says what to do. An encoding
 * other than UTF-8 is a problem, too.
 */
ptl_status schema_check(ptl_store *store, ptl_error *err);

/*
 * Parsing the text of a schema: it is split into CREATE statements, with the texts that SQLite
 * stores. A table or index that someone has added is plain if it only holds rows and computes
 * nothing.
 */

/* A part of a text; it has no terminating NUL. */
typedef struct schema_span {
    const char *at;
    size_t size;
} schema_span;

typedef struct schema_object {
    const char *type; /* "table", "index" or "view", as in sqlite_schema */
    schema_span name;
    schema_span text; /* text of the statement, from CREATE on, without the semicolon */
} schema_object;

/*
 * sqlite_schema.tbl_name has, for each table, index and view, the name of the table to which it
 * belongs (its owner). SQLite refuses a file in which an owner is wrong, with two exceptions:
 * an index of a key, which has no CREATE statement, and a name that differs only in case. When
 * an object is dropped, SQLite reads the column again. So a flipped bit there stays hidden
 * until a migration fails.
 */

/* An object of sqlite_schema whose tbl_name is wrong. Its texts come from the file, so they may
 * be anything. */
typedef struct schema_stray {
    const char *type, *name;  /* as in sqlite_schema */
    const char *said, *owner; /* said: the table that its tbl_name states; owner: the table to
                                 which it really belongs */
} schema_stray;

typedef ptl_status schema_stray_fn(void *payload, const schema_stray *stray, ptl_error *err);
/* Calls `found` for each object whose owner (the table named by tbl_name) is wrong. With `mend`
 * the owners are corrected, in a transaction of the caller's; then `found` may be NULL, and the
 * store's schema must be writable (schema_writable). */
ptl_status schema_owner_walk(ptl_store *store, bool mend, schema_stray_fn *found, void *payload,
                             ptl_error *err);

/* Allows Portolan's statements to write sqlite_schema, or forbids it again. At first it is
 * forbidden. */
ptl_status schema_writable(ptl_store *store, bool on, ptl_error *err);

/* What a caller has asked for when a file is migrated: reports of progress, or a copy of the
 * file as it was before. A NULL pointer to this struct means that nothing was asked for. */
typedef struct migrate_watch {
    bool (*on_progress)(void *payload, const ptl_migrate_progress *now); /* may be NULL */
    void *payload;
    const char *backup; /* where to keep a copy of an older file; NULL: no copy is kept */
    int version;        /* result: the version that the file had */
    bool copied;        /* result: the copy at `backup` was made */
} migrate_watch;

/* Makes an empty database a world file, or migrates an older file's schema to this library's
 * version, in one transaction. Refuses a file that is not Portolan's. */
ptl_status migrate(ptl_store *store, ptl_error *err);
/* Checks application_id and user_version without writing. *empty is true for an empty database;
 * *current is false if migrations are pending. */
ptl_status migrate_check(ptl_store *store, bool *empty, bool *current, ptl_error *err);
/* Returns the error for reading a file with an older schema: PTL_ERR_READONLY, with a message
 * that says what the user can do. */
ptl_status migrate_refuse(ptl_store *store, ptl_error *err);
/* Returns the schema version (user_version) that this library writes. */
int migrate_last_version(void);
/* Makes an empty database a world file, without checks, inside the caller's transaction. */
ptl_status migrate_create(ptl_store *store, ptl_error *err);

/*
 * The user_version of the schema while there are no migrations. Files with smaller versions
 * were written by drafts before the first release, and are refused. Until 0.2.0, whoever
 * changes the schema adds 1.
 */
enum { SCHEMA_FIRST = 21 };

typedef struct migration {
    int number;       /* the user_version (schema version) to which the migration leads */
    const char *name; /* name of the migration's file, without ".sql" */
    const char *sql;
} migration;

/* All statements of the present schema; they make an empty file a world file. */
extern const char *const schema_sql;
/* The migrations of older files in the order of their numbers; number 0 ends the list. */
extern const migration migrations[];
