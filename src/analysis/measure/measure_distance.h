/*
 * Euclidean distances over a level, from centre to centre of cells, rounded down.
 */
#pragma once

#include "gen/cities/city_near.h"
#include "model/feature.h"
#include "model/summary.h"

#include <math.h>

enum {
    DISTANCE_SIDE = PTL_CHUNK_SIZE,
    DISTANCE_ROW = 184 /* length of a row, with spare cells for vectors of 8 */
};

/* Returns the square root of a whole number, rounded down. Exact below 2^24: there, a root
 * that is not whole is farther from the next whole number than the error of a float. */
static inline int32_t whole_root(int32_t square)
{
    return (int32_t)sqrtf((float)square);
}

typedef struct distance_scratch {
    int16_t gaps[DISTANCE_SIDE][DISTANCE_ROW];
    int16_t row[3 * DISTANCE_ROW], best[DISTANCE_ROW];
} distance_scratch;

/* Gives the distance of every cell to the nearest cell that has any bit of mask in `kinds`.
 * False if there is no such cell; out is not changed then. */
bool distance_to_cells(uint8_t out[PTL_LEVEL_CELLS], distance_scratch *scratch,
                       const uint8_t kinds[PTL_LEVEL_CELLS], uint8_t mask);

/* The cities of a chunk, indexed for distances only. */
typedef struct distance_cities {
    near_city *list; /* owned */
    size_t count, room;
    near_field field;
} distance_cities;

/* Takes over the chunk's cities. False when memory is out. */
bool distance_cities_set(distance_cities *c, const gen_features *features);
void distance_cities_dispose(distance_cities *c);
/* Returns the distance of a cell, which may lie outside of the chunk, to the edge of the
 * nearest city, as placement has it: max(0, distance to its centre rounded down - its
 * size), at most 255. There must be a city. */
int32_t distance_to_city(const distance_cities *c, int32_t x, int32_t y);
/* Gives the same distance for every cell, 0..SUMMARY_FAR. False when memory is out. */
bool distance_to_cities(uint8_t out[PTL_LEVEL_CELLS], distance_cities *c);

/* Returns a distance as summaries have it. */
static inline int16_t distance_cut(int32_t distance)
{
    return (int16_t)(distance < SUMMARY_FAR ? distance : SUMMARY_FAR);
}

/* Where a special stands. */
typedef struct distance_origin {
    uint16_t special;
    int16_t x, y;
    int32_t place; /* its index in a summary's places */
} distance_origin;

/* Sets for each place the distance to the nearest one of the same special. The list is sorted
 * for that. */
void distance_same(summary_place *places, distance_origin *list, int32_t count);

/* Counts cells by distance, without those that have any bit of `without` in kinds. The last
 * element of out counts the cells of an overmap that has nothing to measure to, whose distances
 * are NULL. */
void distance_count(int32_t out[SUMMARY_FAR + 2], const uint8_t *distances,
                    const uint8_t kinds[PTL_LEVEL_CELLS], uint8_t without);
