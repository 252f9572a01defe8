/*
 * Samples and tallies: overmaps counted. A sample is overmaps of one kind: those of a saved
 * world, or of a sweep (portolan/sweep.h). A tally is what many of them come to when they are
 * added up: how many of each special, terrain, city, building, road and lake there are, and how
 * far they lie from each other. What that says of the content, and how two tallies differ, is
 * asked of portolan/stats.h.
 *
 * Structs that a pointer of the library's shows carry their size (status.h) and are borrowed
 * until their owner goes; they are for reading.
 */
#ifndef PORTOLAN_SAMPLE_H
#define PORTOLAN_SAMPLE_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is counted of an overmap. */
enum {
    PTL_COUNT_SPECIALS = 1 << 0,
    PTL_COUNT_PLACES = 1 << 1, /* where specials stand; decodes z = 0, as those below do but
                                * PTL_COUNT_TERRAINS and PTL_COUNT_LINES: these decode all */
    PTL_COUNT_TERRAINS = 1 << 2,
    PTL_COUNT_CITIES = 1 << 3, /* and buildings; decodes nothing */
    PTL_COUNT_LINES = 1 << 4,
    PTL_COUNT_WATERS = 1 << 5,
    PTL_COUNT_BASELINE = 1 << 6, /* how far any point of land lies from a city and a road */
    PTL_COUNT_ALL = (1 << 7) - 1
};

/* ---- tallies ---- */

/* A histogram of whole numbers 0..size - 1: counts[v] observations of v. */
typedef struct ptl_hist {
    uint64_t *counts; /* its owner's; NULL with size 0 */
    size_t size;
    uint64_t none; /* observations without a value, e.g. a distance to what is not there */
} ptl_hist;

PTL_API uint64_t ptl_hist_total(const ptl_hist *h);  /* observations with a value */
PTL_API double ptl_hist_mean(const ptl_hist *h);     /* 0 if there is none */
PTL_API double ptl_hist_variance(const ptl_hist *h); /* of the sample, n - 1; 0 below two */
/* Least v with at least `share` (0..1) of the observations at or below it; -1 if there is none.
 */
PTL_API int64_t ptl_hist_quantile(const ptl_hist *h, double share);
/* Frees the counts of one that the caller owns. */
PTL_API void ptl_hist_dispose(ptl_hist *h);

/* What hindered a special: overmaps where fewer were placed than asked for, by the first test
 * that left no origin. */
typedef struct ptl_tally_failures {
    uint64_t ground, linked, city, room;
    uint64_t growth; /* origins were left, growths failed */
    uint64_t other;  /* none of these: crowded out in its turn */
} ptl_tally_failures;

/* A terrain and how often it is there. */
typedef struct ptl_tally_count {
    const char *id;
    uint64_t count;
} ptl_tally_count;

/*
 * Overmaps side by side share lakes, rivers and forests, so that together they tell less than
 * as many strangers. Blocks of PTL_BLOCK_SIDE x PTL_BLOCK_SIDE of them hardly do: they are
 * counted in this many lots, of which each but in large samples is one block.
 */
enum { PTL_BLOCK_SIDE = 4, PTL_TALLY_LOTS = 64 };

/* What an overmap is beside others: with or without a lake or sea, and by the size of its
 * largest city. */
typedef enum ptl_overmap_class {
    PTL_OVERMAP_LAKE,
    PTL_OVERMAP_NO_LAKE,
    PTL_OVERMAP_NO_CITY,
    PTL_OVERMAP_CITY_1,  /* 1 to 4 */
    PTL_OVERMAP_CITY_5,  /* 5 to 8 */
    PTL_OVERMAP_CITY_9,  /* 9 to 12 */
    PTL_OVERMAP_CITY_13, /* 13 to 16 */
    PTL_OVERMAP_CITY_17  /* 17 and more */
} ptl_overmap_class;
enum { PTL_OVERMAP_CLASSES = PTL_OVERMAP_CITY_17 + 1 };

