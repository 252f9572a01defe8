/*
 * An overview: a chunk's ground as seen from far away. It has 8 x 8 cells; each is the oter
 * that most of its part of level 0 has (format.md, "Overviews"). It depends on the level's
 * cells alone, not on the numbers of oters.
 */
#pragma once

#include "codec/level_runs.h"

enum {
    /* The greatest number of different oters. With five bytes each the size stays below the
     * maximum. */
    OVERVIEW_KINDS = 12,
    OVERVIEW_SIZE_MAX = 100
};

/* Cell (i, j) has the index j * 8 + i. It covers the columns from i * 180 / 8 up to those
 * of the next cell, and rows likewise. */
typedef struct overview {
    uint32_t cells[PTL_OVERVIEW_CELLS]; /* oters or file numbers */
} overview;

/* Computes the overview of a level's runs; scratch is overwritten. */
void overview_of(overview *out, level_runs *r, uint16_t scratch[PTL_LEVEL_CELLS]);
/* Gives an overview whose cells are all the same. */
void overview_uniform(overview *out, uint32_t entry);

/* Appends the bytes of an overview whose cells are file numbers: at most OVERVIEW_SIZE_MAX. */
void overview_build(bytes *out, const overview *o);
/* Reads an overview. PTL_ERR_CORRUPT unless the blob is exactly what overview_build gives,
 * for numbers from 1 to limit - 1. */
ptl_status overview_parse(overview *out, const void *blob, size_t size, size_t limit,
                          ptl_error *err);
