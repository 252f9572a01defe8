/*
 * Far views of a map: each cell of a map tile has the mean colour of the OMTs that lie in it.
 * The mean is one of amounts of light, so that a road that is narrower than a cell tints the
 * cell as strongly as the eye would see it from afar.
 */
#pragma once

#include "core/bytes.h"
#include "portolan/portolan.h"

/* The names that requests have for the styles (ptl_map_style). */
enum { MEANS_STYLES = PTL_STYLE_COUNT };
extern const char *const means_styles[MEANS_STYLES];

/* The colours of a world's oters in one style, as amounts of light. */
typedef struct lights {
    size_t count;
    struct light {
        uint16_t light[3]; /* red, green, blue: 0..65535 */
        uint8_t bytes[3];  /* the same as bytes of a picture */
        /* Nothing to see stands there (air, rock): the ground of z = 0 shines through. */
        bool is_empty;
    } * list; /* owned */
} lights;

/* A map tile of 180 x 180 cells while it is summed up. A cell is the square of n x n OMTs. */
typedef struct means {
    int32_t n;
    struct mean {
        uint64_t light[3]; /* sums over the OMTs of saved chunks */
        uint64_t omts;     /* how many there are */
    } cells[PTL_LEVEL_CELLS];
} means;

/* Fills *out with the colours of a world. The caller frees it by lights_dispose, after an error
 * as well. `style` is a ptl_map_style. */
ptl_status lights_make(lights *out, const ptl_catalogue *c, size_t style, ptl_error *err);
void lights_dispose(lights *l);

/* Sets all cells of a map tile to nothing. */
void means_begin(means *m, int32_t n);
/* Adds a level of the chunk that is the x-th to the east and the y-th to the south in the map
 * tile. `ground` has the chunk's level z = 0, which shines through where the level is empty;
 * NULL: nothing shines through, because the level is itself z = 0. */
void means_add(means *m, const lights *l, const ptl_oter level[PTL_LEVEL_CELLS],
               const ptl_oter *ground, int32_t x, int32_t y);
/* Adds an overview of that chunk (ptl_overview_list), which is coarser and comes quicker. */
void means_add_overview(means *m, const lights *l, const ptl_oter cells[PTL_OVERVIEW_CELLS],
                        int32_t x, int32_t y);
/*
 * Appends the colours of the cells: four planes of 180 x 180 bytes, of red, green, blue, and of
 * how much of the cell is saved (0: nothing, 255: all). A byte is the difference to the one on
 * its left, and in the first column to the one above, which gzip packs better.
 */
void means_put(bytes *out, const means *m);