/* A special in the overmaps of a class. */
typedef struct ptl_tally_class {
    ptl_hist per_overmap;
    uint64_t lots[PTL_TALLY_LOTS], lots_with[PTL_TALLY_LOTS]; /* as in ptl_tally_special */
} ptl_tally_class;

/* Distances are in OMTs, Euclidean, rounded down, inside the overmap, along x and y alone. */
typedef struct ptl_tally_special {
    size_t size;
    const char *id;
    uint64_t asked_overmaps;     /* in which at least one was asked for */
    uint64_t asked, placed;      /* sums, by the rule of placement */
    uint64_t others;             /* placed otherwise: nested, by steps, imported */
    uint64_t short_overmaps;     /* placed < asked */
    ptl_tally_failures failures; /* of those */
    ptl_hist per_overmap;        /* of placed + others, an observation for each overmap */
    ptl_hist asked_per_overmap;  /* likewise */
    /* Of PTL_COUNT_PLACES, an observation for each place: distance to the nearest city's edge
     * (0 inside), to the nearest road, to the next one of its own kind; z + 10; quarters
     * to the right. */
    ptl_hist city, road, same, level, rotation;
    /* Terrains that most cells beside a place have, the most frequent first. */
    ptl_tally_count *around;
    size_t around_count;
    uint64_t lots[PTL_TALLY_LOTS];      /* of placed + others, by lot */
    uint64_t lots_with[PTL_TALLY_LOTS]; /* overmaps that have one, by lot */
    /* Of PTL_COUNT_WATERS and PTL_COUNT_CITIES together. */
    ptl_tally_class classes[PTL_OVERMAP_CLASSES];
} ptl_tally_special;

typedef struct ptl_tally_terrain {
    size_t size;
    const char *id;
    uint64_t cells;                /* on all levels, over all overmaps */
    uint64_t overmaps;             /* that have it */
    double square_sum;             /* of cells per overmap; exact below 2^53 */
    uint64_t cells_at[PTL_LEVELS]; /* by z + 10 */
    uint64_t lots[PTL_TALLY_LOTS]; /* of cells, by lot */
} ptl_tally_terrain;

enum { PTL_TALLY_SIZES = 17 }; /* of cities, 0..16; those of 16 hold larger ones, too */

typedef struct ptl_tally_building {
    size_t size;
    const char *id;
    uint64_t count, overmaps; /* in all; overmaps that have one */
    uint64_t distance_sum;    /* from the city's centre to its origin */
    int32_t distance_min, distance_max;
    uint64_t by_size[PTL_TALLY_SIZES]; /* count by the city's size */
} ptl_tally_building;

/* Cells of a connection's own terrains. */
typedef struct ptl_tally_line {
    size_t size;
    const char *id;                /* of the overmap_connection */
    ptl_hist cells;                /* an observation for each overmap */
    uint64_t lots[PTL_TALLY_LOTS]; /* of cells, by lot */
} ptl_tally_line;

/* How far the places of one special lie from the nearest of another in their overmap. */
typedef struct ptl_tally_pair {
    size_t size;
    const char *id, *to;
    ptl_hist nearest; /* an observation for each place of id; none: there is no other there */
    /* The same of points at random: all land of those overmaps, each of which counts as often
     * as it has places of id. The counts are of 2^20 for each place. */
    ptl_hist random;
    bool on_land; /* else, in a sweep, which keeps no OMTs: any cell in place of land */
} ptl_tally_pair;

enum { PTL_RIPLEY_STEP = 5, PTL_RIPLEY_RADII = 9, PTL_RIPLEY_PATTERNS = 199 };

/*
 * How the places of a special lie among each other in their overmaps (Ripley 1977, "Modelling
 * spatial patterns"). Pairs count by their distance: near[i] has those that are no farther
 * apart than (i + 1) PTL_RIPLEY_STEP, and farther than the step before. Near the overmap's edge
 * there are fewer of them, so that a pair that is x and y apart counts as 180 * 180 /
 * (180 - x) (180 - y), in parts of 2^20 (Ohser's (1983) translation correction).
 */
