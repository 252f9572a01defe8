/*
 * Definitions that are rows of the content's tables. content_tables.h describes the fields of
 * each table, and the functions here read, inherit, recognise and write fields by that
 * description. Fields marked READ_BY_CODE are read by the type's module. A
 * content_part is the number of a table.
 */
#pragma once

#include "content/import/field.h"
#include "content/import/inherit.h"
#include "store/content_store.h"

/* The pack, file and line of an object, as members in a row's initialiser. */
#define FROM(obj) .pack = (obj)->file->pack, .file = (obj)->file->path, .line = (obj)->line

/* How a type of few objects is read: each object into a struct, which begins as a copy of the
 * struct that it inherits from and is then changed by the object's members. */
typedef struct definition_type {
    const char *name;
    /* The table in which a definition becomes a row; the struct is that row or begins with it.
     * CONTENT_PARTS: there is no such table, and all members are read by code. */
    content_part part;
    size_t size; /* size of the struct, which is zeroed before defaults are set */
    size_t longest_id;
    bool empty_id; /* true: "" may be the id of such a definition */
    /* Reads those members of an object whose fields are marked READ_BY_CODE, and reports wrong
     * ones. NULL: there are none. */
    void (*read)(field object, void *value);
    /* Offset in ptl_import_report of the uint64_t that counts the definitions; 0: they are not
     * counted. */
    size_t counted;
} definition_type;

/* Loads all definitions of a type. */
void definition_list_load(definition_list *out, import *im, const definition_type *type);
/* A list of inherit_nodes, made by node_list_make: one for each id of each object of a type.
 * items is NULL when memory is out. */
typedef struct node_list {
    inherit_node *items;
    size_t count;
} node_list;
void node_list_make(node_list *out, import *im, const source_type *objects,
                    const definition_type *type);

/* Loads, into im->lists, all definitions of the types that a module lists. */
void definitions_load(import *im, const definition_type *types);
/* Writes a row for each definition of the types that a module lists. */
void definitions_write(import *im, content_writer *w, const definition_type *types);
/* Keeps the last definition of each id, sorted by id. values[i] is the value of the definition
 * nodes[i]. Abstract definitions, and those whose value is NULL, are left out. */
void definition_list_keep(definition_list *out, import *im, const inherit_node *nodes,
                          size_t count, void *const *values);
/* Return the struct of a definition by its id; NULL if there is none. */
void *definition_find(const definition_list *list, const char *id);
void *definition_get(const import *im, content_part part, const char *id);
/* Returns ", did you mean ...?" for an id that no definition in the table `part` has, or "". */
const char *definition_suggest(import *im, content_part part, const char *id);

/* Sets the fields of a row, which must be zeroed, to their defaults. */
void record_defaults(content_part part, void *row);
/* Reads the members that the object has into the row, and counts unknown ones. `present` (may
 * be NULL) gets a bit for each field that was read: bit n for the field with number n in the
 * table `part`. */
void record_read(field object, content_part part, void *row, uint64_t *present);
/* Is the object only there to be copied from (it has "abstract" and no "id")? Then it may lack
 * members that other objects must have. */
bool record_is_abstract(const source_object *obj);
/* Reads the value of one field into the row; false if there is none, or it is wrong. A
 * required field may be missing if the row has inherited a value for it. */
bool record_read_field(field f, const content_field *c, void *row);
/* Counts the object's members that are no fields of the table `part`. */
void record_count_unknown(import *im, const source_object *obj, content_part part);
/* Returns the number of the field at this offset in the row. */
size_t record_field(content_part part, size_t at);
/* Copies from one row to another those fields whose bits are set in `which`. */
void record_copy(content_part part, void *to, const void *from, uint64_t which);
/* Sets the row's id, and the pack, file and line of its object. */
void record_place(content_part part, void *row, const char *id, const source_object *obj);
