/*
 * A picture as rows of palette indices. It consists of the map's cells (OMTs, or tiles of local
 * maps), a grid and names over them, and captions around them. Writing files is left to the
 * caller.
 */
#pragma once

#include "model/local_map.h"
#include "portolan/render.h"
#include "render/legend.h"
#include "render/stamp.h"

/* The cells of a picture, of which one row of chunks at a time is in memory. So memory holds
 * width x 180 x levels oters, whatever the height of the picture. */

/* A rectangle of OMTs on some levels, of which one band (a row of chunks) is loaded. */
typedef struct viewport {
    ptl_world *world;
    int64_t x0, y0, x1, y1;  /* the rectangle in absolute OMTs, all sides included */
    int32_t z_first, z_step; /* levels that are shown: number n of them, counted from 0, is
                                z_first + n * z_step */
    size_t width, height;    /* size of one level, in OMTs */
    size_t level_count;
    /* Owned; the oters of a row of chunks, for each level and, if `margin` is set, for the
     * ground as a further level. Around the rectangle there is room for one OMT more at each
     * side: rows -1 and 180, and at both ends of each row. */
    ptl_oter *band;
    bool margin; /* the OMTs around the rectangle, and those of the ground, are loaded, too */
    ptl_oter *cells; /* owned; room for one level of one chunk */
    /* If local maps are shown in place of the world's map: how many OMTs of a block there are
     * along x and y. 0: the world's map is shown. */
    int32_t block_width, block_height;
    int64_t band_y; /* absolute y of the first row of OMTs in `band`; a multiple of 180 */
    bool band_loaded;
    /* True: chunks are shown as they are after so many steps of generation, not as they are
     * saved. */
    bool is_grown;
    size_t steps;
    const struct sheet *sheet; /* borrowed; whose progress is told when a chunk was made */
    ptl_chunk *grown;          /* owned; the chunk that was made last; NULL: none */
    ptl_chunk_pos grown_pos;
    int32_t font_scale; /* letters are so many times as large as by themselves; 0: 1 */
} viewport;

/* Sets the rectangle. PTL_ERR_ARGUMENT: it is empty or not in the world. PTL_ERR_LIMIT: it is
 * too wide. viewport_dispose must be called, also after an error. */
ptl_status viewport_init(viewport *v, ptl_world *world, const ptl_render_options *options,
                         ptl_error *err);
void viewport_dispose(viewport *v);

/* Loads the row of chunks (the band) in which the row of cells at the absolute coordinate y
 * lies. y must not decrease from call to call. */
ptl_status viewport_seek(viewport *v, int64_t y, ptl_error *err);
/* Returns the cells of the nth level in row y: `width` oters, CAT_NONE where no chunk is saved.
 * They are borrowed until the next call of viewport_seek. */
const ptl_oter *viewport_row(const viewport *v, size_t nth, int64_t y);
/* Returns the level of number nth; after those of the picture comes the ground. */
int32_t viewport_level(const viewport *v, size_t nth);

/*
 * Text in pictures. Names from the world's content are converted to letters of the font,
 * measured, cut, and painted row by row. The widths of letters differ (an i is narrow). With a
 * zoom of n each dot of the font is n x n pixels.
 */

/*
 * Converts UTF-8 to at most room - 1 letters of the font, ended by NUL; a text that is cut ends
 * with "..". Accented Latin letters lose their accents, and typographic signs become plain
 * ones. A character that the font lacks, a control character, or a byte that is not UTF-8
 * becomes FONT_BOX.
 */
void lettering_fold(char *out, size_t room, const char *utf8);

/* Returns the width of a text in pixels; 0 for an empty text. */
int32_t lettering_width(const char *text, int32_t zoom);

/* Cuts a text to a width in pixels, with ".." at its end; it becomes "" if not even ".."
 * fits. */
void lettering_fit(char *text, int32_t zoom, int32_t width);

/*
 * The part of a row of pixels that may be painted, as palette indices. pixels[0] is the column
 * `from`.
 */
typedef struct letter_line {
    uint8_t *pixels;
    int64_t from, to; /* only columns from `from` to `to` - 1 may be painted */
    /* Not NULL: nothing is painted, but what would be painted is added to this drawing, as
     * texts and boxes; y is the row, and pixels is NULL. The rows must be painted in order. */
    struct drawing *record;
    int64_t y;
} letter_line;

