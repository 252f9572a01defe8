/*
 * The map as features with places: cities, specials and buildings as points, ways and rivers as
 * lines, areas of ground and the borders of overmaps as polygons. geo.c and geo_ways.c find the
 * features; geojson.c and gpkg.c write them, each by its function `put`.
 */
#pragma once

#include "atlas/atlas_impl.h"
#include "render/paint.h"

enum { NO_KIND = 0xffff };
/* Stands for "no cell", "no label" and "no cost". */
static const uint32_t GEO_NONE = UINT32_MAX;

/* ---- layers ---- */

typedef enum geo_layer {
    GEO_BORDER,
    GEO_GROUND,
    GEO_RIVER,
    GEO_WAY,
    GEO_BUILDING,
    GEO_SPECIAL,
    GEO_CITY,
    GEO_LAYERS
} geo_layer;

typedef enum geo_shape { GEO_POINT, GEO_LINE, GEO_POLYGON } geo_shape;

enum { GEO_COLUMNS_MAX = 8 };

/* A property of the features of a layer. */
typedef struct geo_column {
    const char *name; /* NULL: the layer has no more columns */
    bool is_text;     /* else a whole number */
    const char *description;
} geo_column;

/* What all features of a layer have in common. */
typedef struct geo_layer_info {
    const char *feature; /* what a feature is called in GeoJSON: "city" */
    const char *table;   /* name of the layer in a GeoPackage: "cities" */
    const char *description;
    geo_shape shape;
    geo_column columns[GEO_COLUMNS_MAX + 1];
} geo_layer_info;

extern const geo_layer_info geo_layers[GEO_LAYERS];

/* ---- features ---- */

/* An absolute place times two, so that it is a whole number: centres of OMTs are odd, corners
 * even. y grows to the south. */
typedef struct twice {
    int64_t x, y;
} twice;

/* The geometry of a feature. A point is a single place. A polygon is made of rings, the first
 * of which is the outer one. */
typedef struct drawn_line {
    twice *points; /* owned */
    size_t count, room;
    size_t start; /* where the present ring begins */
    size_t *ends; /* owned; where each ring ends, and the next one begins */
    size_t ring_count, ring_room;
} drawn_line;

typedef struct geo_value {
    const char *text; /* borrowed; if the column is a text */
    int64_t number;   /* else */
} geo_value;

/* What is known of a terrain while features are made. */
typedef struct terrain_kind {
    uint16_t region; /* the terrain by whose id the ground is named to which this terrain
                        belongs */
    /* The number of the first connection of its network; NO_KIND: no connection has the
     * terrain. */
    uint16_t network;
} terrain_kind;

/* State of the making of features: the chunk and the level at which it is, and the feature that
 * is being made. */
typedef struct geo {
    atlas *atlas;
    /* Writes the feature that is complete: `layer`, `values` and `line`. */
    ptl_status (*put)(struct geo *g, ptl_error *err);
    void *writer;        /* what `put` needs besides; borrowed */
    ptl_status status;   /* of the first call of `put` that failed */
    ptl_error *err;      /* borrowed */
    terrain_kind *kinds; /* owned; indexed by terrain */
    uint8_t *groups;     /* owned; by terrain: a value of enum terrain_group */
    look *looks;         /* owned; by oter */
    ptl_chunk_pos pos;   /* the present chunk */
    int32_t z;           /* the present level */
    ptl_oter cells[PTL_LEVEL_CELLS];
    const ptl_features *features; /* borrowed; of the present chunk */
    geo_layer layer;
    geo_value values[GEO_COLUMNS_MAX]; /* in the order of the layer's columns */
    size_t value_count;
    drawn_line line;
    char colour[8]; /* memory for a value */
    /* Scratch memory for making ground, ways (roads and other connections) and rivers; the
     * arrays have an element for each cell. label: number of the area or water that a cell
     * belongs to; order: cells in the order in which geo_fill finds them; from and cost:
     * see find_ways; marks: for ground, 1 if the outline along the cell's northern side was
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
} geo;

/* Makes all features of the map, chunk by chunk in the order of y and x, and calls `put` for
 * each. */
ptl_status geo_each(atlas *a, ptl_status (*put)(geo *g, ptl_error *err), void *writer,
                    ptl_error *err);

static const int32_t step_x[4] = {0, 1, 0, -1}, step_y[4] = {-1, 0, 1, 0};

/* Returns the terrain of a cell of the present level; NO_KIND if it has none. */
static inline uint16_t geo_terrain(const geo *g, uint32_t cell)
{
    const catalogue *cat = g->atlas->cat;
    const ptl_oter oter = g->cells[cell];
    return oter < catalogue_all_oters(cat) ? cat->oters[oter].terrain : (uint16_t)NO_KIND;
}

/* Gives the neighbour of a cell. False if the neighbour lies in another chunk. */
static inline bool geo_beside(uint32_t *out, uint32_t cell, int side)
{
    const int32_t x = (int32_t)(cell % PTL_CHUNK_SIZE) + step_x[side];
    const int32_t y = (int32_t)(cell / PTL_CHUNK_SIZE) + step_y[side];
    *out = (uint32_t)(y * PTL_CHUNK_SIZE + x);
    return x >= 0 && y >= 0 && x < PTL_CHUNK_SIZE && y < PTL_CHUNK_SIZE;
}

/* Finds the cells that are linked with the cell `first` by sides, over cells without a label
 * for which `belongs` is true. Gives `first` and these cells the number `first` as label, and
 * lists them in g->order. Returns how many there are. */
uint32_t geo_fill(geo *g, uint32_t first,
                  bool (*belongs)(const geo *g, uint32_t cell, uint32_t first));

/* ---- making a feature: its layer, its values column by column, its line, its end ---- */

void geo_begin(geo *g, geo_layer layer);
void geo_text(geo *g, const char *value);
void geo_number(geo *g, int64_t value);
/* Puts the colour of an oter on pictures of the style that the options name, as "#rrggbb". */
void geo_colour(geo *g, ptl_oter oter);
void geo_end(geo *g);

/* Begins a new line. geo_begin does not: a line may be made before its feature. */
void geo_clear(geo *g);
/* Adds a point to the line. The point before it is dropped if it lies on the straight line
 * between its two neighbours. */
void geo_add(geo *g, twice at);
/* The points since the last ring are a ring of the polygon. */
void geo_end_ring(geo *g);
/* Return the centre of a cell of the present chunk, and the middle of one of its sides. */
twice geo_centre(const geo *g, uint32_t cell);
twice geo_side(const geo *g, uint32_t cell, int side);

/* ---- the layers of a level ---- */

void geo_ways(geo *g);
void geo_rivers(geo *g);
