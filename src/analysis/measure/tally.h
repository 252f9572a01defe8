/*
 * Tallies: summaries of many overmaps added up. A tally is what `stats` reports, what `compare`
 * compares and what a sweep's precision is computed from. Adding is exact (integers alone) and
 * in any order gives the same tally. Ids are the tally's own.
 */
#ifndef ANALYSIS_MEASURE_TALLY_H
#define ANALYSIS_MEASURE_TALLY_H

#include "model/summary.h"

/* A histogram of whole numbers 0..size - 1: counts[v] observations of v. It grows as needed. */
typedef struct tally_hist {
    uint64_t *counts; /* owned */
    size_t size;
    uint64_t none; /* observations without a value (SUMMARY_NONE) */
} tally_hist;

uint64_t hist_total(const tally_hist *h);  /* with a value */
double hist_mean(const tally_hist *h);     /* 0 if there is none */
double hist_variance(const tally_hist *h); /* sample variance, n - 1; 0 below two */
/* Least v with at least share (0..1) of the observations at or below it; -1 if there is none.
 */
int64_t hist_quantile(const tally_hist *h, double share);

/* How far a special's overmaps got where fewer were placed than asked for: overmaps, by the
 * first test that left no origin. */
typedef struct tally_failures {
    uint64_t ground, linked, city, room, growth; /* growth: origins were left, growths failed */
    uint64_t other;                              /* none of these: crowded out in its turn */
} tally_failures;

typedef struct tally_special {
    const char *id;
    uint64_t asked_overmaps;        /* in which at least one was asked for */
    uint64_t asked, placed, others; /* sums; placed: by the rule */
    tally_hist per_overmap;         /* of placed + others, one observation for each overmap */
    tally_hist asked_per_overmap;
    uint64_t short_overmaps;     /* placed < asked */
    tally_failures failures;     /* of those */
    tally_hist city, road, same; /* distances of its places; see summary_place */
    tally_hist level;            /* z + 10 of its places */
    tally_hist rotation;
    struct tally_count *around; /* sorted by count from the largest, then id */
    size_t around_count;
} tally_special;

typedef struct tally_count {
    const char *id;
    uint64_t count;
} tally_count;

typedef struct tally_terrain {
    const char *id;
    uint64_t cells;                /* on all levels, over all overmaps */
    uint64_t overmaps;             /* that have it */
    double square_sum;             /* of cells per overmap; exact below 2^53 */
    uint64_t cells_at[PTL_LEVELS]; /* by z + 10 */
} tally_terrain;

typedef struct tally_building {
    const char *id;
    uint64_t count, overmaps;
    uint64_t distance_sum; /* from the city's centre; see summary_building */
    int32_t distance_min, distance_max;
    uint64_t by_size[17]; /* count by the city's size, 16: larger too */
} tally_building;

typedef struct tally_line {
    const char *id;
    tally_hist cells; /* per overmap, one observation each */
} tally_line;

typedef struct tally_city_size {
    uint64_t cities, buildings;
    tally_hist buildings_per_city;
} tally_city_size;

typedef struct tally {
    uint64_t overmaps;
    uint32_t parts;          /* SUMMARY_* that all of them had */
    tally_special *specials; /* sorted by id, as the next three */
    tally_terrain *terrains;
    tally_building *buildings;
    tally_line *lines;
    size_t special_count, terrain_count, building_count, line_count;
    tally_city_size cities[17]; /* by size, 16: larger too */
    tally_hist cities_per_overmap;
    tally_hist lake_cells, river_cells; /* sizes of components */
    tally_hist lake_share,
        river_share; /* per overmap, in tenths of a percent of 32,400 cells */
    /* How far points of land lie: one observation for each cell. none: the overmap has none. */
    tally_hist baseline_city, baseline_road;
    struct tally_private *private_data;
} tally;

/* Zero it, then call this; again does no harm. False when memory is out. */
bool tally_init(tally *t);
void tally_dispose(tally *t);
ptl_status tally_add(tally *t, const summary *s, ptl_error *err);
/* Sorts the lists and fills them in; call it after tally_add and before reading. Adding may go
 * on after it. */
ptl_status tally_finish(tally *t, ptl_error *err);
/* NULL if no overmap had it. After tally_finish. */
const tally_special *tally_find(const tally *t, const char *id);

#endif
