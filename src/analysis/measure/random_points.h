/*
 * How far random points lie from each other: what the distances between instances of a special
 * are measured against (Clark and Evans 1954, "Distance to nearest neighbor as a measure of
 * spatial relationships in populations", whose index is the ratio of the two means).
 */
#ifndef ANALYSIS_MEASURE_RANDOM_POINTS_H
#define ANALYSIS_MEASURE_RANDOM_POINTS_H

#include "analysis/measure/tally.h"

/*
 * Distances from a point to the nearest other one where as many points as in per_overmap lie at
 * random in each overmap, uniform over its 32,400 cells, rounded down as in summary_place. The
 * counts are of about 10^9 in all, whatever the number of points; none at all if no overmap has
 * two. Fill *out with zeros; free out->counts. False when memory is out.
 */
bool random_points(tally_hist *out, const tally_hist *per_overmap);

#endif
