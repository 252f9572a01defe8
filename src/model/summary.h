/*
 * A summary: what one overmap comes to when it is counted, a few hundred small numbers. It is
 * made from a chunk in memory (analysis/measure/measure.h), added up over many overmaps
 * (analysis/measure/tally.h), and kept by sweeps instead of the cells (sweep_rows.h). Ids are
 * strings, so that summaries of different contents can be compared. All positions are
 * chunk-local OMTs. Each list has a stated order, so that equal overmaps have equal summaries.
 * Ids are borrowed from where the summary was made (a catalogue, a store's dictionary) and
 * live as long as that.
 */
#pragma once

#include "core/arena.h"
#include "portolan/sample.h"

enum {
    /* The greatest distance that is stored, in OMTs; larger ones are stored as this number. */
    SUMMARY_FAR = 255,
    /* Stands for a distance if the overmap has nothing of the kind to which it is measured. */
    SUMMARY_NONE = -1
};

/*
 * A special of this overmap; the list is sorted by id and has an entry for each special that
 * was to be placed or stands there. The counts from `asked` to `placed` are those of
 * gen_attempt (model/feature.h); 0 if the special was not to be placed. `others` counts those
 * of the special that the rule of placement did not place: those nested in another special, at
 * the end of a trail, in a city, or imported from a save.
 */
typedef struct summary_special {
    const char *id;
    int32_t asked, ground, linked, city, room, failed, placed, others;
} summary_special;

/*
 * One placed special. The list is in the order of special_placement.number, a column of the
 * file. Distances are Euclidean, in OMTs along x and y alone, from the special's origin to the
 * nearest cell in this overmap of the kind that the member names, rounded down. The distance to
 * a city is that to its centre, rounded down, less the city's size, and at least 0, as the rule
 * of placement counts it; but cities of neighbouring overmaps do not count.
 */
typedef struct summary_place {
    const char *id;
    /* The terrain type that most of the cells beside the special have: cells at its z that
     * share a side with one of its OMTs and are not its own. Of several such types it is the
     * first by id.
     * "" if there is none, or if the special's OMTs are not known. */
    const char *around;
    int16_t x, y;
    int8_t z;
    uint8_t rotation;
    /* Distance from the special to the edge of the nearest city; 0: it is in a city. */
    int16_t city;
    /* Distance to the nearest road at z = 0: a cell with the flag ROAD or of the connection
     * local_road. */
    int16_t road;
    /* Distance to the nearest other special of the same kind, from origin to origin. */
    int16_t same;
} summary_place;

/* Number of cells that a terrain has on a level. The list is sorted by id and z. The numbers
 * of all entries add up to 680,400, the number of cells of an overmap. */
typedef struct summary_terrain {
    const char *id;
    int8_t z;
    int32_t cells;
} summary_terrain;

/* A city; the list is in the order of city.number. */
typedef struct summary_city {
    int16_t x, y, size; /* the city's centre, and its size: its nominal radius in OMTs */
    int32_t buildings;  /* number of buildings that belong to the city */
} summary_city;

/* The city buildings of one kind in cities of one size; sorted by (id, size). Distances go
 * from the city's centre to the building's origin: Euclidean, in OMTs, each rounded down. */
typedef struct summary_building {
    const char *id;
    int16_t size;
    int32_t count;
    int64_t distance_sum;
    int16_t distance_min, distance_max;
} summary_building;

/* Number of cells of a connection's own terrains on all levels, if above 0; sorted by id. */
typedef struct summary_line {
    const char *id; /* id of the overmap_connection */
    int32_t cells;
} summary_line;

/* The 4-connected components of water at z = 0 inside this overmap; sorted by kind, then by
 * number of cells, the largest first. Cells of lakes have the flag LAKE, LAKE_SHORE or OCEAN,
 * cells of rivers the flag RIVER. */
typedef enum summary_water_kind { SUMMARY_LAKE, SUMMARY_RIVER } summary_water_kind;
typedef struct summary_water {
    summary_water_kind kind;
    int32_t cells;
} summary_water;

/*
 * The baseline with which distances of specials are compared: the distances of all land cells
 * at z = 0 to the nearest city and road, measured as in summary_place. city[d] and road[d] are
 * numbers of cells at the distance d, 0..SUMMARY_FAR; if the overmap has no city (or road),
 * [SUMMARY_FAR + 1] counts all land cells.
 */
typedef struct summary_baseline {
    int32_t city[SUMMARY_FAR + 2], road[SUMMARY_FAR + 2];
} summary_baseline;

typedef struct summary {
    ptl_chunk_pos pos;
    summary_special *specials;
    summary_place *places;
    summary_terrain *terrains;
    summary_city *cities;
    summary_building *buildings;
    summary_line *lines;
    summary_water *waters;
    size_t special_count, place_count, terrain_count, city_count, building_count, line_count,
        water_count;
    summary_baseline baseline;
    /* For each cell at z = 0, row by row: 1 if it is land, that is, not water; summary_baseline
     * counts the cells that are land. NULL if it is not known where land is, as in the
     * summaries that a sweep keeps. */
    const uint8_t *land;
    /* Which lists were counted, as a sum of PTL_COUNT_*; the lists that were not counted are
     * empty. */
    uint32_t parts;
    arena *memory; /* Owned; holds all lists of the summary. NULL: it has no lists. */
} summary;

/* Frees the lists, and zeroes the struct. */
void summary_dispose(summary *s);
/* Checks the order and the sums of the lists in `parts`. Returns what is wrong, or NULL if
 * nothing is. */
const char *summary_problem(const summary *s);
