/* Reads the picture files of a tile set, and paints with them. */
#include "render/tileset/tileset_impl.h"

#include "core/error.h"
#include "os/file.h"

#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading a picture ---- */

/* Reports what libpng says of a picture; its messages are the only sign that memory is out. */
static ptl_status refused(const png_image *image, const char *path, ptl_error *err)
{
    return strstr(image->message, "memory")
               ? error_nomem(err)
               : error_set(err, PTL_ERR_FORMAT, "%s: %s", path, image->message);
}

ptl_status tile_sheet_read(tile_sheet *sheet, const char *path, size_t most, ptl_error *err)
{
    png_image image;
    file_facts facts;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!file_look(&facts, path))
        return error_system(err, PTL_ERR_NOT_FOUND, errno, "%s", path);
    if (!png_image_begin_read_from_file(&image, path))
        return refused(&image, path, err);
    image.format = PNG_FORMAT_RGBA;
    ptl_status status = PTL_OK;
    if ((uint64_t)image.width * image.height > most / 4)
        status =
            error_set(err, PTL_ERR_LIMIT,
                      "%s: with this picture the set takes more than 512 MB of memory", path);
    else if (!(sheet->pixels = malloc(PNG_IMAGE_SIZE(image))))
        status = error_nomem(err);
    else if (!png_image_finish_read(&image, NULL, sheet->pixels, 0, NULL))
        status = refused(&image, path, err);
    sheet->width = image.width;
    sheet->height = image.height;
    png_image_free(&image);
    return status;
}

/* ---- choosing a sprite ---- */

void tile_set_arms(placed_tile *tile, unsigned arms)
{
    enum { N = 1, E = 2, S = 4, W = 8 };
    /* The turns are those of the games' tile sets: a set lists the sprites of a corner, for
     * example, in the order of these numbers. */
    static const struct {
        signed char shape, turn;
    } shapes[16] = {[0] = {SHAPE_ALONE, 0},      [S] = {SHAPE_END, 0},
                    [E] = {SHAPE_END, 1},        [N] = {SHAPE_END, 2},
                    [W] = {SHAPE_END, 3},        [N | S] = {SHAPE_EDGE, 0},
                    [E | W] = {SHAPE_EDGE, 1},   [S | E] = {SHAPE_CORNER, 0},
                    [N | E] = {SHAPE_CORNER, 1}, [N | W] = {SHAPE_CORNER, 2},
                    [S | W] = {SHAPE_CORNER, 3}, [S | E | W] = {SHAPE_T, 0},
                    [N | E | S] = {SHAPE_T, 1},  [N | E | W] = {SHAPE_T, 2},
                    [N | S | W] = {SHAPE_T, 3},  [N | E | S | W] = {SHAPE_CENTER, 0}};
    tile->shape = shapes[arms & 15].shape;
    tile->turn = shapes[arms & 15].turn;
}

static const tile_pick *choose(const ptl_tileset *t, const tile_picks *picks, uint32_t chance)
{
    if (picks->count == 0)
        return NULL;
    uint64_t at = chance % picks->weight;
    const tile_pick *pick = &t->picks[picks->first];
    while (at >= pick->weight) {
        at -= pick->weight;
        pick++;
    }
    return pick;
}

static const tile_sheet *sheet_of(const ptl_tileset *t, uint32_t sprite)
{
    const tile_sheet *s = t->sheets;
    while (sprite - s->first >= s->count)
        s++;
    return s;
}

/* ---- painting a sprite ---- */

/* A sprite that is painted into a rectangle. */
typedef struct stamp {
    const uint8_t *pixels; /* the sprite's first pixel, in the pixels of its sheet */
    size_t pitch;          /* bytes of a row of the sheet */
    int32_t width, height; /* of the sprite */
    int turn;              /* quarter turns counterclockwise */
    int64_t x, y, w, h;    /* the rectangle on the canvas */
} stamp;

/* Returns the interval of the sprite's pixels that lie under pixel `at` of `size` pixels of the
 * canvas; `reversed`: counted from the other end. */
static void under(int32_t from_to[2], int64_t at, int64_t size, int32_t pixels, bool reversed)
{
    const int64_t place = reversed ? size - 1 - at : at;
    from_to[0] = (int32_t)(place * pixels / size);
    from_to[1] = (int32_t)(((place + 1) * pixels + size - 1) / size);
}

