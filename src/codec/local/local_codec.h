/*
 * Encodes local maps as blobs and decodes them (schema/format.md, "Local maps"). A map has up
 * to three blobs: its tiles, coded plane by plane by a range coder; its entities ("things"),
 * coded one after the other by another range coder; and the texts of its things as a stream.
 */
#pragma once

#include "codec/pack.h"
#include "model/local_map.h"

/* The most bytes that all different texts of a map may have together. */
enum { LOCAL_TEXTS_MAX = 1 << 24 };

/* A local map in encoded form, as the threads make it that generate maps. It still has its
 * names as texts, which are borrowed from the map's id_pool. They are replaced by numbers of
 * the dictionary when the map is stored. Zero the struct before use. */
typedef struct encoded_local {
    /* `tiles` and `things` are stored like packs. The member `count` of a pack is its number of
     * rows. Here it means something else: tiles.count is the map's mask of planes
     * (local_tiles.c) plus 1, and things.count is the number of things. */
    encoded_pack tiles, things;
    bytes texts; /* the blob of texts; empty: the map has none */
} encoded_local;

/* Encodes many maps whose ids are numbers of one id_pool. It keeps its memory, and the palettes
 * that it has parsed, from map to map. */
typedef struct local_encoder local_encoder;

/* Returns a new encoder; NULL when memory is out. The codec and the pool are borrowed. */
local_encoder *local_encoder_new(codec *c, id_pool *pool);
void local_encoder_free(local_encoder *e); /* freeing NULL does nothing */
/* Encodes a map, whose ids are numbers of the encoder's id_pool. Dispose *out afterwards, also
 * after an error. PTL_ERR_LIMIT if the map's texts are too long, or a number is out of range.
 */
ptl_status local_encoder_put(encoded_local *out, local_encoder *e, const local_map *map,
                             ptl_error *err);
/* Encodes a single map. */
ptl_status local_encode(encoded_local *out, codec *c, const local_map *map, id_pool *pool,
                        ptl_error *err);
void encoded_local_dispose(encoded_local *e);

/* The blobs of a stored map. */
typedef struct local_blobs {
    const void *tiles, *things, *texts; /* borrowed */
    size_t tiles_size, things_size, texts_size;
} local_blobs;

/*
 * Decodes a map into *out, which must be initialised; ids and texts are put into the id_pool.
 * Dispose *out also after an error. PTL_ERR_CORRUPT if the blobs are not those of a map.
 */
ptl_status local_decode(local_map *out, id_pool *pool, const pack_reader *r,
                        const local_blobs *blobs, ptl_error *err);

/* The beginning of a blob of tiles or things. */
typedef struct local_header {
    uint8_t version;  /* PACK_VERSION_LOCAL or PACK_VERSION_PALETTE */
    uint32_t palette; /* the number that the file's dictionary gives to the text of the palette;
                         0: the blob has no palette */
    size_t count, name_count;
    const uint8_t *coded, *end; /* `coded`: where the coded bytes of the blob begin, behind its
                                 * header; `end`: where they end */
} local_header;

/* Reads the header of a blob, and sets *h. The header lists the dictionary's numbers of the
 * names that the blob uses. These numbers are put into `numbers`: at most `most`, each of which
 * must be below limit. The header also has the dictionary's number of the text of the blob's
 * palette. Returns what is wrong with the blob, or NULL. */
const char *local_header_take(local_header *h, uint32_t *numbers, size_t most, size_t limit,
                              const void *blob, size_t size);

/* The functions from here on, which are in local_tiles.c, encode and decode only the tiles of a
 * map. */
typedef struct local_tiles_work local_tiles_work;      /* the scratch memory of an encoder */
local_tiles_work *local_tiles_work_new(id_pool *pool); /* NULL when memory is out */
void local_tiles_work_free(local_tiles_work *w);
ptl_status local_tiles_encode(encoded_pack *out, local_tiles_work *w, const local_map *map,
                              ptl_error *err);
ptl_status local_tiles_decode(local_map *out, id_pool *pool, const pack_reader *r,
                              const void *blob, size_t size, ptl_error *err);

/*
 * For writing, the ids of a plane (a layer of a map's tiles, such as their terrain) get small
 * numbers, called symbols: first the ids of the map's palette (a list of ids that many maps
 * share), then other ids in the order of their first use. The texts of these other ids become
 * the map's names.
 */

enum {
    /* The most names that a map can have: one for each tile of the three planes that have ids,
     * and one for the palette's text. */
    NUMBERING_NAMES_MAX = 3 * LOCAL_CELLS + 1,
    /* How many parsed palettes are kept: about as many as one world uses. */
    NUMBERING_PALETTES = 8
};

/* A palette that was parsed from the text with this number in the id_pool. */
typedef struct numbering_palette {
    /* Number of the palette's text in the id_pool; ID_NONE: this element is free. */
    uint32_t id;
    local_palette palette;
} numbering_palette;

/* Gives symbols (small numbers) to ids. Zero it before use. The palettes that were parsed are
 * kept from map to map; the ids of all these maps must be numbers of one id_pool. */
typedef struct numbering {
    id_pool *pool; /* borrowed */
    /* The texts of the present map's names, borrowed from the id_pool. */
    const char *texts[NUMBERING_NAMES_MAX];
    size_t count;   /* number of `texts` in use */
    uint16_t plane; /* number of the plane (layer of tiles) that is being coded, from 1 */
    uint32_t next;  /* index in `palettes` of the palette that will be replaced next */
    /* Owned; an element for each id. Its high 16 bits have the number of a plane, and its low
     * 16 bits the symbol of the id in that plane. If it has the number of another plane than
     * the present one, the id has no symbol yet. So the table need not be cleared for each
     * plane. */
    uint32_t *slots;
    size_t slot_count;
    bool failed; /* memory was out */
    numbering_palette palettes[NUMBERING_PALETTES];
} numbering;

/* Replaces the ids of a plane (a layer of a map's tiles) by symbols, which are small numbers:
 * `out` gets a symbol for each tile, 0 if its id is ID_NONE. *lacking becomes true if any tile
 * has ID_NONE. Returns false, with *out not set, if no tile has an id or n->failed is set. */
bool numbering_plane(uint16_t *out, const uint32_t *ids, numbering *n,
                     const local_palette_plane *palette, bool *lacking);

/* The functions from here on, which are in local_things.c, encode and decode only the things on
 * a map. A thing has the index of its name in a list of names, and the indices of its texts in
 * a list of texts. Both lists are in the order of first use. LOCAL_THING_NOTHING stands for no
 * name or text. */
enum { LOCAL_THING_NOTHING = -1 };

typedef struct local_thing {
    uint32_t kind;
    int32_t x, y, x2, y2, id, with, count, charges, status, text, own;
} local_thing;

/* Encodes things; they use at most `names` different names. */
ptl_status local_things_put(bytes *out, const local_thing *list, size_t count, size_t names,
                            ptl_error *err);
/* Decodes `count` things into list. names and texts: how many names and texts the map's things
 * have. */
ptl_status local_things_take(local_thing *list, size_t count, size_t names, size_t texts,
                             const uint8_t *coded, const uint8_t *end, ptl_error *err);
