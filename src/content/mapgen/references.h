/* What mapgen may name: the ids of all objects that are kept, by what they are. */
#ifndef CONTENT_MAPGEN_REFERENCES_H
#define CONTENT_MAPGEN_REFERENCES_H

#include "content/import/source.h"
#include "mapgen/compile/compile.h"

/* Marks all that is known: ids, aliases, earlier ids. */
bool references_mark(import *im, id_pool *pool, mapgen_marks *marks);

/* group_check.c: tells of item groups that run themselves. */
bool group_check(import *im, id_pool *pool);

#endif
