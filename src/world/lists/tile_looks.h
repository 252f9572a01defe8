/*
 * How terrain, furniture, traps and fields look on local maps: names, symbols and colours by
 * id. They are read from the file's present content.
 */
#pragma once

#include "model/tile_class.h"
#include "store/store.h"

typedef struct tile_look {
    const char *name; /* "": the content states no name */
    /* Name of a colour, the first one if there are several; "" means light_gray. */
    const char *color;
    uint32_t symbol; /* a code point; 0: the content states none */
    uint8_t line;    /* arms of a symbol LINE_...: bit 0 north, 1 east, 2 south, 3 west */
    bool wall; /* set if pictures draw the thing with arms towards the neighbours that have the
                  same `group` */
    /* Number of a group: things of one group are drawn connected to each other; 0: the thing
     * connects to nothing. */
    uint32_t group;
    /* Id of a thing of the same layer whose picture a tile set shows if it has none for this
     * one; "": none. */
    const char *like;
    ptl_tile_class class; /* what it is, which decides its colours on paper */
} tile_look;

typedef struct tile_looks tile_looks;

/* Reads the looks of all objects; *out is new. */
ptl_status tile_looks_new(tile_looks **out, ptl_store *store, ptl_error *err);
void tile_looks_free(tile_looks *looks); /* NULL is fine */

/* Finds how the thing with this id looks. If there is no such id, returns false and sets *out
 * to zeroes and empty texts. Texts are borrowed from looks. */
bool tile_looks_find(tile_look *out, tile_looks *looks, local_layer sort, const char *id);
