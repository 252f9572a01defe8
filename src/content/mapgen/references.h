/* What mapgen may refer to: the ids of all kept objects, by kind. */
#ifndef CONTENT_MAPGEN_REFERENCES_H
#define CONTENT_MAPGEN_REFERENCES_H

#include "content/import/source.h"
#include "mapgen/compile/compile.h"

/* Marks all known ids, with aliases and earlier ids. */
bool references_mark(import *im, id_pool *pool, mapgen_marks *marks);

#endif
