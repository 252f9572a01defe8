/*
 * The text of a schema: its CREATE statements as SQLite stores them, and
 * whether a table or an index that someone added is plain: it holds rows, and computes nothing.
 */
#ifndef STORE_SQLITE_SCHEMA_SCHEMA_TEXT_H
#define STORE_SQLITE_SCHEMA_SCHEMA_TEXT_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
