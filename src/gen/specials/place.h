/*
 * Placing one special at an origin that was found valid: its tiles or its growth, the blob
 * around it, its connections, its monsters, what is nested in it, and its record.
 *
 * Connections on the ground are drawn at once, to the nearest tile of the connection by cost.
 * Those on other levels wait for step sublevels (g->deep_links). Where there is no way, and
 * nobody asked for one before, the point gets a stub, and an `unreached` event says so.
 */
#ifndef GEN_SPECIALS_PLACE_H
#define GEN_SPECIALS_PLACE_H

#include "gen/sites/sites.h"

typedef struct placer placer;

/* The surface cells of the tiles that were placed: the rectangle around them (x1 < 0: there are
 * none), and each of them. */
typedef struct place_used {
    int32_t x0, y0, x1, y1; /* both ends included */
    site_bits *cells;       /* they are added; may be NULL */
} place_used;

static inline place_used place_used_none(site_bits *cells)
{
    return (place_used){SIZE, SIZE, -1, -1, cells};
}

typedef struct place_order {
    uint16_t special;
    int16_t x, y; /* origin, at z = 0 */
    uint8_t rotation;
    int16_t draws;        /* of a mutable one: how many growths may be tried; 0: GROWTH_DRAWS */
    int16_t city;         /* that it belongs to; FEATURE_NO_CITY */
    place_used *used;     /* grows by its own; may be NULL */
    gen_attempt *attempt; /* `failed` counts growths that were undone; may be NULL */
    bool *no_way;         /* not NULL: nothing is placed where a connection on the ground would
                           * have no way, and this is set then */
} place_order;

/* False if nothing was placed, since none of its growths could be closed, or for want of
 * a way (or memory is out: g->failed). */
bool place_special(generator *g, const place_order *order);

/* False where the special's monsters would come near one that is safe from them: in levelled
 * regions, as in DDA since 0.I, none with monsters stands where the square around it, as far as
 * they may be spread, has a tile of one that is SAFE_AT_WORLDGEN on the ground. */
bool place_keeps_peace(const generator *g, uint16_t special, int32_t x, int32_t y);

/* Draws or notes the connections of the buildings of cities, which stand already: BN's stations
 * of subways, and what else its buildings are linked to. */
void place_building_links(generator *g);

extern const gen_part placer_part;

#endif
