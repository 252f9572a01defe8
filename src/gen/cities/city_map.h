/*
 * Finds the city near a cell, for the conditions of specials on a city's distance and size. The
 * cities considered are those of this chunk as they were built, and the planned cities of the
 * eight chunks around it. A distance is measured from the city's edge: max(0, trunc(euclidean
 * distance to the centre) - size). The nearest city has the smallest such distance. Of several
 * with this distance, the one whose centre is nearest counts; of several of these, the first in
 * the order of chunks (row by row) and of each chunk's list.
 *
 * The rule of placement `sectors` tests the nearest city of any size; the rule `quota` tests
 * the nearest city whose size the special accepts. Where no city lies within CITY_MAP_REACH, a
 * minimum distance is met; a finite maximum, or a least size above 0, is not.
 *
 * With the option `compat` the tests are those of the games. A special that needs no city
 * (least size 0 or less, and no maximum distance below 180) is not tested. For all other
 * specials both rules leave out the neighbours' cities and consider cities at any distance, and
 * `quota` subtracts the city's size twice. In regions that define the terrains of all levels,
 * as those of DDA from version 0.I on, a city at exactly the minimum distance is too near under
 * `sectors`.
 */
#pragma once

#include "gen/sites/sites.h"

/* The greatest distance from a city's edge, in OMTs, at which the city is considered. */
enum { CITY_MAP_REACH = SIZE };

typedef struct city_map city_map;

/* Gathers the cities of the chunk that g makes and of its eight neighbours. Call this once per
 * chunk, before any other function of this header. */
void city_map_begin(generator *g);

/* Returns the cells at which the special's city conditions hold; borrowed until the next
 * call. */
const site_bits *city_map_allows(generator *g, uint16_t special);
/* Returns the city that a special at (x, y) belongs to, as an index into g->features.cities;
 * FEATURE_NO_CITY if no city is in reach or the nearest city lies in a neighbouring chunk. */
int16_t city_map_of(generator *g, uint16_t special, int32_t x, int32_t y);

/* Describes the city that counts for a special at (x, y): how far its edge is from there, as
 * the head of this file says, and its size. False: no city is in reach. */
bool city_map_tell(int32_t *distance, int32_t *size, generator *g, uint16_t special, int32_t x,
                   int32_t y);

/* Does the special have a condition on a nearby city? */
bool city_map_needed(const cat_special *special);
/* The next functions serve the rule `quota`, which spreads a special over the cities.
 * city_map_number returns the number of the city to which a special at a cell would belong; the
 * city may lie in a neighbouring chunk; -1 if there is none. Numbers stay valid until the next
 * city_map_begin. city_map_cities returns how many different cities the special could belong
 * to, at all of the cells that city_map_allows gives. With the setting `compat` it returns
 * instead how many cities of this chunk have a size that the special accepts. */
int32_t city_map_number(generator *g, uint16_t special, int32_t x, int32_t y);
int32_t city_map_cities(generator *g, uint16_t special);
/* Returns the most specials that each city gets if `amount` specials are divided among the
 * cities of city_map_cities: the quotient rounded up; 0 if there are no cities. */
int32_t city_map_share(generator *g, uint16_t special, int32_t amount);
/* Removes from `bits`, which are some of the cells of city_map_allows, the cells that belong to
 * the city of this number. Returns how many cells it removed. */
int32_t city_map_clear(generator *g, uint16_t special, int32_t number, site_bits *bits);
/* Returns an upper bound for the number of cells that city_map_clear would remove, at low
 * cost. */
int32_t city_map_most(const generator *g, uint16_t special, int32_t number,
                      const site_bits *bits);

extern const gen_part city_map_part;
