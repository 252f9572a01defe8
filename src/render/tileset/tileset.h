/*
 * A tile set of a game: sprites (small pictures) for the ids of terrain, furniture and so on,
 * and painting with them. The rules by which a sprite is chosen and turned are those of the
 * games' own programs.
 */
#pragma once

#include "portolan/tileset.h"

/* Tiles of a kind that connects with its neighbours, such as walls and roads, have a sprite for
 * each of these shapes. The shape says how many neighbours are connected. */
typedef enum tile_shape {
    SHAPE_CENTER, /* four */
    SHAPE_CORNER, /* two that are not opposite to each other */
    SHAPE_T,      /* three */
    SHAPE_EDGE,   /* two opposite ones */
    SHAPE_END,    /* one */
    SHAPE_ALONE,  /* none */
    SHAPES,
    SHAPE_NONE = -1 /* the tile is of a kind that does not connect */
} tile_shape;

/* A tile as it stands in the picture. */
typedef struct placed_tile {
    uint32_t number; /* of tileset_find; 0: nothing is painted */
    tile_shape shape;
    /* Number of the quarter turns: clockwise for overmap terrains that are rotated, and counted
     * as tile_arms_shape does for shapes. */
    int turn;
    /* Chooses one of the sprites that the set has for the tile, by their weights. */
    uint32_t chance;
} placed_tile;

/* Sets shape and turn of a tile from its connected sides: bit 0 north, 1 east, 2 south, 3
 * west. */
void tile_set_arms(placed_tile *tile, unsigned arms);

/* Returns the number of the tile that the set has for an id; 0 if it has none. */
uint32_t tileset_find(const ptl_tileset *t, const char *id);

/* How far, in cells, the set's largest sprites reach beyond the cell that they stand on. */
typedef struct tile_reach {
    int32_t left, right, up, down;
} tile_reach;
tile_reach tileset_reach(const ptl_tileset *t);

/* A rectangle of pixels: red, green and blue, one byte each, row by row. */
enum { TILE_BYTES = 3 };
typedef struct tile_canvas {
    uint8_t *pixels; /* borrowed */
    int64_t width, height;
    int64_t pitch; /* pixels from a row to the next one, at least the width */
} tile_canvas;

/* Paints a tile over what is there already. (x, y) is the pixel of the cell's north-western
 * corner, and the cell is side x side pixels large. Only what lies on the canvas is painted. */
void tileset_paint(const tile_canvas *canvas, const ptl_tileset *t, const placed_tile *tile,
                   int64_t x, int64_t y, int32_t side);
