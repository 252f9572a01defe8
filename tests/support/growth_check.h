/*
 * Is a grown special in order? Walks its pieces and looks at every pair of facing sides anew,
 * with nothing of the growth's own code.
 */
#ifndef SUPPORT_GROWTH_CHECK_H
#define SUPPORT_GROWTH_CHECK_H

#include "gen/mutable/growth.h"

typedef struct growth_report {
    int open;      /* mandatory joins that nothing meets */
    int wrong;     /* sides that must not face each other, or pairs recorded wrongly */
    int stacked;   /* pieces on top of others; not wrong where their ground allows it */
    int misplaced; /* pieces out of bounds, or not what the chunk has there */
} growth_report;

void growth_check(growth_report *out, const cat_mutable *layout, const grown *what,
                  const ptl_chunk *chunk);

#endif
