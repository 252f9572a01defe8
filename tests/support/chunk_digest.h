/* One number for all that a chunk is: tiles, features and events, for golden files. */
#ifndef SUPPORT_CHUNK_DIGEST_H
#define SUPPORT_CHUNK_DIGEST_H

#include "support/chunk_maker.h"

/* Of the chunk that m made last. */
uint64_t digest_of_chunk(const maker *m, const ptl_chunk *chunk);

#endif
