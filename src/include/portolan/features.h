/*
 * Reads what a saved chunk holds beside its OMTs, without SQL: cities, buildings, specials with
 * their pieces, radios and monster groups. It also reads what became of each special that the
 * rule of placement asked for, the four edges with what crosses them, and events (what a step
 * of generation could not do).
 *
 * Terrains, specials and the like are given by their ids, as the file keeps them, so that it
 * does not matter which content the chunk was made with and which one the world was opened
 * with. A catalogue (catalogue.h) that has the id gives its definition. Unless a comment says
 * otherwise, places are OMTs relative to the chunk: x is 0..179 to the east, y is 0..179 to
 * the south, z is -10..10. Rotations are 0..3 = north, east, south, west.
 *
 * Structs that a call fills carry their size: initialise them with their _INIT macro
 * (status.h). Texts are UTF-8, never NULL, and valid until the features are freed.
 */
#ifndef PORTOLAN_FEATURES_H
#define PORTOLAN_FEATURES_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A chunk's features: a value in memory, which any number of threads may read. */
typedef struct ptl_features ptl_features;

/*
 * Loads the features of the saved chunk at pos, all as they are at one moment. *out is the
 * caller's: free it with ptl_features_free. *out depends neither on the world nor on the store
 * afterwards. PTL_ERR_NOT_FOUND if the chunk is not saved (ptl_chunk_get saves it),
 * PTL_ERR_ARGUMENT if no chunk can exist at pos, PTL_ERR_CORRUPT if the chunk's rows in the
 * file are damaged.
 */
PTL_API ptl_status ptl_features_load(ptl_features **out, ptl_world *world, ptl_chunk_pos pos,
                                     ptl_error *err);
/* Loads only the four edges of the chunk at pos, whether or not this chunk is saved: an edge is
 * in the file, too, if only the neighbour beyond it is saved. *out holds nothing beside the
 * edges; free it with ptl_features_free. */
PTL_API ptl_status ptl_edges_load(ptl_features **out, ptl_world *world, ptl_chunk_pos pos,
                                  ptl_error *err);
PTL_API void ptl_features_free(ptl_features *features); /* freeing NULL does nothing */

/* Where the chunk comes from, and how many features of each kind it has. The features of a
 * kind are numbered from 0. */
typedef struct ptl_features_info {
    size_t size;
    ptl_chunk_pos pos;
    const char *content;       /* digest of the content that the chunk was made with, 64
                                * hexadecimal digits; "" if the file does not know it */
    const char *last_step;     /* "" if all steps of generation ran; else the name of the last
                                * step that ran */
    int32_t generator_version; /* version of the generator that made the chunk */
    bool imported;             /* the chunk comes from a game's save */
    size_t cities, buildings, specials, pieces, joins, radios, monster_groups, attempts, events;
    size_t predecessors; /* number of ptl_predecessor entries: runs of OMTs whose earlier
                          * terrain is known */
} ptl_features_info;

#define PTL_FEATURES_INFO_INIT PTL_SIZED(ptl_features_info)

/* Describes the chunk. PTL_ERR_ARGUMENT if out->size was not set. */
PTL_API ptl_status ptl_features_describe(ptl_features_info *out, const ptl_features *features);

/*
 * All calls in the rest of this header return PTL_ERR_NOT_FOUND if there is no feature of the
 * given number. *out is empty then: texts are "", numbers 0.
 */

typedef struct ptl_city {
    size_t size;
    const char *name;             /* name of the city; "" if the content has no names */
    int32_t x, y;                 /* the city's centre */
    int32_t radius;               /* the city's size: its nominal radius in OMTs */
    int32_t planned_x, planned_y; /* the centre that was planned; if a river flows there, the
                                     city was moved away from it */
    int32_t buildings;            /* how many buildings belong to the city */
} ptl_city;

#define PTL_CITY_INIT PTL_SIZED(ptl_city)

