/*
 * Draws worlds as PNG or SVG pictures or as text for a terminal.
 */
#ifndef PORTOLAN_RENDER_H
#define PORTOLAN_RENDER_H

#include "portolan/local.h"
#include "portolan/style.h"
#include "portolan/tileset.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a picture shows beside the map itself: bits of ptl_render_options.parts. */
typedef enum ptl_render_part {
    /* Above the map: the world's name and seed, the level and rectangle of OMTs that the
     * picture shows, and Portolan's version. */
    PTL_RENDER_TITLE = 1 << 0,
    /* Dotted lines between chunks, with coordinates of chunks above and at the left, and of
     * OMTs below and at the right. In text: coordinates of OMTs above and at the left. */
    PTL_RENDER_GRID = 1 << 1,
    /* Names of cities. The largest city comes first; names for which there is no room are left
     * out. */
    PTL_RENDER_NAMES = 1 << 2,
    /* Below the map: a scale bar with its length in OMTs and in tiles. */
    PTL_RENDER_SCALE_BAR = 1 << 3,
    /* At the right: the terrains in the picture with their numbers of OMTs, the most frequent
     * first, in groups (land, water, ways, cities, specials). As many are listed as there is
     * room for beside the map; for the terrains of a group that have no room, one line gives
     * their number of OMTs together. The world is read twice for the legend. */
    PTL_RENDER_LEGEND = 1 << 4,
    PTL_RENDER_ALL = (1 << 5) - 1
} ptl_render_part;

/* Where in a picture the map lies. */
typedef struct ptl_render_layout {
    size_t size;
    int64_t width, height; /* of the picture, in pixels */
    int64_t map_x, map_y;  /* the pixel of the north-western corner of the first level's map */
    int64_t level_step;    /* how far to the right of one level's map the next one begins */
    int64_t scale;         /* pixels along each side of an OMT */
} ptl_render_layout;

#define PTL_RENDER_LAYOUT_INIT PTL_SIZED(ptl_render_layout)

typedef struct ptl_render_options {
    size_t size;
    int64_t x0, y0, x1, y1;  /* two opposite corners of the rectangle that the picture shows, in
                              * absolute OMTs, both included */
    int32_t z_first, z_last; /* the picture shows the levels from z_first to z_last side by
                              * side, or one level if both are equal */
    int32_t scale;  /* pixels along each side of an OMT, 1..32; 0 means 1. If local maps are
                     * shown: a multiple of 24, at most 768; 0 means 24 */
    bool symbols;   /* true: also draw the symbol of each OMT (of each tile, if local maps are
                     * shown), which needs at least 8 x 8 pixels */
    uint32_t parts; /* what is shown beside the map, as PTL_RENDER_ bits; 0: the picture is the
                     * map alone, each OMT as scale x scale pixels */
    /* Called now and then while a picture is made. done and total count the rows of OMTs that
     * were read and all rows that must be read; with a legend every row is read twice.
     * Returning false stops with PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, uint64_t done, uint64_t total);
    void *payload;
    /* Show each OMT as its local map of 24 x 24 tiles. A stored map is shown as it is; where no
     * map is stored, the picture shows the one that would be made for turn 0. Nothing is
     * written to the file. An OMT whose map depends on a chunk that is not saved is shown in
     * its terrain's colour. The legend counts tiles with each terrain, furniture and trap, and
     * the things that stand on them. */
    bool local;
    /* For local maps: show the sea and its islands at the tide of turn first_turn, 0 or more,
     * instead of the mean tide (portolan/local_tide.h). If last_turn is later, a PNG is an
     * animation (APNG) of the turns from first_turn to last_turn in steps of turn_step (0: 1).
     * It has at most PTL_TIDE_FRAMES_MAX frames, and `parts` must be 0. */
    bool tide;
    int64_t first_turn, last_turn, turn_step;
    /* For local maps: show them with or without the damage of riots. With another setting than
     * the world's, maps that no game has edited are shown as that setting would make them, even
     * where they are stored. PTL_RIOT_DAMAGE_OF_CONTENT: as the world has it. */
    ptl_riot_damage riot_damage;
    /* For local maps: an array of maps to show in place of the world's. They are in the order
     * of the rows of the rectangle, one level after the other. Nothing is shown where an
     * element is NULL. If the array itself is NULL, the world's maps are shown. With such an
     * array, the grid (PTL_RENDER_GRID) has lines between OMTs and the numbers of their tiles,
     * and the names (PTL_RENDER_NAMES) are those in `labels`. */
    const ptl_local_map *const *maps;
    /* With maps: blocks of block_width x block_height OMTs belong together, and lines part the
     * blocks; 0 stands for 1. */
    int32_t block_width, block_height;
    /* With maps: a name for each block of block_width x block_height OMTs, row by row. NULL: no
     * names. */
    const char *const *labels;
    const char *title; /* with maps: title of the picture, in place of the world's name */
    /* Draw with the pictures of this tile set of a game, borrowed; NULL: none. What the set has
     * no picture for is drawn as without a set, and creatures and items as their symbols. The
     * PNG has true colours. */
    const ptl_tileset *tileset;
    /* How the picture is drawn. On paper, an OMT has the colours of its terrain's class
     * (portolan/style.h), areas have round corners, and ways are lines over the ground around
     * them; symbols are drawn on buildings, specials and open ground of towns. Texts for a
     * terminal always have the style of a terminal. */
    ptl_map_style style;
    /* Letters of all texts are so many times as large as they are by themselves, 1..8; 0: 1.
     * By themselves they grow with the picture. */
    int32_t font_scale;
    /* True: a PNG is an animation (APNG) of the world as it grows, with a frame for each step
     * of generation that can be seen, from bare ground to the world as it is saved. Each chunk
     * is made again in memory for each frame; nothing is written to the file. Chunks that this
     * version of the generator did not make, such as those of a save, are shown as they are
     * saved. `parts` must be 0 or PTL_RENDER_NAMES, which also writes the name of the step on
     * the map. PTL_ERR_MISMATCH: a chunk was made with other content than the world has. */
    bool steps;
    /* Filled before the first byte of the picture is written; NULL: nobody asks. */
    ptl_render_layout *layout;
    /* OMTs to draw frames around, in any order, borrowed; NULL: none. One frame surrounds OMTs
     * that lie side by side. OMTs that the picture does not show are passed over. */
    const ptl_omt *marks;
    size_t mark_count;
} ptl_render_options;

