#include "render/sprite_rows.h"

#include "core/array.h"
#include "core/error.h"
#include "render/sprites.h"

#include <stdlib.h>
#include <string.h>

struct sprite_rows {
    const sheet *sheet; /* borrowed, as are the next four */
    cell_view *source;
    const page *page;
    const viewport *view;
    const ptl_tileset *set;
    int32_t side;    /* pixels along a cell */
    int32_t per_omt; /* cells along an OMT */
    /* How many rows of cells the sprites reach up. What reaches down is covered again by the
     * next row, as in the games. */
    int32_t up;
    uint32_t *types; /* owned; tiles of terrain types, if cells are OMTs */
    /* Owned; by number of a kind of the cell_view: 1 more than its tile; 0: not looked up
     * yet. */
    uint32_t *kinds;
    size_t kind_room;
    uint8_t *line; /* owned; scratch: a row of a cell's pixels as palette indices */
    /* Owned; rows of cells first .. first + up of the map. */
    uint8_t *window;
    int64_t first;   /* row of cells that was asked for last */
    int64_t painted; /* number of rows of cells that are painted */
};

static int64_t window_rows(const sprite_rows *s)
{
    return 1 + s->up;
}

/* Bytes from a row of pixels in the window to the next one, and of a row of cells. */
static size_t line_bytes(const sprite_rows *s)
{
    return (size_t)s->page->map_width * STAMP_BYTES;
}

static size_t row_bytes(const sprite_rows *s)
{
    return line_bytes(s) * (size_t)s->side;
}

ptl_status sprite_rows_new(sprite_rows **out, sheet *of, ptl_error *err)
{
    sprite_rows *s = calloc(1, sizeof *s);
    *out = s;
    if (!s)
        return error_nomem(err);
    s->sheet = of;
    s->source = of->source;
    s->page = &of->page;
    s->view = &of->view;
    s->set = of->options->tileset;
    s->per_omt = of->side;
    s->side = of->page.scale / of->side;
    s->up = tileset_reach(s->set).up;
    s->line = malloc((size_t)s->side);
    s->window = malloc(row_bytes(s) * (size_t)window_rows(s));
    if (!s->line || !s->window)
        return error_nomem(err);
    const rgb *gap = &of->palette[of->page.parts ? PALETTE_PAPER : PALETTE_GAP];
    for (size_t i = 0; i < row_bytes(s) * (size_t)window_rows(s); i += STAMP_BYTES)
        memcpy(s->window + i, gap, STAMP_BYTES);
    return s->per_omt > 1 ? PTL_OK
                          : sprites_of_terrains(&s->types, s->view->world, s->set, err);
}

void sprite_rows_free(sprite_rows *s)
{
    if (!s)
        return;
    free(s->types);
    free(s->kinds);
    free(s->line);
    free(s->window);
    free(s);
}

/* ---- one cell ---- */

/* Paints a cell's look, or of it only the symbol, if cells are large enough to have one. */
static void paint_look(sprite_rows *s, const tile_canvas *c, const look *l, const int64_t at[2],
                       bool symbol)
{
    const bool large = s->side > FONT_HEIGHT;
    symbol = symbol && large;
    for (int32_t row = 0; row < s->side; row++) {
        paint_cell_row(s->line, l, s->side, row, large);
        uint8_t *out = c->pixels + (size_t)((at[1] + row) * c->pitch + at[0]) * STAMP_BYTES;
        for (int32_t x = 0; x < s->side; x++)
            if (!symbol || s->line[x] == l->colours.ink)
                memcpy(out + x * STAMP_BYTES, &s->sheet->palette[s->line[x]], STAMP_BYTES);
    }
}

/* A row of cells that is painted. */
typedef struct cell_row {
    tile_canvas canvas; /* of its level */
    size_t nth, inside; /* its level, and its number among the rows of its row of OMTs */
    int64_t y;          /* absolute number of the row of cells */
    int32_t z;
    int64_t top; /* first row of pixels in the canvas */
} cell_row;

static void paint_sprite(sprite_rows *s, const cell_row *r, placed_tile *tile, size_t x)
{
    tile->chance = sprite_chance(s->view->x0 * s->per_omt + (int64_t)x, r->y, r->z);
    tileset_paint(&r->canvas, s->set, tile, (int64_t)x * s->side, r->top, s->side);
}

/* Paints a row of OMTs: as without a tile set, and the sprites over it. */
static bool paint_omts(sprite_rows *s, const cell_row *r)
{
    const catalogue *cat = ptl_world_catalogue(s->view->world);
    stamp_row row;
    if (s->sheet->stamper) {
        cell_view_stamps(&row, s->source, r->nth);
        if (!stamper_draw(s->sheet->stamper, r->canvas.pixels + (size_t)r->top * line_bytes(s),
                          line_bytes(s), &row))
            return false;
    }
    for (size_t x = 0; x < s->view->width && !s->sheet->stamper; x++) {
        const look l = cell_view_look(s->source, r->nth, x, 0);
        paint_look(s, &r->canvas, &l, (const int64_t[2]){(int64_t)x * s->side, r->top}, false);
    }
    for (size_t x = 0; x < s->view->width; x++) {
        placed_tile tile = sprite_of_oter(s->types, cat, cell_view_oter(s->source, r->nth, x));
        paint_sprite(s, r, &tile, x);
    }
    return true;
}

