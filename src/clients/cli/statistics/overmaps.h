/* Which overmaps of which seeds: --seeds, --chunks and --rect of commands that make many. */
#ifndef CLI_STATISTICS_OVERMAPS_H
#define CLI_STATISTICS_OVERMAPS_H

#include "clients/cli/session/coordinates.h"

/* Rows of an option_spec table, for overmaps_from_args. */
/* clang-format off */
#define OPTIONS_OVERMAPS                                                                       \
    {"chunks", "N", "overmaps of each seed: 0,0 and a spiral around it (default: 1)", 0},      \
    {"rect", "X0,Y0,X1,Y1", "those of a rectangle of chunks instead, both ends included", 0}
/* clang-format on */

/* Reads the value of --seeds, both ends included; what is not given stays. endless: whether it
 * may be "A..", up to the last seed, and gets whether it is; NULL: it may not. EXIT_DONE, or
 * EXIT_USAGE with a message. */
int seeds_from_args(const args *a, uint64_t *first, uint64_t *last, bool *endless);

/* Collects --chunks or --rect, at most so many. EXIT_DONE, or a message. */
int overmaps_from_args(chunk_list *out, const args *a, int64_t most);

#endif
