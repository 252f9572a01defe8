/* A walk over the entries of a JSON text, also of one that is not whole, which knows by which
 * keys each entry is reached. */
#pragma once

#include "json/reader.h"

#include <stdbool.h>

typedef struct path_frame {
    uint32_t open; /* number of the entry for the bracket that opens this array or object */
    uint32_t key;  /* of an object: number of the entry for the key that was reached last */
    bool is_object;
    bool has_key; /* the walk is inside of the value that belongs to `key` */
} path_frame;

typedef struct path_walk {
    json_document document;
    size_t next;  /* number of the entry that the walk reaches next */
    size_t end;   /* number of the entry behind the last one */
    bool is_key;  /* the entry that was reached last is a key */
    size_t depth; /* how many arrays and objects are open at the present entry */
    path_frame frames[JSON_DEPTH_MAX + 1];
} path_walk;

/* Begins a walk over the document. It stands before the first entry then. */
void path_begin(path_walk *w, json_document document);
/* Goes to the next entry of the document (a key, value or bracket) and returns its number;
 * SIZE_MAX at the end. */
size_t path_next(path_walk *w);
/* Goes to the string in which the offset lies, its quotes included, and returns its entry.
 * SIZE_MAX if the offset lies in no string: then the walk stops where a value that is written
 * at the offset would be read. */
size_t path_to(path_walk *w, size_t offset);
/* Returns the outermost frame that is an object, which is a definition; NULL if none is. */
const path_frame *path_object(const path_walk *w);
