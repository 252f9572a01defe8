/*
 * Samples and tallies: what many overmaps contain, counted. A sample is a set of overmaps made
 * with the same settings: those of a saved world, or those of a sweep (portolan/sweep.h). A
 * tally holds the sums over many overmaps: how many of each special, terrain, city, building,
 * road and lake there are, and how far they lie from each other. portolan/stats.h tells what a
 * tally says about the content, and how two tallies differ.
 *
 * Structs to which the library returns pointers carry their size (status.h). They are only for
 * reading, and are valid until their owner is freed.
 */
#ifndef PORTOLAN_SAMPLE_H
#define PORTOLAN_SAMPLE_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is counted in an overmap, as bits. */
enum {
    PTL_COUNT_SPECIALS = 1 << 0,
    PTL_COUNT_PLACES = 1 << 1, /* the places of specials. For this, PTL_COUNT_WATERS and
                                * PTL_COUNT_BASELINE, level 0 of each chunk is decoded; for
                                * PTL_COUNT_TERRAINS and PTL_COUNT_LINES, all levels are */
    PTL_COUNT_TERRAINS = 1 << 2,
    PTL_COUNT_CITIES = 1 << 3, /* cities and buildings; to count them, no level of a chunk is
                                * decoded */
    PTL_COUNT_LINES = 1 << 4,
    PTL_COUNT_WATERS = 1 << 5,
    PTL_COUNT_BASELINE = 1 << 6, /* how far the cells of land lie from the nearest city and
                                  * road */
    PTL_COUNT_ALL = (1 << 7) - 1
};

/* ---- tallies ---- */

/* A histogram of whole numbers: counts[v] observations have the value v, for v from 0 to size
 * - 1. */
typedef struct ptl_hist {
    uint64_t *counts; /* belongs to the histogram's owner; NULL if size is 0 */
    size_t size;
    uint64_t none; /* number of observations without a value, e.g. the distance to something
                    * that the overmap lacks */
} ptl_hist;

/* Returns the number of observations with a value. */
PTL_API uint64_t ptl_hist_total(const ptl_hist *h);
PTL_API double ptl_hist_mean(const ptl_hist *h); /* the mean of the values; 0 if there are no
                                                  * observations */
/* Returns the sample variance (divided by n - 1); 0 for fewer than two observations. */
PTL_API double ptl_hist_variance(const ptl_hist *h);
/* Returns the smallest value v such that at least `share` (0..1) of the observations are at or
 * below v; -1 if there are no observations. */
PTL_API int64_t ptl_hist_quantile(const ptl_hist *h, double share);
/* Frees the counts of a histogram that the caller owns. */
PTL_API void ptl_hist_dispose(ptl_hist *h);

/* What hindered a special, in overmaps in which fewer of it were placed than asked for. Each
 * member counts the overmaps with one reason. The reasons ground, linked, city and room are
 * tests of an origin, in this order (see ptl_why): such an overmap has origins that passed all
 * tests before this one, but none that passed it. */
typedef struct ptl_tally_failures {
    uint64_t ground, linked, city, room;
    uint64_t growth; /* overmaps in which some origins passed all tests, but the growths of the
                      * special failed */
    uint64_t other;  /* overmaps in which neither a test nor failed growths were the reason:
                        specials that were placed earlier took the room */
} ptl_tally_failures;

/* A terrain and how often it was counted. */
typedef struct ptl_tally_count {
    const char *id;
    uint64_t count;
} ptl_tally_count;

/*
 * Neighbouring overmaps share lakes, rivers and forests, so that together they tell less than
 * the same number of independent ones. Blocks of PTL_BLOCK_SIDE x PTL_BLOCK_SIDE overmaps are
 * nearly independent of each other. So the overmaps are divided into PTL_TALLY_LOTS lots, and
 * each number is also counted for each lot. A lot is one block, or several blocks if the sample
 * is large.
 */
enum { PTL_BLOCK_SIDE = 4, PTL_TALLY_LOTS = 64 };

/* Classes of overmaps: with or without a lake or sea, and by the size of the largest city. An
 * overmap belongs to one class of each kind. */
