/*
 * The strip on both sides of an edge. This header tells which columns of cells in it are free
 * of lakes by noise, and of the edge's planned rivers. A column is the 2 * PLAN_REACH cells at
 * one position along the edge, PLAN_REACH on either side of it. Results are kept, since lake
 * noise is slow.
 */
#pragma once

#include "gen/plan/plan.h"
#include "model/catalogue.h"

enum { EDGE_STRIP_COLUMNS = (PTL_CHUNK_SIZE + NOISE_BLOCK - 1) / NOISE_BLOCK * NOISE_BLOCK };

/* Before its first use set `config` and `edge`, and all other members to zero. */
typedef struct edge_strip {
    const gen_config *config;
    const edge *edge;            /* the edge; its crossings of rivers must be known */
    uint8_t rivers[STRIP_CELLS]; /* river cells, laid out as by plan_river_strip */
    uint8_t known[EDGE_STRIP_COLUMNS], water[EDGE_STRIP_COLUMNS];
    /* For each group of eight columns: true if look_at_corners was called for them. It tries to
     * find out that they have no water by looking at the noise only at corners of squares. */
    bool corners[EDGE_STRIP_COLUMNS / NOISE_SQUARE];
} edge_strip;

/* Marks as wet those columns of cells in the strip through which rivers run. Call it once
 * before asking for any column. */
void edge_strip_mark_rivers(edge_strip *s);
/* Is the column of the strip at this position along the edge, 0..179, free of lakes, sea and
 * rivers? */
bool edge_strip_is_dry(edge_strip *s, int32_t position);

/* The functions below tell what changes with an overmap's distance from the overmap (0, 0). */

/* Returns how urban the overmap is: the more urban, the nearer its cities are. 0 at the
 * origin; may be negative. */
int32_t plan_urbanity(const cat_region *region, ptl_chunk_pos pos);

/* Returns how dense the overmap's forest is made by its distance from the origin; the greater
 * the number, the wider the spacing of the overmap's cities. */
int32_t plan_forestosity(const cat_region *region, ptl_chunk_pos pos);
