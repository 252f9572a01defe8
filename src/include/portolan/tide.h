/*
 * Tides over heights, as functions of world time: nothing of a tide is stored, no height
 * changes. schema/shoals.md has the rules.
 */
#ifndef PORTOLAN_TIDE_H
#define PORTOLAN_TIDE_H

#include "portolan/shoals.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PTL_TIDE_LOW = -18, /* the lowest and the highest tide */
    PTL_TIDE_HIGH = 25,
    PTL_TIDE_PERIOD = 100,     /* turns */
    PTL_TIDE_FRAMES_MAX = 1000 /* turns in one animation */
};

/* Which cells the tide changes. */
typedef enum ptl_tide_profile {
    /* Shallow water and land become each other; deep water stays. So it is in the game today.
     */
    PTL_TIDE_GENTLE,
    /* Deep water changes, too. So it was in the game until 2014. */
    PTL_TIDE_FULL
} ptl_tide_profile;

/* Returns the height of the tide above the mean sea level at any turn: a pure function of it,
 * PTL_TIDE_LOW..PTL_TIDE_HIGH, 0 at turn 0, highest at 28, lowest at 78, then anew; from turn
 * to turn it changes by at most 1. The motion is the game's, turn by turn. */
PTL_API int32_t ptl_tide_height(int64_t turn);

/*
 * Finds where the sea comes from. spill gets for each cell the height that water must rise
 * above to reach it from the open sea, over eight neighbours, the cell's own included: the cell
 * is joined to the sea while the water stands above that. The open sea are the deep cells of
 * the map's edge, and the cells where sources is not 0 (as many values; may be NULL): there
 * spill is INT32_MIN. High ground and walls let nothing pass: INT32_MAX, and so is what no way
 * leads to. lag (may be NULL) gets how many steps the water comes to the cell on its way, -1
 * where none leads. All arrays have options->width * options->height values, index y * width +
 * x, and are the caller's; heights are those of ptl_shoals_generate or any others.
 *
 * PTL_ERR_ARGUMENT as of ptl_shoals_generate.
 */
PTL_API ptl_status ptl_tide_spill(int32_t *spill, int32_t *lag,
                                  const ptl_shoals_options *options, const int32_t *heights,
                                  const uint8_t *sources, ptl_error *err);

/*
 * Returns what a cell of this height and spill is when the tide has this height: a pure
 * function of its arguments, of which nothing is checked. Cells that are joined to the sea have
 * its level; a basin that is cut off keeps a pool up to its rim, or to the mean sea level
 * (options->floor) if that is lower. What is high ground or a wall depends on the height alone.
 */
PTL_API ptl_shoals_ground ptl_tide_ground(const ptl_shoals_options *options,
                                          ptl_tide_profile profile, int32_t height,
                                          int32_t spill, int32_t tide);

/* How a map is drawn with its tide. */
typedef struct ptl_tide_picture {
    size_t size;
    int64_t first_turn; /* of the animation, which is one picture if both are the same */
    int64_t last_turn;  /* at most PTL_TIDE_FRAMES_MAX - 1 turns later */
    int32_t scale;      /* pixels a cell, 1..32 */
    ptl_tide_profile profile;
} ptl_tide_picture;

#define PTL_TIDE_PICTURE_INIT                                                                  \
    {                                                                                          \
        sizeof(ptl_tide_picture), 0, 0, 1, PTL_TIDE_GENTLE                                     \
    }

/*
 * Writes a PNG of a map of islands at a turn, or an animated one (APNG) of several turns, ten a
 * second, for ever; programs that know no APNG show the first. Colours and texts are those of
 * ptl_shoals_png_write, with a text Turns (FIRST..LAST). picture may be NULL: its defaults.
 *
 * Errors as of ptl_shoals_png_write.
 */
PTL_API ptl_status ptl_tide_png_write(const ptl_shoals_options *options,
                                      const ptl_tide_picture *picture, ptl_sink sink,
                                      void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
