/* Internals of placing a special: memory for the special that is being placed, and what the
 * files of this folder that place specials share. */
#pragma once

#include "gen/connect/connect.h"
#include "gen/sites/sites.h"
#include "gen/specials/place.h"
#include "model/direction.h"

enum {
    NESTING_MAX = 8,       /* the most levels of specials nested in each other */
    NESTED_TOTAL_MAX = 256 /* the most specials that may be nested, at all depths, in the
                            * special that was ordered */
};

struct placer {
    site_bits own[PTL_LEVELS]; /* by level: the cells of the special that is being placed */
    site_bits safe; /* cells of SAFE_AT_WORLDGEN specials on the ground; valid if g->has_safe */
    /* The cells in `own` in the order in which they were placed; each is level * SIZE * SIZE +
     * y * SIZE + x. */
    int32_t *omts;
    size_t omt_count, omt_room;
    uint32_t levels; /* bit z + 10: the special that is being placed has cells on level z */
    int32_t closed[SIZE * SIZE]; /* scratch memory of place_links.c */
    /* True if the result of the last search for a path is kept, so that the path can be drawn
     * without a new search. That search was for the connection sought_connection and began at
     * the cell sought_cell. */
    bool sought;
    uint16_t sought_connection;
    int32_t sought_cell;
    connect_result told; /* what the last search for a path returned */
    int nested;          /* how many nested specials the ordered special has so far */
    /* `g->watches` (how many times the generator got a new watcher) as it was when the last
     * path was put on the map. While `g->watches` still has this value, the search for paths
     * knows all cells that changed after that path. */
    uint32_t watch;
};

/* A special that is being placed. */
typedef struct placing {
    generator *g;
    placer *p;
    const cat_special *special;
    const place_order *order; /* what is asked for this special, which may be a nested one */
    int8_t z;                 /* level of its origin */
    size_t first_piece;       /* for a mutable special: index in g->features.pieces */
} placing;

static inline int32_t level_of(int32_t z)
{
    return z - PTL_Z_MIN;
}

/* Is the cell on a level of the chunk and inside its border ring? */
static inline bool place_inside(int32_t x, int32_t y, int32_t z)
{
    return inside_ring(x, y) && z >= PTL_Z_MIN && z <= PTL_Z_MAX;
}

static inline bool place_owns(const placer *p, int32_t x, int32_t y, int32_t z)
{
    return site_has(&p->own[level_of(z)], x, y);
}

/* May an OMT of a special stand on the cell? `allows` has the terrains on which it may lie;
 * `own` is true if its definition states locations for this OMT alone. */
bool place_accepts(const generator *g, ptl_terrain_set allows, bool own, int32_t z,
                   int32_t cell);

/* Draws the connections of the special and of its pieces (place_links.c). */
void place_links(const placing *at);
/* Does any of the special's pieces have connections? Most have none. */
bool place_pieces_link(const placing *at);
/* Could a path be found for each of the special's connections on the ground? The special's OMTs
 * must be marked but not yet written. `pieces` are the pieces of a mutable special. */
bool place_has_ways(const placing *at, const gen_piece *pieces, size_t count);

/* Places the specials that are nested in this special (place_links.c). */
void place_nested(const placing *at, int depth);
/* Places the special with all that belongs to it, its origin on level z. */
bool place_at(generator *g, const place_order *order, int8_t z, int depth);
