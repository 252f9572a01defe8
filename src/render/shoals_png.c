/* Maps of islands as PNG: one, or a sheet of several. */
#include "core/error.h"
#include "core/sized.h"
#include "portolan/shoals.h"
#include "render/png_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCALE_MAX = 32,
    GAP_MAX = 32,
    NOTE_SIZE = 256,
    GREY_ZERO = 32768,
    SHADES = 32, /* of each ground */
    GROUNDS = PTL_SHOALS_WALL + 1,
    COLOUR_PLANT = GROUNDS * SHADES,
    COLOUR_GAP,
    COLOURS
};

/* From the lowest to the highest of each ground, and how much higher that is. */
static const struct ground_shades {
    rgb low, high;
    int32_t span; /* heights; of land up to its upper threshold */
} grounds[GROUNDS] = {
    [PTL_SHOALS_DEEP] = {{14, 34, 84}, {40, 92, 160}, 120},
    [PTL_SHOALS_SHALLOW] = {{70, 140, 190}, {150, 214, 214}, 0},
    [PTL_SHOALS_FLOOR] = {{232, 220, 168}, {92, 150, 78}, 0},
    [PTL_SHOALS_HIGH] = {{110, 128, 84}, {206, 200, 188}, 300},
    [PTL_SHOALS_WALL] = {{150, 146, 142}, {240, 240, 240}, 600},
};

typedef struct sheet_of_maps {
    const ptl_shoals_options *options;
    const ptl_shoals_picture *picture;
    int32_t columns, rows; /* of maps */
    int64_t row_pixels;    /* of a map and the gap below it */
    int32_t made;          /* rows of maps that were made */
    int32_t *heights;      /* of one row of maps, map by map */
    uint8_t *plants;
    uint8_t *line;
    int64_t width, height; /* pixels */
    char notes[2][NOTE_SIZE];
} sheet_of_maps;

static size_t cells_of(const ptl_shoals_options *o)
{
    return (size_t)o->width * (size_t)o->height;
}

/* ---- colours ---- */

static uint8_t between(uint8_t low, uint8_t high, int32_t shade)
{
    return (uint8_t)(low + (high - low) * shade / (SHADES - 1));
}

static void make_colours(rgb out[COLOURS])
{
    for (int32_t g = 0; g < GROUNDS; g++)
        for (int32_t i = 0; i < SHADES; i++) {
            const rgb low = grounds[g].low, high = grounds[g].high;
            out[g * SHADES + i] = (rgb){between(low.r, high.r, i), between(low.g, high.g, i),
                                        between(low.b, high.b, i)};
        }
    out[COLOUR_PLANT] = (rgb){24, 96, 44};
    out[COLOUR_GAP] = (rgb){30, 30, 34};
}

static uint8_t colour_of(const ptl_shoals_options *o, int32_t height)
{
    const ptl_shoals_ground ground = ptl_shoals_ground_of(o, height);
    const int32_t lows[GROUNDS] = {o->shallow - grounds[PTL_SHOALS_DEEP].span, o->shallow,
                                   o->floor, o->high, o->wall};
    const int32_t spans[GROUNDS] = {grounds[PTL_SHOALS_DEEP].span, o->floor - o->shallow,
                                    o->high - o->floor, grounds[PTL_SHOALS_HIGH].span,
                                    grounds[PTL_SHOALS_WALL].span};
    const int64_t above = (int64_t)height - lows[ground];
    int64_t shade = spans[ground] > 0 ? above * SHADES / spans[ground] : 0;
    shade = shade < 0 ? 0 : shade >= SHADES ? SHADES - 1 : shade;
    return (uint8_t)(ground * SHADES + shade);
}

/* ---- rows ---- */

/* The row of maps that begins with this number; maps beyond the last are not made. */
static ptl_status make_row(sheet_of_maps *s, int32_t row, ptl_error *err)
{
    ptl_shoals_options o = *s->options;
    ptl_status status = PTL_OK;
    for (int32_t i = 0; i < s->columns && status == PTL_OK; i++) {
        const int32_t number = row * s->columns + i;
        const size_t start = (size_t)i * cells_of(&o);
        if (number >= s->picture->count)
            break;
        o.seed = s->options->seed + (uint32_t)number;
        status = ptl_shoals_generate(&o, s->heights + start, s->plants + start, err);
    }
    s->made = row + 1;
    return status;
}

