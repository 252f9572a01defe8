/* Parts of the map, drawn as `portolan render` draws them: pictures as PNG or SVG, with title,
 * coordinates, names, scale and legend; and blocks of OMTs that are drawn with a tile set. */
#include "clients/server/answer.h"

#include "core/error.h"

enum {
    SIDE_MAX = 8000, /* pixels of the map along a side */
    SCALE_MAX = 768,
    SYMBOLS_FROM = 8,     /* pixels of an OMT, from which its symbol is drawn */
    BYTES_MAX = 48 << 20, /* of a picture, which is in memory before it is sent */
};

/* A picture while it is written. */
typedef struct written {
    bytes file;       /* owned */
    bool is_too_long; /* more than BYTES_MAX were to be written */
} written;

static bool take(void *payload, const void *data, size_t size)
{
    written *w = payload;
    w->is_too_long = size > BYTES_MAX - w->file.size;
    if (!w->is_too_long)
        bytes_put(&w->file, data, size);
    return !w->is_too_long && !w->file.failed;
}

/* Reads `format`: true for svg, false for png or if there is none. */
static ptl_status read_format(const asked *q, bool *svg, ptl_error *err)
{
    const char *format = target_text(q->values, "format");
    if (format && strcmp(format, "png") != 0 && strcmp(format, "svg") != 0)
        return error_set(err, PTL_ERR_ARGUMENT, "format must be png or svg");
    *svg = format && strcmp(format, "svg") == 0;
    return PTL_OK;
}

/* Draws the picture into the reply. */
static ptl_status draw(reply *out, const asked *q, const ptl_render_options *o, bool svg,
                       ptl_error *err)
{
    written w = {.is_too_long = false};
    ptl_status status = svg ? ptl_render_svg_write(q->world, o, take, &w, err)
                            : ptl_render_png_write(q->world, o, take, &w, err);
    if (w.is_too_long)
        status = error_set(err, PTL_ERR_ARGUMENT,
                           "the picture would have more than %d MB: zoom in%s", BYTES_MAX >> 20,
                           svg ? ", or save it as PNG" : "");
    if (status == PTL_OK && svg)
        bytes_put(&out->body, w.file.data, w.file.size);
    else if (status == PTL_OK)
        png_put_with_dots(&out->body, &w.file);
    if (status == PTL_OK)
        out->type = svg ? "image/svg+xml" : "image/png";
    bytes_dispose(&w.file);
    return status;
}

/* Has the picture drawn with the server's tile set. */
static ptl_status take_tileset(const asked *q, ptl_render_options *o, ptl_error *err)
{
    if (!q->tileset)
        return error_set(err, PTL_ERR_ARGUMENT, "the server has no tile set: serve --tileset");
    o->tileset = q->tileset;
    return PTL_OK;
}

ptl_status answer_picture(const asked *q, reply *out, ptl_error *err)
{
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    int64_t width, height, scale, local = 0, tiles = 0;
    bool svg = false;
    TRY(asked_int(q, "width", 1, SIDE_MAX, &width, err));
    TRY(asked_int(q, "height", 1, SIDE_MAX, &height, err));
    TRY(asked_int(q, "scale", 1, SCALE_MAX, &scale, err));
    if (target_text(q->values, "local"))
        TRY(asked_int(q, "local", 0, 1, &local, err));
    if (target_text(q->values, "tiles"))
        TRY(asked_int(q, "tiles", 0, 1, &tiles, err));
    if (tiles == 1)
        TRY(take_tileset(q, &o, err));
    if (width * scale > SIDE_MAX || height * scale > SIDE_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "a picture has at most %d pixels a side",
                         (int)SIDE_MAX);
    TRY(asked_style(q, &o.style, err));
    TRY(read_format(q, &svg, err));
    o.x0 = q->omt.x;
    o.y0 = q->omt.y;
    o.x1 = o.x0 + width - 1;
    o.y1 = o.y0 + height - 1;
    o.z_first = o.z_last = q->omt.z;
    o.scale = (int32_t)scale;
    o.symbols = scale >= SYMBOLS_FROM && local == 0;
    o.local = local == 1;
    o.parts = PTL_RENDER_ALL;
    return draw(out, q, &o, svg, err);
}

/* ---- blocks of OMTs, drawn with a tile set ---- */

/* BLOCK_MAX: OMTs along a block's side. BLOCK_PIXELS: pixels along it with its margin. */
enum { BLOCK_MAX = 60, BLOCK_PIXELS = 2400 };

ptl_status answer_draw_tiles(const asked *q, const tile_block *block, reply *out,
                             ptl_error *err)
{
    const int64_t side = block->n + 2 * TILE_MARGIN;
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    TRY(take_tileset(q, &o, err));
    if (side * block->scale > BLOCK_PIXELS)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "a block with its margin has at most %d pixels a side",
                         (int)BLOCK_PIXELS);
    o.x0 = q->omt.x - TILE_MARGIN;
    o.y0 = q->omt.y - TILE_MARGIN;
    o.x1 = o.x0 + side - 1;
    o.y1 = o.y0 + side - 1;
    o.z_first = o.z_last = q->omt.z;
    o.scale = (int32_t)block->scale;
    o.style = block->style;
    o.local = block->local;
    o.maps = block->maps;
    o.block_width = o.block_height = (int32_t)side; /* no lines part the maps */
    o.first_turn = o.last_turn = block->turn;
    o.tide = block->tide && o.local && ptl_local_tide_turns(q->world) > 0;
    return draw(out, q, &o, false, err);
}

ptl_status answer_tiles(const asked *q, reply *out, ptl_error *err)
{
    tile_block block = {.maps = NULL};
    int64_t local = 0;
    TRY(asked_style(q, &block.style, err));
    TRY(asked_int(q, "n", 1, BLOCK_MAX, &block.n, err));
    TRY(asked_int(q, "scale", 1, SCALE_MAX, &block.scale, err));
    TRY(asked_int(q, "local", 0, 1, &local, err));
    TRY(asked_turn(q, &block.tide, &block.turn, err));
    block.local = local == 1;
    return answer_draw_tiles(q, &block, out, err);
}
