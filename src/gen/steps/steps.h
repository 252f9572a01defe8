/* The steps of generation. pipeline.c lists which steps run, and in which order. */
#pragma once

#include "gen/work/generator.h"
#include "model/catalogue.h"

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

/*
 * What a few late steps of generation need to know of a cell: one byte for each oter, with the
 * bits CELL_*. This table is small, so looking up all cells of a level in it is fast. The table
 * is compiled once with the config.
 */

enum {
    CELL_WATER = 1u << 0,         /* river, lake or ocean, including shores */
    CELL_RADIO_TOWER = 1u << 1,   /* the oter's id begins with "radio_tower" */
    CELL_RADIO_SHELTER = 1u << 2, /* the oter's id begins with "lmoe" */
    CELL_RADIO_CAMP = 1u << 3,    /* the oter's id begins with "fema_entrance" */
    CELL_OCEAN = 1u << 4,         /* ocean, including its shore */
    CELL_RADIO = CELL_RADIO_TOWER | CELL_RADIO_SHELTER | CELL_RADIO_CAMP
};

/* Returns the first cell, from `at` on, whose oter's byte in the table `kinds` has one of the
 * bits; SIZE * SIZE if there is none. Groups of cells without the bits are skipped. */
int32_t cell_kinds_next(const uint8_t *kinds, const ptl_oter *cells, int32_t at, unsigned bits);
/* Is every cell of a level sea or its shore? */
bool cell_kinds_all_sea(const uint8_t *kinds, const ptl_oter *cells);

/* Returns one byte of CELL_* for each oter; new, NULL when memory is out. */
uint8_t *cell_kinds_compile(const catalogue *cat);
