/*
 * Plans: pure, cheap functions of seed, settings and a position, which any chunk may ask for
 * without making its neighbours. What they say is what binds two neighbours; what a chunk
 * makes of it is its own affair.
 *
 * Rivers. Chunks form a drainage: the world tilts towards one corner (the seed says which), so
 * each chunk has two neighbours downhill, and its river leaves to the lower of them by a
 * hashed height. Every chunk drains, none has only inflows, no river runs in a circle, and a
 * chunk into which nobody drains has a spring. Where river_scale is below 1 the drainage is
 * that of blocks of C x C chunks, C = trunc(1 / scale), crossed by straight runs.
 *
 * Strips. The R cells on either side of a crossing belong to the edge: course and painting
 * there are functions of the edge record alone, so that both chunks, and the flood counters
 * of either, know them. Painted cells keep R from corners. All other river cells stay at
 * least R + half width from every border.
 */
#ifndef GEN_PLAN_H
#define GEN_PLAN_H

#include "content/catalogue.h"
#include "gen/edge.h"
#include "gen/noise.h"
#include "portolan/world.h"

enum { PLAN_REACH = 16 }; /* R of the border rules, in OMTs */

/* Everything that generating depends on, compiled once per world. Immutable: threads share
 * it. */
typedef struct gen_config {
    const catalogue *cat; /* borrowed */
    const cat_region *region;
    uint64_t seed;
    ptl_world_options options; /* region is borrowed from the catalogue */
    noise_land noise;
    const noise_kernels *kernels;
    ptl_oter defaults[PTL_LEVELS]; /* what fills each level, index z + 10 */
    int32_t river_width;           /* half width W of the brush; 0: no rivers */
    int32_t river_sparsity;        /* C */
    struct gen_oters *oters;       /* the terrains that the engine itself names */
} gen_config;

/* The edge's planned crossings. out->crossings is new; PTL_ERR_NOMEM alone can happen. */
ptl_status plan_edge(edge *out, const gen_config *config, int32_t x, int32_t y, edge_side side,
                     ptl_error *err);

/* The chunk's edges in the order north, east, south, west: the edge that lies there. */
void plan_edge_of_chunk(ptl_chunk_pos pos, int direction, int32_t *x, int32_t *y,
                        edge_side *side);

/* The course of a river through its strip: course[i] is the centre along the edge at distance
 * i from the border, 0 .. R - 1, on the side of the edge's own chunk (side 0) or of its east or
 * south neighbour (side 1); wobble[i] is a second centre beside it. */
typedef struct river_course {
    int16_t centre[2][PLAN_REACH];
    int8_t wobble[2][PLAN_REACH];
} river_course;

void plan_river_course(river_course *out, const gen_config *config, const edge *e,
                       const crossing *c);

/*
 * Marks the painted cells of all the edge's rivers. mask covers both strips: index
 * (distance + R) * 180 + position, distance -R .. R - 1, negative on the edge's own chunk's
 * side (-1 touches the border). Cells already marked stay.
 */
enum { STRIP_CELLS = 2 * PLAN_REACH * PTL_CHUNK_SIZE };
void plan_river_strip(uint8_t mask[STRIP_CELLS], const gen_config *config, const edge *e);

#endif
