/* Pictures and maps: which part of a world they show, and where they go. */
#ifndef CLI_PICTURES_PICTURE_H
#define CLI_PICTURES_PICTURE_H

#include "clients/cli/session/session.h"
#include "portolan/render.h"

/* ---- map_window.c: a rectangle that was given, or so many OMTs around a place; else all that
 * is saved ---- */

/* Absolute OMTs, both ends included. */
typedef struct map_rect {
    int64_t x0, y0, x1, y1;
} map_rect;

/* What the command line asks for. */
typedef struct map_wish {
    bool has_rect; /* --rect or --omt */
    map_rect rect;
    const char *center; /* borrowed: X,Y or a name; NULL: none is given */
    bool has_size;
    int64_t width, height; /* OMTs */
} map_wish;

/* Reads --rect, --omt, --center and --size. EXIT_DONE, or EXIT_USAGE with a message. */
int map_wish_read(map_wish *out, const args *a);

/* Gives the smallest rectangle with all saved chunks; EXIT_FAILED with a message if there is
 * none. */
int map_saved(session *s, map_rect *out);

/*
 * Where --center is: X,Y; the largest city of a name, whatever its case; the special of an id
 * that is nearest to 0,0. Without --center the largest city inside of `within`, or else its
 * middle. EXIT_DONE, or EXIT_FAILED with a message.
 */
int map_center(session *s, const map_wish *wish, const map_rect *within, int64_t out[2]);

/* Takes the rectangle as the one to draw. */
void map_use(ptl_render_options *o, const map_rect *r);
/* So many OMTs around a place, moved to lie inside the world. */
map_rect map_around(const int64_t center[2], int64_t width, int64_t height);
/* The same moved and cut to lie inside of `within`. */
map_rect map_around_within(const int64_t center[2], int64_t width, int64_t height,
                           const map_rect *within);

/*
 * How many of the rectangle's chunks are saved. EXIT_FAILED with a message that says where
 * saved ones are if none is; a line on standard error if some are not.
 */
int map_check_saved(session *s, const map_rect *rect);

/* ---- picture.c: into files, and what commands that draw have in common ---- */

/* Is --color wanted: auto, always or never? EXIT_DONE, or a message. */
int color_from_args(const args *a, bool *out);

/* Takes --tide TURN[..TURN], from `least` on; out stays as it is without one. Several turns are
 * an animation, which wants --png. EXIT_DONE, or a message. */
int tide_from_args(const args *a, int64_t least, int64_t out[2]);

/* Refuses a name of the option that says another format than PNG, which would lie. Devices and
 * pipes have any name. */
int picture_path_check(const args *a, const char *option);

/* Closes the file that a picture was drawn into, with what the drawing returned. EXIT_DONE, or
 * a message. */
int picture_end(session *s, out_file *file, ptl_status status);
/* Draws the session's world into a file, with progress of what takes longer than a second.
 * EXIT_DONE, or a message. */
int picture_write(session *s, const char *path, const ptl_render_options *wanted);

/* ---- render_text.c: the map on the terminal, cropped to it ---- */

typedef struct text_wish {
    map_wish where;
    bool colours;
    bool plain; /* the map alone, all of it */
    bool grid;  /* coordinates, also where nothing is cropped */
} text_wish;

/* Draws what is wished of the levels that o names. EXIT_DONE or EXIT_FAILED. */
int render_text(session *s, const text_wish *wish, ptl_render_options *o);
/* Prints just what o says. EXIT_DONE or EXIT_FAILED. */
int render_text_all(session *s, const ptl_render_options *o, bool colours);

#endif
