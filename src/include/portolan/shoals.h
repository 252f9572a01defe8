/*
 * Shoals: islands as heights, in the manner of the Shoals of Dungeon Crawl Stone Soup. Needs no
 * file and no world. schema/shoals.md has the rules, number by number.
 */
#ifndef PORTOLAN_SHOALS_H
#define PORTOLAN_SHOALS_H

#include "portolan/render.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PTL_SHOALS_SIDE_MAX = 4096,      /* cells along x and along y */
    PTL_SHOALS_ISLANDS_MAX = 100000, /* in one map */
    PTL_SHOALS_HEIGHT_MAX = 1000000, /* of the start and of thresholds, up and down */
    PTL_SHOALS_SHEET_MAX = 1024,     /* maps in one picture */
    PTL_SHOALS_SHEET_CELLS = 1 << 26 /* cells of all of them together */
};

/* Refinements of the published program: bits of ptl_shoals_options.parts, in any combination.
 */
typedef enum ptl_shoals_part {
    /* One hill in ten is a ring: its middle is lowered before a wider ring is raised. */
    PTL_SHOALS_ATOLLS = 1 << 0,
    /* 0 to 6 ridges of rock, of up to five steep hills in a line each. */
    PTL_SHOALS_CLIFFS = 1 << 1,
    /* Smoothing goes from the middle outwards, in four mirrored quadrants at a time, so that
     * it has no compass direction that it prefers; the outermost cells stay as they are. */
    PTL_SHOALS_FROM_MIDDLE = 1 << 2,
    /* The sea gets deeper by 7 a step from the shelf's edge (at most by PTL_SHOALS_HEIGHT_MAX),
     * and at the map's edge so deep that no tide lays it dry. */
    PTL_SHOALS_DEEPEN = 1 << 3,
    /* Mangroves in shallow water, and plants behind rocks, out of the wind. */
    PTL_SHOALS_PLANTS = 1 << 4,
    PTL_SHOALS_ALL_PARTS = (1 << 5) - 1
} ptl_shoals_part;

/* What a map is made of. Heights are integers without a unit; 0 is the sea's mean level. */
typedef struct ptl_shoals_options {
    size_t size;
    uint32_t seed;   /* of glibc's random(); 0 counts as 1 */
    int32_t islands; /* 1..PTL_SHOALS_ISLANDS_MAX */
    int32_t width;   /* cells along x and y, 1..PTL_SHOALS_SIDE_MAX */
    int32_t height;
    int32_t start;   /* the height everywhere before there are islands */
    int32_t shallow; /* from this height on water is shallow; below it, deep */
    int32_t floor;   /* from here on there is land */
    int32_t high;    /* from here on high ground, or rock; no less than floor, and so on */
    int32_t wall;    /* from here on walls of stone; INT32_MAX: there are none */
    uint32_t parts;  /* PTL_SHOALS_* bits */
} ptl_shoals_options;

/* The published program without arguments: seed 5, 15 islands, 70 x 60 cells. */
#define PTL_SHOALS_OPTIONS_INIT                                                                \
    {                                                                                          \
        sizeof(ptl_shoals_options), 5, 15, 70, 60, -17, -14, 0, 100, INT32_MAX, 0              \
    }
/* The same with the start and the thresholds of the game itself. */
#define PTL_SHOALS_OPTIONS_GAME                                                                \
    {                                                                                          \
        sizeof(ptl_shoals_options), 5, 15, 70, 60, -33, -30, 0, 135, 400, 0                    \
    }

/* What a height is by the thresholds of some options. */
typedef enum ptl_shoals_ground {
    PTL_SHOALS_DEEP,
    PTL_SHOALS_SHALLOW,
    PTL_SHOALS_FLOOR,
    PTL_SHOALS_HIGH,
    PTL_SHOALS_WALL
} ptl_shoals_ground;

/*
 * Makes a map. heights has options->width * options->height values, row by row from the north,
 * index y * width + x; plants as many, 1 where a plant stands, else 0. plants may be NULL: then
 * none are made, whatever options->parts says. Both are the caller's, and are not read. Without
 * parts the heights are those of the published program ("Shoals Level Generation", January
 * 2010) for this seed and number of islands, on any machine; more exactly, of what g++ makes of
 * it, which evaluates arguments from right to left. A function of the options alone.
 *
 * PTL_ERR_ARGUMENT: an option is out of its range, or thresholds do not rise.
 */
PTL_API ptl_status ptl_shoals_generate(int32_t *heights, uint8_t *plants,
                                       const ptl_shoals_options *options, ptl_error *err);

/* Returns what a height is; a pure function of options->shallow, floor, high and wall, of which
 * nothing is checked. */
PTL_API ptl_shoals_ground ptl_shoals_ground_of(const ptl_shoals_options *options,
                                               int32_t height);

/* How a picture of maps is drawn. */
typedef struct ptl_shoals_picture {
    size_t size;
    int32_t scale; /* pixels a cell, 1..32 */
    int32_t
        count; /* 1..PTL_SHOALS_SHEET_MAX maps in one sheet, of seeds from options->seed on */
    int32_t bits; /* a pixel: 8, colours; or 16, grey, the height itself + 32,768 (clamped) */
    int32_t gap;  /* pixels between the maps of a sheet, 0..32 */
} ptl_shoals_picture;

#define PTL_SHOALS_PICTURE_INIT                                                                \
    {                                                                                          \
        sizeof(ptl_shoals_picture), 1, 1, 8, 1                                                 \
    }

/*
 * Writes a PNG of a map, or of several as a sheet, as near a square as rows of whole maps can
 * be. Shades of land and water go with the height. The PNG tells in texts what it shows: Title,
 * Software, and Shoals, the options as the command would take them. picture may be NULL: its
 * defaults.
 *
 * PTL_ERR_ARGUMENT as ptl_shoals_generate; PTL_ERR_LIMIT beyond PTL_SHOALS_SHEET_CELLS;
 * PTL_ERR_IO where the sink refuses; PTL_ERR_UNSUPPORTED without libpng (see
 * ptl_render_png_write).
 */
PTL_API ptl_status ptl_shoals_png_write(const ptl_shoals_options *options,
                                        const ptl_shoals_picture *picture, ptl_sink sink,
                                        void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
