/* Pictures and maps: which part of a world they show, and which file they are written to. */
#pragma once

#include "clients/cli/session/session.h"
#include "portolan/render.h"

/* ---- picture.c: which rectangle of the world is shown ---- */

/* A rectangle of absolute OMTs, both ends included. */
typedef struct map_rect {
    int64_t x0, y0, x1, y1;
} map_rect;

/* Which part of the world the command line asks for. */
typedef struct map_wish {
    bool has_rect; /* --rect or --omt is given */
    map_rect rect;
    const char *center; /* borrowed; X,Y or a name; NULL: not given */
    bool has_size;
    int64_t width, height; /* value of --size, in OMTs */
} map_wish;

/* Reads --rect, --omt, --center and --size. Returns EXIT_DONE, or EXIT_USAGE after a
 * message. */
int map_wish_read(map_wish *out, const args *a);

/* Returns in *out the smallest rectangle that has all saved chunks, which are then listed in
 * s->chunks. Returns EXIT_FAILED after a message if there are none. */
int map_saved(session *s, map_rect *out);

/*
 * Finds the place that --center names: X,Y; or the largest city of that name, in upper or lower
 * case; or the special of that id nearest to 0,0. Without --center it is the largest city in
 * `within`, else the middle of `within`. Returns EXIT_DONE, or EXIT_FAILED after a message.
 */
int map_center(session *s, const map_wish *wish, const map_rect *within, int64_t out[2]);

/* Makes o draw this rectangle. */
void map_use(ptl_render_options *o, const map_rect *r);
/* Returns a rectangle of this size around a place, moved to lie inside the world. */
map_rect map_around(const int64_t center[2], int64_t width, int64_t height);

/*
 * Checks that chunks of the rectangle are saved. If none is, it prints where saved ones are
 * and returns EXIT_FAILED. If some are not, it says so on standard error.
 */
int map_check_saved(session *s, const map_rect *rect);

/* ---- picture.c: picture files, and options that commands that draw share ---- */

/* Reads --color: *out says whether colours are wanted. Returns EXIT_DONE, or EXIT_USAGE
 * after a message. */
int color_from_args(const args *a, bool *out);

/* Reads --tide TURN[..TURN]: one step of the tide, or a range of steps, which makes an
 * animation and needs --png. Each TURN must be at least `least`. Without --tide *out stays as
 * it is. Returns EXIT_DONE, or EXIT_USAGE after a message. */
int tide_from_args(const args *a, int64_t least, int64_t out[2]);

/* Refuses the option's file name if its extension names another format than PNG. Devices and
 * pipes may have any name. */
int picture_path_check(const args *a, const char *option);

/* Returns whether the name of a file ends so, in upper or lower case. */
bool picture_is(const char *path, const char *ending);

/* The least side of a tile of a local map, in pixels, with which its symbol can be drawn. */
enum { TILE_SYMBOL_PIXELS = 8 };
/* Returns how many pixels the side of a tile of local maps has by default. `tiles` is how many
 * tiles the picture's longer side has. */
int32_t picture_tile_pixels(int64_t tiles);
/* Chooses the scale of a picture that has none: the largest of 1, 2, 4, 8 and 16 pixels for an
 * OMT, or for a tile of local maps, with which its longer side has at most 1,000 pixels; 1 for
 * a map alone. */
void picture_fit(ptl_render_options *o);
/* Closes the file of a picture; `status` is what the drawing returned. Returns EXIT_DONE, or
 * EXIT_FAILED after a message. */
int picture_end(session *s, out_file *file, ptl_status status);
/* Draws the session's world into a file, as SVG if its name ends so, else as PNG, and shows
 * progress after a second. The file is none of the command line's operands. Returns EXIT_DONE,
 * or EXIT_FAILED after a message. */
int picture_write(session *s, const char *path, const ptl_render_options *wanted);
/* Does the same for a command that reads other files: inputs are as in out_file_open. */
int picture_write_beside(session *s, const char *path, const ptl_render_options *wanted,
                         const char *const *inputs, size_t count);

/* ---- picture.c: the map as text, cropped to the terminal ---- */

typedef struct text_wish {
    map_wish where;
    bool colours;
    bool plain; /* print the whole map, without coordinates and without text below it */
    bool grid;  /* print coordinates, even if the whole map is printed */
} text_wish;

/* Prints the part of the world that the command line (`wish`) asks for, on the levels that `o`
 * names. Returns EXIT_DONE or EXIT_FAILED. */
int render_text(session *s, const text_wish *wish, ptl_render_options *o);
/* Prints the whole rectangle that `o` names, on each level of `o`, as text. It is not cut to
 * the terminal's size, and no text is printed below it. Returns EXIT_DONE or EXIT_FAILED. */
int render_text_all(session *s, const ptl_render_options *o, bool colours);
