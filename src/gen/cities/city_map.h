/*
 * Which city is near: for the conditions of specials on a city's distance and size. The cities
 * are those of the chunk as they came out, and the planned sites of the eight chunks around.
 * Distances are from the city's edge: max(0, trunc(euclidean distance to the centre) - size).
 * The nearest city is the one of the smallest such distance; on ties the one of the smaller
 * distance to its centre, then the first in order of chunk (row by row) and list.
 *
 * Rule sectors tests the nearest city, rule quota the nearest of a size that the special takes.
 * No city within CITY_MAP_REACH: a minimum distance holds; a finite maximum, or a least size
 * above 0, fails. With `compat` the games' tests: none where the special needs no city (least
 * size 0 or less and no maximum below 180), else sectors as above without neighbours, and quota
 * with the size taken off twice, the nearest city being of a size that it takes; the reach has
 * no bound there. In levelled regions the sectors' least distance is then too near itself: the
 * cities of DDA since 0.I keep more than that away.
 */
#ifndef GEN_CITIES_CITY_MAP_H
#define GEN_CITIES_CITY_MAP_H

#include "gen/sites/sites.h"

enum { CITY_MAP_REACH = SIZE }; /* OMTs from the city's edge */

typedef struct city_map city_map;

/* Gathers the cities for the chunk in work; once, before the others. */
void city_map_begin(generator *g);

/* The cells at which the special's conditions hold; borrowed until the next call. */
const site_bits *city_map_allows(generator *g, uint16_t special);
/* The city that the special at (x, y) belongs to: an index into g->features.cities, or
 * FEATURE_NO_CITY where none is in reach or it is another chunk's. */
int16_t city_map_of(generator *g, uint16_t special, int32_t x, int32_t y);

/* Does the special want to be near a city? */
bool city_map_needed(const cat_special *special);
/* Serves the spreading of rule quota. Returns the number of the city (of this chunk or beside
 * it) that the special at a cell would belong to, -1 if none; and how many different ones there
 * are at the cells that city_map_allows (with `compat`: cities of this chunk of a size that it
 * takes). Numbers are good until the next city_map_begin. */
int32_t city_map_number(generator *g, uint16_t special, int32_t x, int32_t y);
int32_t city_map_cities(generator *g, uint16_t special);
/* Returns so many divided among them, rounded up: how many each gets at most. 0 where there are
 * none. */
int32_t city_map_share(generator *g, uint16_t special, int32_t amount);
/* Takes the cells away whose city has this number, of those that city_map_allows; returns how
 * many. */
int32_t city_map_clear(generator *g, uint16_t special, int32_t number, site_bits *bits);
/* So many at most, at little cost. */
int32_t city_map_most(const generator *g, uint16_t special, int32_t number,
                      const site_bits *bits);

extern const gen_part city_map_part;

#endif
