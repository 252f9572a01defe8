/*
 * Geometry of nearest cities: the cells within a distance of any of them as bits, and which one
 * is the nearest at every cell. Distances are from the city's edge; see city_map.h. Whole
 * numbers and correctly rounded square roots of small whole numbers only.
 */
#ifndef GEN_CITIES_CITY_NEAR_H
#define GEN_CITIES_CITY_NEAR_H

#include "gen/sites/sites.h"

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

/* The cells x0 <= x < x1 of a row that are no farther from the city. False if there are none.
 */
bool near_in_row(const near_city *city, int32_t y, int32_t distance, int32_t *x0, int32_t *x1);
/* A choice of the cities, as the vector units like it. */
typedef struct near_pick {
    float *x, *y;
    int32_t *size, *city; /* city: index into near_cities.cities */
    int32_t count;
} near_pick;

enum {
    NEAR_WIDTH = 16, /* sides of a block: vectors of any size fit into a row, rows into words */
    NEAR_HEIGHT = 12,
    NEAR_CELLS = NEAR_WIDTH * NEAR_HEIGHT,
    NEAR_BLOCKS = 180, /* of a chunk: see city_near.c */
    NEAR_LARGE = 20
};

/* The nearest city within reach of every cell. Blocks of it are filled when they are asked for.
 */
typedef struct near_field {
    int32_t reach;
    near_pick all, large[NEAR_LARGE], some; /* cities: of the chunk; of parts of it; scratch */
    int32_t *least, *greatest;              /* scratch */
    float *floats;                          /* owned: what the picks and the scratch lie in */
    int32_t *numbers;
    size_t room;
    bool known[NEAR_BLOCKS], chosen[NEAR_LARGE];
    int16_t city[NEAR_BLOCKS][NEAR_CELLS]; /* index into cities, or NEAR_NONE, where known */
} near_field;

/* False if memory is out. The field is all 0 before the first time. */
bool near_field_begin(near_field *f, const near_cities *of, int32_t reach);
void near_field_dispose(near_field *f);

/* Cells from which any of the field's cities is no farther than distance, up to its reach. */
void near_within(site_bits *out, const near_field *f, int32_t distance);
/* Cells that have a nearest city, which is none of these. */
void near_others(site_bits *out, near_field *f, const near_cities *taken);
/* Takes away the cells whose nearest city is this one, no farther than `far` from its centre
 * both ways; returns how many that were. */
int32_t near_take(site_bits *bits, near_field *f, const near_city *city, int32_t number,
                  int32_t far);
/* Returns the cells no farther than `far` from the city's centre both ways. */
int32_t near_count(const site_bits *bits, const near_city *city, int32_t far);
/* Returns the nearest city of a cell of the chunk. */
int32_t near_one(near_field *f, int32_t x, int32_t y);
/* Is the city of this number the nearest at one of the cells? Looks at its centre and at four
 * cells `aside` of it: false may be wrong. */
bool near_seems_met(near_field *f, const near_city *city, int32_t number,
                    const site_bits *cells, int32_t aside);
/* The same, if it was found before. */
bool near_known(const near_field *f, int32_t x, int32_t y, int32_t *number);
/* The cells from (x, y) to before *end of the row have this nearest city, which is returned;
 * *end is as large as can be. */
int32_t near_run(near_field *f, int32_t x, int32_t y, int32_t *end);

/* Sets or clears the cells x0 <= x < x1 of a row (3 words). */
void near_fill(uint64_t *row, int32_t x0, int32_t x1);
void near_wipe(uint64_t *row, int32_t x0, int32_t x1);
/* Is any of them set? */
bool near_any(const uint64_t *row, int32_t x0, int32_t x1);

#endif
