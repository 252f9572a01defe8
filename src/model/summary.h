/*
 * What one overmap comes to when it is counted: a few hundred small numbers, made from a chunk
 * in memory (analysis/measure/measure.h), added up over many overmaps
 * (analysis/measure/tally.h), and kept by sweeps in place of tiles (sweep_rows.h). Ids are
 * strings here, so that summaries of different contents can be compared. All positions are
 * chunk-local OMTs; lists are sorted as said, so that equal overmaps have equal summaries. Ids
 * are borrowed from whatever made the summary (a catalogue, a store's dictionary) and live as
 * long as that.
 */
#ifndef MODEL_SUMMARY_H
#define MODEL_SUMMARY_H

#include "core/arena.h"
#include "portolan/sample.h"

enum {
    SUMMARY_FAR = 255, /* distances above it are cut to it */
    SUMMARY_NONE = -1  /* distance to something that the overmap does not have */
};

/*
 * A special in this overmap; sorted by id. One for each that was asked for or is there. The
 * counts from asked to placed are those of gen_attempt (model/feature.h), 0 if it was not asked
 * for; others: placed otherwise than by the rule (nested, trail ends, cities, imports).
 */
typedef struct summary_special {
    const char *id;
    int32_t asked, ground, linked, city, room, failed, placed, others;
} summary_special;

/*
 * One special as it stands, in the order of special_placement.number. Distances are Euclidean
 * between its origin and the nearest such cell of this overmap, in OMTs, along x and y alone,
 * rounded down. A city's is as placement has it, but for cities of neighbours: the distance of
 * its centre, rounded down, less its size, at least 0.
 */
typedef struct summary_place {
    const char *id;
    /* Terrain type of most cells that share a side with its tiles at its z and are none of
     * them; of several the least id. "": none, or it has no such tiles, or they are not known.
     */
    const char *around;
    int16_t x, y;
    int8_t z;
    uint8_t rotation;
    int16_t city; /* to the nearest city's edge (its centre, less its size; 0 inside) */
    int16_t road; /* to the nearest road at z = 0: of flag ROAD or connection local_road */
    int16_t same; /* to the nearest other origin of the same special */
} summary_place;

/* Cells of a terrain type on a level; sorted by (id, z). Their sum is all 680,400 cells. */
typedef struct summary_terrain {
    const char *id;
    int8_t z;
    int32_t cells;
} summary_terrain;

/* A city, in the order of city.number. */
typedef struct summary_city {
    int16_t x, y, size; /* nominal radius */
    int32_t buildings;  /* that name it */
} summary_city;

/* City buildings of one kind in cities of one size; sorted by (id, size). Distances are from
 * the city's centre to the building's origin, Euclidean, OMTs, each rounded down. */
typedef struct summary_building {
    const char *id;
    int16_t size;
    int32_t count;
    int64_t distance_sum;
    int16_t distance_min, distance_max;
} summary_building;

/* Cells of a connection's own terrains, all levels; sorted by id; those above 0. */
typedef struct summary_line {
    const char *id; /* of the overmap_connection */
    int32_t cells;
} summary_line;

/* 4-connected components of water at z = 0 inside this overmap; sorted by kind, then cells from
 * the largest. Lakes: flags LAKE, LAKE_SHORE, OCEAN; rivers: RIVER. */
typedef enum summary_water_kind { SUMMARY_LAKE, SUMMARY_RIVER } summary_water_kind;
typedef struct summary_water {
    summary_water_kind kind;
    int32_t cells;
} summary_water;

/*
 * The baseline: how far all z = 0 cells of the overmap that are no water lie from its nearest
 * city and road, measured as in summary_place. cells[d] for d 0..SUMMARY_FAR; [SUMMARY_FAR +
 * 1]: the overmap has no such thing.
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
    const uint8_t *land; /* of the baseline: 1 for each cell at z = 0 that is no water, row by
                          * row; NULL: not known, as in what a sweep keeps */
    uint32_t parts;      /* PTL_COUNT_* that were filled in; a list that is left out is empty */
    arena *memory;       /* owned; of the lists. NULL: there are none */
} summary;

/* Leaves a zeroed summary. */
void summary_dispose(summary *s);
/* What is wrong with the order or the sums of the lists that it has (parts); NULL if nothing.
 */
const char *summary_problem(const summary *s);

#endif
