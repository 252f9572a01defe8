/*
 * Tells which city is near a cell, for the conditions of specials on a city's distance and
 * size. The cities known are those of this chunk as they were built, and the planned sites of
 * the eight chunks around it. Distances are measured from the city's edge: max(0,
 * trunc(euclidean distance to the centre) - size). The nearest city has the smallest such
 * distance. On ties it is the one whose centre is nearer, then the first in order of chunk
 * (row by row) and list.
 *
 * Rule sectors tests the nearest city of any size, rule quota the nearest one whose size the
 * special accepts. Where no city lies within CITY_MAP_REACH, a minimum distance counts as
 * kept; a finite maximum, or a least size above 0, fails.
 *
 * With `compat` the tests are those of the games. There is no test where the special needs no
 * city (least size 0 or less, and no maximum below 180). Otherwise sectors tests as above but
 * without the neighbours' cities. Quota subtracts the size twice, and the nearest city is the
 * nearest whose size the special accepts. The reach is then unbounded. In levelled regions the
 * least distance of sectors is itself too near, because cities of DDA since 0.I lie farther
 * away than it.
 */
#pragma once

#include "gen/sites/sites.h"

enum { CITY_MAP_REACH = SIZE }; /* OMTs from the city's edge */

typedef struct city_map city_map;

/* Gathers the cities for the chunk in work. Call it once per chunk, before the other
 * functions. */
void city_map_begin(generator *g);

/* Returns the cells at which the special's city conditions hold; borrowed until the next
 * call. */
const site_bits *city_map_allows(generator *g, uint16_t special);
/* Returns the city that a special at (x, y) belongs to, as an index into g->features.cities.
 * FEATURE_NO_CITY where no city is in reach or the nearest is a neighbouring chunk's. */
int16_t city_map_of(generator *g, uint16_t special, int32_t x, int32_t y);

/* Does the special have a condition on a nearby city? */
bool city_map_needed(const cat_special *special);
/* The next functions serve rule quota, which spreads a special over the cities.
 * city_map_number returns the number of the city (of this chunk or a neighbour) that a special
 * at a cell would belong to, -1 if none. city_map_cities counts the different cities of the
 * cells that city_map_allows; with `compat`, the cities of this chunk whose size the special
 * accepts. Numbers stay valid until the next city_map_begin. */
int32_t city_map_number(generator *g, uint16_t special, int32_t x, int32_t y);
int32_t city_map_cities(generator *g, uint16_t special);
/* Divides `amount` among those cities and rounds up: the most that each city gets. 0 where
 * there are no cities. */
int32_t city_map_share(generator *g, uint16_t special, int32_t amount);
/* Removes from bits, which are some of the cells of city_map_allows, those whose city has this
 * number. Returns how many it removed. */
int32_t city_map_clear(generator *g, uint16_t special, int32_t number, site_bits *bits);
/* Returns a cheap upper bound of what city_map_clear would remove. */
int32_t city_map_most(const generator *g, uint16_t special, int32_t number,
                      const site_bits *bits);

extern const gen_part city_map_part;
