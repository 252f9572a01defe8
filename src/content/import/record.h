/*
 * Definitions that are rows of a content's tables: what content_tables.h says of their fields
 * is read, inherited, counted as known and written by it. What it leaves to code (READ_BY_CODE)
 * the type's module reads.
 */
#ifndef CONTENT_IMPORT_RECORD_H
#define CONTENT_IMPORT_RECORD_H

#include "content/import/field.h"
#include "content/import/inherit.h"
#include "store/content_store.h"

/* The same, in an initialiser. */
#define FROM(obj) .pack = (obj)->file->pack, .file = (obj)->file->path, .line = (obj)->line

/* How a type of few objects is read: a struct that a copy starts from and an object changes. */
typedef struct definition_type {
    const char *name;
    content_part part; /* of which the struct is the row, or begins with it; CONTENT_PARTS: it
                        * is none, and all is left to code */
    size_t size;       /* of the struct, which is zeroed before the row's defaults */
    size_t longest_id;
    bool empty_id; /* "" is an id like any other */
    /* Applies members that are left to code, and reports wrong ones; NULL: there are none. */
    void (*read)(import *im, const source_object *obj, const char *id, void *value);
} definition_type;

/* Loads all definitions of a type. */
void definition_list_load(definition_list *out, import *im, const definition_type *type);
/* Writes a row for each. */
void definition_list_write(content_writer *w, content_part part, const definition_list *list);

/* What the fields are where nothing is given; the row is zeroed before. */
void record_defaults(content_part part, void *row);
/* Reads the members that the object has into the row, and counts those that nobody knows.
 * present gets a bit for each field that was read, by its number in the part; may be NULL. */
void record_read(import *im, const source_object *obj, const char *id, content_part part,
                 void *row, uint64_t *present);
/* Reads the one value, of this field's key; false: there is none, or it is wrong. */
bool record_read_field(field f, const content_field *c, void *row);
/* Counts the members that nobody knows. */
void record_count_unknown(import *im, const source_object *obj, content_part part);
/* The number of the field at this place of the row. */
size_t record_field(content_part part, size_t at);
/* Copies the fields whose bits are set. */
void record_copy(content_part part, void *to, const void *from, uint64_t which);
/* The id, and where the row comes from. */
void record_place(content_part part, void *row, const char *id, const source_object *obj);

/* A symbol: sym, a character or its code point. A color: any of the games' names. */
bool record_read_symbol(import *im, const source_object *obj, const char *id, int64_t *out);
bool record_read_color(import *im, const source_object *obj, const char *id, const char **out);

#endif
