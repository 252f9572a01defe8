/*
 * Drawing worlds: PNG pictures and terminal text.
 */
#ifndef PORTOLAN_RENDER_H
#define PORTOLAN_RENDER_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a picture shows beside the map itself: bits of ptl_render_options.parts. */
typedef enum ptl_render_part {
    /* Above it: the world's name, its seed, level, rectangle, and Portolan's version. */
    PTL_RENDER_TITLE = 1 << 0,
    /* Dotted lines between chunks; chunks' numbers above and at the left, OMTs below and at the
     * right. Of a text: OMTs above and at the left. */
    PTL_RENDER_GRID = 1 << 1,
    /* Names of cities, the largest first, as many as find room. */
    PTL_RENDER_NAMES = 1 << 2,
    /* Below it: how long so many OMTs are, and how many tiles. */
    PTL_RENDER_SCALE_BAR = 1 << 3,
    /* At the right: the terrains that are in the picture with their OMTs, most frequent first,
     * in groups (land, water, ways, cities, specials), as many as there is room for beside the
     * map; a line of each group counts the rest. For this the world is read twice. */
    PTL_RENDER_LEGEND = 1 << 4,
    PTL_RENDER_ALL = (1 << 5) - 1
} ptl_render_part;

typedef struct ptl_render_options {
    size_t size;
    int64_t x0, y0, x1, y1; /* absolute OMTs, both ends included */
    int32_t z_first,
        z_last;     /* one level, or a strip of levels side by side, from first to last */
    int32_t scale;  /* pixels per OMT, 1..32; 0: 1. Of local maps a multiple of 24 up to 768;
                     * 0: 24 */
    bool symbols;   /* draw each terrain's symbol too; needs 8 pixels for each */
    uint32_t parts; /* PTL_RENDER_* bits; 0: the map alone, one OMT at scale x scale pixels */
    /* Called now and then while a picture is made, with the rows of OMTs that were read and
     * that are to be read (twice the rectangle's with a legend). False stops with
     * PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, uint64_t done, uint64_t total);
    void *payload;
    /* Each OMT as its local map: 24 x 24 tiles. Stored ones are shown as they are, others as
     * they would be made for turn 0; nothing is written. An OMT beside a chunk that is not
     * saved, on which its map hangs, is shown in its terrain's colour. The legend counts
     * terrain, furniture and traps by tiles, and things that stand there. */
    bool local;
    /* Of local maps: the sea and its islands at the tide of turn first_turn, 0 or more, in
     * place of the mean tide (portolan/local_tide.h). A PNG of several turns, up to last_turn,
     * each turn_step (0: 1) behind the one before, is an animation (APNG) of at most
     * PTL_TIDE_FRAMES_MAX frames, and has no parts. */
    bool tide;
    int64_t first_turn, last_turn, turn_step;
} ptl_render_options;

/* A bare picture of the OMT (0, 0, 0). */
#define PTL_RENDER_OPTIONS_INIT                                                                \
    {                                                                                          \
        sizeof(ptl_render_options), 0, 0, 0, 0, 0, 0, 0, false, 0, NULL, NULL, false, false,   \
            0, 0, 0                                                                            \
    }

/* Takes the PNG's bytes in order; false stops with PTL_ERR_IO. */
typedef bool (*ptl_sink)(void *payload, const void *data, size_t size);

/*
 * Writes a PNG of saved chunks, row by row: memory grows with the width alone. Chunks that are
 * not saved are drawn dark. Colours and symbols are the content's own; the 16 colour names
 * stand for RGB values of our own. Equal options and worlds give equal bytes.
 *
 * Whatever the options say, the file tells what it shows in texts (tEXt, or iTXt where they
 * are not ASCII): Title, Software, World, Seed, Rectangle (X0,Y0,X1,Y1, absolute OMTs), Levels
 * (FIRST..LAST), Content (its digest), with a tide Turns (FIRST..LAST), and Map: where the map
 * lies in the picture, as the pixel X,Y of its north-west corner, then the pixels per OMT, then
 * the pixels from one level's north-west corner to the next one's.
 *
 * A library that was built without libpng (PORTOLAN_RENDER=OFF, the default inside of another
 * project) has this function, too: every call fails with PTL_ERR_UNSUPPORTED.
 */
PTL_API ptl_status ptl_render_png_write(ptl_world *world, const ptl_render_options *options,
                                        ptl_sink sink, void *payload, ptl_error *err);

/*
 * Writes text, one line per row of OMTs: the content's symbols, one column each, lines drawn as
 * lines. With colours, ANSI escape sequences. Of options->parts only PTL_RENDER_GRID counts, of
 * local maps (one line per row of tiles) only PTL_RENDER_LEGEND: a line below for each symbol's
 * name and tiles, for which they are read twice. scale, symbols and on_progress are not used.
 */
PTL_API ptl_status ptl_render_text_write(ptl_world *world, const ptl_render_options *options,
                                         bool colours, ptl_sink sink, void *payload,
                                         ptl_error *err);

/*
 * How pictures show a colour name of the content: red, green and blue. area: a cell without its
 * symbol; ink and paper: a symbol, and what is behind it. "" is light_gray. Returns false for a
 * name that is none: that is shown in a colour that stands out.
 */
PTL_API bool ptl_color_find(uint8_t area[3], uint8_t ink[3], uint8_t paper[3],
                            const char *name);

#ifdef __cplusplus
}
#endif
#endif
