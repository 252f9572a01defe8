/*
 * Local maps to blobs and back: tiles are planes in a range coder, things come one
 * after the other in another one, their texts are a stream of their own. schema/format.md,
 * "Local maps".
 */
#ifndef CODEC_LOCAL_LOCAL_CODEC_H
#define CODEC_LOCAL_LOCAL_CODEC_H

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

/* What encodes many maps of one pool: it keeps memory, and the palettes that it has read. */
typedef struct local_encoder local_encoder;

/* Codec and pool are borrowed. NULL when memory is out. */
local_encoder *local_encoder_new(codec *c, id_pool *pool);
void local_encoder_free(local_encoder *e); /* NULL is fine */
/* The map's ids are numbers of the pool. Dispose *out afterwards, also after an error.
 * PTL_ERR_LIMIT where its texts are too many. */
ptl_status local_encoder_put(encoded_local *out, local_encoder *e, const local_map *map,
                             ptl_error *err);
/* The same of one map. */
ptl_status local_encode(encoded_local *out, codec *c, const local_map *map, id_pool *pool,
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

/* What a blob of tiles or things begins with. */
typedef struct local_header {
    uint8_t version;  /* PACK_VERSION_LOCAL or PACK_VERSION_PALETTE */
    uint32_t palette; /* the number of its text; 0: none */
    size_t count, name_count;
    const uint8_t *coded, *end; /* what follows */
} local_header;

/* Reads it, with at most `most` names beside a palette, whose numbers are below limit. Returns
 * what is wrong, or NULL. */
const char *local_header_take(local_header *h, uint32_t *numbers, size_t most, size_t limit,
                              const void *blob, size_t size);

/* local_tiles.c: the tiles alone. */
typedef struct local_tiles_work local_tiles_work;      /* of an encoder */
local_tiles_work *local_tiles_work_new(id_pool *pool); /* NULL when memory is out */
void local_tiles_work_free(local_tiles_work *w);
ptl_status local_tiles_encode(encoded_pack *out, local_tiles_work *w, const local_map *map,
                              ptl_error *err);
ptl_status local_tiles_decode(local_map *out, id_pool *pool, const pack_reader *r,
                              const void *blob, size_t size, ptl_error *err);

/* local_things.c: the things alone. Names and texts are indices of their lists, in the order of
 * their first use; LOCAL_THING_NOTHING: none. */
enum { LOCAL_THING_NOTHING = -1 };

typedef struct local_thing {
    uint32_t kind;
    int32_t x, y, x2, y2, id, with, count, charges, status, text, own;
} local_thing;

/* names: at least as many as the things have. */
ptl_status local_things_put(bytes *out, const local_thing *list, size_t count, size_t names,
                            ptl_error *err);
/* Fills a list of count things, which have all names and texts that there are. */
ptl_status local_things_take(local_thing *list, size_t count, size_t names, size_t texts,
                             const uint8_t *coded, const uint8_t *end, ptl_error *err);

#endif
