/*
 * The strip on both sides of an edge: which of its columns are dry, of noise lakes and of the
 * edge's planned rivers. A column is the 2 R cells that lie behind each other at one position.
 * What is known of a column is kept, since lake noise is the costly part.
 */
#ifndef GEN_PLAN_PLAN_STRIP_H
#define GEN_PLAN_PLAN_STRIP_H

#include "gen/plan/plan.h"
#include "model/catalogue.h"

enum { EDGE_STRIP_COLUMNS = (PTL_CHUNK_SIZE + NOISE_BLOCK - 1) / NOISE_BLOCK * NOISE_BLOCK };

/* Zeroed but for config and edge at first. */
typedef struct edge_strip {
    const gen_config *config;
    const edge *edge;            /* with its rivers */
    uint8_t rivers[STRIP_CELLS]; /* of plan_river_strip */
    uint8_t known[EDGE_STRIP_COLUMNS], water[EDGE_STRIP_COLUMNS];
    bool corners[EDGE_STRIP_COLUMNS / NOISE_SQUARE]; /* look_at_corners has been tried */
} edge_strip;

/* Once, before anything is asked. */
void edge_strip_mark_rivers(edge_strip *s);
/* position is 0..179. */
bool edge_strip_is_dry(edge_strip *s, int32_t position);

/* What changes from overmap to overmap with the distance from the origin. */

/* How urban the overmap is: it draws cities together. 0 at the origin; may be negative. */
int32_t plan_urbanity(const cat_region *region, ptl_chunk_pos pos);

/* What its forest keeps cities apart by. */
int32_t plan_forestosity(const cat_region *region, ptl_chunk_pos pos);

#endif
