/* The steps; which run, and when, says pipeline.c. */
#ifndef GEN_STEPS_STEPS_H
#define GEN_STEPS_STEPS_H

#include "gen/work/generator.h"

extern const gen_step step_rivers;
extern const gen_step step_lakes;
extern const gen_step step_oceans;
extern const gen_step step_forests;
extern const gen_step step_swamps;
extern const gen_step step_ravines;
extern const gen_step step_highways;
extern const gen_step step_highway_segments;
extern const gen_step step_cities;
extern const gen_step step_forest_trails;
extern const gen_step step_roads;
extern const gen_step step_specials;
extern const gen_step step_trailheads;
extern const gen_step step_sublevels;
extern const gen_step step_bridges;
extern const gen_step step_monster_groups;
extern const gen_step step_radios;
extern const gen_step step_river_banks;

#endif
