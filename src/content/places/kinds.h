/* The kinds of ids (portolan/places.h): which objects define them, and under which keys they
 * are used. */
#pragma once

#include "content/places/path.h"

#include <stddef.h>

enum { KINDS_MAX = 8 };

/* The kinds of ids that may stand at a place of a text. */
typedef struct kind_list {
    /* Constant texts, or parts of the text that kind_of's caller gave. */
    const char *names[KINDS_MAX];
    size_t count;
} kind_list;

/* Returns the kind of the ids that objects of the type `type` define: "item" for all types
 * of items. Other types have kinds of the same name, so `type` itself is returned. */
const char *kind_of(const char *type);
/*
 * Gives the kinds of ids that may stand where the walk is, in an object of the type `type`.
 * *defines is set if the text there defines an id, which is then of the only kind in the list.
 * False if the walk is at a key that is no id.
 */
bool kinds_at(kind_list *out, bool *defines, const path_walk *w, const char *type);
/* Does the walk stand inside of the rows of a drawing of mapgen? Then *drawing becomes the
 * path_frame of the object that has these rows. */
bool kinds_in_rows(const path_walk *w, const char *type, const path_frame **drawing);
