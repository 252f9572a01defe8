/*
 * copy-from done on the JSON itself, for types with many members that are read as they are.
 * Each object gets those members of its source that it does not state itself; then `extend`
 * and `delete` change lists (schema/generation.md 1.2). A member that is null counts as
 * stated.
 */
#ifndef CONTENT_IMPORT_MERGE_H
#define CONTENT_IMPORT_MERGE_H

#include "content/import/import.h"

/*
 * Gives the objects of a type in their order, each as it is after inheritance. An object that
 * copies and changes nothing is the import's own. Problems are reported. If a later check
 * reports something in an inherited member, the place is where the last object has it, or that
 * object.
 */
void import_merged(source_type *out, import *im, const char *type);

/* Returns the last object with an id; NULL if there is none. Abstract objects don't count. */
const source_object *merged_find(const source_type *objects, const char *id);
/* Returns ", did you mean ...?" for such an id, or "". */
const char *merged_suggest(import *im, const source_type *objects, const char *id);

#endif
