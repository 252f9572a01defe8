/*
 * An overview shows a chunk's ground as seen from far away. It has 8 x 8 cells; each is the
 * most frequent oter in its part of level 0 (format.md, "Overviews"). It depends on the level's
 * cells alone, not on the numbers that a file gives to oters.
 */
#pragma once

#include "codec/level_runs.h"

enum {
    /* The greatest number of different oters in an overview. Even if each oter takes five
     * bytes, the overview's size stays below OVERVIEW_SIZE_MAX. */
    OVERVIEW_KINDS = 12,
    OVERVIEW_SIZE_MAX = 100
};

/* Cell (i, j) has the index j * 8 + i. It covers the columns i * 180 / 8 to (i + 1) * 180 / 8 -
 * 1, and the rows j * 180 / 8 to (j + 1) * 180 / 8 - 1. */
typedef struct overview {
    /* Oters of the catalogue, or the file's numbers of them. */
    uint32_t cells[PTL_OVERVIEW_CELLS];
} overview;

/* Computes the overview of a level from its runs. `scratch` is memory that the function
 * overwrites. */
void overview_of(overview *out, level_runs *r, uint16_t scratch[PTL_LEVEL_CELLS]);
/* Gives an overview whose cells are all the same. */
void overview_uniform(overview *out, uint32_t entry);

/* Appends an overview, whose cells must be the file's numbers of oters, as bytes: at most
 * OVERVIEW_SIZE_MAX. */
void overview_build(bytes *out, const overview *o);
/* Reads an overview. PTL_ERR_CORRUPT unless the blob is exactly what overview_build writes for
 * an overview whose numbers are from 1 to limit - 1. */
ptl_status overview_parse(overview *out, const void *blob, size_t size, size_t limit,
                          ptl_error *err);
