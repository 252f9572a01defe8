/*
 * A picture as rows of palette indices. It consists of the map's cells (OMTs, or tiles of
 * local maps), grid and names over them, and captions around them. It knows nothing of files.
 */
#pragma once

#include "portolan/render.h"
#include "render/legend.h"

/* The cells of a picture, one row of chunks at a time. Memory holds width x 180 x levels
 * oters, however high the picture is. */

/* A rectangle of OMTs on some levels, of which one band is loaded. */
typedef struct viewport {
    ptl_world *world;
    int64_t x0, y0, x1, y1;  /* the rectangle in absolute OMTs, both ends included */
    int32_t z_first, z_step; /* the nth level is z_first + n * z_step */
    size_t width, height;    /* of one level, in OMTs */
    size_t level_count;
    ptl_oter *band;  /* owned; index: (nth * PTL_CHUNK_SIZE + row) * width + x */
    ptl_oter *cells; /* owned; one level of one chunk */
    int64_t band_y;  /* absolute y of the band's row 0; a multiple of 180 */
    bool band_loaded;
} viewport;

/* Sets the rectangle. PTL_ERR_ARGUMENT: it is empty or not in the world. PTL_ERR_LIMIT: it is
 * too wide. To be disposed of also after an error. */
ptl_status viewport_init(viewport *v, ptl_world *world, const ptl_render_options *options,
                         ptl_error *err);
void viewport_dispose(viewport *v);

/*
 * Text in pictures. Names from the world's content are turned into letters of the font,
 * measured, cut, and painted row by row. Letters have their own widths (an i is narrow). With
 * a zoom of n each dot of the font is n x n pixels.
 */

/*
 * Turns UTF-8 into at most room - 1 letters of the font, ended by NUL; if it is cut, ".." is
 * at the end. Accented Latin letters lose their accents, and typographic signs become plain
 * ones. A character that the font lacks, a control character, or a byte that is not UTF-8
 * becomes FONT_BOX.
 */
void lettering_fold(char *out, size_t room, const char *utf8);

/* Returns the width in pixels; 0 for an empty text. */
int32_t lettering_width(const char *text, int32_t zoom);

/* Cuts a text to a width, with ".." at its end; "" if not even ".." fits. */
void lettering_fit(char *text, int32_t zoom, int32_t width);

/*
 * The part of a pixel row that may be painted, as palette indices. pixels[0] is column `from`.
 */
typedef struct letter_line {
    uint8_t *pixels;
    int64_t from, to; /* columns from <= x < to */
} letter_line;

/* Fills the columns from <= x < to with ink, as far as they may be painted. */
void line_fill(const letter_line *line, int64_t from, int64_t to, uint8_t ink);

/* Paints one row of a text whose first letter begins at column x. Row 0 is the top row. Rows
 * outside of 0 .. FONT_TEXT_HEIGHT * zoom - 1 paint nothing. */
void lettering_paint(const letter_line *line, int64_t x, int64_t row, const char *text,
                     int32_t zoom, uint8_t ink);

/*
 * As lettering_paint, in inks[0], with an edge of `zoom` pixels in inks[1] around each letter,
 * so that text is legible on a map. Rows go from -zoom to (FONT_TEXT_HEIGHT + 1) * zoom - 1.
 */
void lettering_paint_edged(const letter_line *line, int64_t x, int64_t row, const char *text,
                           int32_t zoom, const uint8_t inks[2]);

/*
 * A picture's geometry: where the map lies, how wide the bands of coordinates around it are,
 * and where title, legend and scale bar go. All lengths are pixels. A picture without parts is
 * the map alone.
 */

/* PAGE_GAP_OMTS: space between the levels of a strip, in OMTs. */
enum { PAGE_GAP_OMTS = 2, PAGE_ZOOM_MAX = 8 };

typedef struct page {
    uint32_t parts; /* a sum of ptl_render_part */
    int32_t scale;  /* pixels per OMT */
    int32_t zoom;   /* pixels per dot of the font; all distances are multiples of it */
    int64_t width, height;
    int64_t map_x, map_y; /* north-west corner of the first level */
    int64_t map_width, map_height;
    /* Width of one level; distance from one level to the next. */
    int64_t panel_width, panel_step;
    size_t panel_count;
    int64_t left, right, top, bottom; /* widths of the bands of coordinates around the map */
    /* Height of the line above them that names a strip's levels. */
    int64_t heading;
    int64_t title_y, title_height;
    int64_t legend_x, legend_width;
    int64_t scale_y, scale_height; /* scale bar and the texts with it */
} page;

/* Sets the map's size and the zoom of texts. Nothing has its place yet. */
void page_measure(page *p, const viewport *v, int32_t scale, uint32_t parts);

/* Gives everything its place. The widths of bands, heading and legend and the heights of title
 * and scale must be set. legend_height: 0 if there is no legend. */
void page_place(page *p, int64_t legend_height);

/* Returns the width that map, bands and legend need, without margins. Title and scale have to
 * fit into it, so it has a minimum if there are any. */
int64_t page_inner_width(const page *p);

/* Does the picture have one of these parts? */
static inline bool page_has(const page *p, uint32_t part)
{
    return (p->parts & part) != 0;
}

enum { DRAWN_LETTERS_MAX = 120 };

/* A text at its place. */
typedef struct drawn_text {
    int64_t x, y; /* top left corner of the first letter */
    int32_t zoom;
    uint8_t ink;
    uint8_t edge; /* colour around the letters; PALETTE_NONE: none */
    char text[DRAWN_LETTERS_MAX];
} drawn_text;

/* A filled rectangle at its place. */
typedef struct drawn_box {
    int64_t x, y, width, height;
    uint8_t ink;
    /* A cell of width x width pixels is drawn with this look, with its symbol. */
    bool is_cell;
    look cell;
} drawn_box;

/* Texts and boxes to draw. All zero means that there are none. */
typedef struct drawing {
    drawn_text *texts; /* owned */
    size_t text_count, text_room;
    drawn_box *boxes; /* owned; later boxes cover earlier ones, texts cover all boxes */
    size_t box_count, box_room;
    bool failed; /* memory is out */
} drawing;

void drawing_dispose(drawing *d);

/* Adds a text, which must be in letters of the font (lettering_fold). */
void drawing_add_text(drawing *d, const drawn_text *text);
void drawing_add_box(drawing *d, const drawn_box *box);

/* Paints the parts of all texts and boxes that lie in row y. */
void drawing_row(const drawing *d, const letter_line *line, int64_t y);

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