PTL_API ptl_status ptl_features_city(ptl_city *out, const ptl_features *features,
                                     size_t number);

/* A building of a city. */
typedef struct ptl_building {
    size_t size;
    const char *id; /* id of the special or city building */
    int32_t x, y, z, rotation;
    int64_t city; /* number of the city to which the building or special belongs; -1: none */
} ptl_building;

#define PTL_BUILDING_INIT PTL_SIZED(ptl_building)

PTL_API ptl_status ptl_features_building(ptl_building *out, const ptl_features *features,
                                         size_t number);

/* A special that was placed in the chunk. Its number is the same in the table
 * special_placement, and ptl_growth_each takes it. */
typedef struct ptl_placed_special {
    size_t size;
    const char *id;
    int32_t x, y, z, rotation; /* place and rotation of the special's origin. The origin need
                                * not be one of its OMTs: x and y are -180..359 */
    int64_t city;              /* number of the city to which the building or special belongs;
                                * -1: none */
    int32_t draw; /* for a mutable special: which of the growths at this place succeeded; they
                     are numbered from 0 */
    int32_t omts; /* how many OMTs the special has, including those that were spread around it
                   * because of its flag BLOB */
    /* The special's pieces have the numbers first_piece .. first_piece + piece_count - 1, in
     * the order in which they grew; its joins have the numbers first_join .. first_join +
     * join_count - 1. A fixed special has no pieces and joins. */
    size_t first_piece, piece_count, first_join, join_count;
} ptl_placed_special;

#define PTL_PLACED_SPECIAL_INIT PTL_SIZED(ptl_placed_special)

PTL_API ptl_status ptl_features_special(ptl_placed_special *out, const ptl_features *features,
                                        size_t number);

/* A piece of a mutable special. Each piece is one OMT. */
typedef struct ptl_placed_piece {
    size_t size;
    const char *id; /* id of the piece, unique inside the special */
    size_t special; /* number of the special */
    int32_t x, y, z, rotation;
} ptl_placed_piece;

/* A join at which the sides of two neighbouring pieces meet. */
typedef struct ptl_placed_join {
    size_t size;
    const char *id;  /* id of the join, unique inside the special */
    size_t special;  /* number of the special */
    int32_t x, y, z; /* place of one of the two pieces that meet */
    int32_t side;    /* the side of the piece at x, y, z that touches the other piece: 0..5 =
                        north, east, south, west, above, below, after the piece was rotated */
} ptl_placed_join;

#define PTL_PLACED_PIECE_INIT PTL_SIZED(ptl_placed_piece)
#define PTL_PLACED_JOIN_INIT  PTL_SIZED(ptl_placed_join)

PTL_API ptl_status ptl_features_piece(ptl_placed_piece *out, const ptl_features *features,
                                      size_t number);
PTL_API ptl_status ptl_features_join(ptl_placed_join *out, const ptl_features *features,
                                     size_t number);

typedef struct ptl_radio {
    size_t size;
    const char *message; /* text of the broadcast; "" for a weather radio */
    int32_t x, y;        /* place in submaps (half OMTs), 0..359 */
    int32_t strength;
    bool weather; /* true: a weather radio, whose text the game makes while it runs */
    int64_t frequency;
} ptl_radio;

#define PTL_RADIO_INIT PTL_SIZED(ptl_radio)

PTL_API ptl_status ptl_features_radio(ptl_radio *out, const ptl_features *features,
                                      size_t number);

/* A group of monsters, before the game spreads them over their radius. */
typedef struct ptl_monster_group {
    size_t size;
    const char *type; /* id of the monster group */
    int32_t x, y;     /* place in submaps (half OMTs), 0..359 */
    int32_t z;
    int32_t radius; /* radius in submaps (half OMTs) */
    bool horde, diffuse;
    int32_t population;
} ptl_monster_group;

#define PTL_MONSTER_GROUP_INIT PTL_SIZED(ptl_monster_group)

