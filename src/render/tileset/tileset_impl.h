/* The inside of a tile set. All lists grow while the set is read, and do not change later. */
#pragma once

#include "model/id_pool.h"
#include "render/tileset/tileset.h"

/* A picture file of the set. Its sprites lie side by side in rows, and are numbered from
 * `first` on. */
typedef struct tile_sheet {
    uint8_t *pixels;        /* owned; red, green, blue and opacity of width x height pixels */
    uint32_t width, height; /* pixels */
    uint32_t first, count;
    int32_t sprite_width, sprite_height; /* pixels */
    int32_t offset_x, offset_y; /* where a sprite's corner lies beside that of its cell */
    double scale;               /* of sprites; the offset is not scaled */
} tile_sheet;

/* One alternative for what a tile shows: 1, 2 or 4 sprites, one for each rotation. */
typedef struct tile_pick {
    uint32_t weight;
    uint32_t first, count; /* numbers in ptl_tileset.sprites */
} tile_pick;

/* The alternatives for a tile's foreground or background. */
typedef struct tile_picks {
    uint32_t first, count; /* numbers in ptl_tileset.picks */
    uint64_t weight;       /* the sum of their weights */
} tile_picks;

typedef struct tile_kind {
    tile_picks back, fore; /* `fore` is painted over `back` */
    bool rotates;
    /* For a kind that connects: the number of the kind for each shape; 0: as without shape. */
    uint32_t shapes[SHAPES];
} tile_kind;

struct ptl_tileset {
    char *name; /* owned */
    int32_t width, height;
    tile_sheet *sheets; /* owned */
    size_t sheet_count, sheet_room;
    uint32_t *sprites; /* owned; numbers of sprites, in groups of a tile_pick */
    size_t sprite_count, sprite_room;
    tile_pick *picks; /* owned */
    size_t pick_count, pick_room;
    tile_kind *kinds; /* owned; the element 0 is not used */
    size_t kind_count, kind_room;
    id_pool *ids; /* owned; the texts of ids */
    /* Owned; indexed by number of the text: twice the number of the id's kind, plus 1 if the
     * set has that kind for the season that is shown; 0: none. */
    uint32_t *by_id;
    size_t id_count, id_room;
    uint64_t missing;
    tile_reach reach;
};

/* Reads a PNG file into sheet->pixels, width and height. `most` is how many bytes it may
 * have. */
ptl_status tile_sheet_read(tile_sheet *sheet, const char *path, size_t most, ptl_error *err);