/* Fills the columns x with from <= x < to with ink, but only those that may be painted. */
void line_fill(const letter_line *line, int64_t from, int64_t to, uint8_t ink);

/* Paints one row of a text whose first letter begins at column x. Row 0 is the top row. Rows
 * outside of 0 .. FONT_TEXT_HEIGHT * zoom - 1 paint nothing. */
void lettering_paint(const letter_line *line, int64_t x, int64_t row, const char *text,
                     int32_t zoom, uint8_t ink);

/*
 * Paints one row of a text, as lettering_paint does, in the colour inks[0]. Around each letter
 * comes an outline of `zoom` pixels in the colour inks[1], so that the text is legible on a
 * map. Because of the outline the rows go from -zoom to (FONT_TEXT_HEIGHT + 1) * zoom - 1.
 */
void lettering_paint_edged(const letter_line *line, int64_t x, int64_t row, const char *text,
                           int32_t zoom, const uint8_t inks[2]);

/*
 * A picture's layout: where the map lies, how wide the bands of coordinates around it are, and
 * where title, legend and scale bar are. All lengths are in pixels. If the caller asks for
 * none of these, the picture is the map alone.
 */

/* PAGE_GAP_OMTS: space between levels that are shown side by side, in OMTs. */
enum { PAGE_GAP_OMTS = 2, PAGE_ZOOM_MAX = 8 };

typedef struct page {
    uint32_t parts; /* a sum of ptl_render_part */
    int32_t scale;  /* pixels for each OMT */
    /* Number of pixels along a dot of the font. All distances in the picture are multiples
     * of this zoom. */
    int32_t zoom;
    int64_t width, height;
    int64_t map_x, map_y; /* the north-western corner of the first level */
    int64_t map_width, map_height;
    /* `panel_width`: width of the map of one level. `panel_step`: how far to the right of one
     * level's map the next level's map begins. */
    int64_t panel_width, panel_step;
    size_t panel_count;
    int64_t left, right, top, bottom; /* widths of the bands of coordinates around the map */
    /* Height of the line above the map. If several levels are shown side by side, it names each
     * of them. */
    int64_t heading;
    int64_t title_y, title_height;
    int64_t legend_x, legend_width;
    int64_t scale_y, scale_height; /* place of the scale bar and the texts with it */
} page;

/* Sets the map's size and the zoom of texts. It does not set any places: page_place does. */
void page_measure(page *p, const viewport *v, int32_t scale, uint32_t parts);

/* Sets the place of each part. The widths of bands, heading and legend and the heights of title
 * and scale must be set before. legend_height is 0 if there is no legend. */
void page_place(page *p, int64_t legend_height);

/* Returns the width of a page without its margins, which the map, the bands of coordinates
 * beside it, and the legend need. If the page has a title or a scale, it is at least as wide as
 * these. */
int64_t page_inner_width(const page *p);

/* Returns whether the picture has any of the parts in `part` (a sum of ptl_render_part). */
static inline bool page_has(const page *p, uint32_t part)
{
    return (p->parts & part) != 0;
}

enum { DRAWN_LETTERS_MAX = 120 };

/* A text in the picture, with its place. */
typedef struct drawn_text {
    int64_t x, y; /* top left corner of the first letter */
    int32_t zoom;
    uint8_t ink;
    uint8_t edge; /* colour of the letters' outline; PALETTE_NONE: no outline is drawn */
    char text[DRAWN_LETTERS_MAX];
} drawn_text;

/* A filled rectangle in the picture. */
typedef struct drawn_box {
    int64_t x, y, width, height;
    uint8_t ink;
    /* True: the box looks like a cell of a map. It is width x width pixels large, and has the
     * symbol and colours of the look `cell`. False: it is a plain rectangle. */
    bool is_cell;
    look cell;
} drawn_box;

/* Texts and boxes to draw. A zeroed struct is an empty drawing. */
typedef struct drawing {
    drawn_text *texts; /* owned */
    size_t text_count, text_room;
    drawn_box *boxes; /* owned; a box covers the boxes before it in the list, and texts cover
                         all boxes */
    size_t box_count, box_room;
    bool failed; /* memory is out */
} drawing;

