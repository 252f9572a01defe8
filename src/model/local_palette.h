/*
 * What maps of one terrain are made of, as those that were looked at had it: what a map has is
 * told in less by who knows that. It is written as a text, which the file keeps as a name, so
 * that a map says which one it goes by (schema/format.md, "Palettes").
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
    LOCAL_PALETTE_MAX = 62,         /* ids of a plane */
    LOCAL_PALETTE_WEIGHT_LEAST = 4, /* more than a tile counts that is the only one */
    LOCAL_PALETTE_WHOLE_MAX = 8192  /* the sum of a plane's weights */
};

typedef struct local_palette_plane {
    uint32_t ids[LOCAL_PALETTE_MAX]; /* of a pool */
    uint16_t weights[LOCAL_PALETTE_MAX];
    uint32_t count;
} local_palette_plane;

typedef struct local_palette {
    local_palette_plane planes[LOCAL_PALETTE_PLANES];
} local_palette;

/* Puts the text, without a NUL behind it. */
void local_palette_put(bytes *out, const local_palette *palette, const id_pool *pool);
/* Reads a text, whose ids are put in the pool. False: it is no palette. */
bool local_palette_take(local_palette *out, id_pool *pool, const char *text);

#endif
