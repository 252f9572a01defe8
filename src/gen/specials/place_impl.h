/* Internals of placing: the special in work, and what the parts of placing share. */
#pragma once

#include "gen/connect/connect.h"
#include "gen/sites/sites.h"
#include "gen/specials/place.h"
#include "model/direction.h"

enum {
    NESTING_MAX = 8,       /* the most levels of specials nested in each other */
    NESTED_TOTAL_MAX = 256 /* the most nested specials in one ordered special */
};

struct placer {
    site_bits own[PTL_LEVELS]; /* by level: the cells of the special in work */
    site_bits safe;            /* cells of safe specials on the ground; valid if g->has_safe */
    int32_t *omts;             /* the cells of the special in work, in order of placing: level *
                                * SIZE * SIZE + cell */
    size_t omt_count, omt_room;
    uint32_t levels;             /* bit z + 10: the special in work has cells on level z */
    int32_t closed[SIZE * SIZE]; /* scratch memory of place_links.c */
    bool sought; /* whether the connector last sought a way for the connection and the cell that
                    follow */
    uint16_t sought_connection;
    int32_t sought_cell;
    connect_result told; /* the result of that search */
    int nested;          /* how many nested specials the ordered special has so far */
    uint32_t watch;      /* g->watches at the last link; while g->watches is the same, all later
                          * writes were seen */
};

/* A special that is being placed. */
typedef struct placing {
    generator *g;
    placer *p;
    const cat_special *special;
    const place_order *order; /* order of this special, which may be a nested one */
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

/* May an OMT that allows these terrains stand on the cell? `own`: the OMT states locations
 * itself. */
bool place_accepts(const generator *g, ptl_terrain_set allows, bool own, int32_t z,
                   int32_t cell);

/* Draws the connections of the special and of its pieces (place_links.c). */
void place_links(const placing *at);
/* Does any of the special's pieces have connections? Most have none. */
bool place_pieces_link(const placing *at);
/* Could the connections on the ground be drawn? The special's OMTs must be marked but not yet
 * written. For a mutable special its pieces are passed. */
bool place_has_ways(const placing *at, const gen_piece *pieces, size_t count);

/* Places the specials that are nested in this special (place_links.c). */
void place_nested(const placing *at, int depth);
/* Places the special with all that belongs to it, its origin on level z. */
bool place_at(generator *g, const place_order *order, int8_t z, int depth);
