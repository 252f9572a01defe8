/*
 * Euclidean distances between cells of a level, from centre to centre, rounded down to whole
 * OMTs.
 */
#pragma once

#include "gen/cities/city_near.h"
#include "model/feature.h"
#include "model/summary.h"

#include <math.h>

enum {
    DISTANCE_SIDE = PTL_CHUNK_SIZE,
    /* Length of a row in cells: PTL_CHUNK_SIZE, rounded up so that the row can be read in
     * vectors of 8 cells. */
    DISTANCE_ROW = 184
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

/* `kinds` has for every cell a set of bits. Cells that have a bit of `mask` are targets. Gives
 * for every cell the distance to the nearest target. If there is none, returns false and does
 * not change `out`. */
bool distance_to_cells(uint8_t out[PTL_LEVEL_CELLS], distance_scratch *scratch,
                       const uint8_t kinds[PTL_LEVEL_CELLS], uint8_t mask);

/* The cities of a chunk, with an index that makes finding the nearest one fast. Only distances
 * can be looked up. */
typedef struct distance_cities {
    near_city *list; /* owned */
    size_t count, room;
    near_field field;
} distance_cities;

/* Makes *c the list of the chunk's cities. False when memory is out. */
bool distance_cities_set(distance_cities *c, const gen_features *features);
void distance_cities_dispose(distance_cities *c);
/* Returns the distance of a cell, which may lie outside of the chunk, to the outer limit of the
 * nearest city. It is computed as the rule of placement does: from the distance to the city's
 * centre, rounded down, the city's size is subtracted; the result is at least 0 and at most
 * 255. The list must have at least one city. */
int32_t distance_to_city(const distance_cities *c, int32_t x, int32_t y);
/* Gives for every cell the distance to the outer limit of the nearest city, 0..SUMMARY_FAR.
 * False when memory is out. */
bool distance_to_cities(uint8_t out[PTL_LEVEL_CELLS], distance_cities *c);

/* Cuts a distance to the largest value that summaries hold, SUMMARY_FAR. */
static inline int16_t distance_cut(int32_t distance)
{
    return (int16_t)(distance < SUMMARY_FAR ? distance : SUMMARY_FAR);
}

/* The origin of a placed special, in OMTs of its chunk. */
typedef struct distance_origin {
    uint16_t special;
    int16_t x, y;
    int32_t place; /* index of this place in a summary's list of places */
} distance_origin;

/* Sets for each place the distance to the nearest place of the same special. The list is sorted
 * in the process. */
void distance_same(summary_place *places, distance_origin *list, int32_t count);

/* Counts the cells by their distance, except the cells whose bits in `kinds` have any bit of
 * `without`. If the overmap has nothing to measure distances to, `distances` is NULL, and the
 * last element of `out` counts all cells that are not excepted. */
void distance_count(int32_t out[SUMMARY_FAR + 2], const uint8_t *distances,
                    const uint8_t kinds[PTL_LEVEL_CELLS], uint8_t without);
