/*
 * Shoals: maps of islands as grids of heights, made in the way of the Shoals of Dungeon Crawl
 * Stone Soup. These calls need no file and no world. schema/shoals.md gives the rules with all
 * numbers.
 */
#ifndef PORTOLAN_SHOALS_H
#define PORTOLAN_SHOALS_H

#include "portolan/render.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PTL_SHOALS_SIDE_MAX = 4096,      /* most cells of a map along x and along y */
    PTL_SHOALS_ISLANDS_MAX = 100000, /* most islands in one map */
    PTL_SHOALS_HEIGHT_MAX = 1000000, /* the heights in ptl_shoals_options lie in
                                      * -PTL_SHOALS_HEIGHT_MAX..PTL_SHOALS_HEIGHT_MAX */
    PTL_SHOALS_SHEET_MAX = 1024,     /* most maps in one picture */
    PTL_SHOALS_SHEET_CELLS = 1 << 26 /* most cells of all maps in one picture together */
};

/* Refinements that the published program (see ptl_shoals_generate) does not have: bits of
 * ptl_shoals_options.parts, in any combination. */
typedef enum ptl_shoals_part {
    /* One hill in ten becomes a ring (an atoll): the middle of the hill is lowered before a
     * wider hill is raised at the same place. */
    PTL_SHOALS_ATOLLS = 1 << 0,
    /* There are 0 to 6 ridges of rock; each is a line of up to five steep hills. */
    PTL_SHOALS_CLIFFS = 1 << 1,
    /* Heights are smoothed from the middle of the map towards its sides. All four quarters of
     * the map are treated alike, so that no direction is preferred. The outermost cells are not
     * smoothed. */
    PTL_SHOALS_FROM_MIDDLE = 1 << 2,
    /* The deep sea gets deeper away from shallow water, by 7 units of height for each cell, at
     * most by PTL_SHOALS_HEIGHT_MAX. At the edge of the map it is so deep that no tide lays it
     * dry. */
    PTL_SHOALS_DEEPEN = 1 << 3,
    /* There are mangroves in shallow water, and plants behind rocks where they are sheltered
     * from the wind. */
    PTL_SHOALS_PLANTS = 1 << 4,
    PTL_SHOALS_ALL_PARTS = (1 << 5) - 1
} ptl_shoals_part;

/* What a map is made of. Heights are integers without a unit; 0 is the sea's mean level. */
typedef struct ptl_shoals_options {
    size_t size;
    uint32_t seed;   /* seed for glibc's random(); 0 counts as 1 */
    int32_t islands; /* number of islands, 1..PTL_SHOALS_ISLANDS_MAX */
    int32_t width;   /* cells along x and y, 1..PTL_SHOALS_SIDE_MAX */
    int32_t height;
    int32_t start;   /* the height of all cells before islands are raised */
    int32_t shallow; /* from this height up to `floor` there is shallow water, and below it deep
                      * water */
    int32_t floor;   /* there is land from this height on */
    int32_t high;    /* there is high ground or rock from this height on. Of shallow, floor,
                      * high and wall, none may be less than the one before it */
    int32_t wall;    /* there are walls of stone from this height on; INT32_MAX: none */
    uint32_t parts;  /* which refinements the map has, as bits of ptl_shoals_part */
} ptl_shoals_options;

/* The defaults of the published program (see ptl_shoals_generate): seed 5, 15 islands, 70 x 60
 * cells. */
#define PTL_SHOALS_OPTIONS_INIT                                                                \
    {                                                                                          \
        sizeof(ptl_shoals_options), 5, 15, 70, 60, -17, -14, 0, 100, INT32_MAX, 0              \
    }
/* The defaults with the heights start, shallow, floor, high and wall of the game Dungeon Crawl
 * Stone Soup itself; the rest is as in PTL_SHOALS_OPTIONS_INIT: seed 5, 15 islands, 70 x 60
 * cells. */
#define PTL_SHOALS_OPTIONS_GAME                                                                \
    {                                                                                          \
        sizeof(ptl_shoals_options), 5, 15, 70, 60, -33, -30, 0, 135, 400, 0                    \
    }

/* What kind of ground a cell is. It depends on the cell's height, and on the members shallow,
 * floor, high and wall of ptl_shoals_options. */
typedef enum ptl_shoals_ground {
    PTL_SHOALS_DEEP,
    PTL_SHOALS_SHALLOW,
    PTL_SHOALS_FLOOR,
    PTL_SHOALS_HIGH,
    PTL_SHOALS_WALL
} ptl_shoals_ground;

/*
 * Makes a map, which depends on the options alone. heights and plants are arrays of the caller
 * with options->width * options->height elements, row by row from the north, index y * width +
 * x; the call only writes them. plants gets 1 where a plant stands, else 0. plants may be
 * NULL: then no plants are made, whatever options->parts says. If parts is 0, the heights are
 * on any machine those of the published program ("Shoals Level Generation", January 2010) for
 * this seed and number of islands; more exactly, those of this program compiled with g++,
 * which evaluates arguments from right to left.
 *
 * PTL_ERR_ARGUMENT: an option is out of its range, or a threshold is less than the threshold
 * before it.
 */
PTL_API ptl_status ptl_shoals_generate(int32_t *heights, uint8_t *plants,
                                       const ptl_shoals_options *options, ptl_error *err);

/* Returns what kind of ground a cell of this height is. The result depends only on the height
 * and on options->shallow, floor, high and wall, which are not checked. */
PTL_API ptl_shoals_ground ptl_shoals_ground_of(const ptl_shoals_options *options,
                                               int32_t height);

/* How a picture of maps is drawn. */
typedef struct ptl_shoals_picture {
    size_t size;
    int32_t scale; /* pixels along each side of a cell, 1..32 */
    int32_t count; /* number of maps in the picture, 1..PTL_SHOALS_SHEET_MAX; the first has the
                    * seed options->seed, each further one the next seed */
    /* Bits for each colour value of the PNG. 8: in colours; 16: in grey, where the value of
     * a pixel is the height + 32,768, or the nearest possible value. */
    int32_t bits;
    int32_t gap; /* pixels between two neighbouring maps of a picture, 0..32 */
} ptl_shoals_picture;

#define PTL_SHOALS_PICTURE_INIT                                                                \
    {                                                                                          \
        sizeof(ptl_shoals_picture), 1, 1, 8, 1                                                 \
    }

/*
 * Writes a PNG of a map, or of several maps in rows, arranged as nearly as a square as
 * possible. Land and water are shaded by their height. The PNG has texts that say what it
 * shows: Title, Software, and Shoals, which gives the options as the command line takes them.
 * picture may be NULL: the defaults.
 *
 * PTL_ERR_ARGUMENT as for ptl_shoals_generate. PTL_ERR_LIMIT: all maps together have more than
 * PTL_SHOALS_SHEET_CELLS cells. PTL_ERR_IO: the sink returned false. PTL_ERR_UNSUPPORTED: the
 * library was built without libpng (see ptl_render_png_write).
 */
PTL_API ptl_status ptl_shoals_png_write(const ptl_shoals_options *options,
                                        const ptl_shoals_picture *picture, ptl_sink sink,
                                        void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
