/*
 * The canonical digest of a world (format.md, "Digests"): of its chunks in the order of x, y,
 * and its edges in the order of x, y, side. Whatever stores a world feeds its parts in here.
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

/* Begins a digest. Then add all chunks, then all edges, each in order. */
void digest_world_begin(digest_world *d);
void digest_world_chunk(digest_world *d, ptl_chunk_pos pos, const digest *omts,
                        const digest *features);
/* Adds an edge. After a foreign edge its two sides must follow. */
void digest_world_edge(digest_world *d, const edge *e);
/* Adds the ids of 180 border cells; NULL if this side has none. */
void digest_world_side(digest_world *d, const char *const *cells);
void digest_world_end(digest_world *d, ptl_world_digest_result *out);

/*
 * The digest of local maps is computed over texts alone. So equal maps have equal digests,
 * whatever numbers their ids have, however they are compressed, and whether they are stored.
 * schema/format.md, "Local maps".
 */

typedef struct digest_local {
    digest_state state;
    bytes scratch; /* owned */
    uint64_t maps;
} digest_local;

void digest_local_begin(digest_local *d);
/* Adds a map at an absolute place; its ids are numbers of the pool. Maps must come in the
 * order of x, y, z. */
void digest_local_map(digest_local *d, const local_map *map, const id_pool *pool,
                      const int64_t place[3], const char *oter, bool fallback);
/* Disposes of *d and gives the digest; false if memory was out, and then there is none. */
bool digest_local_end(digest_local *d, char hex[DIGEST_HEX_SIZE]);
