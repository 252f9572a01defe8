/*
 * Features: what a chunk holds beside its tiles. The steps add them in a fixed order, so that
 * equal chunks have equal lists. All positions are chunk-local.
 */
#ifndef MODEL_FEATURE_H
#define MODEL_FEATURE_H

#include "model/catalogue.h"

#include <stddef.h>
#include <stdint.h>

enum { FEATURE_NO_CITY = -1 };

/* A city as it came out. Its index in the list is its number in the chunk. */
typedef struct gen_city {
    const char *name;             /* borrowed from the catalogue, or from gen_features.names */
    int16_t x, y;                 /* centre, OMTs */
    int16_t size;                 /* nominal radius in OMTs, from 1 */
    int16_t planned_x, planned_y; /* where the plan has its site */
} gen_city;

/* A building or special as placed. The tiles of a fixed one follow from the catalogue, those of
 * a mutable one are the pieces that name it. Buildings of cities come first in the list. */
typedef struct gen_placement {
    uint16_t special; /* index into catalogue.specials */
    int16_t x, y;     /* origin, OMTs */
    int8_t z;
    uint8_t rotation; /* 0..3 = N, E, S, W */
    int16_t city;     /* index into cities, FEATURE_NO_CITY if none */
    int16_t draw;     /* of a mutable one: which growth it was that succeeded there, from 0 */
    int32_t tiles;    /* that it has, with what a blob spread; 0 for buildings of cities */
} gen_placement;

/* A piece of a mutable special. */
typedef struct gen_piece {
    int32_t placement; /* index into placements; pieces of one stand together, in the order in
                        * which they grew */
    uint16_t piece;    /* index into cat_mutable.pieces */
    int16_t x, y;
    int8_t z;
    uint8_t rotation;
} gen_piece;

/* Two sides that met: of a piece, and the join by which it did. */
typedef struct gen_join {
    int32_t placement; /* in order, as pieces */
    int16_t x, y;
    int8_t z;
    uint8_t side;  /* 0..5 = N, E, S, W, above, below, as it lies in the world */
    uint16_t join; /* index into cat_mutable.joins */
} gen_join;

/* What became of a special that was asked for. Origins are counted after each test, the tests
 * in this order; an origin counts if any rotation passes. */
typedef struct gen_attempt {
    uint16_t special;
    int32_t asked;  /* how many, from 1 */
    int32_t ground; /* origins at which all tiles are in bounds and lie on their locations */
    int32_t linked; /* and its connections' points are as they must be */
    int32_t city;   /* and the nearest city is as it must be */
    int32_t room;   /* and other specials leave room. Rule sectors: sectors with an origin */
    int32_t failed; /* growths that were undone */
    int32_t placed;
} gen_attempt;

/* A monster group before it is spread over its radius (generation.md 11). */
typedef struct gen_group {
    const char *type; /* id, borrowed from the catalogue or a constant */
    int16_t x, y;     /* submaps (half OMTs), 0..359 */
    int8_t z;
    int16_t radius; /* submaps */
    int32_t population;
    bool horde, diffuse;
} gen_group;

typedef struct gen_radio {
    int16_t x, y; /* submaps */
    int16_t strength;
    bool weather;        /* "weather", else "broadcast" */
    const char *message; /* "" for a weather radio; borrowed, or from gen_features.names */
    int32_t frequency;   /* 0..2^31 - 1 */
} gen_radio;

/* A run of cells that the same terrain had before what stands there now was drawn over it. Of
 * several runs over one cell those that come first in the list are older. */
typedef struct gen_predecessor {
    ptl_oter oter; /* CAT_NONE: the catalogue lacks it */
    int16_t x, y;  /* the first cell */
    int8_t z;
    bool south;     /* the others lie to the south; else to the east */
    int16_t length; /* cells, from 1 */
} gen_predecessor;

/* Growable lists, kept from chunk to chunk so that nothing is allocated anew. */
typedef struct gen_features {
    gen_city *cities;
    gen_placement *placements;
    gen_piece *pieces;
    gen_join *joins;
    gen_attempt *attempts; /* in order of the specials */
    gen_group *groups;
    gen_radio *radios;
    gen_predecessor *predecessors;
    size_t city_count, placement_count, piece_count, join_count, attempt_count, group_count,
        radio_count, predecessor_count;
    size_t city_room, placement_room, piece_room, join_room, attempt_room, group_room,
        radio_room, predecessor_room;
    char **names; /* owned texts that are in no catalogue */
    size_t name_count, name_room;
} gen_features;

/* Each returns a new zeroed entry, or NULL when memory is out. */
gen_city *features_add_city(gen_features *f);
gen_placement *features_add_placement(gen_features *f);
gen_piece *features_add_piece(gen_features *f);
gen_join *features_add_join(gen_features *f);
gen_attempt *features_add_attempt(gen_features *f);
gen_group *features_add_group(gen_features *f);
gen_radio *features_add_radio(gen_features *f);
/* Returns the first of `count` new entries, which the caller fills; also if they are none. NULL
 * when memory is out. */
gen_piece *features_add_pieces(gen_features *f, size_t count);
gen_join *features_add_joins(gen_features *f, size_t count);
gen_predecessor *features_add_predecessor(gen_features *f);
/* A copy of the text that lives as long as the features; NULL when memory is out. */
const char *features_text(gen_features *f, const char *text);
/* Empty again, with the room kept. */
void features_reset(gen_features *f);
void features_dispose(gen_features *f);

/* Turns a point of a special: 0..3 = N, E, S, W, clockwise about the origin. */
static inline void feature_rotate(int32_t x, int32_t y, int rotation, int32_t *out_x,
                                  int32_t *out_y)
{
    *out_x = rotation == 0 ? x : rotation == 1 ? -y : rotation == 2 ? -x : y;
    *out_y = rotation == 0 ? y : rotation == 1 ? x : rotation == 2 ? -y : -x;
}

#endif
