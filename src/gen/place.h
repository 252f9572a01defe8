/*
 * Placing one special at an origin that was found valid: its tiles or its growth, the blob
 * around it, its connections, its monsters, what is nested in it, and its record.
 *
 * Connections on the ground are drawn at once, to the nearest tile of the connection by cost.
 * Those on other levels wait for step sublevels (g->deep_links). Where there is no way, the
 * point gets a stub, and an `unreached` event says so.
 */
#ifndef GEN_PLACE_H
#define GEN_PLACE_H

#include "gen/sites.h"

typedef struct placer placer;
placer *placer_new(void); /* new; NULL when memory is out */
void placer_free(placer *p);

typedef struct place_order {
    uint16_t special;
    int16_t x, y; /* origin, at z = 0 */
    uint8_t rotation;
    int16_t city;         /* that it belongs to; FEATURE_NO_CITY */
    site_bits *used;      /* the surface cells of its tiles are added; may be NULL */
    gen_attempt *attempt; /* `failed` counts growths that were undone; may be NULL */
} place_order;

/* False if nothing was placed, since no growth in GROWTH_DRAWS could be closed (or memory is
 * out: g->failed). */
bool place_special(generator *g, const place_order *order);

#endif
