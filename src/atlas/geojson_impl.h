/* What the parts of a GeoJSON share. */
#ifndef ATLAS_GEOJSON_IMPL_H
#define ATLAS_GEOJSON_IMPL_H

#include "atlas/atlas_impl.h"
#include "core/emit.h"

enum { NO_KIND = 0xffff };

/* Twice an absolute place: centres of cells are odd, corners even. y grows to the south. */
typedef struct twice {
    int64_t x, y;
} twice;

/* A way or a shore as it is drawn. */
typedef struct drawn_line {
    twice *points; /* owned */
    size_t count, room;
} drawn_line;

/* A terrain as regions and ways see it. */
typedef struct terrain_kind {
    uint16_t region;  /* a terrain that stands for all that count as the same region */
    uint16_t network; /* of ways: the first connection that is linked with its; NO_KIND: none */
} terrain_kind;

typedef struct geojson {
    atlas *atlas;
    emitter j;
    terrain_kind *kinds; /* owned; one for each terrain */
    uint8_t *groups;     /* owned; the same, of enum terrain_group */
    ptl_chunk_pos pos;   /* of the chunk in work */
    int32_t z;           /* and its level */
    ptl_oter cells[PTL_LEVEL_CELLS];
    const ptl_features *features; /* of the chunk; borrowed */
    drawn_line line;              /* in work */
    /* Scratch of regions, ways and rivers. */
    uint16_t links[PTL_LEVEL_CELLS][4]; /* terrain that a half of a way to N, E, S, W is of */
    uint32_t label[PTL_LEVEL_CELLS];
    uint32_t order[PTL_LEVEL_CELLS];
    uint32_t from[PTL_LEVEL_CELLS];
    uint32_t cost[PTL_LEVEL_CELLS];
    uint8_t marks[PTL_LEVEL_CELLS];
} geojson;

static const int32_t step_x[4] = {0, 1, 0, -1}, step_y[4] = {-1, 0, 1, 0};

/* The terrain of a cell of the level in work; NO_KIND where there is none. */
static inline uint16_t geojson_terrain(const geojson *g, uint32_t cell)
{
    const catalogue *cat = g->atlas->cat;
    const ptl_oter oter = g->cells[cell];
    return oter < catalogue_all_oters(cat) ? cat->oters[oter].terrain : (uint16_t)NO_KIND;
}

/* The cell beside one; false: it lies in another chunk. */
static inline bool geojson_beside(uint32_t *out, uint32_t cell, int side)
{
    const int32_t x = (int32_t)(cell % PTL_CHUNK_SIZE) + step_x[side];
    const int32_t y = (int32_t)(cell / PTL_CHUNK_SIZE) + step_y[side];
    *out = (uint32_t)(y * PTL_CHUNK_SIZE + x);
    return x >= 0 && y >= 0 && x < PTL_CHUNK_SIZE && y < PTL_CHUNK_SIZE;
}

/* ---- features of the file ---- */

/* Begins a feature of a layer: its properties are open. */
void geojson_begin(geojson *g, const char *layer);
/* Ends the properties, and the feature with a point, the line in work, or rings. */
void geojson_end_point(geojson *g, twice at);
void geojson_end_line(geojson *g);
/* Between them the rings of one polygon, one line each. */
void geojson_begin_polygon(geojson *g);
void geojson_ring(geojson *g);
void geojson_end_polygon(geojson *g);

/* ---- the line in work ---- */

void geojson_clear(geojson *g);
/* Adds a point; one in the middle of a straight piece is left out. */
void geojson_add(geojson *g, twice at);
/* The centre of a cell of the chunk in work, and the middle of its side. */
twice geojson_centre(const geojson *g, uint32_t cell);
twice geojson_side(const geojson *g, uint32_t cell, int side);

/* ---- the layers of a level ---- */

void geojson_regions(geojson *g);
void geojson_ways(geojson *g);
void geojson_rivers(geojson *g);

#endif
