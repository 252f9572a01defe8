/*
 * What stands on the sea: the heights that structures, and what a game has built or dug, give
 * to the cells under them (schema/shoals.md, "What stands on the sea").
 */
#ifndef GEN_COAST_COAST_WORKS_H
#define GEN_COAST_COAST_WORKS_H

#include "gen/coast/coast_water.h"

/*
 * Fixes the heights of an OMT's cells where own[i] is set, by what all its cells are at the
 * mean sea: features[i], a coast_feature. Deep water lies at -31; shallow water between deep
 * water and land, by how many steps there are to either; land at 7 for each step from water
 * beyond the first, at most 134; what holds water back (COAST_ROCK) at 135. Steps go to eight
 * neighbours inside the OMT, not through what holds water back.
 */
void coast_works(int16_t heights[COAST_SIDE * COAST_SIDE],
                 const uint8_t features[COAST_SIDE * COAST_SIDE],
                 const bool own[COAST_SIDE * COAST_SIDE]);

#endif
