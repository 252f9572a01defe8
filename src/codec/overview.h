/*
 * A chunk's ground as seen from far away: 8 x 8 cells of level 0, each the oter that most of it
 * has (format.md, "Overviews"). A function of the level's cells alone, whatever numbers name
 * the oters.
 */
#ifndef CODEC_OVERVIEW_H
#define CODEC_OVERVIEW_H

#include "codec/level_runs.h"

enum {
    OVERVIEW_KINDS = 12, /* different oters at most: five bytes each leave it below the size */
    OVERVIEW_SIZE_MAX = 100
};

/* Cell (i, j) is number j * 8 + i and covers columns i * 180 / 8 up to the next one's, rows
 * likewise. */
typedef struct overview {
    uint32_t cells[PTL_OVERVIEW_CELLS]; /* entries of the palette: oters or file numbers */
} overview;

/* Of a level as runs; scratch is overwritten. */
void overview_of(overview *out, level_runs *r, uint16_t scratch[PTL_LEVEL_CELLS]);
/* Gives one without a difference. */
void overview_uniform(overview *out, uint32_t entry);

/* Appends the bytes of one whose cells are file numbers; at most OVERVIEW_SIZE_MAX. */
void overview_build(bytes *out, const overview *o);
/* PTL_ERR_CORRUPT unless it is what overview_build gives, of numbers from 1 to limit - 1. */
ptl_status overview_parse(overview *out, const void *blob, size_t size, size_t limit,
                          ptl_error *err);

#endif
