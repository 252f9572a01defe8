/* How often an overmap asks for a special that is UNIQUE or GLOBALLY_UNIQUE. */
#ifndef GEN_SPECIALS_CHANCE_H
#define GEN_SPECIALS_CHANCE_H

#include "model/catalogue.h"
#include "portolan/world.h"

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