void drawing_dispose(drawing *d);

/* Adds a text, which must be in letters of the font (lettering_fold). */
void drawing_add_text(drawing *d, const drawn_text *text);
void drawing_add_box(drawing *d, const drawn_box *box);

/* Adds one row of pixels of a box, whose other rows were or will be added likewise. */
void drawing_add_row(drawing *d, const drawn_box *row);

/* Paints the parts of all texts and boxes that lie in row y. */
void drawing_row(const drawing *d, const letter_line *line, int64_t y);

/*
 * The cells of a viewport and how each of them looks. They are OMTs, or the tiles of local maps
 * (options->local). One row of OMTs at a time is in memory, so that memory grows with the width
 * only. A tile shows the topmost thing on it: a creature or vehicle, a trap, furniture, a
 * field, an item on bare ground, or else terrain.
 */

enum { TILE_SIDE = 24 };

typedef struct cell_view cell_view;
struct tile_looks;

/* Makes a cell_view; *out is new, and the caller must free it, also after an error. The
 * cell_view keeps a pointer to the viewport, and loads rows into it. */
ptl_status cell_view_new(cell_view **out, viewport *v, const ptl_render_options *options,
                         ptl_error *err);
void cell_view_free(cell_view *t); /* NULL is fine */

/* Loads the cells of one row of OMTs. y is absolute and must not decrease from call to call. */
ptl_status cell_view_seek(cell_view *t, int64_t y, ptl_error *err);

/* Gives the loaded row of OMTs of the nth level with the rows around it. The viewport must have
 * a margin. */
void cell_view_stamps(stamp_row *out, const cell_view *t, size_t nth);

/*
 * Returns the look of a cell on the nth level. x counts cells from the rectangle's west side;
 * row counts rows of cells within the loaded row of OMTs: 0, or 0..23 for tiles. Walls of local
 * maps get lines that connect them to their neighbours.
 */
look cell_view_look(const cell_view *t, size_t nth, size_t x, size_t row);

/* Returns the oter of a cell, if cells are OMTs. */
ptl_oter cell_view_oter(const cell_view *t, size_t nth, size_t x);

/* What is kept of each tile: the topmost thing, and if the picture is drawn with a tile set
 * also what lies under it. */
typedef enum tile_plane {
    PLANE_TOP,
    PLANE_TERRAIN,
    PLANE_FURNITURE,
    PLANE_TRAP,
    TILE_PLANES
} tile_plane;

/* What is in a plane of a tile. */
typedef struct tile_kind_id {
    const char *id; /* borrowed; "" for a thing */
    local_layer layer;
    /* True: it is a thing, such as a creature, or the terrain of an OMT without a map. These
     * have neither id nor layer. */
    bool thing;
    uint8_t arms; /* sides to which it connects: bit 0 north, 1 east, 2 south, 3 west */
} tile_kind_id;

/* Gives what is in a plane of a tile. Returns a number that stands for it in this cell_view, or
 * 0 if there is nothing. */
uint32_t cell_view_kind(tile_kind_id *out, const cell_view *t, size_t nth, size_t x, size_t row,
                        tile_plane plane);
/* Returns the look of what is in a plane of a tile. */
look cell_view_plane_look(const cell_view *t, size_t nth, size_t x, size_t row,
                          tile_plane plane);
/* Returns the looks of the content's tiles, borrowed; NULL if cells are OMTs. */
struct tile_looks *cell_view_looks(const cell_view *t);

/* Makes the cell_view count the cells of all rows that are loaded after this call. A cell_view
 * of tiles counts them also without this call. */
ptl_status cell_view_count(cell_view *t, ptl_error *err);
/* Makes a legend of all cells that were counted. Names and looks are borrowed from `t` until
 * the next call of cell_view_seek. The caller must dispose of the legend, also after an
 * error. */
ptl_status cell_view_legend(legend *out, const cell_view *t, bool symbols, ptl_error *err);

/*
 * Coordinates around a picture's map, and borders of chunks on it. Chunks are numbered above
 * the map and at its left, OMTs below it and at its right. Everything is computed again for
 * each row of pixels, so that memory does not grow with the picture's height.
 */