/* The defaults: a picture that shows the OMT (0, 0, 0) alone, without title, grid, names, scale
 * bar and legend. */
#define PTL_RENDER_OPTIONS_INIT                                                                \
    {                                                                                          \
        sizeof(ptl_render_options), 0, 0, 0, 0, 0, 0, 0, false, 0, NULL, NULL, false, false,   \
            0, 0, 0, PTL_RIOT_DAMAGE_OF_CONTENT, NULL, 0, 0, NULL, NULL, NULL,                 \
            PTL_STYLE_PAPER, 0, false, NULL, NULL, 0                                           \
    }

/* Receives the bytes of a file or text that a call writes, piece by piece, in order. Returning
 * false stops the call with PTL_ERR_IO. */
typedef bool (*ptl_sink)(void *payload, const void *data, size_t size);

/*
 * Writes a PNG of saved chunks. It is made row by row, so that the memory needed grows with
 * the picture's width, not its height. Chunks that are not saved are drawn plain: dark in
 * the style of a terminal and on dark paper, grey on light paper. In the style of a terminal,
 * colours and symbols are those of the content; Portolan chooses the RGB values for the 16
 * colour names.
 * Equal options and worlds give equal bytes.
 *
 * The PNG always has texts that say what it shows (PNG chunks of the type tEXt, or iTXt for
 * texts that are not ASCII). Their names are Title, Software, World, Seed, Rectangle
 * (X0,Y0,X1,Y1 in absolute OMTs), Levels (FIRST..LAST), Content (its digest), Turns
 * (FIRST..LAST, only with a tide), and Map. The text Map says where the map lies in the
 * picture. It has the pixel X,Y of the map's north-western corner, the number of pixels for an
 * OMT, and how many pixels the next level lies to the right of a level.
 *
 * In a library that was built without libpng (PORTOLAN_RENDER=OFF, the default inside another
 * project) every call fails with PTL_ERR_UNSUPPORTED.
 */
PTL_API ptl_status ptl_render_png_write(ptl_world *world, const ptl_render_options *options,
                                        ptl_sink sink, void *payload, ptl_error *err);

/*
 * Writes the same picture as SVG: the ground as paths of cells, ways as lines, names and all
 * texts as text. With symbols each OMT that has one in a PNG has its symbol as a text. On paper
 * the ground has the colours of the classes of terrains, without round corners and textures,
 * and no other level is seen through. The memory needed grows with the picture's width.
 * PTL_ERR_ARGUMENT: options->maps or options->tileset is given, or several turns or steps are
 * to be shown.
 */
PTL_API ptl_status ptl_render_svg_write(ptl_world *world, const ptl_render_options *options,
                                        ptl_sink sink, void *payload, ptl_error *err);

/*
 * Writes text with one line for each row of OMTs and one column for each OMT: the content's
 * symbol, or a line-drawing character for a line. If `colours` is true, the text contains ANSI
 * escape sequences for colours. Of options->parts only PTL_RENDER_GRID has an effect. For
 * local maps, which have one line for each row of tiles, only PTL_RENDER_LEGEND has an effect:
 * it adds a line for each symbol with its name and number of tiles, and the maps are read
 * twice for it. options->scale, symbols and on_progress are not used.
 */
PTL_API ptl_status ptl_render_text_write(ptl_world *world, const ptl_render_options *options,
                                         bool colours, ptl_sink sink, void *payload,
                                         ptl_error *err);

/*
 * Gives the colours with which pictures show a colour name of the content, as red, green and
 * blue: `area` for a cell without its symbol, `ink` for a symbol and `paper` for what is
 * behind it. The name "" means light_gray. Returns false for an unknown name, which gets a
 * colour that stands out.
 */
PTL_API bool ptl_color_find(uint8_t area[3], uint8_t ink[3], uint8_t paper[3],
                            const char *name);

#ifdef __cplusplus
}
#endif
#endif
