/*
 * copy-from among the definitions of one JSON type: finds the definition from which each one
 * inherits (its source), and an order in which sources come first. The type's module does the
 * copying. There are also functions for lists of strings.
 */
#pragma once

#include "content/import/field.h"

#define INHERIT_NONE UINT32_MAX

/* Limits of the length of ids. Ids come from files that anybody may have written: a longer id
 * is an error, so that no id can make the database slow. */
enum { CONTENT_ID_MAX = 200, CONNECTION_ID_MAX = 63 };

/* One definition. An object with a list of ids makes a definition for each id. Lists of
 * inherit_nodes are in import order. */
typedef struct inherit_node {
    const char *id;
    const char *copy_from; /* id of the definition to copy; NULL: none */
    const source_object *object;
    bool abstract;
    /* True only with the option lenient: the definition must not be used, because the one that
     * it copies is unknown. */
    bool left_out;
    /* Output: index in `nodes` of the definition that this one copies; INHERIT_NONE: none. */
    uint32_t source;
} inherit_node;

/*
 * Finds the source of each definition: the definition from which it copies. `nodes` are all
 * definitions in the order of reading. The source is the last definition of the id in
 * `copy_from` that comes earlier; if none comes earlier, it is the first that comes later. So a
 * later pack can extend what an earlier pack defines under the same id. `order` receives the
 * indices of all nodes, sources first. Sources that do not exist and circular ones are
 * reported, those that do not exist once for each object. False: the import has ended, and
 * `order` is incomplete.
 */
bool inherit_resolve(import *im, inherit_node *nodes, size_t count, uint32_t *order);

/* The ids of an object: its "id" (string or list) or "abstract". */
typedef struct object_ids {
    const char **items;
    size_t count;
    bool abstract;
} object_ids;

/* Reads the ids of an object; the list is in the arena. Wrong ids are reported and left out. */
void object_ids_read(object_ids *out, import *im, const source_object *obj, size_t longest);

/* A list of strings in the arena. */
typedef content_list string_list;
/* Reads a list of strings from a field. False if it is missing, or if something in it is wrong
 * (which is reported). */
bool string_list_read(string_list *out, field f, bool lone);
/* Sorts the list by bytes and drops repeated strings. */
void string_list_make_set(string_list *list);
/* Adds the strings of `extend` to a set, and removes those of the set `remove`. */
void string_list_change(string_list *set, import *im, const string_list *extend,
                        const string_list *remove);
bool string_list_has(const string_list *set, const char *text);

/*
 * Gives the objects of a type in their order, each as it is after inheritance. An object that
 * neither copies another one nor changes a list is given itself; all others are given as
 * copies. Problems are reported. If a later check reports something in an inherited member, the
 * place in the message is that of the inheriting object.
 */
void import_merged(source_type *out, import *im, const char *type);

/* Returns the last object with an id; NULL if there is none. Abstract objects are not looked
 * at. */
const source_object *merged_find(const source_type *objects, const char *id);
/* Returns ", did you mean ...?" for an id that no object has, or "". */
const char *merged_suggest(import *im, const source_type *objects, const char *id);
