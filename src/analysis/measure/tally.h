/*
 * Tallies: summaries of many overmaps added up (portolan/sample.h). Adding is exact (integers
 * alone) and in any order gives the same tally. Ids are the tally's own.
 */
#ifndef ANALYSIS_MEASURE_TALLY_H
#define ANALYSIS_MEASURE_TALLY_H

#include "model/summary.h"

/* Zero the tally, then call this; a second call does no harm. False when memory is out. */
bool tally_init(ptl_tally *t);
void tally_dispose(ptl_tally *t);
/* Nearest neighbours are counted between all of these, in what is added after this. */
ptl_status tally_pairs(ptl_tally *t, const char *const *ids, size_t count, ptl_error *err);
/* The same of Ripley's K of each of them. */
ptl_status tally_ripleys(ptl_tally *t, const char *const *ids, size_t count, ptl_error *err);
/* What is added after this is of this seed of a sweep; 0 of a world, and at first. */
void tally_seed(ptl_tally *t, uint64_t seed);
ptl_status tally_add(ptl_tally *t, const summary *s, ptl_error *err);
/* Sorts the lists and fills them in; call it after tally_add and before reading. Adding may go
 * on after it. */
ptl_status tally_finish(ptl_tally *t, ptl_error *err);

#endif