typedef enum ptl_overmap_class {
    PTL_OVERMAP_LAKE,
    PTL_OVERMAP_NO_LAKE,
    PTL_OVERMAP_NO_CITY,
    PTL_OVERMAP_CITY_1,  /* the largest city has a size of 1 to 4 */
    PTL_OVERMAP_CITY_5,  /* the largest city has a size of 5 to 8 */
    PTL_OVERMAP_CITY_9,  /* the largest city has a size of 9 to 12 */
    PTL_OVERMAP_CITY_13, /* the largest city has a size of 13 to 16 */
    PTL_OVERMAP_CITY_17  /* the largest city has a size of 17 or more */
} ptl_overmap_class;
enum { PTL_OVERMAP_CLASSES = PTL_OVERMAP_CITY_17 + 1 };

/* Counts of a special in the overmaps of one class. */
typedef struct ptl_tally_class {
    ptl_hist per_overmap;
    /* Counts for each lot of overmaps, with the same meaning as the members of the same
     * names in ptl_tally_special. */
    uint64_t lots[PTL_TALLY_LOTS], lots_with[PTL_TALLY_LOTS];
} ptl_tally_class;

/* Counts of a special. Distances are Euclidean, in OMTs, rounded down, along x and y alone,
 * and only between things in the same overmap. */
typedef struct ptl_tally_special {
    size_t size;
    const char *id;
    uint64_t asked_overmaps; /* overmaps in which the rule of placement asked for the special,
                              * once or more often */
    uint64_t asked, placed;  /* how many of the special the rule of placement asked for and
                              * placed, over all overmaps */
    uint64_t others;         /* how many of the special came in another way: inside another
                              * special, by a step of generation, or by the import of a
                              * save */
    uint64_t short_overmaps; /* overmaps in which fewer of the special were placed than the
                              * rule of placement asked for */
    ptl_tally_failures failures; /* what hindered the special in the overmaps that
                                  * short_overmaps counts */
    ptl_hist per_overmap;        /* how many of the special an overmap has (placed + others);
                                  * one observation for each overmap */
    ptl_hist asked_per_overmap;  /* how many of the special the rule of placement asked for in
                                  * an overmap; one observation for each overmap */
    /* Only counted with PTL_COUNT_PLACES. Each place of the special gives one value to each
     * histogram. city, road and same are the distances to the edge of the nearest city (0
     * inside it), to the nearest road and to the nearest special of the same kind. level is z +
     * 10; rotation is the number of quarter turns to the right. */
    ptl_hist city, road, same, level, rotation;
    /* The terrains that are most frequent in the cells beside the special's places, the most
     * frequent first. */
    ptl_tally_count *around;
    size_t around_count;
    uint64_t lots[PTL_TALLY_LOTS];      /* how many of the special (placed + others) the
                                         * overmaps of each lot have (see PTL_TALLY_LOTS) */
    uint64_t lots_with[PTL_TALLY_LOTS]; /* how many overmaps of each lot have the special */
    /* Counts in each class of overmaps; only if both PTL_COUNT_WATERS and PTL_COUNT_CITIES
     * were counted. */
    ptl_tally_class classes[PTL_OVERMAP_CLASSES];
} ptl_tally_special;

typedef struct ptl_tally_terrain {
    size_t size;
    const char *id;
    uint64_t cells;                /* number of cells with the terrain, on all levels of all
                                    * overmaps */
    uint64_t overmaps;             /* number of overmaps that have the terrain */
    double square_sum;             /* sum, over all overmaps, of the square of the overmap's
                                    * number of cells with the terrain; exact below 2^53 */
    uint64_t cells_at[PTL_LEVELS]; /* number of cells with the terrain on each level; the index
                                    * is z + 10 */
    uint64_t lots[PTL_TALLY_LOTS]; /* number of cells with the terrain, by lot of overmaps (see
                                    * PTL_TALLY_LOTS) */
} ptl_tally_terrain;

enum {
    PTL_TALLY_SIZES = 17
}; /* number of city sizes for which there are separate counts:
    * 0..16; larger cities count as 16 */

typedef struct ptl_tally_building {
    size_t size;
    const char *id;
    uint64_t count, overmaps; /* how many of the building there are, and how many overmaps have
                               * at least one */
    uint64_t distance_sum; /* the sum of the distances, in OMTs, from the city's centre to the
                              building's origin, over all buildings of this kind */
    int32_t distance_min, distance_max;
    uint64_t by_size[PTL_TALLY_SIZES]; /* how many of the building stand in cities of each
                                        * size */
} ptl_tally_building;

