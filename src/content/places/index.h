/* The index of all definitions of ids in the texts of content, as the last import that was not
 * broken off has read them. It is made when it is first asked for, and lives until the next
 * such import. */
#pragma once

#include "content/import/sources.h"
#include "content/places/kinds.h"

#include "portolan/places.h"

/* A definition of an id. */
typedef struct place_definition {
    const char *kind, *id; /* texts that the index owns */
    const kept_source *file;
    const kept_event *object;
    uint32_t start, end; /* place of the id in the file's text, without quotes */
    uint32_t next;       /* number of the next definition of the id; STRMAP_NONE: none */
    /* Only in the first definition of an id: number of the id's last definition. */
    uint32_t last;
} place_definition;

typedef struct place_index {
    arena *memory;
    place_definition *items; /* owned */
    size_t count, room;
    strmap ids;                /* maps an id to the number of its first definition */
    json_reader *reader;       /* owned */
    bytes text, id;            /* scratch memory for a text that is being read, and for an id */
    const kept_source **files; /* owned; the files of the last import in its order */
    size_t file_count;
    bool failed; /* memory was out since the last call of index_status */
} place_index;

/* Returns the index; NULL when memory is out, which *err says. */
place_index *index_of(ptl_sources *sources, ptl_error *err);
/* Returns PTL_ERR_NOMEM, with a message, if memory was out since the last call. */
ptl_status index_status(place_index *index, ptl_error *err);
/* Returns PTL_ERR_CANCELLED, with a message: the caller's callback has returned false. */
ptl_status index_ended(ptl_error *err);
/* Returns the first definition of an id that has this kind; NULL if there is none. */
const place_definition *index_find(const place_index *index, const char *kind, const char *id);
/* Finds the definition of the id that is written as `text`: for terrains also without the
 * rotation or shape behind the id. */
const place_definition *index_resolve(place_index *index, const char *kind, const char *text,
                                      size_t length);
/* Finds the last definition of an id, which counts where a later one replaces an earlier one.
 */
const place_definition *index_last(place_index *index, const char *kind, const char *text,
                                   size_t length);
/* Returns the text of a kept file, without a byte order mark. */
const char *index_text(const kept_source *file, size_t *size);
/* Reads a text that has no byte order mark; what was found of it is in *out even if the text is
 * not whole. False when memory is out. */
bool index_read(place_index *index, const char *text, size_t size, json_document *out);
/* Copies the type of the object that the walk is in, or "". */
void index_type(const path_walk *w, char out[128]);
/* Returns the place of a definition, with file and line, in the form that callers of the
 * library get. */
ptl_place index_place(const place_definition *d);
