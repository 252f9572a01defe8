/* Tables of --sizes: what a chunk's bytes in the file are, and what they would be. */
#ifndef BENCH_SIZES_H
#define BENCH_SIZES_H

#include "bench_timers.h"

/* By what each table and index of the file is larger than that of base, a chunk. */
void sizes_of_tables(const char *base, const char *path, int32_t chunks);

/* What was given to zstd, compressed again at other levels and with a dictionary that is
 * trained on the first half; measured on the second half. */
void sizes_by_level(const bench_streams *streams, int32_t chunks);

#endif
