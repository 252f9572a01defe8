/*
 * What the file's oter numbers are called, for SQL: id, and terrain and shape by the present
 * content, or where that has no such oter by the earlier ones. Looked up one by one as they are
 * asked for: a file knows 40,000, a query meets a hundred. Texts live as long as the source.
 */
#ifndef STORE_SQLITE_QUERY_OTER_TABLE_H
#define STORE_SQLITE_QUERY_OTER_TABLE_H

#include "portolan/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sql_source sql_source;
typedef struct oter_table oter_table;

typedef struct oter_name {
    const char *id;      /* NULL: not looked up yet */
    const char *terrain; /* NULL: no content that the file holds has such an oter */
    int id_size, terrain_size;
    int8_t rotation; /* 0..3 */
    int8_t line;     /* bit 0 north, 1 east, 2 south, 3 west; -1: of no linear terrain */
} oter_name;

/* The source's table with all that the dictionary has now. */
ptl_status oter_table_use(oter_table **out, sql_source *source, ptl_error *err);
void oter_table_free(oter_table *t); /* NULL is fine */
/* Gives back what it keeps of the file but names. NULL is fine. */
void oter_table_release(oter_table *t);
/* Returns one more than the largest number. */
size_t oter_table_size(const oter_table *t);

ptl_status oter_table_look_up(const oter_name **out, oter_table *t, sql_source *source,
                              uint32_t number, ptl_error *err);
/* The same for an id that need not be in the dictionary; *found false: no content has it. */
ptl_status oter_shape(oter_name *out, bool *found, sql_source *source, const char *id,
                      ptl_error *err);
/* Gives the terrain's oter of that variant (rotation or line); lives as long as the source.
 * NULL: it has none. */
ptl_status oter_variant(const char **out, sql_source *source, const char *terrain, int variant,
                        ptl_error *err);

/* A set of file numbers: wanted[number] is 1 or 0. */
typedef struct oter_set {
    uint8_t *wanted; /* owned */
    size_t size;     /* numbers below this; others are not in it */
    size_t count;
} oter_set;

void oter_set_dispose(oter_set *s);
/* Empty, for all numbers that there are. */
ptl_status oter_set_clear(oter_set *s, const oter_table *t, ptl_error *err);
void oter_set_add(oter_set *s, uint32_t number);
/* Adds all oters of a terrain of the present content. */
ptl_status oter_set_add_terrain(oter_set *s, sql_source *source, const char *terrain,
                                ptl_error *err);
/* All that a connection draws. *known false: no content has such a connection. */
ptl_status oter_set_add_connection(oter_set *s, bool *known, sql_source *source,
                                   const char *connection, ptl_error *err);
/* Keeps only what is in both. */
void oter_set_keep(oter_set *s, const oter_set *other);

#endif
