/* Which chunks a command line means, and places given as X,Y or X0,Y0,X1,Y1. */
#ifndef CLI_SESSION_COORDINATES_H
#define CLI_SESSION_COORDINATES_H

#include "cli/line/options.h"
#include "portolan/types.h"

/* A growing list of chunks. */
typedef struct chunk_list {
    ptl_chunk_pos *positions; /* owned */
    size_t count, capacity;
} chunk_list;

bool chunk_list_add(chunk_list *list, ptl_chunk_pos pos); /* false when memory is out */
void chunk_list_dispose(chunk_list *list);

/* Collects --rect, --chunk, --radius (around --at) and --list. EXIT_DONE, or a message. */
int chunks_from_args(chunk_list *out, const args *a);

/* A rectangle with both ends included, in order. */
int rect_from_text(const args *a, const char *name, const char *text, int64_t limit,
                   int64_t out[4]);

/* An option's "X,Y" in chunks. *given tells whether it is there. */
int chunk_from_args(const args *a, const char *name, bool *given, ptl_chunk_pos *out);

#endif
