/*
 * Figures of the bench: a walk into new land, with one step in 10 ms. The walker sees 31 x 31
 * OMTs through a cache. A thread with a store of its own makes the land around the walker.
 */
#ifndef BENCH_EXPLORE_H
#define BENCH_EXPLORE_H

#include <portolan/portolan.h>

typedef struct explored {
    double half_us, most_us, slowest_us; /* of 100 views 50, 99 and 100 take at most so long */
    double waits;                        /* views that waited for an overmap to be made */
    double prefetch_ms;                  /* the slowest prefetch between two steps */
} explored;

/* A step of somebody who turns left or right now and then. */
void explore_step(ptl_omt *at, int *way, uint64_t *random);
/* Makes a chunk and those around it, if they are not saved. */
void explore_make(ptl_world *world, ptl_chunk_pos around);
/* from, path: a file with a world; where its copy is walked in. */
void explore_measure(explored *out, const char *from, const char *path, int32_t steps);

#endif
