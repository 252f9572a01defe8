/*
 * The canonical digest of a world (format.md, "Digests"): of its chunks in the order of x, y
 * and its edges in the order of x, y, side. Whatever keeps a world feeds it from there.
 */
#ifndef CODEC_DIGEST_WORLD_H
#define CODEC_DIGEST_WORLD_H

#include "core/digest.h"
#include "model/edge.h"
#include "portolan/generate.h"

typedef struct digest_world {
    digest_state state;
    uint64_t chunks, edges;
} digest_world;

void digest_world_begin(digest_world *d);
void digest_world_chunk(digest_world *d, ptl_chunk_pos pos, const digest *tiles,
                        const digest *features);
/* A foreign edge is followed by its two sides. */
void digest_world_edge(digest_world *d, const edge *e);
/* Adds the ids of the 180 border cells; NULL: this side has none. */
void digest_world_side(digest_world *d, const char *const *cells);
void digest_world_end(digest_world *d, ptl_world_digest_result *out);

#endif
