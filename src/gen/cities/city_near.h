/*
 * Geometry of nearest cities: finds, as bits, which cells lie within a distance of any city,
 * and which city is the nearest of each cell. Distances are measured from the city's edge; see
 * city_map.h. Only whole numbers and correctly rounded square roots of small whole numbers are
 * used, so that every machine gets the same results.
 */
#pragma once

#include "gen/sites/sites.h"

/* A city with its centre in OMTs from the north-western corner of the chunk that is being made.
 * Cities of neighbouring chunks have x or y outside of 0..179. */
typedef struct near_city {
    int16_t x, y;
    int16_t size; /* size of the city, 1..NEAR_SIZE_MAX */
    int16_t own;  /* index into g->features.cities; FEATURE_NO_CITY: a city of a neighbouring
                     chunk */
} near_city;

enum { NEAR_SIZE_MAX = 255, NEAR_NONE = -1 };

/* The cities of a list whose size is from `low` to `high`; none if low > high. */
typedef struct near_cities {
    const near_city *cities;
    int32_t count;
    int16_t low, high;
} near_cities;

static inline bool near_among(const near_cities *of, int32_t i)
{
    return of->cities[i].size >= of->low && of->cities[i].size <= of->high;
}

/* Sets *x0 and *x1 so that the cells *x0 <= x < *x1 of row y are those no farther than
 * `distance` from the city's edge. False if there are no such cells. */
bool near_in_row(const near_city *city, int32_t y, int32_t distance, int32_t *x0, int32_t *x1);
/* A selection of cities as parallel arrays, which vector instructions can read. */
typedef struct near_pick {
    float *x, *y;
    int32_t *size, *city; /* `city`: the index of each city in near_cities.cities */
    int32_t count;
} near_pick;

enum {
    /* Width and height, in cells, of a block (a rectangle of cells). The width is a multiple of
     * the length of vectors and divides 64, so that a row of a block lies in one word of
     * site_bits. */
    NEAR_WIDTH = 16,
    NEAR_HEIGHT = 12,
    NEAR_CELLS = NEAR_WIDTH * NEAR_HEIGHT,
    NEAR_BLOCKS = 180, /* blocks of a chunk: 12 columns and 15 rows */
    NEAR_LARGE = 20    /* number of larger parts of a chunk, of 3 x 3 blocks each */
};

/* The nearest city of every cell that has a city within reach. The chunk is cut into blocks; a
 * block is computed when one of its cells is first asked for. */
typedef struct near_field {
    int32_t reach;
    /* Cities that may be the nearest city of at least one cell: `all` for the whole chunk,
     * `large` for each part of 3 x 3 blocks, `some` for the block that is being computed. */
    near_pick all, large[NEAR_LARGE], some;
    /* Scratch memory: a city has a key for each cell, which is the smaller, the nearer the city
     * is to the cell. For each city, these are its least and its greatest key in a block (see
     * near_kernels.bounds). */
    int32_t *least, *greatest;
    float *floats; /* owned: memory to which pointers of `all`, `large`, `some`, `least` and
                      `greatest` lead */
    int32_t *numbers;
    size_t room;
    bool known[NEAR_BLOCKS], chosen[NEAR_LARGE];
    /* By block and cell: the index of the nearest city, or NEAR_NONE. Valid only for blocks for
     * which `known` is set. */
    int16_t city[NEAR_BLOCKS][NEAR_CELLS];
} near_field;

/* Prepares the field for a list of cities. The field must be zeroed before its first use. False
 * if memory is out. */
bool near_field_begin(near_field *f, const near_cities *of, int32_t reach);
void near_field_dispose(near_field *f);

/* Finds the cells that are no farther than `distance` from the edge of any of the field's
 * cities. `distance` is at most the field's reach. */
void near_within(site_bits *out, const near_field *f, int32_t distance);
/* Finds the cells whose nearest city is not one of `taken`. Cells without a nearest city are
 * not among them. */
void near_others(site_bits *out, near_field *f, const near_cities *taken);
/* Removes from `bits` the cells whose nearest city is `city`, whose index in the field's list
 * is `number`. Only cells at most `far` columns and rows from the city's centre are looked at.
 * Returns how many cells were removed. */
int32_t near_take(site_bits *bits, near_field *f, const near_city *city, int32_t number,
                  int32_t far);
/* Returns how many of the cells in `bits` are at most `far` columns and rows from the city's
 * centre. */
int32_t near_count(const site_bits *bits, const near_city *city, int32_t far);
/* Returns the number of the nearest city of a cell of the chunk, or NEAR_NONE. */
int32_t near_one(near_field *f, int32_t x, int32_t y);
/* Is the city with the index `number` the nearest one for any of `cells`? Looks only at five
 * cells: the city's centre, and the cells that lie `aside` cells to the north, east, south and
 * west of it. So the answer true is certain, the answer false may be wrong. */
bool near_seems_met(near_field *f, const near_city *city, int32_t number,
                    const site_bits *cells, int32_t aside);
/* Sets *number to the result of near_one if the cell's block is computed already; otherwise
 * returns false. */
bool near_known(const near_field *f, int32_t x, int32_t y, int32_t *number);
/* Returns the nearest city of the cell (x, y). Sets *end to the column of the next cell to the
 * east that has another nearest city; SIZE if there is none. */
int32_t near_run(near_field *f, int32_t x, int32_t y, int32_t *end);

/* Sets (near_fill) or clears (near_wipe) the bits of the cells x0 <= x < x1 of a row. A row is
 * 3 words of 64 bits. */
void near_fill(uint64_t *row, int32_t x0, int32_t x1);
void near_wipe(uint64_t *row, int32_t x0, int32_t x1);
/* Is any bit set among those of the cells x0 <= x < x1 of a row? */
bool near_any(const uint64_t *row, int32_t x0, int32_t x1);
