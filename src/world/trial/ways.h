/* How a special comes to be in a chunk beside the rule of placement (forensics.h, ptl_way), and
 * how it is decided that one which is unique is due. */
#ifndef WORLD_TRIAL_WAYS_H
#define WORLD_TRIAL_WAYS_H

#include "gen/work/context.h"
#include "portolan/forensics.h"

/* Returns PTL_WAY_ bits, of the world's region. */
uint32_t special_ways(const gen_config *config, uint16_t special);
ptl_roll special_roll(const gen_config *config, uint16_t special);

#endif
