/*
 * What kind of thing each terrain, furniture or trap of local maps is (ptl_tile_class), for
 * maps. The class follows from the flags, colours and symbols that the content states, as that
 * of overmap terrains does (model/map_class.h).
 */
#pragma once

#include "model/local_map.h"
#include "portolan/style.h"

/* What the definition of a thing says. */
typedef struct tile_words {
    local_layer layer;
    uint32_t flags; /* bits of tile_flag */
    const char *id;
    const char *color; /* name of a colour; "": none is stated */
    bool wall;         /* it is drawn connected to walls, or is a wall itself */
} tile_words;

/* Returns the bit of a flag that classes depend on, 0 for all other flags. The text need not
 * end with NUL. */
uint32_t tile_flag(const char *flag, size_t length);

ptl_tile_class tile_class_of(const tile_words *words);
