/*
 * Tallies: the sums of summaries of many overmaps (portolan/sample.h). All numbers are
 * integers, so the sums are exact and do not depend on the order of adding. A tally owns its
 * ids.
 */
#pragma once

#include "model/summary.h"

/* Initialises a zeroed tally; a second call does nothing. False when memory is out. */
bool tally_init(ptl_tally *t);
void tally_dispose(ptl_tally *t);
/* From the next tally_add on, measures the distances to the nearest neighbour, for each pair of
 * the specials `ids`. */
ptl_status tally_pairs(ptl_tally *t, const char *const *ids, size_t count, ptl_error *err);
/* From the next tally_add on, counts for each of the specials `ids` how many of its places lie
 * near each other. Ripley's K is computed from these counts. */
ptl_status tally_ripleys(ptl_tally *t, const char *const *ids, size_t count, ptl_error *err);
/* Must be called before overmaps of another seed of a sweep are added; `seed` is their seed.
 * For overmaps of a world the seed is 0, which is also its initial value. */
void tally_seed(ptl_tally *t, uint64_t seed);
/* Adds an overmap's summary. */
ptl_status tally_add(ptl_tally *t, const summary *s, ptl_error *err);
/* Sorts the lists and completes them. Call this function after adding and before reading; more
 * summaries may be added afterwards. */
ptl_status tally_finish(ptl_tally *t, ptl_error *err);
