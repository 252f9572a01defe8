/*
 * What compiled mapgen may put on each tile of a local map: for each tile a set of terrains and
 * one of furniture, computed from the compiled form, not by making maps. It shares no code with
 * mapgen/run. What is drawn once for several tiles (a chunk, its place, a parameter) is taken
 * as if it were drawn for each, so the sets are never too small for that; or, where a map is
 * given that was seen, one chunk at one place is chosen, that which fits the map best.
 */
#ifndef TRUTH_POSSIBLE_H
#define TRUTH_POSSIBLE_H

#include "mapgen/compile/library.h"
#include "model/local_map.h"
#include "support/truth/shares.h"

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
    /* The list that a character's terrain, or furniture, is drawn from there, where nothing
     * else may be put on the tile later; 0: it is not, or it is not known. */
    uint32_t terrain_list[LOCAL_CELLS], furniture_list[LOCAL_CELLS];
    /* May what it is drawn over show there? How often that has which terrain is another test's
     * (test_local_ground). */
    bool ground[LOCAL_CELLS];
    bool predecessor; /* it is drawn over a map of which nothing is known here */
    bool truncated;   /* something was too much to be followed */
} possible_map;

/* A map that was seen, turned back to how it was drawn. */
typedef struct possible_seen {
    uint32_t terrain[LOCAL_CELLS], furniture[LOCAL_CELLS];
    bool roofed[LOCAL_CELLS]; /* the terrain may be there where air was put */
} possible_seen;

typedef struct possible_options {
    uint32_t dropped; /* a character that means nothing in palettes; ID_NONE: none */
    /* Of the terrains that a tile is drawn from, the fewest that come so often together count,
     * of 1: what comes seldom does not. 1: all do. */
    double coverage;
    bool no_parameters;        /* a control: parameters have their fallbacks alone */
    uint32_t before;           /* the terrain that stood there before; ID_NONE: none is known */
    const possible_seen *seen; /* NULL: nothing is chosen by it */
    share_lists *lists;        /* where lists are kept; NULL: they are not */
} possible_options;

/* Fills the map of a candidate. */
void possible_make(possible_map *out, const possible_content *content, id_sets *sets,
                   const mapgen_candidate *candidate, const possible_options *options);
/* Is something of a candidate drawn by parameters: palettes, or what they mean? */
bool possible_has_parameters(const possible_content *content, id_sets *sets,
                             const mapgen_candidate *candidate);
/* Returns the character whose meaning palettes give and that most tiles of the candidate's part
 * of the drawing have; ID_NONE if there is none. */
uint32_t possible_palette_symbol(const possible_content *content,
                                 const mapgen_candidate *candidate);

#endif