/* The frame of a page's map, where coordinates are printed. */
typedef struct frame {
    const page *page;     /* borrowed */
    const viewport *view; /* borrowed */
    /* How many OMTs lie between two numbers that are printed along the map. */
    int64_t omt_step_x, omt_step_y;
    /* Number of chunks from one printed number to the next. */
    int64_t chunk_step_x, chunk_step_y;
} frame;

/* Prepares the frame, and sets the widths of the page's bands and heading. The frame keeps
 * pointers to page and viewport, so these must not be moved. */
void frame_init(frame *f, page *p, const viewport *v);

/* Paints the parts of the frame that lie in row y of the picture: coordinates, heading,
 * lines. */
void frame_row(const frame *f, const letter_line *line, int64_t y);

/* Paints the borders of chunks over row y of the picture, which must be one of the map's
 * rows. */
void frame_grid_row(const frame *f, const letter_line *line, int64_t y);

/*
 * For pictures of local maps that the caller gives (maps.c): the numbers of tiles around the
 * maps, lines between the maps, and the maps' labels.
 */
void maps_frame_init(page *p);
void maps_frame_row(const frame *f, const letter_line *line, int64_t row);
void maps_grid_row(const frame *f, const letter_line *line, int64_t row);
void maps_labels_place(const ptl_render_options *options, const page *p, const viewport *v,
                       drawing *d);

/* Adds the frames of the OMTs that the options mark (marks.c) to the drawing. */
ptl_status marks_place(const ptl_render_options *options, const page *p, const viewport *v,
                       drawing *d, ptl_error *err);

/* Returns a number of OMTs for the steps between coordinates: the least one not below `least`
 * in the series 1, 2, 5, 10, 20, 30, 60, 90, 180 and then round multiples of 180. Each number
 * of the series divides 180 or is a multiple of 180, so that numbers stand at borders of
 * chunks. */
int64_t frame_omt_step(int64_t least);

/* Returns the least number not below `least` in the series 1, 2, 5, 10, 20, 50, and so on. */
int64_t frame_round_up(int64_t least);

/* The texts around a picture's map: title, legend and scale bar. */

enum { CAPTION_ITEMS_MAX = 6, CAPTION_LETTERS_MAX = 80 };

/* Short texts that are written one after the other, on as many lines as they need. Their
 * characters are those that the font has. */
typedef struct caption_items {
    char texts[CAPTION_ITEMS_MAX][CAPTION_LETTERS_MAX];
    size_t count;
} caption_items;

/* The texts of a picture's title and scale. */
typedef struct captions {
    char heading[DRAWN_LETTERS_MAX]; /* name of the world */
    caption_items title, scale;
} captions;

/* Gives the name of a level in words: "ground", "first basement", "2 levels above the ground".
 */
void captions_level(char out[CAPTION_LETTERS_MAX], int32_t z);

/* Composes the texts of title and scale for a picture of the viewport v. */
void captions_init(captions *c, ptl_world *world, const ptl_render_options *options,
                   const viewport *v, const page *p);

/* ---- legend ---- */

enum { LEGEND_LINES_MAX = 64 };

/* A line of a legend: the heading of a group; an entry; or a single line for those entries of a
 * group that have no line of their own. */
typedef struct legend_line {
    char name[DRAWN_LETTERS_MAX];
    uint64_t tiles; /* number of cells; 0: the line is a heading */
    /* How the sample of a cell that stands beside the name looks; borrowed. NULL: there is no
     * sample. */
    const look *swatch;
    uint8_t ink;
    bool ends_group; /* true: some space follows this line, because it is the last one of a
                        group */
} legend_line;

/* The lines of a legend that are shown, and their size. */
typedef struct legend_layout {
    size_t shown[GROUP_COUNT]; /* for each group, the number of its entries that are shown */
    int64_t height;
    int32_t name_width, number_width;
    legend_line lines[LEGEND_LINES_MAX];
    size_t line_count;
} legend_layout;

/* Chooses the entries of the legend that fit beside the map, and sets the legend's width in the
 * page. *out has pointers to looks that belong to the legend. */
void captions_fit_legend(legend_layout *out, const legend *l, page *p);

/* Adds the legend to the drawing, beside the map. */
void captions_draw_legend(const legend_layout *layout, bool symbols, const page *p, drawing *d);

