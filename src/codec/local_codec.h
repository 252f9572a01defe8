/*
 * Local maps to blobs and back: tiles are planes in a range coder, things a pack (pack.h),
 * their texts a stream of their own. schema/format.md, "Local maps".
 */
#ifndef CODEC_LOCAL_CODEC_H
#define CODEC_LOCAL_CODEC_H

#include "codec/pack.h"
#include "model/local_map.h"

/* Bytes of all different texts of a map. */
enum { LOCAL_TEXTS_MAX = 1 << 24 };

/* A map before the store's numbers of its ids are known: what generating threads make. Names
 * are borrowed from the map's pool. Zero it before use. */
typedef struct encoded_local {
    encoded_pack tiles, things; /* tiles: count: which planes, + 1; things: count 0: none */
    bytes texts;                /* the blob as it is stored; empty: none */
} encoded_local;

/* Dispose *out afterwards, also after an error. PTL_ERR_LIMIT where its texts are too many. */
ptl_status local_encode(encoded_local *out, codec *c, const local_map *map, const id_pool *pool,
                        ptl_error *err);
void encoded_local_dispose(encoded_local *e);

/* A map as it is stored. */
typedef struct local_blobs {
    const void *tiles, *things, *texts; /* borrowed */
    size_t tiles_size, things_size, texts_size;
} local_blobs;

/*
 * Fills an initialised map, whose ids and texts are put in the pool. Dispose it in either case.
 * PTL_ERR_CORRUPT for anything that is not such a map.
 */
ptl_status local_decode(local_map *out, id_pool *pool, const pack_reader *r,
                        const local_blobs *blobs, ptl_error *err);

/* local_tiles.c: the tiles alone, whose blob is built as a pack's is. */
ptl_status local_tiles_encode(encoded_pack *out, const local_map *map, const id_pool *pool,
                              ptl_error *err);
ptl_status local_tiles_decode(local_map *out, id_pool *pool, const pack_reader *r,
                              const void *blob, size_t size, ptl_error *err);

#endif
