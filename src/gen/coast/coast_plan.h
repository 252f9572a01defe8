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

#endif
