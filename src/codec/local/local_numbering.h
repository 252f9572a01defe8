/*
 * Ids of a pool as symbols of planes: those of a palette first, then others in the order of
 * their first use in a plane, whose names these are. For writing: local_tiles.c.
 */
#ifndef CODEC_LOCAL_LOCAL_NUMBERING_H
#define CODEC_LOCAL_LOCAL_NUMBERING_H

#include "model/local_map.h"
#include "model/local_palette.h"

enum {
    NUMBERING_NAMES_MAX = 3 * LOCAL_CELLS + 1, /* of planes, and the palette */
    NUMBERING_PALETTES = 8, /* that are remembered: as many as a world knows at a time */
    NUMBERING_SLOTS = 1024  /* more than a plane has symbols */
};

/* An id in its low 32 bits, the plane in 16 above them, and its symbol in the highest 16. Slots
 * of other planes than the one at hand are free. */
typedef uint64_t numbering_slot;

/* A palette that was read of the pool's text of this number. */
typedef struct numbering_palette {
    uint32_t id; /* ID_NONE: free */
    local_palette palette;
} numbering_palette;

/* Zero it before use: it keeps what it read from map to map, all of one pool. */
typedef struct numbering {
    id_pool *pool;                          /* borrowed */
    const char *texts[NUMBERING_NAMES_MAX]; /* names of the map at hand, borrowed from it */
    size_t count;                           /* of them */
    uint16_t plane;                         /* at hand; from 1 */
    uint32_t next;                          /* palette that is put out for another */
    numbering_slot slots[NUMBERING_SLOTS];
    numbering_palette palettes[NUMBERING_PALETTES];
} numbering;

/* Numbers a plane: 0 where it has nothing. False if it has nothing anywhere: then *out is not
 * set. *lacking: has any tile nothing? */
bool numbering_plane(uint16_t *out, const uint32_t *ids, numbering *n,
                     const local_palette_plane *palette, bool *lacking);

#endif
