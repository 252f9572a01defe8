/*
 * The two rules by which a chunk's specials are chosen and placed (generation.md 8).
 * step_specials.c makes the batch: the list of the specials that the chunk asks for.
 * rule_quota.c places a number of each special, from the largest footprint down. rule_sectors.c
 * gives each of the 144 sectors one special with a valid origin in it. Each special has a
 * random stream of its own.
 */
#pragma once

#include "gen/cities/city_map.h"
#include "gen/specials/place.h"
#include "model/catalogue.h"
#include "portolan/world.h"

enum { SECTOR_SIZE = SITE_BLOCK, SECTORS_ALONG = SIZE / SECTOR_SIZE };

/* An entry of the batch: a special that the chunk asks for. */
typedef struct batch_entry {
    uint16_t special;
    rng random;       /* the special's own random stream, for all random numbers that concern
                       * it */
    int32_t min, max; /* the least and the greatest number of this special that is asked for;
                         for a UNIQUE special that comes by chance, 0 and 1 */
    /* What became of the attempts to place the entry's special; copied to the chunk's features
     * at the end. */
    gen_attempt attempt;
} batch_entry;

typedef struct special_rules special_rules;

/* Each of the two functions places the specials of the batch by one rule of placement. The
 * entries are in order of the specials' numbers. */
void rule_quota(generator *g, batch_entry *batch, size_t count);
void rule_sectors(generator *g, batch_entry *batch, size_t count);

/*
 * Chooses a rotation: of all rotations in which the special fits at (x, y), it takes those in
 * which the most connection points lie on OMTs that carry the connection already, and chooses
 * one of these at random. Returns -1 if the special fits in no rotation. A special that is not
 * to be rotated has rotation 0 only.
 */
int choose_rotation(generator *g, uint16_t special, int32_t x, int32_t y, rng *r);

extern const gen_part special_rules_part;

/* The functions below tell how often an overmap asks for a special that is UNIQUE or
 * GLOBALLY_UNIQUE. */

/* A special has the chance x in y in each overmap, where y is its occurrences_max. Returns x:
 * the special's occurrences_min, changed as the settings scale_unique, specials_density and
 * compat say. */
double special_successes(const cat_special *special, const cat_region *region,
                         const ptl_world_options *options);

/* Does the home chunk of the GLOBALLY_UNIQUE special always ask for it, unless its chance (see
 * special_successes) is 0? */
bool special_is_certain(const cat_special *special, const cat_region *region,
                        const ptl_world_options *options);

/* Returns the chance, 0..1, that an overmap in which the special may be asks for it; for a
 * GLOBALLY_UNIQUE special, that its home chunk does. */
double special_chance(const cat_special *special, const cat_region *region,
                      const ptl_world_options *options);
