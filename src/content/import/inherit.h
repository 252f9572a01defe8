/*
 * copy-from among the definitions of one JSON type: which definition each one inherits from,
 * and an order in which sources come before what copies them. The type's module does the
 * copying. Also lists of strings.
 */
#ifndef CONTENT_IMPORT_INHERIT_H
#define CONTENT_IMPORT_INHERIT_H

#include "content/import/import.h"

#define INHERIT_NONE UINT32_MAX

/* Ids are cut from other people's files: long ones are an error, not a slow database. */
enum { CONTENT_ID_MAX = 200, CONNECTION_ID_MAX = 63 };

/* One definition: an object with a list of ids gives one for each id. In import order. */
typedef struct inherit_node {
    const char *id;
    const char *copy_from; /* NULL: none */
    const source_object *object;
    bool abstract;
    bool left_out;   /* lenient, and its source is unresolved: not to be used */
    uint32_t source; /* out: index of the node that it copies, or INHERIT_NONE */
} inherit_node;

/*
 * Finds the sources. That of a node is the last definition of that id before it (so a later
 * pack can extend what an earlier one defined under the same id), else the first one after it.
 * order receives all indices, sources first. Unknown and circular sources are reported, the
 * first once per object. False: the import has ended, and order is not complete.
 */
bool inherit_resolve(import *im, inherit_node *nodes, size_t count, uint32_t *order);

/* The ids of an object: "id" (string or list) or "abstract". */
typedef struct object_ids {
    const char **items;
    size_t count;
    bool abstract;
} object_ids;

/* Reports what is wrong; count is 0 then. *out lives in the arena. */
void object_ids_read(object_ids *out, import *im, const source_object *obj, size_t longest);

/* A definition after inheritance: the last one of its id. */
typedef struct definition {
    const char *id;
    const source_object *object;
    void *value; /* the type's own struct */
} definition;

typedef struct definition_list {
    definition *items; /* sorted by id, without abstract ones */
    size_t count;
} definition_list;

/* Finds the struct by id; NULL if absent. */
void *definition_find(const definition_list *list, const char *id);

/* A list of strings in the arena, read from a JSON list (or, if lone, a single string). */
typedef content_list string_list;
/* False if the key is missing or something in it is wrong, which is reported. */
bool string_list_read(string_list *out, import *im, const source_object *obj, const char *id,
                      const json_t *in, const char *pointer, const char *key, bool lone);
/* Sorts by bytes and drops repetitions. */
void string_list_make_set(string_list *list);
/* The set with `extend` and without what is in the set `remove`. */
void string_list_change(string_list *set, import *im, const string_list *extend,
                        const string_list *remove);
bool string_list_has(const string_list *set, const char *text);

#endif