static void put_grey(uint8_t *at, int32_t height)
{
    int32_t v = height < -GREY_ZERO ? 0 : height + GREY_ZERO;
    v = height > UINT16_MAX - GREY_ZERO ? UINT16_MAX : v;
    at[0] = (uint8_t)(v >> 8);
    at[1] = (uint8_t)v;
}

/* One line of cells of one map, each as many pixels as the scale says. */
static void draw_cells(sheet_of_maps *s, uint8_t *at, const int32_t *heights,
                       const uint8_t *plants)
{
    for (int32_t x = 0; x < s->options->width; x++)
        for (int32_t i = 0; i < s->picture->scale; i++) {
            if (s->picture->bits == 16) {
                put_grey(at, heights[x]);
                at += 2;
            } else {
                *at++ = plants[x] ? COLOUR_PLANT : colour_of(s->options, heights[x]);
            }
        }
}

static void draw_line(sheet_of_maps *s, int32_t row, int32_t y)
{
    const ptl_shoals_options *o = s->options;
    const size_t bytes = s->picture->bits == 16 ? 2 : 1;
    const size_t step =
        ((size_t)o->width * (size_t)s->picture->scale + (size_t)s->picture->gap);
    for (int32_t i = 0; i < s->columns && row * s->columns + i < s->picture->count; i++) {
        const size_t start = (size_t)i * cells_of(o) + (size_t)y * (size_t)o->width;
        draw_cells(s, s->line + (size_t)i * step * bytes, s->heights + start,
                   s->plants + start);
    }
}

static ptl_status next_row(void *payload, int64_t y, const uint8_t **out, ptl_error *err)
{
    sheet_of_maps *s = payload;
    const int32_t row = (int32_t)(y / s->row_pixels);
    const int64_t within = y % s->row_pixels / s->picture->scale;
    ptl_status status = row < s->made ? PTL_OK : make_row(s, row, err);
    if (y % s->row_pixels % s->picture->scale == 0 || within >= s->options->height) {
        memset(s->line, s->picture->bits == 16 ? 0 : COLOUR_GAP,
               (size_t)s->width * (s->picture->bits == 16 ? 2 : 1));
        if (status == PTL_OK && within < s->options->height)
            draw_line(s, row, (int32_t)within);
    }
    *out = s->line;
    return status;
}

/* ---- the sheet ---- */

static ptl_status check(const ptl_shoals_options *o, const ptl_shoals_picture *p,
                        ptl_error *err)
{
    if (p->scale < 1 || p->scale > SCALE_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "scale %d is not within 1..%d", (int)p->scale,
                         SCALE_MAX);
    if (p->count < 1 || p->count > PTL_SHOALS_SHEET_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "%d maps: a sheet has 1 to %d", (int)p->count,
                         PTL_SHOALS_SHEET_MAX);
    if (p->bits != 8 && p->bits != 16)
        return error_set(err, PTL_ERR_ARGUMENT, "%d bits a pixel: 8 or 16 can be had",
                         (int)p->bits);
    if (p->gap < 0 || p->gap > GAP_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "a gap of %d pixels is not within 0..%d",
                         (int)p->gap, GAP_MAX);
    if (o->width < 1 || o->width > PTL_SHOALS_SIDE_MAX || o->height < 1 ||
        o->height > PTL_SHOALS_SIDE_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "a map of %d x %d cells: a side has 1 to %d",
                         (int)o->width, (int)o->height, PTL_SHOALS_SIDE_MAX);
    if (cells_of(o) * (size_t)p->count > PTL_SHOALS_SHEET_CELLS)
        return error_set(err, PTL_ERR_LIMIT, "%d maps of %d x %d cells: a sheet holds %d cells",
                         (int)p->count, (int)o->width, (int)o->height, PTL_SHOALS_SHEET_CELLS);
    return PTL_OK;
}