typedef struct ptl_tally_ripley {
    size_t size;
    const char *id;
    uint64_t pairs; /* of two places in an overmap, at any distance */
    uint64_t near[PTL_RIPLEY_RADII];
    /* The same of patterns at random: as many points in each overmap, each on any cell of its
     * land. */
    uint64_t random[PTL_RIPLEY_PATTERNS][PTL_RIPLEY_RADII];
    bool on_land; /* else, in a sweep, which keeps no OMTs: on any cell in place of land */
} ptl_tally_ripley;

/* Ripley's K: within `radius` of a place there are k times as many others of its overmap as on
 * one cell of it on average. As large as the circle where all lie at random on all cells. */
typedef struct ptl_ripley {
    int32_t radius;
    double k;
    double random, low,
        high; /* of the random patterns: mean, and the range of `level` of them */
} ptl_ripley;

/* Returns K at radius (step + 1) PTL_RIPLEY_STEP; there are pairs. Level is at most 0.99, which
 * all but the patterns' least and greatest are. */
PTL_API ptl_ripley ptl_ripley_at(const ptl_tally_ripley *of, size_t step, double level);

typedef struct ptl_tally_city_size {
    uint64_t cities, buildings;
    ptl_hist buildings_per_city;
} ptl_tally_city_size;

/* Lists are sorted by id. */
typedef struct ptl_tally {
    size_t size;
    uint64_t overmaps;
    uint32_t parts;            /* PTL_COUNT_*: what was counted of all of them */
    struct ptl_tally_own *own; /* the library's */
    ptl_tally_special **specials;
    ptl_tally_terrain **terrains;
    ptl_tally_building **buildings;
    ptl_tally_line **lines;
    size_t special_count, terrain_count, building_count, line_count;
    ptl_tally_city_size cities[PTL_TALLY_SIZES]; /* by size */
    ptl_hist cities_per_overmap;
    ptl_hist lake_cells, river_cells; /* sizes of 4-connected sets of cells at z 0 */
    ptl_hist lake_share, river_share; /* per overmap, in tenths of a percent of its cells */
    /* How far points of land lie from the nearest city and road: one observation for each cell
     * at z 0 that is no water. none: cells of overmaps that have no such thing. */
    ptl_hist baseline_city, baseline_road;
    /* Overmaps that may be the home of a GLOBALLY_UNIQUE special: within the sample's
     * unique_radius of the origin. */
    uint64_t homes;
    ptl_tally_pair **pairs; /* of the options' neighbours, from each to each of the others */
    size_t pair_count;
    uint64_t lots[PTL_TALLY_LOTS]; /* overmaps by lot */
    uint64_t class_lots[PTL_OVERMAP_CLASSES][PTL_TALLY_LOTS];
    uint64_t city_lots[PTL_TALLY_LOTS], building_lots[PTL_TALLY_LOTS]; /* in cities: these */
    bool has_blocks;            /* else no two lie side by side: one for each seed */
    ptl_tally_ripley **ripleys; /* of the options' ripley */
    size_t ripley_count;
} ptl_tally;

/* Returns a new tally: free it with ptl_tally_free. NULL when memory is out. */
PTL_API ptl_tally *ptl_tally_new(void);
PTL_API void ptl_tally_free(ptl_tally *tally); /* NULL is fine */
/* NULL if no overmap had it. */
PTL_API const ptl_tally_special *ptl_tally_find(const ptl_tally *tally, const char *id);

/* ---- samples ---- */

/* A special or building as the content defines it. */
typedef struct ptl_sample_special {
    size_t size;
    const char *id;
    int32_t occurrences_min, occurrences_max;
    bool is_unique, is_globally_unique; /* is_unique: OVERMAP_UNIQUE too */
    bool is_building;                   /* of cities: no rule places it */
    /* UNIQUE: in which share of overmaps it is asked for, 0..1; GLOBALLY_UNIQUE: with which
     * chance in its home, one of the (2 r + 1)^2 chunks around the origin (r: unique_radius). 0
     * of others. Where the region has no lake, city or ground for it, it is asked for less. */
    double chance;
} ptl_sample_special;

