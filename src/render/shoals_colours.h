/* What all pictures of islands share: colours, and the note that says how they were made. */
#ifndef RENDER_SHOALS_COLOURS_H
#define RENDER_SHOALS_COLOURS_H

#include "portolan/shoals.h"
#include "render/paint.h"

enum {
    SHOALS_SHADES = 32, /* shades of each ground */
    SHOALS_GROUNDS = PTL_SHOALS_WALL + 1,
    SHOALS_PLANT = SHOALS_GROUNDS * SHOALS_SHADES,
    SHOALS_GAP,
    SHOALS_COLOURS,
    SHOALS_NOTE_SIZE = 256
};

/* Fills the colour table: the shades of each ground, plants, and gaps. */
void shoals_colours(rgb out[SHOALS_COLOURS]);

/* Returns the index of the colour for a height; the second one for a given ground, even if the
 * height would mean another. */
uint8_t shoals_colour(const ptl_shoals_options *options, int32_t height);
uint8_t shoals_ground_colour(const ptl_shoals_options *options, ptl_shoals_ground ground,
                             int32_t height);

/* Writes the options as arguments of the command. The picture has `count` seeds from
 * options->seed on. */
void shoals_note(char out[SHOALS_NOTE_SIZE], const ptl_shoals_options *options, int32_t count);

#endif
