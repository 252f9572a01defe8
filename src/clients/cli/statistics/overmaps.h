/* Which overmaps of which seeds to make: the options --seeds, --chunks and --rect of commands
 * that make many overmaps. */
#pragma once

#include "clients/cli/session/session.h"

/* The options that name overmaps, as rows of a command's table of options (option_spec);
 * overmaps_from_args reads them. */
/* clang-format off */
#define OPTIONS_OVERMAPS                                                                       \
    {"chunks", "N", "overmaps of each seed: 0,0 and a spiral around it (default: 1)", 0},      \
    {"rect", "X0,Y0,X1,Y1", "those of a rectangle of chunks instead, both ends included", 0}
/* clang-format on */

/* Reads --seeds, both ends included. *first and *last stay as they are if it is not given.
 * "A.." goes up to the last seed and sets *endless; if `endless` is NULL, "A.." is refused.
 * Returns EXIT_DONE, or EXIT_USAGE after a message. */
int seeds_from_args(const args *a, uint64_t *first, uint64_t *last, bool *endless);

/* Lists the chunks that --chunks or --rect names, at most `most` of them. Returns EXIT_DONE, or
 * another code after a message. */
int overmaps_from_args(chunk_list *out, const args *a, int64_t most);