/* Mixes the mean of a sprite's pixels into a pixel of the canvas, by their opacity. */
static void mix(uint8_t *out, const stamp *s, const int32_t xs[2], const int32_t ys[2])
{
    uint32_t sums[3] = {0}, opacity = 0, count = 0;
    for (int32_t y = ys[0]; y < ys[1]; y++)
        for (int32_t x = xs[0]; x < xs[1]; x++) {
            const uint8_t *p = s->pixels + (size_t)y * s->pitch + (size_t)x * 4;
            for (int i = 0; i < 3; i++)
                sums[i] += (uint32_t)p[i] * p[3];
            opacity += p[3];
            count++;
        }
    const uint32_t whole = count * 255;
    for (int i = 0; i < 3; i++)
        out[i] = (uint8_t)((sums[i] + (whole - opacity) * out[i] + whole / 2) / whole);
}

static void paint_stamp(const tile_canvas *c, const stamp *s)
{
    const int64_t x0 = s->x > 0 ? s->x : 0, y0 = s->y > 0 ? s->y : 0;
    const int64_t x1 = s->x + s->w < c->width ? s->x + s->w : c->width;
    const int64_t y1 = s->y + s->h < c->height ? s->y + s->h : c->height;
    const bool sideways = s->turn == 1 || s->turn == 3;
    for (int64_t y = y0; y < y1; y++)
        for (int64_t x = x0; x < x1; x++) {
            int32_t xs[2], ys[2];
            if (sideways) {
                under(xs, y - s->y, s->h, s->width, s->turn == 1);
                under(ys, x - s->x, s->w, s->height, s->turn == 3);
            } else {
                under(xs, x - s->x, s->w, s->width, s->turn == 2);
                under(ys, y - s->y, s->h, s->height, s->turn == 2);
            }
            mix(c->pixels + (size_t)(y * c->pitch + x) * TILE_BYTES, s, xs, ys);
        }
}

static int64_t floor_of(double v)
{
    const int64_t whole = (int64_t)v;
    return whole - (v < (double)whole);
}

/* Paints a sprite into the cell that begins at (x, y). */
static void paint_sprite(const tile_canvas *c, const ptl_tileset *t, uint32_t sprite, int turn,
                         const int64_t cell[2], int32_t side)
{
    const tile_sheet *s = sheet_of(t, sprite);
    const uint32_t place = sprite - s->first, columns = s->width / (uint32_t)s->sprite_width;
    const double across = (double)side / t->width, down = (double)side / t->height;
    const size_t pitch = (size_t)s->width * 4;
    stamp p = {.pitch = pitch,
               .width = s->sprite_width,
               .height = s->sprite_height,
               .turn = turn,
               .x = cell[0] + floor_of(s->offset_x * across),
               .y = cell[1] + floor_of(s->offset_y * down)};
    p.pixels = s->pixels + (size_t)(place / columns) * (size_t)s->sprite_height * pitch +
               (size_t)(place % columns) * (size_t)s->sprite_width * 4;
    p.w = floor_of((s->offset_x + s->sprite_width * s->scale) * across) + cell[0] - p.x;
    p.h = floor_of((s->offset_y + s->sprite_height * s->scale) * down) + cell[1] - p.y;
    if (p.w > 0 && p.h > 0)
        paint_stamp(c, &p);
}

/* Paints one of the alternatives. If it has a single sprite, only the foreground is turned. */
static void paint_picks(const tile_canvas *c, const ptl_tileset *t, const tile_picks *picks,
                        const placed_tile *tile, int turn, bool turns, const int64_t cell[2],
                        int32_t side)
{
    const tile_pick *pick = choose(t, picks, tile->chance);
    if (!pick)
        return;
    const uint32_t sprite = t->sprites[pick->first + (uint32_t)turn % pick->count];
    if (sprite != UINT32_MAX)
        paint_sprite(c, t, sprite, turns && pick->count == 1 ? turn : 0, cell, side);
}

void tileset_paint(const tile_canvas *canvas, const ptl_tileset *t, const placed_tile *tile,
                   int64_t x, int64_t y, int32_t side)
{
    if (tile->number == 0)
        return;
    const tile_kind *kind = &t->kinds[tile->number];
    if (tile->shape != SHAPE_NONE && kind->shapes[tile->shape])
        kind = &t->kinds[kind->shapes[tile->shape]];
    const int turn = kind->rotates ? tile->turn & 3 : 0;
    const int64_t cell[2] = {x, y};
    paint_picks(canvas, t, &kind->back, tile, turn, false, cell, side);
    paint_picks(canvas, t, &kind->fore, tile, turn, true, cell, side);
}
