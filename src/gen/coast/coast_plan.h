/*
 * What each OMT of a world's sea is, for the islands in it: a function of seed and place that
 * the overmap and the local maps both use. An OMT is sea where the ocean's noise says so,
 * however small its patch. The overmap may differ in places (a patch that is too small, a
 * river's mouth, an imported chunk); this moves the corners (coast_corner), but not the
 * islands.
 */
#pragma once

#include "gen/coast/coast.h"
#include "gen/coast/coast_window.h"
#include "gen/plan/ocean.h"
#include "model/shoals_fields.h"

enum { COAST_PLAN_WIDTH = 192 }; /* the greatest width of a rectangle, in OMTs */

typedef struct coast_plan {
    uint64_t seed;
    const ocean_plan *ocean; /* borrowed */
} coast_plan;

/* Makes the coast of a world. `plan` is borrowed and must outlive it. */
coast coast_of_plan(const coast_plan *plan, const cat_shoals *shoals);

/* Says what OMTs are; serves as coast.plan, with a coast_plan as payload. */
void coast_plan_omts(const void *plan, coast_rect omts, coast_omt *out);

/* Returns what an OMT is, given whether it is wet on the overmap; differs from `planned` where
 * the overmap does. */
coast_kind coast_actual(coast_kind planned, bool wet);

/*
 * What stands on the sea: structures, and what a game has built or dug, decide the heights of
 * the cells under them (schema/shoals.md, "What stands on the sea").
 */

/*
 * Sets the heights of an OMT's cells where own[i] is set. They follow from what all its cells
 * are at the mean sea level: features[i], a coast_feature. Deep water gets -31. Shallow water
 * lies between deep water and land, by the number of steps to each. Land gets 7 for each step
 * from water beyond the first, at most 134. What holds water back (COAST_ROCK) gets 135. Steps
 * go to eight neighbours inside the OMT, and not through COAST_ROCK.
 */
void coast_works(int16_t heights[COAST_SIDE * COAST_SIDE],
                 const uint8_t features[COAST_SIDE * COAST_SIDE],
                 const bool own[COAST_SIDE * COAST_SIDE]);
