/*
 * What a saved chunk holds beside its OMTs, without SQL: cities, buildings, specials with
 * their pieces, radios, monster groups, what became of specials that were asked for, the four
 * edges with what crosses them, and what the steps could not do.
 *
 * Everything is told by ids, as the file keeps it: whatever content the chunk was made with,
 * and whatever content the world was opened with. A catalogue (catalogue.h) knows more of an
 * id, if it has it. Places are the chunk's own OMTs, 0..179 along x to the east and y to the
 * south, unless something else is said; z is -10..10; rotations are 0..3 = north, east, south,
 * west.
 *
 * Structs that a call fills carry their size and begin with their _INIT (status.h). Texts are
 * UTF-8, never NULL, and borrowed until the features are freed.
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
 * Those of the saved chunk at pos (ptl_chunk_get saves one), all of one moment. *out is new:
 * free it with ptl_features_free; it depends neither on the world nor on the store afterwards.
 * PTL_ERR_NOT_FOUND if the chunk is not saved, PTL_ERR_ARGUMENT where there can be none,
 * PTL_ERR_CORRUPT if what the file has of it is damaged.
 */
PTL_API ptl_status ptl_features_load(ptl_features **out, ptl_world *world, ptl_chunk_pos pos,
                                     ptl_error *err);
/* The four edges at pos alone, whether or not a chunk is saved there: a saved neighbour has one
 * of them. There is nothing else in *out, which is new, as above. */
PTL_API ptl_status ptl_edges_load(ptl_features **out, ptl_world *world, ptl_chunk_pos pos,
                                  ptl_error *err);
PTL_API void ptl_features_free(ptl_features *features); /* NULL is fine */

/* Where the chunk is from, and how many there are of each kind: they have numbers from 0. */
typedef struct ptl_features_info {
    size_t size;
    ptl_chunk_pos pos;
    const char *content;       /* digest of what it was made with, 64 hexadecimal digits; "" if
                                * the file does not know it */
    const char *last_step;     /* "" if all steps ran; else the last one that did */
    int32_t generator_version; /* that made it */
    bool imported;             /* from a game's save */
    size_t cities, buildings, specials, pieces, joins, radios, monster_groups, attempts, events;
    size_t predecessors; /* runs of them */
} ptl_features_info;

#define PTL_FEATURES_INFO_INIT PTL_SIZED(ptl_features_info)

/* Describes the chunk. PTL_ERR_ARGUMENT if nobody set the size. */
PTL_API ptl_status ptl_features_describe(ptl_features_info *out, const ptl_features *features);

/*
 * All calls from here on: PTL_ERR_NOT_FOUND if there is none of that number; *out is empty
 * then: texts "", numbers 0.
 */

typedef struct ptl_city {
    size_t size;
    const char *name;             /* "" if the content has no names */
    int32_t x, y;                 /* its centre */
    int32_t radius;               /* nominal, OMTs: the city's size */
    int32_t planned_x, planned_y; /* where the plan has it; a river may have moved it */
    int32_t buildings;            /* that are its own */
} ptl_city;

#define PTL_CITY_INIT PTL_SIZED(ptl_city)

PTL_API ptl_status ptl_features_city(ptl_city *out, const ptl_features *features,
                                     size_t number);

/* A building of a city. */
typedef struct ptl_building {
    size_t size;
    const char *id; /* of a special or city building */
    int32_t x, y, z, rotation;
    int64_t city; /* number; -1: none */
} ptl_building;

#define PTL_BUILDING_INIT PTL_SIZED(ptl_building)

PTL_API ptl_status ptl_features_building(ptl_building *out, const ptl_features *features,
                                         size_t number);

/* A special as placed. Its number is that of the table special_placement, and of
 * ptl_growth_each. */
typedef struct ptl_placed_special {
    size_t size;
    const char *id;
    int32_t x, y, z, rotation; /* of its origin, which need not be one of its OMTs: x and y
                                * -180..359 */
    int64_t city;              /* number; -1: none */
    int32_t draw;  /* of a mutable one: which growth it was that succeeded there, from 0 */
    int32_t tiles; /* that it has, with what a blob spread */
    /* Its pieces are first_piece .. first_piece + piece_count - 1, in the order in which they
     * grew, and its joins likewise; of a fixed one there are none. */
    size_t first_piece, piece_count, first_join, join_count;
} ptl_placed_special;

#define PTL_PLACED_SPECIAL_INIT PTL_SIZED(ptl_placed_special)

PTL_API ptl_status ptl_features_special(ptl_placed_special *out, const ptl_features *features,
                                        size_t number);

/* A piece of a mutable special: one OMT. */
typedef struct ptl_placed_piece {
    size_t size;
    const char *id; /* inside the special */
    size_t special; /* number */
    int32_t x, y, z, rotation;
} ptl_placed_piece;

