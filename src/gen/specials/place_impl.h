/* Inside placing: the special in work, and what its parts share. */
#ifndef GEN_SPECIALS_PLACE_IMPL_H
#define GEN_SPECIALS_PLACE_IMPL_H

#include "gen/connect/connect.h"
#include "gen/sites/sites.h"
#include "gen/specials/place.h"
#include "model/direction.h"

enum {
    NESTING_MAX = 8,       /* specials in specials */
    NESTED_TOTAL_MAX = 256 /* in one that is ordered */
};

struct placer {
    site_bits *own; /* by level: tiles of the special in work */
    site_bits safe; /* where safe specials stand on the ground; good with g->has_safe */
    int32_t *tiles; /* those: level * SIZE * SIZE + cell, in the order in which they came */
    size_t omt_count, tile_room;
    uint32_t levels; /* bit z + 10: some of them are there */
    int32_t *closed; /* SIZE * SIZE scratch of links */
    bool sought;     /* the last thing that the connector did was to seek the link of this: */
    uint16_t sought_connection;
    int32_t sought_cell;
    connect_result told; /* and it said this */
    int nested;          /* so far, in the one that was ordered */
    uint32_t watch; /* g->watches at the last link: since then all that was written is known */
};

/* A special that is being placed. */
typedef struct placing {
    generator *g;
    placer *p;
    const cat_special *special;
    const place_order *order; /* of this special, which may be a nested one */
    int8_t z;                 /* of its origin */
    size_t first_piece;       /* of a mutable one, in g->features.pieces */
} placing;

static inline int32_t level_of(int32_t z)
{
    return z - PTL_Z_MIN;
}

/* Is it in the chunk without its border ring, and on a level? */
static inline bool place_inside(int32_t x, int32_t y, int32_t z)
{
    return x >= 1 && x < SIZE - 1 && y >= 1 && y < SIZE - 1 && z >= PTL_Z_MIN && z <= PTL_Z_MAX;
}

static inline bool place_owns(const placer *p, int32_t x, int32_t y, int32_t z)
{
    return site_has(&p->own[level_of(z)], x, y);
}

/* Returns the oter there, without making the level's cells. */
static inline ptl_oter place_ground(const generator *g, int32_t z, int32_t cell)
{
    const level *l = chunk_level(g->chunk, z);
    return l->cells ? l->cells[cell] : l->fill;
}

/* May something that asks for these terrains stand there? own: it states locations of its
 * own. */
bool place_accepts(const generator *g, ptl_terrain_set allows, bool own, int32_t z,
                   int32_t cell);

/* place_links.c draws the connections of the special and of its pieces. */
void place_links(const placing *at);
/* Have any of the special's pieces connections? Most have none. */
bool place_pieces_link(const placing *at);
/* Could those on the ground be drawn? Its tiles are marked, and not yet written; of a mutable
 * one the pieces are given. */
bool place_has_ways(const placing *at, const gen_piece *pieces, size_t count);

/* place_links.c places what is nested in it. */
void place_nested(const placing *at, int depth);
/* The special with what belongs to it, its origin on level z. */
bool place_at(generator *g, const place_order *order, int8_t z, int depth);

#endif