/* Counts of the cells that have a terrain of a connection. */
typedef struct ptl_tally_line {
    size_t size;
    const char *id;                /* id of the overmap_connection */
    ptl_hist cells;                /* number of cells with a terrain of the connection; one
                                    * observation for each overmap */
    uint64_t lots[PTL_TALLY_LOTS]; /* number of cells with a terrain of the connection, by lot
                                      of overmaps (see PTL_TALLY_LOTS) */
} ptl_tally_line;

/* Distances from the places of one special (id) to the nearest place of another special (to) in
 * the same overmap. */
typedef struct ptl_tally_pair {
    size_t size;
    const char *id, *to;
    ptl_hist nearest; /* for each place of `id`, the distance to the nearest place of `to`.
                         `none` counts the places of `id` in overmaps without `to` */
    /* For comparison, the distances from random points to the nearest place of `to`. The points
     * are all cells of land in the overmaps that have places of `id`. The cells of an overmap
     * are weighted, so that its counts add up to 2^20 for each place of `id` in it. */
    ptl_hist random;
    bool on_land; /* true: the random points are only on land; false: they are on any cell,
                     because a sweep does not keep the OMTs */
} ptl_tally_pair;

enum { PTL_RIPLEY_STEP = 5, PTL_RIPLEY_RADII = 9, PTL_RIPLEY_PATTERNS = 199 };

/*
 * How the places of a special are distributed in their overmaps (Ripley 1977, "Modelling
 * spatial patterns"). Pairs of places are counted by their distance in OMTs: near[i] has the
 * pairs with a distance above i * PTL_RIPLEY_STEP, up to (i + 1) * PTL_RIPLEY_STEP. Places near
 * the edge of an overmap have fewer neighbours. To correct for this, a pair whose places are x
 * and y apart counts as 180 * 180 / ((180 - x) * (180 - y)), in units of 2^-20 (translation
 * correction, Ohser 1983).
 */
typedef struct ptl_tally_ripley {
    size_t size;
    const char *id;
    uint64_t pairs; /* number of pairs of places that lie in the same overmap, at any distance
                       from each other */
    uint64_t near[PTL_RIPLEY_RADII];
    /* For comparison, the counts for points that lie at random: random[p] counts the pairs of
     * points in the random pattern number p by their distance, as `near` counts the pairs of
     * places. In each overmap a pattern has as many points as the special has places; every
     * cell of land is equally likely to get one. */
    uint64_t random[PTL_RIPLEY_PATTERNS][PTL_RIPLEY_RADII];
    bool on_land; /* true: the random points are on land; false: they are on any cells, since a
                     sweep keeps no OMTs */
} ptl_tally_ripley;

/* Ripley's K at a radius: within `radius` of a place there are, on average, k times as many
 * other places as on one cell of the overmap. If all places lie at random on all cells, k is
 * the area of the circle. */
typedef struct ptl_ripley {
    int32_t radius;
    double k;
    /* `random` is the mean of k (the member above) over the random patterns
     * (ptl_tally_ripley.random). The share `level` (the parameter of ptl_ripley_at) of these
     * patterns has a k from `low` to `high`. */
    double random, low, high;
} ptl_ripley;

/* Returns K at the radius (step + 1) * PTL_RIPLEY_STEP. `of` must have at least one pair. The
 * result also has the range of K in random patterns; `level` is the share of the patterns in
 * that range, at most 0.99. A level of 0.99 leaves out only the pattern with the smallest and
 * the one with the greatest K. */
PTL_API ptl_ripley ptl_ripley_at(const ptl_tally_ripley *of, size_t step, double level);

typedef struct ptl_tally_city_size {
    uint64_t cities, buildings;
    ptl_hist buildings_per_city;
} ptl_tally_city_size;