/* Gives the number of the tile of a kind; 0 if the set has none. False when memory is out. */
static bool tile_of_kind(uint32_t *out, sprite_rows *s, const tile_kind_id *k, uint32_t number)
{
    *out = 0;
    if (k->thing)
        return true;
    if (!ARRAY_ROOM_ZEROED(s->kinds, s->kind_room, (size_t)number + 1))
        return false;
    if (s->kinds[number] == 0)
        s->kinds[number] =
            1 + sprite_of_thing(cell_view_looks(s->source), s->set, k->layer, k->id);
    *out = s->kinds[number] - 1;
    return true;
}

/* Paints one plane of a row of tiles. What the set has no picture for is shown by its look: as
 * a whole if it is the terrain, otherwise by its symbol, over what is painted there. */
static bool paint_plane(sprite_rows *s, const cell_row *r, tile_plane plane)
{
    for (size_t x = 0; x < s->view->width * TILE_SIDE; x++) {
        tile_kind_id k;
        placed_tile tile = {.number = 0};
        const uint32_t number = cell_view_kind(&k, s->source, r->nth, x, r->inside, plane);
        if (number == 0)
            continue;
        const look l = cell_view_plane_look(s->source, r->nth, x, r->inside, plane);
        const int64_t at[2] = {(int64_t)x * s->side, r->top};
        tile_set_arms(&tile, k.arms);
        if (!tile_of_kind(&tile.number, s, &k, number))
            return false;
        if (tile.number)
            paint_sprite(s, r, &tile, x);
        else
            paint_look(s, &r->canvas, &l, at, plane != PLANE_TERRAIN);
    }
    return true;
}

/* Paints what lies on top of a row of tiles, if that is a thing or a field; and OMTs without a
 * map. */
static bool paint_tops(sprite_rows *s, const cell_row *r)
{
    for (size_t x = 0; x < s->view->width * TILE_SIDE; x++) {
        tile_kind_id k;
        placed_tile tile = {.shape = SHAPE_NONE};
        const uint32_t number = cell_view_kind(&k, s->source, r->nth, x, r->inside, PLANE_TOP);
        if (!k.thing && k.layer != LOCAL_LAYER_FIELD)
            continue;
        const look l = cell_view_look(s->source, r->nth, x, r->inside);
        const bool bare =
            cell_view_kind(&k, s->source, r->nth, x, r->inside, PLANE_TERRAIN) == 0;
        (void)cell_view_kind(&k, s->source, r->nth, x, r->inside, PLANE_TOP);
        if (!tile_of_kind(&tile.number, s, &k, number))
            return false;
        if (tile.number)
            paint_sprite(s, r, &tile, x);
        else
            paint_look(s, &r->canvas, &l, (const int64_t[2]){(int64_t)x * s->side, r->top},
                       !bare);
    }
    return true;
}

/* ---- rows ---- */

/* Paints the next row of cells of the map into the window's row `at`. */
static ptl_status paint_row(sprite_rows *s, int64_t at, ptl_error *err)
{
    const int64_t omt_y = s->view->y0 + s->painted / s->per_omt;
    cell_row r = {.inside = (size_t)(s->painted % s->per_omt), .top = at * s->side};
    bool room = true;
    TRY(cell_view_seek(s->source, omt_y, err));
    r.y = omt_y * s->per_omt + (int64_t)r.inside;
    for (r.nth = 0; r.nth < s->view->level_count; r.nth++) {
        r.z = s->view->z_first + (int32_t)r.nth * s->view->z_step;
        r.canvas =
            (tile_canvas){s->window + r.nth * (size_t)s->page->panel_step * STAMP_BYTES,
                          s->page->panel_width, window_rows(s) * s->side, s->page->map_width};
        if (s->per_omt == 1) {
            room = room && paint_omts(s, &r);
            continue;
        }
        for (tile_plane plane = PLANE_TERRAIN; plane < TILE_PLANES && room; plane++)
            room = paint_plane(s, &r, plane);
        room = room && paint_tops(s, &r);
    }
    s->painted++;
    return room ? PTL_OK : error_nomem(err);
}

ptl_status sprite_rows_get(const uint8_t **out, sprite_rows *s, int64_t row, ptl_error *err)
{
    const int64_t cell = row / s->side, rows = (int64_t)s->view->height * s->per_omt;
    for (; s->first < cell; s->first++)
        memmove(s->window, s->window + row_bytes(s),
                row_bytes(s) * (size_t)(window_rows(s) - 1));
    while (s->painted <= cell + s->up && s->painted < rows)
        TRY(paint_row(s, s->painted - cell, err));
    *out = s->window + (size_t)(row % s->side) * line_bytes(s);
    return PTL_OK;
}
