/* The steps, in the order of their files; which run, and when, says pipeline.c. */
#ifndef GEN_STEPS_STEPS_H
#define GEN_STEPS_STEPS_H

#include "gen/work/generator.h"

void step_rivers(generator *g);
void step_lakes(generator *g);
void step_forests(generator *g);
void step_swamps(generator *g);
void step_ravines(generator *g);
void step_cities(generator *g);
void step_forest_trails(generator *g);
void step_roads(generator *g);
void step_specials(generator *g);
void step_trailheads(generator *g);
void step_sublevels(generator *g);
void step_bridges(generator *g);
void step_monster_groups(generator *g);
void step_radios(generator *g);
void step_river_banks(generator *g);

#endif
