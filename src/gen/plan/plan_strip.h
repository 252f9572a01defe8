/*
 * The strip on both sides of an edge: which of its columns are free of noise lakes and of the
 * edge's planned rivers. A column is the 2 R cells at one position along the edge, R on either
 * side of it. Results are kept, since lake noise is slow.
 */
#pragma once

#include "gen/plan/plan.h"
#include "model/catalogue.h"

enum { EDGE_STRIP_COLUMNS = (PTL_CHUNK_SIZE + NOISE_BLOCK - 1) / NOISE_BLOCK * NOISE_BLOCK };

/* At first everything but config and edge must be zero. */
typedef struct edge_strip {
    const gen_config *config;
    const edge *edge;            /* includes the edge's rivers */
    uint8_t rivers[STRIP_CELLS]; /* river cells, laid out as by plan_river_strip */
    uint8_t known[EDGE_STRIP_COLUMNS], water[EDGE_STRIP_COLUMNS];
    bool corners[EDGE_STRIP_COLUMNS / NOISE_SQUARE]; /* whether look_at_corners was tried */
} edge_strip;

/* Marks the columns with rivers as wet; call it once before any query. */
void edge_strip_mark_rivers(edge_strip *s);
/* Is the column at this position, 0..179, dry? */
bool edge_strip_is_dry(edge_strip *s, int32_t position);

/* The functions below tell what changes from overmap to overmap with the distance from the
 * origin. */

/* Returns how urban the overmap is: the more urban, the nearer its cities are. 0 at the
 * origin; may be negative. */
int32_t plan_urbanity(const cat_region *region, ptl_chunk_pos pos);

/* Returns how much the overmap's forest keeps cities apart. */
int32_t plan_forestosity(const cat_region *region, ptl_chunk_pos pos);
