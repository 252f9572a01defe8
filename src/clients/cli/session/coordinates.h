/* Which chunks a command line means, and places given as X,Y or X0,Y0,X1,Y1. */
#ifndef CLI_SESSION_COORDINATES_H
#define CLI_SESSION_COORDINATES_H

#include "clients/cli/line/options.h"
#include "portolan/types.h"

/* Rows for an option_spec table; chunks_from_args reads these options. */
/* clang-format off */
#define OPTIONS_CHUNKS                                                                         \
    {"rect", "X0,Y0,X1,Y1...", "chunks of a rectangle, both ends included", 0},                \
    {"chunk", "X,Y...", "one chunk", 0},                                                       \
    {"radius", "R...", "the block of 2R+1 x 2R+1 chunks around 0,0 or --at", 0},               \
    {"at", "X,Y", "the middle chunk of --radius", 0},                                          \
    {"list", "F...", "chunks from a file, or - for standard input: lines X,Y", 0}
/* clang-format on */
/* A growing list of chunks. */
typedef struct chunk_list {
    ptl_chunk_pos *positions; /* owned */
    size_t count, capacity;
} chunk_list;

bool chunk_list_add(chunk_list *list, ptl_chunk_pos pos); /* false: memory is out */
void chunk_list_dispose(chunk_list *list);

/* Collects the chunks of --rect, --chunk, --radius (around --at) and --list. Returns
 * EXIT_DONE, or another code after a message. */
int chunks_from_args(chunk_list *out, const args *a);

/* Reads a rectangle X0,Y0,X1,Y1, both ends included; the first end must not be
 * above the second. */
int rect_from_text(const args *a, const char *name, const char *text, int64_t limit,
                   int64_t out[4]);

/* Reads --level Z or --levels A..B into out[0] and out[1]; both are 0 if neither is given. */
int levels_from_args(const args *a, int64_t out[2]);
/* Reads an option's value "X,Y" as a chunk. *given says whether the option is there. */
int chunk_from_args(const args *a, const char *name, bool *given, ptl_chunk_pos *out);

#endif
