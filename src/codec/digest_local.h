/*
 * The digest of local maps, over texts alone: the same for the same maps, whatever the numbers
 * of ids, the compression and whether they are stored. schema/format.md, "Local maps".
 */
#ifndef CODEC_DIGEST_LOCAL_H
#define CODEC_DIGEST_LOCAL_H

#include "core/bytes.h"
#include "core/digest.h"
#include "model/local_map.h"

typedef struct digest_local {
    digest_state state;
    bytes scratch; /* owned */
    uint64_t maps;
} digest_local;

void digest_local_begin(digest_local *d);
/* A map, whose ids are the pool's, at an absolute place. Maps come in the order of x, y, z. */
void digest_local_map(digest_local *d, const local_map *map, const id_pool *pool,
                      const int64_t place[3], const char *oter, bool fallback);
/* False when memory was out: there is no digest then. Disposes of *d either way. */
bool digest_local_end(digest_local *d, char hex[DIGEST_HEX_SIZE]);

#endif
