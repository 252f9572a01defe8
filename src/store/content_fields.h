/*
 * Rows of a content: a struct for each table of content_tables.h, with the members that its
 * lines name, and the descriptions of these, by which rows are written, read and checked.
 */
#ifndef STORE_CONTENT_FIELDS_H
#define STORE_CONTENT_FIELDS_H

#include "model/catalogue.h"
#include "store/content_tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- values of a row ---- */

/* All zero: NULL. */
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

/* In the table it is the text of a JSON list, which is all that reading a row gives. */
typedef struct content_list {
    const char **items;
    size_t count;
    const char *json;
} content_list;

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
    FIELD_LIST_OR_NULL, /* NULL: it is empty */
    FIELD_BLOB
} content_kind;

/* How the import reads a member. */
typedef enum content_reading {
    READ_BY_CODE, /* the type's module does it itself */
    READ_PLAIN,   /* as its kind says */
    READ_REQUIRED,
    READ_NAME, /* a text, or an object with "str" */
    READ_SYMBOL,
    READ_COLOR,
    READ_LABEL,  /* a text, or an object with "str": another mistake is told */
    READ_EFFECT, /* the id of an effect_on_condition, or one itself, which is kept as JSON */
    READ_SET     /* a list that "extend" and "delete" change */
} content_reading;

typedef struct content_field {
    const char *column; /* NULL: it has none */
    content_kind kind;
    bool loaded;             /* a catalogue is made of it; else only lists and SQL ask */
    uint16_t at;             /* where it is in the row's struct, bytes */
    const char *key;         /* in JSON; NULL: the import makes it of other things */
    content_reading reading; /* of the key */
    double lo, hi;           /* of a number, both allowed; equal: any */
    bool scaled;             /* "relative" and "proportional" change it, beyond lo and hi */
    const char *text;        /* what a text is where nothing is given; NULL: "" */
    int64_t number;          /* the same of a number */
    const char *of; /* the one type of objects that knows the key; NULL: all of the part */
} content_field;

/* The numbers of region_settings are its fields from this one on, in the order of
 * region_number. */
enum { REGION_FIRST_FIELD = 2 };

/* Of positions in a special, and of a terrain's numbers. */
enum {
    TERRAIN_NUMBER_MAX = 1000000,
    CONTENT_COORDINATE_MAX = 179, /* OMTs: further away nothing fits an overmap */
    CONTENT_HEIGHT_MAX = 20,      /* levels */
    CONTENT_TILE_HEIGHT_MAX = 10  /* levels above and below the ground, of tiles */
};

/* ---- the tables ---- */

#define CONTENT_PART_OF(part, list, table, key, ...) CONTENT_##part,
/* Where a row belongs. */
typedef enum content_part { CONTENT_TABLES(CONTENT_PART_OF) CONTENT_PARTS } content_part;

/* The struct of a row: table_row. */
#define CONTENT_MEMBER_OF_KEY(name)
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
#define CONTENT_STRUCT(part, list, table, key, ...)                                            \
    typedef struct table##_row {                                                               \
        list##_ROW(CONTENT_MEMBER, table)                                                      \
    } table##_row;
CONTENT_TABLES(CONTENT_STRUCT)

typedef struct content_form {
    const char *table;
    const char *columns; /* with ", " between them, in the order of the fields */
    const char *key;     /* in the same form */
    const content_field *fields;
    size_t count;
    size_t size;         /* of the row's struct */
    bool checked, again; /* as CONTENT_TABLES says */
} content_form;

/* By content_part. */
extern const content_form content_forms[CONTENT_PARTS];

#endif
