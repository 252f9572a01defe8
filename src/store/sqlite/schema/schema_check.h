/*
 * Is the file's schema ours? A world file may come from anyone, and triggers, views and
 * virtual tables run what their maker wrote. Therefore only Portolan's own objects are
 * accepted, word for word, and plain tables and indexes that someone has added.
 */
#pragma once

#include "portolan/migrate.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/connection/store_impl.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum schema_fault {
    SCHEMA_FOREIGN, /* not ours, and not plain */
    SCHEMA_CHANGED, /* ours, but with another text */
    SCHEMA_MISSING  /* ours, but not in the file */
} schema_fault;

typedef struct schema_problem {
    schema_fault fault;
    const char *type, *name; /* as in sqlite_schema; may hold any text */
    const char *why;         /* what is wrong with the object, e.g. "is missing" */
} schema_problem;

/* Gives each problem of the schema to `found`. The file's schema version must be the present
 * one. */
typedef void schema_problem_fn(void *payload, const schema_problem *problem);
ptl_status schema_walk(ptl_store *store, schema_problem_fn *found, void *payload,
                       ptl_error *err);

/*
 * Checks the schema when a file is opened. The first problem is returned as PTL_ERR_FORMAT (an
 * object that is not ours) or PTL_ERR_CORRUPT; the message says what to do. An encoding other
 * than UTF-8 is a problem, too.
 */
ptl_status schema_check(ptl_store *store, ptl_error *err);

/*
 * Parsing the text of a schema: splits it into CREATE statements as SQLite stores them, and
 * decides whether a table or index that someone has added is plain. A plain one holds rows and
 * computes nothing.
 */

/* A part of a text; it has no terminating NUL. */
typedef struct schema_span {
    const char *at;
    size_t size;
} schema_span;

typedef struct schema_object {
    const char *type; /* "table", "index" or "view", as in sqlite_schema */
    schema_span name;
    schema_span text; /* from CREATE on, without the semicolon */
} schema_object;

/*
 * The owner of each table, index and view: sqlite_schema.tbl_name. SQLite refuses a file with
 * a wrong owner, with two exceptions: an index of a key, which has no statement of its own,
 * and a name that differs only in case. When something is dropped, SQLite reads the column
 * again. So a flipped bit there stays hidden until a migration fails.
 */

/* An object whose tbl_name is wrong. The texts may hold anything. */
typedef struct schema_stray {
    const char *type, *name;  /* as in sqlite_schema */
    const char *said, *owner; /* its tbl_name; what that should be */
} schema_stray;

typedef ptl_status schema_stray_fn(void *payload, const schema_stray *stray, ptl_error *err);
/* Gives each object with a wrong owner to `found`. With `mend` it also corrects what it finds,
 * in a transaction of the caller's; then found may be NULL, and the store's schema must be
 * writable (schema_writable). */
ptl_status schema_owner_walk(ptl_store *store, bool mend, schema_stray_fn *found, void *payload,
                             ptl_error *err);

/* Allows our statements to write sqlite_schema, or forbids it again, which is how SQLite
 * begins. */
ptl_status schema_writable(ptl_store *store, bool on, ptl_error *err);

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
