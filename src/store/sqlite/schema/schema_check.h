/*
 * Is the file's schema ours? A world file may come from anyone. Triggers, views and virtual
 * tables run what their maker wrote; so only Portolan's own objects, word for word, are
 * accepted, beside plain tables and indexes that someone added.
 */
#ifndef STORE_SQLITE_SCHEMA_SCHEMA_CHECK_H
#define STORE_SQLITE_SCHEMA_SCHEMA_CHECK_H

#include "store/sqlite/connection/stmt.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum schema_fault {
    SCHEMA_FOREIGN, /* not ours, and not plain */
    SCHEMA_CHANGED, /* ours with another text */
    SCHEMA_MISSING  /* ours, and not there */
} schema_fault;

typedef struct schema_problem {
    schema_fault fault;
    const char *type, *name; /* as in sqlite_schema; may hold anything */
    const char *why;         /* what is wrong with it, e.g. "is missing" */
} schema_problem;

/* Gives each problem to found. The file's schema version must be the present one. */
typedef void schema_problem_fn(void *payload, const schema_problem *problem);
ptl_status schema_walk(ptl_store *store, schema_problem_fn *found, void *payload,
                       ptl_error *err);

/* Is called at opening: the first problem is PTL_ERR_FORMAT (foreign) or PTL_ERR_CORRUPT, with
 * what to do about it. So is an encoding other than UTF-8. */
ptl_status schema_check(ptl_store *store, ptl_error *err);

/*
 * The text of a schema: its CREATE statements as SQLite stores them, and
 * whether a table or an index that someone added is plain: it holds rows, and computes nothing.
 */

/* A part of a text; not terminated. */
typedef struct schema_span {
    const char *at;
    size_t size;
} schema_span;

typedef struct schema_object {
    const char *type; /* "table", "index" or "view", as in sqlite_schema */
    schema_span name;
    schema_span text; /* from CREATE on, without the semicolon */
} schema_object;

/* The next CREATE statement from *at on, which moves behind it; false at the end. */
bool schema_next(schema_object *out, const char **at);

/* What a table has that is not plain; NULL if it computes nothing and has no foreign keys to
 * tables that are ours. */
const char *schema_plain_table(const char *sql, bool (*ours)(void *payload, schema_span name),
                               void *payload);
/* The same for an index, which is to be over columns alone, and not unique over a table of
 * ours. */
const char *schema_plain_index(const char *sql, bool (*ours)(void *payload, schema_span name),
                               void *payload);

bool schema_span_is(schema_span span, const char *text);

/*
 * Whose each table, index and view is: sqlite_schema.tbl_name. SQLite refuses a file where it
 * is wrong, but not for indexes of keys, which have no statement of their own, nor for a letter
 * of another case; it reads the column again when something is dropped, so that such a turned
 * bit hides until a migration fails.
 */

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
