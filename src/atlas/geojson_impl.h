/* What the source files of the GeoJSON writer share. */
#pragma once

#include "atlas/atlas_impl.h"
#include "core/emit.h"

enum { NO_KIND = 0xffff };
/* Stands for "no cell", "no label" and "no cost". */
static const uint32_t GEOJSON_NONE = UINT32_MAX;

/* An absolute place times two, so that it is a whole number: centres of cells are odd, corners
 * even. y grows to the south. */
typedef struct twice {
    int64_t x, y;
} twice;

/* A line that is being made: part of a road or other way, part of a river, or a ring of a
 * polygon. */
typedef struct drawn_line {
    twice *points; /* owned */
    size_t count, room;
} drawn_line;

/* What the writer of polygons and of ways (roads and other connections) needs to know about a
 * terrain. */
typedef struct terrain_kind {
    uint16_t region; /* the terrain by whose id the region is named to which this terrain
                        belongs in the GeoJSON file */
    /* The number of the first connection of its network; NO_KIND: no connection has the
     * terrain. */
    uint16_t network;
} terrain_kind;

/* State of the GeoJSON writer: the file, the chunk and the level that are being written, and
 * the line that is being made. */
typedef struct geojson {
    atlas *atlas;
    emitter j;
    terrain_kind *kinds; /* owned; indexed by terrain */
    uint8_t *groups;     /* owned; by terrain: a value of enum terrain_group */
    ptl_chunk_pos pos;   /* the present chunk */
    int32_t z;           /* the present level */
    ptl_oter cells[PTL_LEVEL_CELLS];
    const ptl_features *features; /* borrowed; of the present chunk */
    drawn_line line;              /* the line that is being made */
    /* Scratch memory for making regions, ways (roads and other connections) and rivers; the
     * arrays have an element for each cell. label: number of the area or water that a cell
     * belongs to; order: cells in the order in which geojson_fill finds them; from and cost:
     * see find_ways; marks: for regions, 1 if the outline along the cell's northern side was
     * walked; for ways, 1 if lines end in the cell; for rivers, the distance from the bank, at
     * most 4. */
    /* By cell: the terrain of the way that links it to its neighbour in the north, east, south
     * and west; NO_KIND: none. */
    uint16_t links[PTL_LEVEL_CELLS][4];
    uint32_t label[PTL_LEVEL_CELLS];
    uint32_t order[PTL_LEVEL_CELLS];
    uint32_t from[PTL_LEVEL_CELLS];
    uint32_t cost[PTL_LEVEL_CELLS];
    uint8_t marks[PTL_LEVEL_CELLS];
} geojson;

static const int32_t step_x[4] = {0, 1, 0, -1}, step_y[4] = {-1, 0, 1, 0};

/* Returns the terrain of a cell of the present level; NO_KIND if it has none. */
static inline uint16_t geojson_terrain(const geojson *g, uint32_t cell)
{
    const catalogue *cat = g->atlas->cat;
    const ptl_oter oter = g->cells[cell];
    return oter < catalogue_all_oters(cat) ? cat->oters[oter].terrain : (uint16_t)NO_KIND;
}

/* Gives the neighbour of a cell. False if the neighbour lies in another chunk. */
static inline bool geojson_beside(uint32_t *out, uint32_t cell, int side)
{
    const int32_t x = (int32_t)(cell % PTL_CHUNK_SIZE) + step_x[side];
    const int32_t y = (int32_t)(cell / PTL_CHUNK_SIZE) + step_y[side];
    *out = (uint32_t)(y * PTL_CHUNK_SIZE + x);
    return x >= 0 && y >= 0 && x < PTL_CHUNK_SIZE && y < PTL_CHUNK_SIZE;
}

/* Finds the cells that are linked with the cell `first` by sides, over cells without a label
 * for which `belongs` is true. Gives `first` and these cells the number `first` as label, and
 * lists them in g->order. Returns how many there are. */
uint32_t geojson_fill(geojson *g, uint32_t first,
                      bool (*belongs)(const geojson *g, uint32_t cell, uint32_t first));

/* ---- features of the file ---- */

/* Begins a feature of a layer. Its properties can be put next. */
void geojson_begin(geojson *g, const char *layer);
void geojson_end_line(geojson *g);

/* ---- the line that is being made ---- */

/* Adds a point to the line. The point before it is dropped if it lies on the straight line
 * between its two neighbours. */
void geojson_add(geojson *g, twice at);
/* Return the centre of a cell of the present chunk, and the middle of one of its sides. */
twice geojson_centre(const geojson *g, uint32_t cell);
twice geojson_side(const geojson *g, uint32_t cell, int side);

/* ---- the layers of a level ---- */

void geojson_ways(geojson *g);
void geojson_rivers(geojson *g);
