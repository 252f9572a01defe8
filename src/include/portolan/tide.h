/*
 * Tides over a map of heights, as functions of time: nothing of a tide is stored, and no
 * height changes. schema/shoals.md gives the rules.
 */
#ifndef PORTOLAN_TIDE_H
#define PORTOLAN_TIDE_H

#include "portolan/shoals.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PTL_TIDE_LOW = -18, /* PTL_TIDE_LOW and PTL_TIDE_HIGH: the lowest and the highest water
                         * level of the tide, as heights above the mean sea level, in the unit
                         * of heights of ptl_shoals_options */
    PTL_TIDE_HIGH = 25,
    PTL_TIDE_PERIOD = 100,     /* turns after which the tide repeats */
    PTL_TIDE_FRAMES_MAX = 1000 /* most turns in one animation */
};

/* The profile of a sea: which cells the tide changes. */
typedef enum ptl_tide_profile {
    /* Shallow water may become land, and land shallow water; deep water stays deep. It is so in
     * the game Dungeon Crawl Stone Soup since 2014. */
    PTL_TIDE_GENTLE,
    /* Deep water may become shallow water or land, too. It was so in the game Dungeon Crawl
     * Stone Soup until 2014. */
    PTL_TIDE_FULL
} ptl_tide_profile;

/* Returns the height of the tide above the mean sea level at a turn,
 * PTL_TIDE_LOW..PTL_TIDE_HIGH. The height depends only on the turn, and repeats after
 * PTL_TIDE_PERIOD turns. It is 0 at turn 0, highest at turn 28 and lowest at turn 78. From one
 * turn to the next it changes by at most 1. At each turn it is the height that the tide has in
 * the game Dungeon Crawl Stone Soup. */
PTL_API int32_t ptl_tide_height(int64_t turn);

/*
 * Finds how the sea reaches each cell. spill gets for each cell the height above which the
 * water must stand to reach it from the open sea. The water passes from a cell to any of its
 * eight neighbours, over the highest cell of its way, which may be the reached cell itself.
 * A cell is joined to the sea while the water stands above the cell's spill. The open sea
 * consists of the deep cells at the map's edge and of the cells where sources is not 0 (sources
 * may be NULL); spill is INT32_MIN there. High ground and walls let no water pass: spill is
 * INT32_MAX there, and in cells to which no way leads. lag (may be NULL) gets for each cell the
 * number of cells from the open sea along the water's way, -1 if there is no way. All arrays
 * belong to the caller; they have options->width * options->height elements, with the index y *
 * width + x. heights may come from ptl_shoals_generate or from elsewhere.
 *
 * PTL_ERR_ARGUMENT as for ptl_shoals_generate.
 */
PTL_API ptl_status ptl_tide_spill(int32_t *spill, int32_t *lag,
                                  const ptl_shoals_options *options, const int32_t *heights,
                                  const uint8_t *sources, ptl_error *err);

/*
 * Returns what a cell of this height and spill is when the tide has the given height. The
 * result depends only on the arguments, which are not checked. Cells that are joined to the
 * sea have its water level. A basin that is cut off from the sea keeps a pool, which reaches
 * up to the rim of the basin, or only to the mean sea level (options->floor) if this is lower
 * than the rim. Whether a cell is high ground or a wall depends on its height alone.
 */
PTL_API ptl_shoals_ground ptl_tide_ground(const ptl_shoals_options *options,
                                          ptl_tide_profile profile, int32_t height,
                                          int32_t spill, int32_t tide);

/* How a map with its tide is drawn. */
typedef struct ptl_tide_picture {
    size_t size;
    int64_t first_turn; /* first turn of the animation; if it is equal to last_turn, a single
                           picture is drawn, of this turn */
    int64_t last_turn;  /* last turn of the animation, at most PTL_TIDE_FRAMES_MAX - 1 turns
                         * after the first */
    int32_t scale;      /* pixels along each side of a cell, 1..32 */
    ptl_tide_profile profile;
} ptl_tide_picture;

#define PTL_TIDE_PICTURE_INIT                                                                  \
    {                                                                                          \
        sizeof(ptl_tide_picture), 0, 0, 1, PTL_TIDE_GENTLE                                     \
    }

/*
 * Writes a PNG of a map of islands at one turn, or an animation (APNG) of several turns, which
 * shows ten turns a second in an endless loop; programs that do not know APNG show the first
 * turn. Colours and texts are those of ptl_shoals_png_write, with one more text, Turns
 * (FIRST..LAST). picture may be NULL: the defaults.
 *
 * Errors as for ptl_shoals_png_write.
 */
PTL_API ptl_status ptl_tide_png_write(const ptl_shoals_options *options,
                                      const ptl_tide_picture *picture, ptl_sink sink,
                                      void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
