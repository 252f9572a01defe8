/*
 * Definitions that are rows of a content's tables. content_tables.h describes the fields, and
 * so they are read, inherited, recognised and written. Fields marked READ_BY_CODE are left to
 * the type's module.
 */
#pragma once

#include "content/import/field.h"
#include "content/import/inherit.h"
#include "store/content_store.h"

/* The place of an object as members of a row, for an initialiser. */
#define FROM(obj) .pack = (obj)->file->pack, .file = (obj)->file->path, .line = (obj)->line

/* How a type of few objects is read: into a struct, which a copy starts from and an object
 * changes. */
typedef struct definition_type {
    const char *name;
    /* The table of which the struct is the row, or begins with it. CONTENT_PARTS: the
     * struct is no row, and all members are left to code. */
    content_part part;
    size_t size; /* of the struct, which is zeroed before defaults are set */
    size_t longest_id;
    bool empty_id; /* "" is a valid id */
    /* Applies the members of an object that are left to code, and reports wrong ones. NULL:
     * there are none. */
    void (*read)(field object, void *value);
    /* Where ptl_import_report counts the definitions: the offset of a uint64_t; 0: nowhere. */
    size_t counted;
} definition_type;

/* Loads all definitions of a type. */
void definition_list_load(definition_list *out, import *im, const definition_type *type);
/* Makes a node for each id of each object in a list; out->items is NULL when memory is out. */
typedef struct node_list {
    inherit_node *items;
    size_t count;
} node_list;
void node_list_make(node_list *out, import *im, const source_type *objects,
                    const definition_type *type);

/* Loads all definitions that a module lists, into im->lists. */
void definitions_load(import *im, const definition_type *types);
/* Writes a row for each of them. */
void definitions_write(import *im, content_writer *w, const definition_type *types);
/* Keeps the last definition of each id, sorted by ids. values[i] belongs to nodes[i]; without
 * one the node counts for nothing, as does an abstract one. */
void definition_list_keep(definition_list *out, import *im, const inherit_node *nodes,
                          size_t count, void *const *values);
/* Finds the struct of a definition by its id; NULL if there is none. */
void *definition_find(const definition_list *list, const char *id);
void *definition_get(const import *im, content_part part, const char *id);
/* Returns ", did you mean ...?" for an id that is unknown among those of a part, or "". */
const char *definition_suggest(import *im, content_part part, const char *id);

/* Sets the fields of a row, which must be zeroed, to their defaults. */
void record_defaults(content_part part, void *row);
/* Reads the members that the object has into the row, and counts unknown ones. `present`,
 * which may be NULL, gets a bit for each field that was read, by its number in the part. */
void record_read(field object, content_part part, void *row, uint64_t *present);
/* Is the object there only to be copied from? Then it may lack what others must have. */
bool record_is_abstract(const source_object *obj);
/* Reads the value of one field into the row; false if there is none, or it is wrong. A field
 * that is required may be missing where the row has inherited a value. */
bool record_read_field(field f, const content_field *c, void *row);
/* Counts the object's unknown members. */
void record_count_unknown(import *im, const source_object *obj, content_part part);
/* Returns the number of the field at this offset in the row. */
size_t record_field(content_part part, size_t at);
/* Copies the fields whose bits are set in `which`. */
void record_copy(content_part part, void *to, const void *from, uint64_t which);
/* Sets the row's id, and the place that it comes from. */
void record_place(content_part part, void *row, const char *id, const source_object *obj);
