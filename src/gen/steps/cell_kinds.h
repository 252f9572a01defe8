/*
 * What a few late steps ask of a cell, as one byte per oter: a scan of a whole level then reads
 * a table of some kilobytes. Compiled once with the config.
 */
#ifndef GEN_STEPS_CELL_KINDS_H
#define GEN_STEPS_CELL_KINDS_H

#include "model/catalogue.h"

enum {
    CELL_WATER = 1u << 0,         /* river, lake or ocean, with their shores */
    CELL_RADIO_TOWER = 1u << 1,   /* id begins with "radio_tower" */
    CELL_RADIO_SHELTER = 1u << 2, /* "lmoe" */
    CELL_RADIO_CAMP = 1u << 3,    /* "fema_entrance" */
    CELL_OCEAN = 1u << 4,         /* with its shore */
    CELL_RADIO = CELL_RADIO_TOWER | CELL_RADIO_SHELTER | CELL_RADIO_CAMP
};

/* The kinds that are among so many cells side by side: to be asked first where few cells are of
 * the kinds that are looked for. */
enum { CELL_KINDS_GROUP = 10 };
_Static_assert(PTL_LEVEL_CELLS % CELL_KINDS_GROUP == 0, "a level is whole groups");
static inline unsigned cell_kinds_among(const uint8_t *kinds, const ptl_oter *cells)
{
    unsigned any = 0;
    for (int i = 0; i < CELL_KINDS_GROUP; i++)
        any |= kinds[cells[i]];
    return any;
}

/* Is every cell of a level sea, or its shore? */
bool cell_kinds_all_sea(const uint8_t *kinds, const ptl_oter *cells);

/* Returns one byte of CELL_* for each oter; new, NULL when memory is out. */
uint8_t *cell_kinds_compile(const catalogue *cat);

#endif