/* Two sides of pieces that met. */
typedef struct ptl_placed_join {
    size_t size;
    const char *id;  /* of the join, inside the special */
    size_t special;  /* number */
    int32_t x, y, z; /* of the piece */
    int32_t side;    /* 0..5: north, east, south, west, above, below, as it lies there */
} ptl_placed_join;

#define PTL_PLACED_PIECE_INIT PTL_SIZED(ptl_placed_piece)
#define PTL_PLACED_JOIN_INIT  PTL_SIZED(ptl_placed_join)

PTL_API ptl_status ptl_features_piece(ptl_placed_piece *out, const ptl_features *features,
                                      size_t number);
PTL_API ptl_status ptl_features_join(ptl_placed_join *out, const ptl_features *features,
                                     size_t number);

typedef struct ptl_radio {
    size_t size;
    const char *message; /* of a broadcast; "" of a weather radio */
    int32_t x, y;        /* submaps, half OMTs: 0..359 */
    int32_t strength;
    bool weather; /* the game makes up what it says */
    int64_t frequency;
} ptl_radio;

#define PTL_RADIO_INIT PTL_SIZED(ptl_radio)

PTL_API ptl_status ptl_features_radio(ptl_radio *out, const ptl_features *features,
                                      size_t number);

/* Monsters, before they are spread over their radius. */
typedef struct ptl_monster_group {
    size_t size;
    const char *type; /* id */
    int32_t x, y;     /* submaps, half OMTs: 0..359 */
    int32_t z;
    int32_t radius; /* submaps */
    bool horde, diffuse;
    int32_t population;
} ptl_monster_group;

#define PTL_MONSTER_GROUP_INIT PTL_SIZED(ptl_monster_group)

PTL_API ptl_status ptl_features_monster_group(ptl_monster_group *out,
                                              const ptl_features *features, size_t number);

/* What became of a special that the rule of placement asked for: see ptl_why. */
typedef struct ptl_attempt {
    size_t size;
    const char *id;
    int64_t asked, ground, linked, city, room, failed, placed;
} ptl_attempt;

#define PTL_ATTEMPT_INIT PTL_SIZED(ptl_attempt)

PTL_API ptl_status ptl_features_attempt(ptl_attempt *out, const ptl_features *features,
                                        size_t number);

/*
 * A run of cells that had this terrain before what stands there now was drawn over it: local
 * maps of terrain with the flag REQUIRES_PREDECESSOR are drawn over that terrain's. A cell that
 * was drawn over several times has several; the one with the smaller number is older.
 */
typedef struct ptl_predecessor {
    size_t size;
    const char *id;         /* of an oter */
    int32_t x, y, z;        /* the first cell */
    int32_t length;         /* cells, from 1: inside the chunk */
    int32_t step_x, step_y; /* from each to the next: 1, 0 to the east or 0, 1 to the south */
} ptl_predecessor;

#define PTL_PREDECESSOR_INIT PTL_SIZED(ptl_predecessor)

PTL_API ptl_status ptl_features_predecessor(ptl_predecessor *out, const ptl_features *features,
                                            size_t number);

/* What a step could not do, or did otherwise than asked. In the order in which it happened. */
typedef struct ptl_event {
    size_t size;
    const char *step, *kind; /* e.g. "roads", "unreached" */
    const char *detail;      /* "" if there is nothing to add */
    bool has_place;
    int32_t x, y, z; /* 0 where there is none */
} ptl_event;

#define PTL_EVENT_INIT PTL_SIZED(ptl_event)

PTL_API ptl_status ptl_features_event(ptl_event *out, const ptl_features *features,
                                      size_t number);

/* ---- edges ---- */

/* A side of the chunk: what it and the neighbour there agree on. */
typedef struct ptl_chunk_edge {
    size_t size;
    bool saved;   /* false only in a file that lost it */
    bool foreign; /* taken from a chunk that Portolan did not make; else planned */
    size_t crossing_count;
} ptl_chunk_edge;

/* Something that passes a side. */
typedef struct ptl_crossing {
    size_t size;
    const char *kind; /* "river", or the id of an overmap_connection */
    int32_t position; /* 0..179 along the side: x of the northern and southern one, y of the
                       * eastern and western one */
    int32_t z;
    int32_t width;     /* half width: border cells position - width .. position + width */
    int32_t direction; /* 1 flows to the east or south, -1 to the west or north, 0 neither */
} ptl_crossing;

#define PTL_CHUNK_EDGE_INIT PTL_SIZED(ptl_chunk_edge)
#define PTL_CROSSING_INIT   PTL_SIZED(ptl_crossing)

/* Describes an edge; side 0..3 = north, east, south, west. */
PTL_API ptl_status ptl_features_edge(ptl_chunk_edge *out, const ptl_features *features,
                                     size_t side);
/* Gives crossings in order of (z, kind, position). */
PTL_API ptl_status ptl_features_crossing(ptl_crossing *out, const ptl_features *features,
                                         size_t side, size_t number);

#ifdef __cplusplus
}
#endif
#endif
