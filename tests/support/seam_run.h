/*
 * Seams over many seeds: a chunk with its eastern or southern neighbour for each, made in an
 * order that depends on the seed, and checked for dead ends, in both and across the border
 * between them. What the steps could not do is counted by step, kind and reason.
 */
#ifndef SUPPORT_SEAM_RUN_H
#define SUPPORT_SEAM_RUN_H

#include "model/catalogue.h"

/* Checks seeds first .. first + count - 1 in the regions (of that number) in turn, and prints
 * what was counted. Fails the test where there is a problem, or where nothing was checked. */
void seam_run(const char *name, const catalogue *cat, const char *const *regions,
              size_t region_count, int first, int count);

#endif