/* ---- title and scale ---- */

/* Sets the heights of title and scale in the page; its widths must be set before. */
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
    int64_t x, y; /* the city's centre in absolute OMTs */
    int32_t size; /* radius of the city in OMTs */
    char text[NAME_LETTERS_MAX];
} map_name;

/* The names of the largest cities among those that names_offer was called with. */
typedef struct name_list {
    map_name *names; /* owned; names_place sorts the array */
    /* Number of the names. It may become greater than NAMES_MAX; then the names of the smallest
     * cities are dropped. */
    size_t count;
} name_list;

/* PTL_ERR_NOMEM is the only error. names_dispose must be called, also after the error. */
ptl_status names_init(name_list *list, ptl_error *err);
void names_dispose(name_list *list);

/* Adds a city to the list. Its name is UTF-8 from the content; a city without a name is
 * ignored. */
void names_offer(name_list *list, int64_t x, int64_t y, int32_t size, const char *utf8);

/* Adds names to the drawing, as long as there is room for them. If several levels are shown,
 * the names are put on the level z = 0, or on the first level if z = 0 is not shown. Returns
 * how many names were placed. */
size_t names_place(name_list *list, const page *p, const viewport *v, drawing *d);

/* A picture with its layout, whose rows can be painted. */
typedef struct sheet {
    viewport view;
    cell_view *source; /* owned */
    int32_t side;      /* cells along an OMT: 1, or TILE_SIDE */
    bool symbols;
    page page;
    frame frame;
    /* `around`: coordinates and other texts beside the map; `over`: names on the map. */
    drawing around, over;
    /* Owned; one row of pixels of the map alone, without the grid, names and what stands beside
     * the map. */
    uint8_t *cells;
    uint8_t *line; /* owned; a whole row of pixels of the picture */
    /* On paper, and with a tile set, the map's own pixels are red, green and blue in place of
     * palette indices. What draws OMTs on paper, the pixels of a row of OMTs, the rows that a
     * tile set draws, and a whole row of pixels of the picture; all are owned. NULL: not
     * needed. */
    stamper *stamper;
    uint8_t *block;
    struct sprite_rows *sprites;
    uint8_t *mixed;
    const uint8_t *map_row; /* borrowed from `block` or `sprites`: the map's row of pixels */
    rgb palette[PALETTE_ALL];
    /* Number of the map's row of pixels whose cells are in `cells`; -1: none. */
    int64_t cells_row;
    const ptl_render_options *options; /* borrowed */
    /* For on_progress: the number of rows of OMTs that were read so far, and of those that
     * will be read in all. */
    uint64_t rows_done, rows_total;
} sheet;

/*
 * Computes the layout; if there is a legend, all cells are read for that. PTL_ERR_ARGUMENT: an
 * option is out of range. The sheet and the options must not be moved. sheet_dispose must be
 * called, also after an error.
 */
ptl_status sheet_init(sheet *s, ptl_world *world, const ptl_render_options *options,
                      ptl_error *err);
void sheet_dispose(sheet *s);

/* Loads a row of OMTs into the sheet's source, and reports progress. */
ptl_status sheet_seek(sheet *s, int64_t y, ptl_error *err);

/* Counts the cells of all levels that are shown, and makes a legend of them. The caller must
 * dispose of the legend, also after an error. */
ptl_status sheet_read_legend(sheet *s, legend *out, ptl_error *err);

/*
 * Animations of a world that grows (growth_frames.c): the number of frames; and what a frame
 * has, whose sheet was just made: so many steps of generation, and their name over the map.
 */
uint32_t growth_frames(void);
void growth_begin(sheet *s, uint32_t number);

/* Loads a level of a chunk into v->cells, as it is saved, or after v->steps. Errors are those
 * of ptl_level_load and of generation. */
ptl_status growth_level(viewport *v, ptl_chunk_pos pos, int32_t z, ptl_error *err);

/* Gives row y of the picture: page.width palette indices or, if `mixed` is not NULL, pixels of
 * STAMP_BYTES bytes. They are borrowed until the next call. y must not decrease from
 * call to call. */
ptl_status sheet_row(sheet *s, int64_t y, const uint8_t **out, ptl_error *err);
