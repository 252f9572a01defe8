/*
 * The plan of a world's sea, which says what each OMT is (a coast_omt). It is a function of
 * seed and place that the overmap and the local maps both use. An OMT is sea where the ocean's
 * noise is above its threshold, however few such OMTs lie together. The overmap may differ from
 * the plan in places (too few OMTs of sea together, a river's mouth, an imported chunk). There
 * the heights of the OMTs' corners (coast_corner) are changed, but not the islands.
 */
#pragma once

#include "gen/coast/coast.h"
#include "gen/coast/coast_window.h"
#include "gen/plan/ocean.h"
#include "model/shoals_fields.h"

/* The most columns of OMTs that a rectangle of coast_plan_omts may have. */
enum { COAST_PLAN_WIDTH = 192 };

typedef struct coast_plan {
    uint64_t seed;
    const ocean_plan *ocean; /* borrowed */
} coast_plan;

/* Returns the coast of a world. It borrows `plan`, which must outlive it. */
coast coast_of_plan(const coast_plan *plan, const cat_shoals *shoals);

/* Fills in what the plan says of a rectangle's OMTs. coast_of_plan stores this function in
 * `coast.plan`; its argument `plan` is a coast_plan. */
void coast_plan_omts(const void *plan, coast_rect omts, coast_omt *out);

/* Returns what an OMT is, from what the plan says and from `wet`: whether the OMT is water on
 * the overmap. Where the plan and the overmap differ, the overmap is right. */
coast_kind coast_actual(coast_kind planned, bool wet);

/*
 * Works: structures on the sea, and what players of a game have built or dug there. They decide
 * the heights of the tiles under them (schema/shoals.md, "What stands on the sea").
 */

/*
 * Sets the heights of those tiles i of an OMT for which own[i] is set. features[i], a
 * coast_feature, says what each tile is at the mean sea level, from which the heights follow.
 * Deep water gets -31. Shallow water gets a height between those of deep water and land, by the
 * number of steps to each. Land at w steps from water gets 7 (w - 1), at most 134. Tiles that
 * hold water back (COAST_ROCK) get 135. A step leads to one of eight neighbours inside the OMT,
 * but not through COAST_ROCK.
 */
void coast_works(int16_t heights[COAST_SIDE * COAST_SIDE],
                 const uint8_t features[COAST_SIDE * COAST_SIDE],
                 const bool own[COAST_SIDE * COAST_SIDE]);
