/*
 * Is the file's schema ours? A world file may come from anyone. Triggers, views and virtual
 * tables run what their maker wrote; so only Portolan's own objects, word for word, are
 * accepted, beside plain tables and indexes that someone added.
 */
#ifndef STORE_SQLITE_SCHEMA_SCHEMA_CHECK_H
#define STORE_SQLITE_SCHEMA_SCHEMA_CHECK_H

#include "store/sqlite/connection/stmt.h"

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

#endif