PTL_API ptl_status ptl_features_monster_group(ptl_monster_group *out,
                                              const ptl_features *features, size_t number);

/* What became of a special that the rule of placement asked for. The counts are those of
 * ptl_why (why.h), which explains them. */
typedef struct ptl_attempt {
    size_t size;
    const char *id;
    int64_t asked, ground, linked, city, room, failed, placed;
} ptl_attempt;

#define PTL_ATTEMPT_INIT PTL_SIZED(ptl_attempt)

PTL_API ptl_status ptl_features_attempt(ptl_attempt *out, const ptl_features *features,
                                        size_t number);

/*
 * A run of OMTs, in a row, that had the same oter `id` before another terrain was drawn over
 * it. The local map of a terrain with the flag REQUIRES_PREDECESSOR is drawn over the map of
 * its predecessor. An OMT that was drawn over several times has several predecessors: the
 * smaller the number, the older.
 */
typedef struct ptl_predecessor {
    size_t size;
    const char *id;         /* id of the oter that the OMTs of the run had before */
    int32_t x, y, z;        /* the first OMT of the run */
    int32_t length;         /* number of OMTs in the run, at least 1; all of them lie inside the
                             * chunk */
    int32_t step_x, step_y; /* the step from one OMT of the run to the next: 1, 0 (east) or 0, 1
                             * (south) */
} ptl_predecessor;

#define PTL_PREDECESSOR_INIT PTL_SIZED(ptl_predecessor)

PTL_API ptl_status ptl_features_predecessor(ptl_predecessor *out, const ptl_features *features,
                                            size_t number);

/* Something that a step of generation could not do, or did in another way than asked. Events
 * are numbered in the order in which they happened. */
typedef struct ptl_event {
    size_t size;
    const char *step, *kind; /* name of the step, and kind of the event, e.g. "roads",
                              * "unreached" */
    const char *detail;      /* details as text; "" if there are none */
    bool has_place;
    int32_t x, y, z; /* the event's place; 0 if has_place is false */
} ptl_event;

#define PTL_EVENT_INIT PTL_SIZED(ptl_event)

PTL_API ptl_status ptl_features_event(ptl_event *out, const ptl_features *features,
                                      size_t number);

/* ---- edges ---- */

/* One edge of a chunk: what crosses the border between the chunk and its neighbour beyond the
 * edge. */
typedef struct ptl_chunk_edge {
    size_t size;
    bool saved;   /* whether the file has the edge; false only if the file is damaged */
    bool foreign; /* true: the edge was taken from a chunk that Portolan did not make; false:
                   * Portolan planned it */
    size_t crossing_count;
} ptl_chunk_edge;

/* A connection or a river that crosses a side of the chunk. */
typedef struct ptl_crossing {
    size_t size;
    const char *kind; /* "river", or the id of an overmap_connection */
    int32_t position; /* place along the side, 0..179: x on the northern and southern side, y
                       * on the eastern and western one */
    int32_t z;
    int32_t width;     /* half of the crossing's width: it covers the OMTs position - width ..
                        * position + width */
    int32_t direction; /* direction in which a river flows: 1 to the east or south, -1 to the
                        * west or north; 0 for everything else */
} ptl_crossing;

#define PTL_CHUNK_EDGE_INIT PTL_SIZED(ptl_chunk_edge)
#define PTL_CROSSING_INIT   PTL_SIZED(ptl_crossing)

/* Describes the chunk's edge on one side: 0..3 = north, east, south, west. */
PTL_API ptl_status ptl_features_edge(ptl_chunk_edge *out, const ptl_features *features,
                                     size_t side);
/* Gives a crossing of a side. Crossings are numbered in the order of (z, kind, position). */
PTL_API ptl_status ptl_features_crossing(ptl_crossing *out, const ptl_features *features,
                                         size_t side, size_t number);

#ifdef __cplusplus
}
#endif
#endif
