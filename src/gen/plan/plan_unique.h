/* Where what is unique may be: functions of seed, settings and the special's id. */
#ifndef GEN_PLAN_PLAN_UNIQUE_H
#define GEN_PLAN_PLAN_UNIQUE_H

#include "gen/plan/plan.h"

/* The chunk in which a GLOBALLY_UNIQUE special may be: within the world's unique_radius of
 * (0, 0). */
ptl_chunk_pos special_home(const gen_config *config, uint16_t special);

/*
 * Does the special's deck have one for the chunk? Of so many cards so many are successes; the
 * games draw a card for each overmap, in the order in which these are made. Here the world is
 * cut into squares of at least so many overmaps, and each has its share of successes, at places
 * of its own. Both have the same rate, and hardly any spread.
 */
bool plan_deck_has(const gen_config *config, uint16_t special, double successes, int32_t cards,
                   ptl_chunk_pos pos);

#endif
