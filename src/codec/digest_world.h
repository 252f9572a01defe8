/*
 * Computes the canonical digest of a world (format.md, "Digests") from its chunks in the order
 * of x, y, then its edges in the order of x, y, side. Whoever reads a stored world passes
 * chunks and edges one after the other to the functions here.
 */
#pragma once

#include "core/bytes.h"
#include "core/digest.h"
#include "model/edge.h"
#include "model/local_map.h"
#include "portolan/generate.h"

typedef struct digest_world {
    digest_state state;
    uint64_t chunks, edges;
} digest_world;

/* Begins a digest. The caller then adds all chunks, then all edges, both in their order. */
void digest_world_begin(digest_world *d);
void digest_world_chunk(digest_world *d, ptl_chunk_pos pos, const digest *omts,
                        const digest *features);
/* Adds an edge to the digest. After a foreign edge (model/edge.h) the caller must call
 * digest_world_side for both sides of the edge. */
void digest_world_edge(digest_world *d, const edge *e);
/* Adds one side of a foreign edge: the ids of the 180 cells along it; NULL if the file has no
 * cells for this side. */
void digest_world_side(digest_world *d, const char *const *cells);
void digest_world_end(digest_world *d, ptl_world_digest_result *out);

/*
 * The digest of local maps is computed over texts and the maps' own numbers, not over a file's
 * numbers of ids or its compressed bytes. So equal maps have equal digests, whether and however
 * they are stored (schema/format.md, "Local maps").
 */

typedef struct digest_local {
    digest_state state;
    bytes scratch; /* owned */
    uint64_t maps;
} digest_local;

void digest_local_begin(digest_local *d);
/* Adds the map of the OMT at `place` (absolute x, y, z). The map's ids are numbers of the
 * id_pool. Maps must be added in the order of x, y, z. */
void digest_local_map(digest_local *d, const local_map *map, const id_pool *pool,
                      const int64_t place[3], const char *oter, bool fallback);
/* Disposes of *d and writes the digest to `hex`. False if memory ran out; hex is not valid
 * then. */
bool digest_local_end(digest_local *d, char hex[DIGEST_HEX_SIZE]);
