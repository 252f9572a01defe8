/* What the files of measuring share. */
#ifndef ANALYSIS_MEASURE_MEASURE_IMPL_H
#define ANALYSIS_MEASURE_MEASURE_IMPL_H

#include "analysis/measure/measure.h"
#include "analysis/measure/measure_distance.h"

/* What a cell of z = 0 is, for distances and water. */
enum { KIND_ROAD = 1 << 0, KIND_LAKE = 1 << 1, KIND_RIVER = 1 << 2 };
enum { KIND_WATER = KIND_LAKE | KIND_RIVER };

/* Where terrains and specials are counted they have ranks: places in the order of their ids. */
struct measurer {
    arena *memory; /* of what has an entry for each special, terrain or oter */
    const catalogue *cat;
    uint16_t special;                         /* whose places are wanted; CAT_NONE: all */
    bool footprints;                          /* fixed specials stand as the catalogue says */
    uint16_t *specials, *terrains;            /* by rank */
    uint16_t *rank_of_special, *rank_of_oter; /* of an oter: its terrain's */
    uint8_t *kind_of_oter;
    int32_t (*cells)[PTL_LEVELS]; /* by rank of a terrain, all 0 between chunks */
    uint32_t *cells_levels;       /* levels on which that is above 0 */
    int32_t *first;               /* by rank of a special, all -1 between uses */
    uint8_t kinds[PTL_LEVEL_CELLS], road[PTL_LEVEL_CELLS], city[PTL_LEVEL_CELLS];
    bool knows_kinds, knows_road, has_road; /* of the chunk in work */
    distance_scratch distance;
    distance_cities cities;
    uint32_t stamp, stamps[PTL_LEVEL_CELLS]; /* of cells beside a special, and its own */
    int32_t *votes;                          /* by rank of a terrain, all 0 between uses */
    void *list;                              /* scratch of any kind */
    size_t list_size;
};

/* What is at hand while one chunk is measured. */
typedef struct measuring {
    measurer *m;
    const ptl_chunk *chunk;
    const gen_features *features;
    summary *out;
} measuring;

/* Returns at least so many bytes of scratch; NULL when memory is out. What it held is lost. */
void *measurer_list(measurer *m, size_t count, size_t size);

static inline ptl_oter chunk_cell(const ptl_chunk *chunk, int32_t z, int32_t cell)
{
    const level *l = &chunk->levels[z - PTL_Z_MIN];
    return l->cells ? l->cells[cell] : l->fill;
}

/* Fills m->kinds, of z = 0, and from it m->road, where m->has_road. */
void find_kinds(const measuring *in);
void find_roads(const measuring *in);

bool measure_places(const measuring *in);
bool measure_cells(const measuring *in, uint32_t parts); /* terrains and lines */
bool measure_waters(const measuring *in);
bool measure_baseline(const measuring *in);

#endif
