/*
 * A palette: what the local maps of one terrain consist of, counted over the maps looked at. A
 * map that is coded against its palette takes fewer bytes. A palette is written as a text,
 * which the file keeps as a name, so that each map can name the palette it was coded with
 * (schema/format.md, "Palettes").
 */
#ifndef MODEL_LOCAL_PALETTE_H
#define MODEL_LOCAL_PALETTE_H

#include "core/bytes.h"
#include "model/id_pool.h"

#include <stdbool.h>

enum {
    LOCAL_PALETTE_TERRAIN,
    LOCAL_PALETTE_FURNITURE,
    LOCAL_PALETTE_PLANES,
    LOCAL_PALETTE_MAX = 62,         /* ids in a plane */
    LOCAL_PALETTE_WEIGHT_LEAST = 4, /* higher than what the only tile of a kind counts */
    LOCAL_PALETTE_WHOLE_MAX = 8192  /* limit of the sum of a plane's weights */
};

typedef struct local_palette_plane {
    uint32_t ids[LOCAL_PALETTE_MAX]; /* of a pool; sorted as in the text */
    uint16_t weights[LOCAL_PALETTE_MAX];
    uint32_t count;
} local_palette_plane;

typedef struct local_palette {
    local_palette_plane planes[LOCAL_PALETTE_PLANES];
} local_palette;

/* Appends the palette's text, without a NUL behind it. */
void local_palette_put(bytes *out, const local_palette *palette, const id_pool *pool);
/* Reads a palette's text and puts its ids into the pool. False if the text is no palette. */
bool local_palette_take(local_palette *out, id_pool *pool, const char *text);

#endif
