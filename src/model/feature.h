/*
 * Features: what a chunk holds beside its cells. The steps of generation add them in a fixed
 * order, so that equal chunks have equal lists. All positions are chunk-local.
 */
#pragma once

#include "model/catalogue.h"

#include <stddef.h>
#include <stdint.h>

enum { FEATURE_NO_CITY = -1 };

/* A city as it was built. Its index in the list is its number in the chunk. */
typedef struct gen_city {
    /* Name of the city; borrowed from the catalogue or from gen_features.names. */
    const char *name;
    int16_t x, y;                 /* the city's centre, in OMTs of the chunk */
    int16_t size;                 /* nominal radius in OMTs, at least 1 */
    int16_t planned_x, planned_y; /* centre of the city in the chunk's plan */
} gen_city;

/* A building or special as it was placed. If it is fixed, its OMTs are those that the
 * catalogue has for the special; if it is mutable, the pieces that refer to it are its OMTs.
 * City buildings come first in the list. */
typedef struct gen_placement {
    uint16_t special; /* index into catalogue.specials */
    int16_t x, y;     /* the OMT of the chunk that is the origin */
    int8_t z;
    uint8_t rotation; /* 0..3 = N, E, S, W */
    int16_t city; /* index into gen_features.cities; FEATURE_NO_CITY: it belongs to no city */
    /* Of a mutable special, whose growth may be tried several times: number of the try that
     * succeeded, from 0. */
    int16_t draw;
    /* Number of OMTs of the placement, including those that the flag BLOB added; 0 for city
     * buildings. */
    int32_t omts;
} gen_placement;

/* A placed piece of a mutable special. */
typedef struct gen_piece {
    /* An index into placements. Pieces of one placement stand together, in the order in
     * which they grew. */
    int32_t placement;
    uint16_t piece; /* index into cat_mutable.pieces */
    int16_t x, y;
    int8_t z;
    uint8_t rotation;
} gen_piece;

/* A place where two pieces of a mutable special meet: the side of one piece that touches the
 * other piece, and the join of that side. */
typedef struct gen_join {
    int32_t placement; /* index into placements; the joins of one placement stand together */
    int16_t x, y;
    int8_t z;
    uint8_t side;  /* side of the rotated piece: 0..5 = N, E, S, W, above, below */
    uint16_t join; /* index into cat_mutable.joins */
} gen_join;

/* What became of a special that the rule of placement wanted to place. Origins pass tests in
 * the order of the members below; each member counts the origins that have passed its test. An
 * origin counts if any rotation passes. */
typedef struct gen_attempt {
    uint16_t special;
    int32_t asked; /* how many were to be placed; at least 1 */
    /* Number of origins in the chunk at which all OMTs of the special are inside the chunk and
     * on terrains of their locations. */
    int32_t ground;
    /* Of the origins in `ground`: those where each point at which a connection of the special
     * ends has a suitable terrain. */
    int32_t linked;
    /* Of the origins where the special fits the ground and the ends of its connections
     * (`linked`): how many have a nearest city of the size and at the distance that the special
     * asks for. */
    int32_t city;
    /* Of the origins that `city` counts: those where the specials that were placed earlier
     * leave room. With the rule `sectors`: the number of sectors that have such an origin. */
    int32_t room;
    int32_t failed; /* growths of a mutable special that were tried and undone */
    int32_t placed;
} gen_attempt;

/* A monster group before it is spread over its radius (schema/generation.md 11). */
typedef struct gen_group {
    const char *type; /* id of the monster group; borrowed from the catalogue, or a constant */
    int16_t x, y;     /* place of the group in the chunk, in submaps (half OMTs): 0..359 */
    int8_t z;
    int16_t radius; /* radius of the group, in submaps */
    int32_t population;
    bool horde, diffuse;
} gen_group;

typedef struct gen_radio {
    int16_t x, y; /* place of the radio, in submaps of the chunk */
    int16_t strength;
    bool weather; /* the game's type of the radio: true is "weather", false "broadcast" */
    /* Text of the message; "" for a weather radio; borrowed, or in gen_features.names. */
    const char *message;
    int32_t frequency; /* 0..2^31 - 1 */
} gen_radio;

/* A run of cells in a line that had the same terrain before the present terrain was drawn over
 * it. If several runs cover a cell, those earlier in the list are older. */
typedef struct gen_predecessor {
    ptl_oter oter; /* CAT_NONE: the catalogue lacks the oter */
    int16_t x, y;  /* first cell of the run */
    int8_t z;
    bool south;     /* true: the run goes south from its first cell; false: east */
    int16_t length; /* number of cells of the run, at least 1 */
} gen_predecessor;

/* The lists of a chunk. They grow, and keep their memory from chunk to chunk. */
typedef struct gen_features {
    gen_city *cities;
    gen_placement *placements;
    gen_piece *pieces;
    gen_join *joins;
    gen_attempt *attempts; /* in the catalogue's order of specials */
    gen_group *groups;
    gen_radio *radios;
    gen_predecessor *predecessors;
    size_t city_count, placement_count, piece_count, join_count, attempt_count, group_count,
        radio_count, predecessor_count;
    size_t city_room, placement_room, piece_room, join_room, attempt_room, group_room,
        radio_room, predecessor_room;
    char **names; /* owned: texts that the catalogue does not hold */
    size_t name_count, name_room;
} gen_features;

/* Each of these functions returns a new zeroed entry, or NULL when memory is out. */
gen_city *features_add_city(gen_features *f);
gen_placement *features_add_placement(gen_features *f);
gen_piece *features_add_piece(gen_features *f);
gen_join *features_add_join(gen_features *f);
gen_attempt *features_add_attempt(gen_features *f);
gen_group *features_add_group(gen_features *f);
gen_radio *features_add_radio(gen_features *f);
/* These two functions append `count` new entries and return the first one; the caller fills
 * them. For count 0 they return a valid pointer, too. NULL when memory is out. */
gen_piece *features_add_pieces(gen_features *f, size_t count);
gen_join *features_add_joins(gen_features *f, size_t count);
/* Returns a new zeroed entry, or NULL when memory is out. */
gen_predecessor *features_add_predecessor(gen_features *f);
/* Copies a text; the copy lives until the features are reset or disposed of. NULL when memory
 * is out. */
const char *features_text(gen_features *f, const char *text);
/* Empties the lists, and keeps their room. */
void features_reset(gen_features *f);
void features_dispose(gen_features *f);

/* Rotates a point of a special about its origin: rotation 0..3 = N, E, S, W, clockwise. */
static inline void feature_rotate(int32_t x, int32_t y, int rotation, int32_t *out_x,
                                  int32_t *out_y)
{
    *out_x = rotation == 0 ? x : rotation == 1 ? -y : rotation == 2 ? -x : y;
    *out_y = rotation == 0 ? y : rotation == 1 ? x : rotation == 2 ? -y : -x;
}
