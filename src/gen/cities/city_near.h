/*
 * Geometry of nearest cities: which cells lie within a distance of any city, as bits, and
 * which city is the nearest at each cell. Distances are measured from the city's edge; see
 * city_map.h. Only whole numbers and correctly rounded square roots of small whole numbers are
 * used, so that every machine gets the same.
 */
#pragma once

#include "gen/sites/sites.h"

/* x and y are relative to the chunk in work, so that cities of neighbours lie outside of
 * it. */
typedef struct near_city {
    int16_t x, y;
    int16_t size; /* 1..NEAR_SIZE_MAX */
    int16_t own;  /* index into g->features.cities; FEATURE_NO_CITY for a neighbour's */
} near_city;

enum { NEAR_SIZE_MAX = 255, NEAR_NONE = -1 };

/* The cities of a list whose size is from low to high. Empty where low > high. */
typedef struct near_cities {
    const near_city *cities;
    int32_t count;
    int16_t low, high;
} near_cities;

static inline bool near_among(const near_cities *of, int32_t i)
{
    return of->cities[i].size >= of->low && of->cities[i].size <= of->high;
}

/* Gives the cells x0 <= x < x1 of row y that are no farther than `distance` from the city's
 * edge. False if there are none. */
bool near_in_row(const near_city *city, int32_t y, int32_t distance, int32_t *x0, int32_t *x1);
/* A selection of cities as parallel arrays, the form that vector code reads. */
typedef struct near_pick {
    float *x, *y;
    int32_t *size, *city; /* city: index into near_cities.cities */
    int32_t count;
} near_pick;

enum {
    NEAR_WIDTH = 16, /* width of a block: vectors of any size fit into a row, rows into words */
    NEAR_HEIGHT = 12,
    NEAR_CELLS = NEAR_WIDTH * NEAR_HEIGHT,
    NEAR_BLOCKS = 180, /* blocks of a chunk, in ACROSS columns: see city_near.c */
    NEAR_LARGE = 20
};

/* The nearest city of every cell, if one is within reach. Each block is computed when somebody
 * first asks for one of its cells. */
typedef struct near_field {
    int32_t reach;
    near_pick all, large[NEAR_LARGE], some; /* cities that may be nearest in the chunk; in a
                                             * part of it; in the block in work */
    int32_t *least, *greatest;              /* scratch */
    float *floats; /* owned: memory of the picks and the scratch arrays */
    int32_t *numbers;
    size_t room;
    bool known[NEAR_BLOCKS], chosen[NEAR_LARGE];
    int16_t city[NEAR_BLOCKS][NEAR_CELLS]; /* index, or NEAR_NONE, where known */
} near_field;

/* Prepares the field for a list of cities. It must be zeroed before its first use. False if
 * memory is out. */
bool near_field_begin(near_field *f, const near_cities *of, int32_t reach);
void near_field_dispose(near_field *f);

/* Finds the cells that are no farther than `distance` from the edge of any of the field's
 * cities. `distance` is at most the field's reach. */
void near_within(site_bits *out, const near_field *f, int32_t distance);
/* Finds the cells whose nearest city exists but is none of `taken`. */
void near_others(site_bits *out, near_field *f, const near_cities *taken);
/* Removes the cells whose nearest city is the given one. Looks only at cells at most `far`
 * columns and rows from its centre. Returns how many cells it removed. */
int32_t near_take(site_bits *bits, near_field *f, const near_city *city, int32_t number,
                  int32_t far);
/* Returns how many of the cells are at most `far` columns and rows from the city's centre. */
int32_t near_count(const site_bits *bits, const near_city *city, int32_t far);
/* Returns the number of the nearest city of a cell of the chunk, or NEAR_NONE. */
int32_t near_one(near_field *f, int32_t x, int32_t y);
/* Is the city of this number the nearest at one of the cells? Looks only at its centre and at
 * the four cells `aside` cells from it, so that false may be wrong. */
bool near_seems_met(near_field *f, const near_city *city, int32_t number,
                    const site_bits *cells, int32_t aside);
/* Gives the same as near_one if the cell's block is computed already; false if it is not. */
bool near_known(const near_field *f, int32_t x, int32_t y, int32_t *number);
/* Returns the nearest city that all cells from (x, y) to before *end of the row share. Sets
 * *end as far along the row as possible. */
int32_t near_run(near_field *f, int32_t x, int32_t y, int32_t *end);

/* Sets or clears the cells x0 <= x < x1 of a row (3 words). */
void near_fill(uint64_t *row, int32_t x0, int32_t x1);
void near_wipe(uint64_t *row, int32_t x0, int32_t x1);
/* Is any of the cells x0 <= x < x1 of a row set? */
bool near_any(const uint64_t *row, int32_t x0, int32_t x1);
