/*
 * What SQL shows of the file's oter numbers: the id, and the terrain and shape that the
 * present content gives it. Where the present content lacks the oter, earlier contents are
 * asked. Oters are looked up only when they are asked for, since a file knows 40,000 and a
 * query meets a hundred. Texts live as long as the source.
 */
#pragma once

#include "portolan/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sql_source sql_source;
struct vtab_call;
struct sqlite3_context;
typedef struct oter_table oter_table;

typedef struct oter_name {
    const char *id;      /* NULL: not looked up yet */
    const char *terrain; /* NULL: no content that the file holds has this oter */
    int id_size, terrain_size;
    int8_t rotation; /* 0..3 */
    int8_t line;     /* bit 0 north, 1 east, 2 south, 3 west; -1: the terrain is not linear */
} oter_name;

/* Gets the source's table, extended by what the dictionary now has. */
ptl_status oter_table_use(oter_table **out, sql_source *source, ptl_error *err);
void oter_table_free(oter_table *t); /* NULL is fine */
/* Gives back what the table holds of the file, except texts. NULL is fine. */
void oter_table_release(oter_table *t);

/* Gets what the oter of a number is called. The number must be one of the dictionary; *out
 * lasts until the next oter_table_use. */
ptl_status oter_table_look_up(const oter_name **out, oter_table *t, sql_source *source,
                              uint32_t number, ptl_error *err);
/* Makes the id of the oter of a number, or its terrain, the value of a column. NULL if no
 * content has the oter. */
ptl_status oter_put(struct sqlite3_context *context, sql_source *source, uint32_t number,
                    bool terrain, ptl_error *err);
/* Looks up an id that need not be in the dictionary; *found is false if no content has it. */
ptl_status oter_shape(oter_name *out, bool *found, sql_source *source, const char *id,
                      ptl_error *err);
/* Gets the terrain's oter of a variant (rotation or line); the text lives as long as the
 * source. NULL if it has none. */
ptl_status oter_variant(const char **out, sql_source *source, const char *terrain, int variant,
                        ptl_error *err);

/* A set of oter numbers of the file: wanted[number] is 1 or 0. */
typedef struct oter_set {
    bool all;        /* every oter is in the set, and the other members have no meaning */
    uint8_t *wanted; /* owned */
    size_t size;     /* numbers from here on are not in the set */
    size_t count;
} oter_set;

void oter_set_dispose(oter_set *s);
/* Makes the set empty, with room for all numbers of the table. */
ptl_status oter_set_clear(oter_set *s, const oter_table *t, ptl_error *err);
/* Adds one number, which must be below the set's size. */
void oter_set_add(oter_set *s, uint32_t number);
/* Adds all oters of a terrain of the present content. */
ptl_status oter_set_add_terrain(oter_set *s, sql_source *source, const char *terrain,
                                ptl_error *err);
/* Adds all oters that a connection draws. *known is false if no content has such a
 * connection. */
ptl_status oter_set_add_connection(oter_set *s, bool *known, sql_source *source,
                                   const char *connection, ptl_error *err);
/* Removes what is not in the other set as well. The other set's contents are lost. */
void oter_set_keep(oter_set *s, oter_set *other);
/* Makes the set of those oters that a call's conditions on a column of oters' ids and one of
 * terrains' ids want, both of kind CONDITION_IDS. An oter that was written after this is not
 * below the set's size: SQLite checks it. */
ptl_status oter_set_of_call(oter_set *s, sql_source *source, const struct vtab_call *call,
                            int oter_column, int terrain_column, ptl_error *err);
/* Is the number in the set? */
static inline bool oter_set_has(const oter_set *s, uint32_t number)
{
    return s->all || (number < s->size && s->wanted[number]);
}
