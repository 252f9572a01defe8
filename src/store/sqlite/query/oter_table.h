/*
 * For SQL: the id of each oter number of the file, and the terrain and shape that the present
 * content gives to the oter. If the present content lacks the oter, earlier contents are asked.
 * Oters are looked up only when a query meets them, since a file has 40,000 and a query meets a
 * hundred. Texts live as long as the source.
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
    const char *id;      /* NULL: this oter was not looked up yet */
    const char *terrain; /* NULL: no content that the file holds has this oter */
    int id_size, terrain_size;
    int8_t rotation; /* quarter turns clockwise, 0..3 */
    int8_t line; /* the sides to which the oter's line leads, as bits: 0 north, 1 east, 2 south,
                    3 west; -1: the oter is not a line */
} oter_name;

/* Gets the oter_table that belongs to the source, with all numbers that the dictionary has at
 * this moment. */
ptl_status oter_table_use(oter_table **out, sql_source *source, ptl_error *err);
void oter_table_free(oter_table *t); /* t may be NULL */
/* Closes the earlier contents that the table has open. Texts that it has given out stay valid.
 * t may be NULL. */
void oter_table_release(oter_table *t);

/* Looks up the oter of a number, which the dictionary must have. *out lasts until the next
 * oter_table_use. */
ptl_status oter_table_look_up(const oter_name **out, oter_table *t, sql_source *source,
                              uint32_t number, ptl_error *err);
/* Sets the value of an SQL column to the id of an oter, or to the oter's terrain. The value is
 * NULL if no content has the oter. */
ptl_status oter_put(struct sqlite3_context *context, sql_source *source, uint32_t number,
                    bool terrain, ptl_error *err);
/* Looks up an oter by its id, which the dictionary need not have. *found is false if no content
 * has the oter. */
ptl_status oter_shape(oter_name *out, bool *found, sql_source *source, const char *id,
                      ptl_error *err);
/* Gets the id of a terrain's oter with this variant (rotation or line); the text lives as long
 * as the source. NULL if there is no such oter. */
ptl_status oter_variant(const char **out, sql_source *source, const char *terrain, int variant,
                        ptl_error *err);

/* A set of oter numbers of the file: wanted[number] is 1 if the set has this number, otherwise
 * 0. */
typedef struct oter_set {
    bool all;        /* every oter is in the set, and the other members are unused */
    uint8_t *wanted; /* owned */
    size_t size;     /* all numbers in the set are less than this */
    size_t count;
} oter_set;

void oter_set_dispose(oter_set *s);
/* Makes the set empty, with room for all numbers of the table. */
ptl_status oter_set_clear(oter_set *s, const oter_table *t, ptl_error *err);
/* Adds one number, which must be below the set's size. */
void oter_set_add(oter_set *s, uint32_t number);
/* Adds all oters of a terrain, in the present content and in earlier ones. */
ptl_status oter_set_add_terrain(oter_set *s, sql_source *source, const char *terrain,
                                ptl_error *err);
/* Adds all oters of which the lines of a connection consist. *known is false if no content has
 * such a connection. */
ptl_status oter_set_add_connection(oter_set *s, bool *known, sql_source *source,
                                   const char *connection, ptl_error *err);
/* Keeps in `s` only the oters that are also in `other`. Afterwards `other` may have any oters;
 * it must still be disposed of. */
void oter_set_keep(oter_set *s, oter_set *other);
/* Makes the set of the oters that satisfy a query's conditions on two columns of a virtual
 * table: oter_column with ids of oters, and terrain_column with ids of terrains. An oter that
 * is added to the file later has a number that is not below the set's size; for such an oter
 * SQLite itself checks the conditions. */
ptl_status oter_set_of_call(oter_set *s, sql_source *source, const struct vtab_call *call,
                            int oter_column, int terrain_column, ptl_error *err);
/* Returns true if the oter with this number is in the set. */
static inline bool oter_set_has(const oter_set *s, uint32_t number)
{
    return s->all || (number < s->size && s->wanted[number]);
}
