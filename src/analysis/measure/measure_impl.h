/* What the files of measuring share: the measurer, and the state of measuring one chunk. */
#ifndef ANALYSIS_MEASURE_MEASURE_IMPL_H
#define ANALYSIS_MEASURE_MEASURE_IMPL_H

#include "analysis/measure/measure.h"
#include "analysis/measure/measure_distance.h"

/* What a cell at z = 0 is, as bits. */
enum { KIND_ROAD = 1 << 0, KIND_LAKE = 1 << 1, KIND_RIVER = 1 << 2 };
enum { KIND_WATER = KIND_LAKE | KIND_RIVER };

/* Terrains and specials are counted by rank: their place in the order of ids. */
struct measurer {
    arena *memory; /* owned; holds the arrays by special, terrain or oter */
    const catalogue *cat;
    uint16_t special;              /* the only one whose places are wanted; CAT_NONE: all */
    bool footprints;               /* fixed specials have the catalogue's OMTs */
    uint16_t *specials, *terrains; /* indices by rank */
    uint16_t *rank_of_special, *rank_of_oter; /* of an oter: the rank of its terrain */
    uint8_t *kind_of_oter;
    int32_t (*cells)[PTL_LEVELS]; /* by rank of terrain; all 0 between chunks */
    uint32_t *cells_levels;       /* by rank: the levels on which that is above 0 */
    int32_t *first;               /* by rank of special: its entry; all -1 between uses */
    uint8_t kinds[PTL_LEVEL_CELLS], road[PTL_LEVEL_CELLS], city[PTL_LEVEL_CELLS];
    /* Of the present chunk: kinds is filled; road is filled; there is a road. */
    bool knows_kinds, knows_road, has_road;
    distance_scratch distance;
    distance_cities cities;
    /* The mark of the present special's neighbour cells, and stamp + 1 of its own cells. */
    uint32_t stamp, stamps[PTL_LEVEL_CELLS];
    int32_t *votes; /* by rank of terrain; all 0 between uses */
    void *list;     /* scratch for any list */
    size_t list_size;
};

/* The chunk that is being measured, and where its summary goes. */
typedef struct measuring {
    measurer *m;
    const ptl_chunk *chunk;
    const gen_features *features;
    summary *out;
} measuring;

/* Returns at least count * size bytes of scratch; NULL when memory is out. Its earlier
 * contents are lost. */
void *measurer_list(measurer *m, size_t count, size_t size);

static inline ptl_oter chunk_cell(const ptl_chunk *chunk, int32_t z, int32_t cell)
{
    const level *l = &chunk->levels[z - PTL_Z_MIN];
    return l->cells ? l->cells[cell] : l->fill;
}

/* find_kinds fills m->kinds for z = 0; find_roads fills m->road from that, and m->has_road. */
void find_kinds(const measuring *in);
void find_roads(const measuring *in);

bool measure_places(const measuring *in);
bool measure_cells(const measuring *in, uint32_t parts); /* fills terrains and lines */
bool measure_waters(const measuring *in);
bool measure_baseline(const measuring *in);

#endif
