/*
 * Places one special at an origin that was found valid: its OMTs or its growth, the blob around
 * it (cells that the flag BLOB adds), its connections, its monsters, the specials nested in it,
 * and its record.
 *
 * Connections on the ground are drawn at once, to the nearest OMT of the connection by cost.
 * Connections on other levels wait for step sublevels (g->deep_links). Where no path is found,
 * and the place_order does not require one, a stub (an OMT with an arm to the special only) is
 * drawn and an `unreached` event tells of it.
 */
#pragma once

#include "gen/sites/sites.h"

typedef struct placer placer;

/* The cells on the ground that placed OMTs cover. The members give a rectangle around all of
 * them (x1 is below 0 if there are none), and the set of these cells. */
typedef struct place_used {
    int32_t x0, y0, x1, y1; /* the rectangle, with all of its sides included */
    site_bits *cells;       /* the set to which the cells are added; may be NULL */
} place_used;

static inline place_used place_used_none(site_bits *cells)
{
    return (place_used){SIZE, SIZE, -1, -1, cells};
}

typedef struct place_order {
    uint16_t special;
    int16_t x, y; /* origin, at z = 0 */
    uint8_t rotation;
    int16_t draws;    /* how many times a mutable special may be grown before it is given up; 0
                         means GROWTH_DRAWS */
    int16_t city;     /* index of the city that the special belongs to, or FEATURE_NO_CITY */
    place_used *used; /* the special's cells are added to it; may be NULL */
    /* If it is not NULL, attempt->failed is increased by 1 for each growth that was undone. */
    gen_attempt *attempt;
    /* If not NULL: when no path can be found for one of the special's connections on the
     * ground, nothing is placed and *no_way is set. */
    bool *no_way;
} place_order;

/* Places a special. False if nothing was placed, because no growth succeeded, a required
 * connection could not be made, or memory is out (g->failed). */
bool place_special(generator *g, const place_order *order);

/* Does the special keep away from specials that must be safe from its monsters? In regions of
 * DDA since 0.I (cat_region.levelled), a special with monsters is not placed if an OMT of a
 * SAFE_AT_WORLDGEN special on the ground lies in the square over which its monsters may be
 * spread. */
bool place_keeps_peace(const generator *g, uint16_t special, int32_t x, int32_t y);

/* Draws the connections that city buildings have on the ground, such as Bright Nights' subway
 * stations, after the buildings are placed. The connections that buildings have on other levels
 * are only added to g->deep_links. */
void place_building_links(generator *g);

extern const gen_part placer_part;
