/*
 * Numbers the ids of a plane as symbols: first those of the palette, then others in the order
 * of their first use, whose texts become the map's names. Used for writing, in local_tiles.c.
 */
#ifndef CODEC_LOCAL_LOCAL_NUMBERING_H
#define CODEC_LOCAL_LOCAL_NUMBERING_H

#include "model/local_map.h"

enum {
    NUMBERING_NAMES_MAX = 3 * LOCAL_CELLS + 1, /* of all planes, and the palette's text */
    NUMBERING_PALETTES = 8, /* palettes kept: as many as a world uses at a time */
    NUMBERING_SLOTS = 1024  /* more than the symbols of a plane */
};

/* A slot of the hash table: the id in the low 32 bits, the plane in the 16 above them, the
 * symbol in the highest 16. Slots of other planes count as free, so that a new plane need
 * not clear the table. */
typedef uint64_t numbering_slot;

/* A palette that was parsed from the text with this number in the pool. */
typedef struct numbering_palette {
    uint32_t id; /* ID_NONE: free */
    local_palette palette;
} numbering_palette;

/* Zero it before use. It keeps the palettes that it has parsed from map to map; all maps
 * must belong to one pool. */
typedef struct numbering {
    id_pool *pool;                          /* borrowed */
    const char *texts[NUMBERING_NAMES_MAX]; /* of the present map, borrowed from the pool */
    size_t count;                           /* number of names */
    uint16_t plane;                         /* number of the present plane, from 1 */
    uint32_t next;                          /* the palette to be replaced next */
    numbering_slot slots[NUMBERING_SLOTS];
    numbering_palette palettes[NUMBERING_PALETTES];
} numbering;

/* Numbers a plane: out gets a symbol for each tile, 0 for ID_NONE. False if the plane is
 * empty; *out is not set then. *lacking: does any tile have ID_NONE? */
bool numbering_plane(uint16_t *out, const uint32_t *ids, numbering *n,
                     const local_palette_plane *palette, bool *lacking);

#endif
