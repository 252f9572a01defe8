/*
 * What the sea of a world is, OMT by OMT, for the islands in it: a function of seed and place
 * that the overmap and the local maps both ask. Sea is where the ocean's noise says so, without
 * a look at how large a patch is; the overmap may have it otherwise in places (a patch that is
 * too small, a river's mouth, what was imported), which moves corners (coast_corner), not
 * islands.
 */
#ifndef GEN_COAST_COAST_PLAN_H
#define GEN_COAST_COAST_PLAN_H

#include "gen/coast/coast.h"
#include "gen/coast/coast_water.h"
#include "gen/plan/ocean.h"
#include "model/shoals_fields.h"

enum { COAST_PLAN_WIDTH = 192 }; /* OMTs that a rectangle may be wide */

typedef struct coast_plan {
    uint64_t seed;
    const ocean_plan *ocean; /* borrowed */
} coast_plan;

/* Makes the coast of a world; plan is borrowed from then on. */
coast coast_of_plan(const coast_plan *plan, const cat_shoals *shoals);

/* What OMTs are, as coast.plan: payload is a coast_plan. */
void coast_plan_omts(const void *plan, coast_rect omts, coast_omt *out);

/* What an OMT is where it is wet, or dry, on the overmap: else than planned where that differs.
 */
coast_kind coast_actual(coast_kind planned, bool wet);

/*
 * What stands on the sea: the heights that structures, and what a game has built or dug, give
 * to the cells under them (schema/shoals.md, "What stands on the sea").
 */

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