typedef struct ptl_sample_info {
    size_t size;
    const char *name; /* of the world or sweep */
    /* What the overmaps were made with. A sweep's settings have no seed of their own. */
    const ptl_world_options *settings;
    const char *content;       /* the content's digest in hex; "": the file does not know it */
    int32_t generator_version; /* of the world or sweep */
    bool is_sweep;
    /* The file has that content no more: definitions are those of its present one. */
    bool is_redefined;
    const char *definitions; /* digest of the content that definitions are of */
    uint64_t overmaps;       /* complete ones (all steps ran) when it was opened */
    uint64_t left_out;       /* of a world: incomplete, or imported */
} ptl_sample_info;

typedef struct ptl_sample ptl_sample; /* belongs to the store's thread */

/*
 * Opens a sample; name is a world's or a sweep's ("sweep:NAME" where a world has the same name,
 * "world:NAME" the other way); NULL: the only world, or if there is no world the only sweep.
 * *out is new: close it before the store. PTL_ERR_NOT_FOUND says what there is, PTL_ERR_CONTENT
 * that the file has no content.
 */
PTL_API ptl_status ptl_sample_open(ptl_sample **out, ptl_store *store, const char *name,
                                   ptl_error *err);
PTL_API void ptl_sample_close(ptl_sample *sample); /* NULL is fine */
PTL_API const ptl_sample_info *ptl_sample_about(const ptl_sample *sample);
/* Returns all definitions, by id. */
PTL_API const ptl_sample_special *const *ptl_sample_specials(size_t *count,
                                                             const ptl_sample *sample);
/* NULL if the content has none of this id. */
PTL_API const ptl_sample_special *ptl_sample_find(const ptl_sample *sample, const char *id);

typedef struct ptl_sample_options {
    size_t size;
    const char *special; /* places are counted of this one alone; NULL: of all */
    /* Called now and then, with overmaps. Returning false stops: PTL_ERR_CANCELLED. May be
     * NULL. */
    bool (*on_progress)(void *payload, uint64_t done, uint64_t total);
    void *payload;
    uint32_t parts;    /* PTL_COUNT_*; 0: all */
    uint32_t reserved; /* 0 */
    /* Two corners, both included, of the chunks that count; of a world alone. NULL: all do. */
    const ptl_chunk_pos *within;
    /* Specials between which nearest neighbours are counted, which takes PTL_COUNT_PLACES and
     * PTL_COUNT_BASELINE, and special NULL; NULL: none. */
    const char *const *neighbours;
    size_t neighbour_count;
    /* Specials whose Ripley's K is counted, which takes the same parts; NULL: none. */
    const char *const *ripley;
    size_t ripley_count;
} ptl_sample_options;

#define PTL_SAMPLE_OPTIONS_INIT PTL_SIZED(ptl_sample_options)

/*
 * Adds all overmaps of the sample to the tally, which may have those of others already. Reads
 * in short transactions of a few overmaps each, by place, so that no writer waits for it long;
 * chunks that come in meanwhile may be missed. After an error the tally holds some of them, and
 * nothing may be asked of it. options may be NULL. PTL_ERR_CORRUPT names a damaged chunk,
 * PTL_ERR_ARGUMENT: a sweep has no places to be within.
 *
 * Chunks that were made with other content than the sample's definitions count like the others:
 * their ids are the file's. What terrain is water or a road is as the definitions' content
 * says, and what it lacks is neither; the OMTs of fixed specials are not known, so that
 * `around` has none of them.
 */
PTL_API ptl_status ptl_tally_add(ptl_tally *tally, ptl_sample *sample,
                                 const ptl_sample_options *options, ptl_error *err);

/*
 * How far random points lie from each other, to measure distances between places of a special
 * against (Clark and Evans 1954, "Distance to nearest neighbor as a measure of spatial
 * relationships in populations", whose index is the ratio of the two means): distances from a
 * point to the nearest other one where as many points as in per_overmap lie at random in each
 * overmap, uniform over its 32,400 cells, rounded down. The counts are of about 10^9 in all,
 * whatever the number of points; none at all if no overmap has two. *out is new: dispose it.
 */
PTL_API ptl_status ptl_random_points(ptl_hist *out, const ptl_hist *per_overmap,
                                     ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
