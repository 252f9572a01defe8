/*
 * Measuring an overmap: a chunk in memory, with its features, becomes a summary
 * (model/summary.h). Pure: no database, so that generating threads do it.
 */
#ifndef ANALYSIS_MEASURE_MEASURE_H
#define ANALYSIS_MEASURE_MEASURE_H

#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/feature.h"
#include "model/summary.h"

typedef struct measurer measurer; /* scratch memory; one per thread */
measurer *
measurer_new(const catalogue *cat); /* new; NULL when memory is out. cat is borrowed */
void measurer_free(measurer *m);

/* What counts as a road: types with flag ROAD, and those of the connection "local_road", which
 * is what generation means by a road (some content has no such flag). */
bool measure_is_road(const catalogue *cat, uint16_t terrain);

/* From now on only the places of this special (an index into cat->specials) are listed;
 * CAT_NONE: all, as at first. */
void measurer_only(measurer *m, uint16_t special);
/* Whether fixed specials stand as the catalogue defines them, as at first. If not (the chunk
 * was made with other content), it is not known what their tiles are: around is "". */
void measurer_footprints(measurer *m, bool known);

/*
 * *out is disposed first; ids in it are the catalogue's. parts: PTL_COUNT_*. Of the chunk's
 * levels only those must be filled in that the parts need; with PTL_COUNT_SPECIALS and
 * PTL_COUNT_CITIES alone chunk may be NULL.
 */
ptl_status measure(summary *out, measurer *m, const ptl_chunk *chunk,
                   const gen_features *features, uint32_t parts, ptl_error *err);

#endif
