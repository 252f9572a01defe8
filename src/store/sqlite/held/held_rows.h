/* The arrays in which a transient store holds the rows of a content. */
#pragma once

#include "core/arena.h"
#include "model/catalogue.h"
#include "store/content_store.h"

/* The rows of one part, in the order in which they were added. Row i has the number i + 1. */
typedef struct held_part {
    content_value *values; /* owned; `columns` values for each row */
    size_t count, room;    /* rows; values for which there is room */
    int columns;
} held_part;

/* A content. Texts and blobs are in the arena. */
typedef struct held_content held_content;
struct held_content {
    int64_t id;
    arena *memory; /* owned */
    held_part parts[CONTENT_PARTS];
    /* Owned; the rows of CONTENT_NAMES, sorted by name; NULL: nobody has asked by name yet. */
    const content_value **names;
    /* Owned; a catalogue of the content for the next one who asks for one; NULL: there is
     * none. */
    catalogue *spare;
};

held_content *held_new(int64_t id); /* NULL when memory is out */
void held_free(held_content *h);    /* NULL is fine */
/* Adds a row; columns that are not given at the end are NULL. False when memory is out. */
bool held_add(held_content *h, content_part which, const content_value *values, int count);
/* Removes rows that were added twice, of parts where that is no error. False when memory is
 * out. */
bool held_finish(held_content *h);

static inline const content_value *held_row(const held_part *p, size_t i)
{
    return p->values + i * (size_t)p->columns;
}

/* Visits rows as content_operations.row_visit does. */
ptl_status held_visit(const held_content *h, const content_query *query,
                      content_row_visit *visit, void *to, ptl_error *err);
/* Gives the rows of CONTENT_NAMES that have a name, by object; *count of them. NULL when memory
 * is out. */
const content_value *const *held_named(size_t *count, held_content *h, const char *name);
