/*
 * Geometry of nearest cities: the cells within a distance of any of them as bits, and which one
 * is the nearest at every cell, as runs along the rows. Distances are from the city's edge; see
 * city_map.h. Whole numbers and correctly rounded square roots of small whole numbers only.
 */
#ifndef GEN_CITY_NEAR_H
#define GEN_CITY_NEAR_H

#include "gen/sites.h"

/* x and y relative to the chunk in work: those of its neighbours lie outside of it. */
typedef struct near_city {
    int16_t x, y;
    int16_t size; /* 1..NEAR_SIZE_MAX */
    int16_t own;  /* index into g->features.cities; FEATURE_NO_CITY for a neighbour's */
} near_city;

enum { NEAR_SIZE_MAX = 255, NEAR_NONE = -1 };

/* Some of a list of cities: those of a size from low to high. Empty where low > high. */
typedef struct near_cities {
    const near_city *cities;
    int32_t count;
    int16_t low, high;
} near_cities;

static inline bool near_among(const near_cities *of, int32_t i)
{
    return of->cities[i].size >= of->low && of->cities[i].size <= of->high;
}

/* Distance from the edge of the city. */
int32_t near_distance(const near_city *city, int32_t x, int32_t y);
/* The nearest within reach of a cell: an index into cities, NEAR_NONE if there is none. */
int32_t near_one(const near_cities *of, int32_t x, int32_t y, int32_t reach);

/* Is city i the nearest at one of the cells? Looks at its centre and at four cells `aside` of
 * it: false may be wrong. */
bool near_seems_met(const near_cities *of, int32_t i, const site_bits *cells, int32_t aside,
                    int32_t reach);

/* The cells x0 <= x < x1 of a row that are no farther from the city. False if there are none.
 */
bool near_in_row(const near_city *city, int32_t y, int32_t distance, int32_t *x0, int32_t *x1);
/* Cells from which any of the cities is no farther than distance. */
void near_within(site_bits *out, const near_cities *of, int32_t distance);

/* Cells of a row from the end of the run before, or 0, to x < end. */
typedef struct near_run {
    int32_t city; /* index into cities, or NEAR_NONE */
    int32_t end;
} near_run;

/* Row y has runs[rows[y]] .. runs[rows[y + 1] - 1]. */
typedef struct near_runs {
    near_run *runs;
    size_t count, room;
    size_t rows[SIZE + 1];
    float *floats; /* scratch of the making, as numbers */
    int32_t *numbers;
    size_t scratch_room;
} near_runs;

/* The nearest city within reach of every cell. False if memory is out. */
bool near_runs_make(near_runs *out, const near_cities *of, int32_t reach);
void near_runs_dispose(near_runs *r);

/* Sets or clears the cells x0 <= x < x1 of a row (3 words). */
void near_fill(uint64_t *row, int32_t x0, int32_t x1);
void near_wipe(uint64_t *row, int32_t x0, int32_t x1);
/* Is any of them set? */
bool near_any(const uint64_t *row, int32_t x0, int32_t x1);

#endif
