/*
 * copy-from on JSON itself, for types whose members are many and are read as they are: each
 * object gets the members of what it copies that it does not state itself, then `extend` and
 * `delete` change lists (schema/generation.md 1.2). null is a statement like any other.
 */
#ifndef CONTENT_IMPORT_MERGE_H
#define CONTENT_IMPORT_MERGE_H

#include "content/import/import.h"

/*
 * The objects of a type in their order, each as it is after inheritance; one that copies and
 * changes nothing is the import's own. What is wrong is reported. A problem inside is placed
 * where the last object has it, or at that object.
 */
void import_merged(source_type *out, import *im, const char *type);

/* The last object of an id, NULL if there is none; abstract ones are none. */
const source_object *merged_find(const source_type *objects, const char *id);
/* ", did you mean ...?" for such an id, or "". */
const char *merged_suggest(import *im, const source_type *objects, const char *id);

#endif
