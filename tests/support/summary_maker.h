/* Made-up summaries that are as summaries must be, by a stream from a seed. */
#ifndef SUPPORT_SUMMARY_MAKER_H
#define SUPPORT_SUMMARY_MAKER_H

#include "store/sqlite/sweeps/sweep_rows.h"

/* All parts, or but some entries if scale is 0; about scale entries in each list else. Its ids
 * are static: special_000, terrain_000, ... Dispose it. */
void summary_make(summary *out, ptl_chunk_pos pos, uint64_t seed, uint32_t scale);
/* What of a differs from b, of these parts; NULL if nothing. */
const char *summary_difference(const summary *a, const summary *b, uint32_t parts);

/* A store in memory, with content 1, which is not the current one: all that sweeps need. */
ptl_store *sweep_store(void);
/* Adds a sweep with overmaps (seeds from `first` on) to a store, in a transaction of its own.
 * Returns its id. */
int64_t sweep_make(ptl_store *store, const char *name, uint64_t first, uint32_t overmaps,
                   uint32_t scale);

#endif
