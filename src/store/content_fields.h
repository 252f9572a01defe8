/*
 * The rows of a content in memory: one struct for each table of content_tables.h, with one
 * member for each field that the table's list names. Beside the structs stand descriptions of
 * their fields (content_field), from which generic code writes, reads and checks rows.
 */
#pragma once

#include "model/catalogue.h"
#include "store/content_tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- values of a row ---- */

/* A number of a row; `given` false stands for SQL's NULL, and so does a zeroed struct. */
typedef struct content_number {
    bool given;
    int64_t value;
} content_number;

typedef struct content_mean {
    bool given;
    double value;
} content_mean;

typedef struct content_blob {
    const void *data;
    size_t size;
} content_blob;

/* A list of texts. The table stores it as one text, a JSON list. When a row is read, only
 * `json` is set. */
typedef struct content_list {
    const char **items;
    size_t count;
    const char *json;
} content_list;

/* Makes a number with this value. If `given` is false, the number stands for SQL's NULL. */
static inline content_number number_if(bool given, int64_t value)
{
    return (content_number){given, given ? value : 0};
}

/* ---- fields ---- */

typedef enum content_kind {
    FIELD_KEY, /* a member of JSON objects that has no column of its own */
    FIELD_TEXT,
    FIELD_TEXT_OR_NULL,
    FIELD_INT,
    FIELD_INT_OR_NULL,
    FIELD_REAL,
    FIELD_REAL_OR_NULL,
    FIELD_SWITCH,
    FIELD_LIST,
    FIELD_LIST_OR_NULL, /* an empty list is stored as NULL */
    FIELD_BLOB
} content_kind;

/* How the import reads the member of a JSON object that a field is made from. */
typedef enum content_reading {
    READ_BY_CODE, /* the code that imports this type of object reads the member in a way of its
                     own */
    READ_PLAIN,   /* the member is read as the field's kind says */
    READ_REQUIRED,
    READ_NAME, /* the member is a text, or an object with the text under "str" */
    READ_SYMBOL,
    READ_COLOR,
    READ_LABEL, /* a name, read as with READ_NAME; if its type is wrong, the message is the same
                 * as with READ_PLAIN */
    /* The id of an effect_on_condition (a game's script), or the effect itself as an object,
     * which is kept as JSON. */
    READ_EFFECT,
    READ_SET /* the member is a list; an object that inherits it from another may change it by
              * "extend" and "delete" */
} content_reading;

typedef struct content_field {
    const char *column; /* NULL: the field has no column */
    content_kind kind;
    bool loaded; /* a catalogue is made from this field; false: generation does not need the
                  * field, only SQL and lists of the content show it */
    uint16_t at; /* offset of the field's member in the row's struct, in bytes */
    /* Name of the member in JSON; NULL: the import computes the field from members of other
     * names. */
    const char *key;
    content_reading reading; /* how the member under `key` is read */
    double lo, hi; /* least and greatest value of a number; if both are equal, any value is
                    * allowed */
    bool scaled; /* an object that inherits the number from another may change it by "relative"
                    or "proportional", even beyond lo and hi */
    const char *text; /* value of a text that the content does not state; NULL: "" */
    int64_t number;   /* default of a number */
    /* If not NULL, `key` is read only in JSON objects of this type. NULL: it is read in all
     * objects from which rows of the table are made. */
    const char *of;
} content_field;

/* Index of the first field of the table region_settings that is a number for generation. From
 * this field on, the fields are in the order of enum region_number. */
enum { REGION_FIRST_FIELD = 2 };

/* Bounds for the numbers of a terrain, and for positions inside a special. */
enum {
    TERRAIN_NUMBER_MAX = 1000000,
    CONTENT_COORDINATE_MAX = 179, /* greatest distance from the special's origin, in OMTs; an
                                   * OMT further away could not lie in the same overmap */
    CONTENT_HEIGHT_MAX = 20,      /* most levels above or below 0 in a position */
    CONTENT_OMT_HEIGHT_MAX = 10   /* for OMTs of specials: most levels above or below level 0 */
};

/* ---- the tables of a content ---- */

#define CONTENT_PART_OF(part, table, key, ...) CONTENT_##part,
/* The parts of a content: each part is the rows of one table. */
typedef enum content_part { CONTENT_TABLES(CONTENT_PART_OF) CONTENT_PARTS } content_part;

/* The structs of rows: table foo has struct foo_row. */
#define CONTENT_MEMBER_OF_TEXT(name)         const char *name;
#define CONTENT_MEMBER_OF_TEXT_OR_NULL(name) const char *name;
#define CONTENT_MEMBER_OF_INT(name)          int64_t name;
#define CONTENT_MEMBER_OF_INT_OR_NULL(name)  content_number name;
#define CONTENT_MEMBER_OF_REAL(name)         double name;
#define CONTENT_MEMBER_OF_REAL_OR_NULL(name) content_mean name;
#define CONTENT_MEMBER_OF_SWITCH(name)       bool name;
#define CONTENT_MEMBER_OF_LIST(name)         content_list name;
#define CONTENT_MEMBER_OF_LIST_OR_NULL(name) content_list name;
#define CONTENT_MEMBER_OF_BLOB(name)         content_blob name;
#define CONTENT_MEMBER(t, kind, name, ...)   CONTENT_MEMBER_OF_##kind(name)
#define CONTENT_NO_MEMBER(t, name, ...)
#define CONTENT_STRUCT(part, table, key, ...)                                                  \
    typedef struct table##_row {                                                               \
        CONTENT_##part##_ROW(CONTENT_MEMBER, CONTENT_NO_MEMBER, table)                         \
    } table##_row;
CONTENT_TABLES(CONTENT_STRUCT)

typedef struct content_form {
    const char *table;
    const char *columns; /* names of columns, with ", " between them, as in `fields` */
    const char *key;     /* names of the key's columns, with ", " between them */
    const content_field *fields;
    size_t count;
    size_t size; /* bytes of the row's struct */
    /* checked: the table's checksum is compared before a catalogue is made from it. again: it
     * is no error to add the same row twice. */
    bool checked, again;
} content_form;

/* The descriptions of all tables, indexed by content_part. */
extern const content_form content_forms[CONTENT_PARTS];