/* A tally: sums over the overmaps that were added to it. Its lists are sorted by id. */
typedef struct ptl_tally {
    size_t size;
    uint64_t overmaps;
    uint32_t parts;            /* PTL_COUNT_* bits: what was counted in all of the overmaps */
    struct ptl_tally_own *own; /* used only by the library */
    ptl_tally_special **specials;
    ptl_tally_terrain **terrains;
    ptl_tally_building **buildings;
    ptl_tally_line **lines;
    size_t special_count, terrain_count, building_count, line_count;
    ptl_tally_city_size cities[PTL_TALLY_SIZES]; /* counts of cities by their size; larger
                                                  * cities than 16 count as 16 */
    ptl_hist cities_per_overmap;
    ptl_hist lake_cells, river_cells; /* sizes of lakes and rivers, in cells: one observation
                                         for each lake or river, which is a set of cells at z =
                                         0 that are linked by their sides */
    ptl_hist lake_share, river_share; /* share of each overmap's cells at z = 0 that are lake
                                       * or river, in tenths of a percent */
    /* How far land lies from the nearest city and from the nearest road, in OMTs: one
     * observation for each cell at z = 0 that is not water. `none` counts cells in overmaps
     * without a city or road. */
    ptl_hist baseline_city, baseline_road;
    /* Number of overmaps that may be the home of a GLOBALLY_UNIQUE special (the only chunk
     * that may have it): overmaps within the sample's unique_radius of chunk (0, 0). */
    uint64_t homes;
    ptl_tally_pair **pairs; /* distances between the specials that ptl_sample_options lists as
                             * `neighbours`: one entry for each ordered pair of them */
    size_t pair_count;
    uint64_t lots[PTL_TALLY_LOTS]; /* number of overmaps in each lot */
    uint64_t class_lots[PTL_OVERMAP_CLASSES][PTL_TALLY_LOTS];
    /* Number of cities in each lot of overmaps, and number of buildings in these cities. */
    uint64_t city_lots[PTL_TALLY_LOTS], building_lots[PTL_TALLY_LOTS];
    bool has_blocks; /* true: overmaps of the sample lie side by side; false: each seed has only
                        one overmap */
    ptl_tally_ripley **ripleys; /* one entry for each special that ptl_sample_options lists as
                                 * `ripley` */
    size_t ripley_count;
} ptl_tally;

/* Returns a new, empty tally: free it with ptl_tally_free. NULL if memory is out. */
PTL_API ptl_tally *ptl_tally_new(void);
PTL_API void ptl_tally_free(ptl_tally *tally); /* freeing NULL does nothing */
/* Returns the counts of a special; NULL if no overmap had the special. */
PTL_API const ptl_tally_special *ptl_tally_find(const ptl_tally *tally, const char *id);

/* ---- samples ---- */

/* The definition of a special or building in the content. */
typedef struct ptl_sample_special {
    size_t size;
    const char *id;
    int32_t occurrences_min, occurrences_max;
    bool is_unique, is_globally_unique; /* whether the special has the flag UNIQUE or
                                         * OVERMAP_UNIQUE (is_unique), and whether it has
                                         * GLOBALLY_UNIQUE */
    bool is_building;                   /* a city building, which no rule of placement asks
                                         * for */
    /* For a UNIQUE special: the share (0..1) of the overmaps in which the rule of placement
     * asks for the special. For a GLOBALLY_UNIQUE special: the chance that the rule asks for it
     * in its home, which is one of the (2 r + 1)^2 chunks around chunk (0, 0), where r is
     * unique_radius. For other specials: 0. In a region that lacks what the special needs (a
     * lake, a city or suitable terrain), the rule asks for it less often. */
    double chance;
} ptl_sample_special;

typedef struct ptl_sample_info {
    size_t size;
    const char *name; /* name of the world or sweep */
    /* The settings that the overmaps were made with. For a sweep, their seed has no
     * meaning. */
    const ptl_world_options *settings;
    /* Digest of the content in hexadecimal; "" if the file has no record of it. */
    const char *content;
    int32_t generator_version; /* version of the generator of the world or sweep */
    bool is_sweep;
    /* True: the file no longer has the content that the overmaps were made with, so that the
     * definitions of specials (ptl_sample_special) are those of the file's present content. */
    bool is_redefined;
    const char *definitions; /* digest of the content from which the definitions of specials
                              * come */
    uint64_t overmaps;       /* number of complete overmaps (all steps ran) when the sample was
                              * opened */
    uint64_t left_out;       /* chunks of a world that do not count, since they are incomplete
                              * or imported */
} ptl_sample_info;

