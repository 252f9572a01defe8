/*
 * A picture as rows of palette indices. It consists of the map's cells (OMTs, or tiles of
 * local maps), grid and names over them, and captions around them. It knows nothing of files.
 */
#ifndef RENDER_SHEET_H
#define RENDER_SHEET_H

#include "render/drawing.h"
#include "render/legend.h"

/*
 * The cells of a viewport and how each looks: OMTs, or the tiles of local maps
 * (options->local), one row of OMTs at a time, so that memory grows with the width only. A
 * tile shows the topmost thing on it: a creature or vehicle, a trap, furniture, a field, an
 * item on bare ground, or else terrain.
 */

enum { TILE_SIDE = 24 };

typedef struct cell_view cell_view;

/* Makes a view; *out is new, and to be freed also after an error. The viewport is borrowed,
 * and the view moves it. */
ptl_status cell_view_new(cell_view **out, viewport *v, const ptl_render_options *options,
                         ptl_error *err);
void cell_view_free(cell_view *t); /* NULL is fine */

/* Makes the cells of one row of OMTs readable. y is absolute and must not decrease from call
 * to call. */
ptl_status cell_view_seek(cell_view *t, int64_t y, ptl_error *err);

/*
 * Returns the look of a cell on the nth level. x counts cells from the rectangle's west side;
 * row counts within the present row of OMTs: 0, or 0..23 for tiles. Walls of local maps get
 * the arms that connect them to their neighbours.
 */
look cell_view_look(const cell_view *t, size_t nth, size_t x, size_t row);

/* Begins to count the cells of the rows that are made readable from now on. A view of tiles
 * counts from its beginning. */
ptl_status cell_view_count(cell_view *t, ptl_error *err);
/* Makes a legend of all cells that were counted. Names and looks are borrowed from the view
 * until its next seek. To be disposed of also after an error. */
ptl_status cell_view_legend(legend *out, const cell_view *t, bool symbols, ptl_error *err);

/*
 * Coordinates around a picture's map, and borders of chunks on it. Chunks are numbered above
 * and at the left, OMTs below and at the right. Everything is computed anew for each row, so
 * that memory does not grow with the picture's height.
 */

/* The frame of a page: the steps between its numbers. */
typedef struct frame {
    const page *page;                   /* borrowed */
    const viewport *view;               /* borrowed */
    int64_t omt_step_x, omt_step_y;     /* OMTs between two numbers */
    int64_t chunk_step_x, chunk_step_y; /* chunks between two numbers */
} frame;

/* Prepares the frame, and sets the page's bands and heading. Page and viewport must stay where
 * they are. */
void frame_init(frame *f, page *p, const viewport *v);

/* Paints the parts of the frame in row y of the picture: coordinates, heading, lines. */
void frame_row(const frame *f, const letter_line *line, int64_t y);

/* Paints the borders of chunks over row y, which must be one of the map's. */
void frame_grid_row(const frame *f, const letter_line *line, int64_t y);

/* Returns the least of 1, 2, 5, 10, 20, 30, 60, 90, 180 and round multiples of 180 that is not
 * below `least`. Such steps always meet the borders of chunks. */
int64_t frame_omt_step(int64_t least);

/* Returns the least of 1, 2, 5, 10, 20, 50, ... that is not below `least`. */
int64_t frame_round_up(int64_t least);

/* The texts around a picture's map: title, legend and scale bar. */

enum { CAPTION_ITEMS_MAX = 6, CAPTION_LETTERS_MAX = 80 };

/* Short texts in letters of the font. They are set one after the other, on as many lines as
 * they need. */
typedef struct caption_items {
    char texts[CAPTION_ITEMS_MAX][CAPTION_LETTERS_MAX];
    size_t count;
} caption_items;

/* The texts of title and scale. */
typedef struct captions {
    char heading[DRAWN_LETTERS_MAX]; /* name of the world */
    caption_items title, scale;
} captions;

/* Composes the texts of title and scale for a picture of v. */
void captions_init(captions *c, ptl_world *world, const ptl_render_options *options,
                   const viewport *v, const page *p);

/* ---- legend ---- */

