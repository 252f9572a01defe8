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
/* Asks for nearest neighbours between each two of these specials, in overmaps that are
 * added from now on. */
ptl_status tally_pairs(ptl_tally *t, const char *const *ids, size_t count, ptl_error *err);
/* Asks for Ripley's K of each of these specials, likewise. */
ptl_status tally_ripleys(ptl_tally *t, const char *const *ids, size_t count, ptl_error *err);
/* Sets the seed of the sweep that the next overmaps belong to; 0, as at first, for a world. */
void tally_seed(ptl_tally *t, uint64_t seed);
/* Adds an overmap's summary. */
ptl_status tally_add(ptl_tally *t, const summary *s, ptl_error *err);
/* Sorts the lists and completes them. Call it after adding and before reading; adding may
 * go on after it. */
ptl_status tally_finish(ptl_tally *t, ptl_error *err);
