/* The migrations of schema/, embedded at build time by embed_schema.cmake. */
#ifndef STORE_SQLITE_SCHEMA_MIGRATIONS_H
#define STORE_SQLITE_SCHEMA_MIGRATIONS_H

typedef struct migration {
    int number;       /* the user_version that it leads to */
    const char *name; /* its file's name without ".sql" */
    const char *sql;
} migration;

/* In number order; ends with number 0. */
extern const migration migrations[];

#endif