enum { LEGEND_LINES_MAX = 64 };

/* A line of a legend: the heading of a group, an entry, or the rest of a group. */
typedef struct legend_line {
    char name[DRAWN_LETTERS_MAX];
    uint64_t tiles;     /* 0: it is a heading */
    const look *swatch; /* borrowed; NULL: there is none */
    uint8_t ink;
    bool ends_group; /* a gap follows */
} legend_line;

/* Which part of a legend is shown, and its size. */
typedef struct legend_layout {
    size_t shown[GROUP_COUNT]; /* entries of each group */
    int64_t height;
    int32_t name_width, number_width;
    legend_line lines[LEGEND_LINES_MAX];
    size_t line_count;
} legend_layout;

/* Chooses the entries that fit beside the map, and sets the legend's width in the page. Looks
 * are borrowed from the legend. */
void captions_fit_legend(legend_layout *out, const legend *l, page *p);

/* Adds the legend to the drawing, beside the map. */
void captions_draw_legend(const legend_layout *layout, bool symbols, const page *p, drawing *d);

/* ---- title and scale ---- */

/* Sets the heights of title and scale in the page; its other widths must be known. */
void captions_measure(const captions *c, page *p);

void captions_draw_title(const captions *c, const page *p, drawing *d);
void captions_draw_scale(const captions *c, const page *p, drawing *d);

/* Writes a number with commas between thousands. */
void captions_number(char out[32], uint64_t number);

/* Names of cities on the map: larger cities first, and no name over another. However many
 * cities there are, only the NAMES_MAX largest are kept, so memory is constant. */

enum { NAMES_MAX = 2000, NAME_LETTERS_MAX = 32 };

/* The name of a city. */
typedef struct map_name {
    int64_t x, y; /* absolute OMT of the city's centre */
    int32_t size; /* radius of the city in OMTs */
    char text[NAME_LETTERS_MAX];
} map_name;

/* The largest cities that were offered so far. */
typedef struct name_list {
    map_name *names; /* owned; names_place sorts them */
    size_t count;    /* more than NAMES_MAX at times; the smallest are dropped then */
} name_list;

/* PTL_ERR_NOMEM is the only error. To be disposed of also after it. */
ptl_status names_init(name_list *list, ptl_error *err);
void names_dispose(name_list *list);

/* Offers a city. Its name is UTF-8 from the content; a city without a name is ignored. */
void names_offer(name_list *list, int64_t x, int64_t y, int32_t size, const char *utf8);

/* Adds the names that find room to the drawing: in a strip of levels to the ground level, or
 * else to the first. Returns how many were placed. */
size_t names_place(name_list *list, const page *p, const viewport *v, drawing *d);

/* A picture that was laid out. */
typedef struct sheet {
    viewport view;
    cell_view *source; /* owned */
    int32_t side;      /* cells along an OMT: 1, or TILE_SIDE */
    bool symbols;
    page page;
    frame frame;
    drawing around, over; /* captions beside the map; names on it */
    uint8_t *cells;       /* owned; the map's part of a row, without grid and names */
    uint8_t *line;        /* owned; a whole row of the picture */
    int64_t cells_row;    /* which row of the map `cells` holds; -1: none */
    const ptl_render_options *options; /* borrowed */
    /* Rows of OMTs that were read and will be, for on_progress. */
    uint64_t rows_done, rows_total;
} sheet;

/*
 * Lays the picture out; if it has a legend, all cells are read for that. PTL_ERR_ARGUMENT: an
 * option is out of range. The sheet and the options must stay where they are. To be disposed
 * of also after an error.
 */
ptl_status sheet_init(sheet *s, ptl_world *world, const ptl_render_options *options,
                      ptl_error *err);
void sheet_dispose(sheet *s);

/* Counts the cells of all levels that are shown. The legend is to be disposed of also after an
 * error. */
ptl_status sheet_read_legend(sheet *s, legend *out, ptl_error *err);

/* Gives row y of the picture: page.width indices, borrowed until the next call. y must not
 * decrease from call to call. */
ptl_status sheet_row(sheet *s, int64_t y, const uint8_t **out, ptl_error *err);

#endif
