/*
 * Places one special at an origin that was found valid: its OMTs or its growth, the blob
 * around it, its connections, its monsters, what is nested in it, and its record.
 *
 * Connections on the ground are drawn at once, to the nearest OMT of the connection by cost.
 * Those on other levels wait for step sublevels (g->deep_links). If there is no way, and no
 * way was asked for, the point gets a stub and an `unreached` event tells of it.
 */
#pragma once

#include "gen/sites/sites.h"

typedef struct placer placer;

/* The surface cells of the placed OMTs: the rectangle around them (x1 < 0: there are none),
 * and each single cell. */
typedef struct place_used {
    int32_t x0, y0, x1, y1; /* both ends included */
    site_bits *cells;       /* cells are added to it; may be NULL */
} place_used;

static inline place_used place_used_none(site_bits *cells)
{
    return (place_used){SIZE, SIZE, -1, -1, cells};
}

typedef struct place_order {
    uint16_t special;
    int16_t x, y; /* origin, at z = 0 */
    uint8_t rotation;
    int16_t draws;        /* growths that may be tried for a mutable special; 0: GROWTH_DRAWS */
    int16_t city;         /* the city that it belongs to; FEATURE_NO_CITY */
    place_used *used;     /* is extended by the special's cells; may be NULL */
    gen_attempt *attempt; /* its `failed` counts growths that were undone; may be NULL */
    bool *no_way; /* not NULL: nothing is placed, and this is set, if a connection on the
                   * ground would have no way */
} place_order;

/* Places a special. False if nothing was placed, because no growth succeeded or a way was
 * missing (or memory is out: g->failed). */
bool place_special(generator *g, const place_order *order);

/* Does the special keep away from specials that must be safe from its monsters? In levelled
 * regions, as in DDA since 0.I, a special with monsters is not placed if an OMT of a
 * SAFE_AT_WORLDGEN special on the ground lies in the square over which they may be spread. */
bool place_keeps_peace(const generator *g, uint16_t special, int32_t x, int32_t y);

/* Draws or notes the connections of the buildings of cities, which stand already, such as BN's
 * subway stations. */
void place_building_links(generator *g);

extern const gen_part placer_part;