typedef struct ptl_sample ptl_sample; /* an open sample; only the thread that uses the store
                                       * may use it */

/*
 * Opens a sample. name is the name of a world or a sweep. If both have the same name,
 * "world:NAME" or "sweep:NAME" says which one is meant. name NULL stands for the only world,
 * or, if there is no world, for the only sweep. *out is the caller's: close it before the
 * store. PTL_ERR_NOT_FOUND: there is no such sample; the message lists the worlds and sweeps
 * of the file. PTL_ERR_CONTENT: the file has no content.
 */
PTL_API ptl_status ptl_sample_open(ptl_sample **out, ptl_store *store, const char *name,
                                   ptl_error *err);
PTL_API void ptl_sample_close(ptl_sample *sample); /* closing NULL does nothing */
/* Describes the sample. Borrowed until the sample is closed. */
PTL_API const ptl_sample_info *ptl_sample_about(const ptl_sample *sample);
/* Returns the definitions of all specials and buildings, sorted by id, and their number in
 * *count. Borrowed until the sample is closed. */
PTL_API const ptl_sample_special *const *ptl_sample_specials(size_t *count,
                                                             const ptl_sample *sample);
/* Returns the definition of a special or building; NULL if the content has none of this id. */
PTL_API const ptl_sample_special *ptl_sample_find(const ptl_sample *sample, const char *id);

typedef struct ptl_sample_options {
    size_t size;
    const char *special; /* id of the only special whose places are counted; NULL: the places
                          * of all specials are counted */
    /* Called now and then; done and total count overmaps. Returning false stops with
     * PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, uint64_t done, uint64_t total);
    void *payload;
    uint32_t parts;    /* what is to be counted: a sum of PTL_COUNT_* bits; 0: all */
    uint32_t reserved; /* must be 0 */
    /* For a world: two corners of the rectangle of chunks that count, both included. NULL: all
     * chunks count. */
    const ptl_chunk_pos *within;
    /* Ids of the specials between which distances to nearest neighbours are counted; NULL:
     * none. parts must include PTL_COUNT_PLACES and PTL_COUNT_BASELINE, and `special` must be
     * NULL. */
    const char *const *neighbours;
    size_t neighbour_count;
    /* Ids of the specials for which Ripley's K is counted; NULL: none. If it isn't NULL,
     * `parts` must have PTL_COUNT_PLACES and PTL_COUNT_BASELINE, and `special` must be NULL. */
    const char *const *ripley;
    size_t ripley_count;
} ptl_sample_options;

#define PTL_SAMPLE_OPTIONS_INIT PTL_SIZED(ptl_sample_options)

/*
 * Adds all overmaps of the sample to the tally, which may hold overmaps of other samples
 * already. The overmaps are read in the order of their places, in short transactions of a few
 * overmaps each, so that no writer waits long; chunks that other programs save meanwhile may
 * be missed. After an error the tally holds only some of the overmaps: free it without using
 * it. options may be NULL. PTL_ERR_CORRUPT: a chunk is damaged; the message names it.
 * PTL_ERR_ARGUMENT: an option is out of its range, or `within` was given for a sweep.
 *
 * A chunk that was made with another content than the one of the sample's definitions counts
 * like the others, by the ids in the file. Which terrains are water or road is decided by the
 * content of the definitions; a terrain that this content lacks is neither. For such a chunk
 * the OMTs of fixed specials are not known, so that its places add nothing to `around`.
 */
PTL_API ptl_status ptl_tally_add(ptl_tally *tally, ptl_sample *sample,
                                 const ptl_sample_options *options, ptl_error *err);

/*
 * Computes how far random points lie from each other. Distances between the places of a
 * special can be compared with this; the index of Clark and Evans (1954, "Distance to nearest
 * neighbor as a measure of spatial relationships in populations") is the ratio of the two
 * means. *out is the histogram of distances, rounded down, from a point to the nearest other
 * one, if each overmap has as many points as per_overmap says, uniformly distributed over its
 * 32,400 cells. Its counts add up to about 10^9, whatever the number of points; they are all 0
 * if no overmap has two points. *out is the caller's: free it with ptl_hist_dispose.
 */
PTL_API ptl_status ptl_random_points(ptl_hist *out, const ptl_hist *per_overmap,
                                     ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
