/*
 * The two rules by which a chunk's specials are chosen and placed (generation.md 8).
 * step_specials.c makes the batch: who is asked for at all. rule_quota.c places each special's
 * number, from the largest footprint down; rule_sectors.c gives each of the 144 sectors one
 * special that has a valid origin in it. Each special draws from its own stream.
 */
#ifndef GEN_SPECIALS_RULES_H
#define GEN_SPECIALS_RULES_H

#include "gen/cities/city_map.h"
#include "gen/specials/place.h"
#include "model/catalogue.h"
#include "portolan/world.h"

enum { SECTOR_SIZE = SITE_BLOCK, SECTORS_ALONG = SIZE / SECTOR_SIZE };

/* A special that is asked for. */
typedef struct batch_entry {
    uint16_t special;
    rng random;          /* its own stream, for all that concerns it */
    int32_t min, max;    /* how many: UNIQUE ones have 0..1 after their roll */
    gen_attempt attempt; /* what became of it; added to the features at the end */
} batch_entry;

typedef struct special_rules special_rules;

/* Goes in order of the specials' numbers. */
void rule_quota(generator *g, batch_entry *batch, size_t count);
void rule_sectors(generator *g, batch_entry *batch, size_t count);

/*
 * Of the rotations in which the special fits at (x, y), one of those whose connection points
 * carry the most connections already, drawn uniformly; -1 if it fits in none. One that is not
 * to be rotated has rotation 0 alone.
 */
int choose_rotation(generator *g, uint16_t special, int32_t x, int32_t y, rng *r);

extern const gen_part special_rules_part;

/* How often an overmap asks for a special that is UNIQUE or GLOBALLY_UNIQUE. */

/* Returns the x of its x in y (y: occurrences_max), by the world's density and rule. */
double special_successes(const cat_special *special, const cat_region *region,
                         const ptl_world_options *options);

/* Is the GLOBALLY_UNIQUE special asked for in its home whatever its number is, if that is above
 * 0? */
bool special_is_certain(const cat_special *special, const cat_region *region,
                        const ptl_world_options *options);

/* Returns the chance, 0..1, in an overmap where it may be: of a GLOBALLY_UNIQUE one in its home
 * chunk. */
double special_chance(const cat_special *special, const cat_region *region,
                      const ptl_world_options *options);

#endif
