/*
 * Measures an overmap: makes a summary (model/summary.h) of a chunk in memory and its features.
 * Needs no database, so generating threads can do it.
 */
#pragma once

#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/feature.h"
#include "model/summary.h"

typedef struct measurer measurer; /* scratch memory for measuring; each thread needs its own */
/* Returns NULL when memory is out; cat is borrowed. */
measurer *measurer_new(const catalogue *cat);
void measurer_free(measurer *m);

/* Returns whether the terrain counts as a road: it has the flag ROAD, or it belongs to the
 * connection "local_road", by which generation draws roads. (In some content no terrain has the
 * flag.) */
bool measure_is_road(const catalogue *cat, uint16_t terrain);

/* Restricts the list of places to one special (an index into cat->specials). With CAT_NONE, the
 * initial state, all places are listed. */
void measurer_only(measurer *m, uint16_t special);
/* Says whether fixed specials have the OMTs that the catalogue gives them. At first this is
 * assumed. It is not so if the chunk was made with other content. Then their OMTs are not
 * known, and the terrain around them (summary_place.around) is "". */
void measurer_footprints(measurer *m, bool known);

/*
 * Measures a chunk and replaces *out by its summary. Ids in the summary are borrowed from the
 * catalogue. `parts` is a sum of PTL_COUNT_*, which says what is to be counted. The chunk must
 * have its cells on the levels that these counts need. If `parts` has no bits but
 * PTL_COUNT_SPECIALS and PTL_COUNT_CITIES, `chunk` may be NULL.
 */
ptl_status measure(summary *out, measurer *m, const ptl_chunk *chunk,
                   const gen_features *features, uint32_t parts, ptl_error *err);
