/* The schema and its migrations (schema/), embedded at build time by embed_schema.cmake. */
#ifndef STORE_SQLITE_SCHEMA_MIGRATIONS_H
#define STORE_SQLITE_SCHEMA_MIGRATIONS_H

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