static ptl_status lay_out(sheet_of_maps *s, ptl_error *err)
{
    const ptl_shoals_options *o = s->options;
    const ptl_shoals_picture *p = s->picture;
    for (s->columns = 1; s->columns < p->count; s->columns++) {
        s->rows = (p->count + s->columns - 1) / s->columns;
        if ((int64_t)s->columns * o->width >= (int64_t)s->rows * o->height)
            break;
    }
    s->rows = (p->count + s->columns - 1) / s->columns;
    s->row_pixels = (int64_t)o->height * p->scale + p->gap;
    s->width = s->columns * ((int64_t)o->width * p->scale + p->gap) - p->gap;
    s->height = s->rows * s->row_pixels - p->gap;
    const size_t cells = (size_t)s->columns * cells_of(o);
    s->heights = malloc(cells * sizeof *s->heights);
    s->plants = malloc(cells);
    s->line = malloc((size_t)s->width * 2);
    return s->heights && s->plants && s->line ? PTL_OK : error_nomem(err);
}

static void tell(sheet_of_maps *s)
{
    const ptl_shoals_options *o = s->options;
    const uint32_t last = o->seed + (uint32_t)s->picture->count - 1;
    char wall[16] = "";
    if (o->wall != INT32_MAX)
        snprintf(wall, sizeof wall, ",%d", (int)o->wall);
    snprintf(s->notes[0], NOTE_SIZE, "portolan %s", ptl_version());
    snprintf(s->notes[1], NOTE_SIZE,
             "--seed %" PRIu32 "..%" PRIu32 " --islands %d --size %dx%d --ground %d "
             "--thresholds %d,%d,%d%s%s%s%s%s%s",
             o->seed, last, (int)o->islands, (int)o->width, (int)o->height, (int)o->start,
             (int)o->shallow, (int)o->floor, (int)o->high, wall,
             o->parts & PTL_SHOALS_ATOLLS ? " --atolls" : "",
             o->parts & PTL_SHOALS_CLIFFS ? " --cliffs" : "",
             o->parts & PTL_SHOALS_FROM_MIDDLE ? " --from-middle" : "",
             o->parts & PTL_SHOALS_DEEPEN ? " --deepen" : "",
             o->parts & PTL_SHOALS_PLANTS ? " --plants" : "");
}

static ptl_status write_sheet(sheet_of_maps *s, ptl_sink sink, void *payload, ptl_error *err)
{
    rgb colours[COLOURS];
    const png_note notes[] = {
        {"Title", "Shoals"}, {"Software", s->notes[0]}, {"Shoals", s->notes[1]}};
    const png_source source = {.width = s->width,
                               .height = s->height,
                               .bits = s->picture->bits,
                               .colours = colours,
                               .colour_count = COLOURS,
                               .notes = notes,
                               .note_count = sizeof notes / sizeof notes[0],
                               .next_row = next_row,
                               .payload = s};
    make_colours(colours);
    tell(s);
    return png_stream_write(&source, sink, payload, err);
}

ptl_status ptl_shoals_png(const ptl_shoals_options *options, const ptl_shoals_picture *picture,
                          ptl_sink sink, void *payload, ptl_error *err)
{
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    ptl_shoals_picture p = PTL_SHOALS_PICTURE_INIT;
    sheet_of_maps s = {.options = &o, .picture = &p};
    error_clear(err);
    if (!sink)
        return error_set(err, PTL_ERR_ARGUMENT, "sink must be given");
    ptl_status status = SIZED_TAKE(ptl_shoals_options, &o, options, err);
    if (status == PTL_OK)
        status = SIZED_TAKE(ptl_shoals_picture, &p, picture, err);
    if (status == PTL_OK)
        status = check(&o, &p, err);
    if (status == PTL_OK)
        status = lay_out(&s, err);
    if (status == PTL_OK)
        status = write_sheet(&s, sink, payload, err);
    free(s.heights);
    free(s.plants);
    free(s.line);
    return status;
}
