/*
 * What compiled mapgen may put on each tile of a local map: for each tile a set of terrains and
 * one of furniture, computed from the compiled form, not by making maps. It shares no code with
 * mapgen/run. What is drawn once for several tiles (a chunk, a parameter) is taken as if it
 * were drawn for each, so the sets are never too small for that.
 */
#ifndef TRUTH_POSSIBLE_H
#define TRUTH_POSSIBLE_H

#include "mapgen/compile/library.h"
#include "mapgen/compile/tiles.h"
#include "mapgen/ground/settings.h"
#include "model/local_map.h"
#include "support/truth/id_sets.h"

/* What a content's mapgen is, borrowed. */
typedef struct possible_content {
    mapgen_library *library;
    id_pool *pool;
    const mapgen_tiles *tiles;
    const ground_settings *settings;
} possible_content;

/* Numbers of sets, tile by tile, the drawing not yet turned. ID_NONE is in a set where there
 * may be nothing. */
typedef struct possible_map {
    uint32_t terrain[LOCAL_CELLS], furniture[LOCAL_CELLS];
    bool predecessor; /* it is drawn over a map of which nothing is known here */
    bool truncated;   /* something was too much to be followed */
} possible_map;

/* Fills the map of a candidate. The character `dropped` means nothing in palettes; ID_NONE:
 * all mean what they do. */
void possible_make(possible_map *out, const possible_content *content, id_sets *sets,
                   const mapgen_candidate *candidate, uint32_t dropped);
/* Returns the character whose meaning palettes give and that most tiles of the candidate's part
 * of the drawing have; ID_NONE if there is none. */
uint32_t possible_palette_symbol(const possible_content *content,
                                 const mapgen_candidate *candidate);

#endif
