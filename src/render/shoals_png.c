/* Maps of islands as PNG: a single one, or a sheet of several with consecutive seeds. */
#include "core/error.h"
#include "core/sized.h"
#include "portolan/tide.h"
#include "render/png_stream.h"
#include "render/shoals_colours.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE_MAX = 32, GAP_MAX = 32, GREY_ZERO = 32768 };

typedef struct sheet_of_maps {
    const ptl_shoals_options *options;
    const ptl_shoals_picture *picture;
    int32_t columns, rows; /* the sheet's maps in each direction */
    int64_t row_pixels;    /* height of a map and the gap below it */
    int32_t made;          /* how many rows of maps were made so far */
    int32_t *heights;      /* owned, as plants and line; of one row of maps, map by map */
    uint8_t *plants, *line;
    int64_t width, height; /* of the picture, in pixels */
    char notes[2][SHOALS_NOTE_SIZE];
} sheet_of_maps;

static size_t cells_of(const ptl_shoals_options *o)
{
    return (size_t)o->width * (size_t)o->height;
}

/* ---- rows ---- */

/* Makes a row of maps. The last row may have fewer maps than columns. */
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
        status = ptl_shoals_generate(s->heights + start, s->plants + start, &o, err);
    }
    s->made = row + 1;
    return status;
}

/* Draws a line of one map's cells, each `scale` pixels wide. */
static void draw_cells(sheet_of_maps *s, uint8_t *at, const int32_t *heights,
                       const uint8_t *plants)
{
    for (int32_t x = 0; x < s->options->width; x++)
        for (int32_t i = 0; i < s->picture->scale; i++) {
            if (s->picture->bits == 16) {
                const int32_t height = heights[x];
                int32_t v = height < -GREY_ZERO ? 0 : height + GREY_ZERO;
                v = height > UINT16_MAX - GREY_ZERO ? UINT16_MAX : v;
                at[0] = (uint8_t)(v >> 8);
                at[1] = (uint8_t)v;
                at += 2;
            } else {
                *at++ = plants[x] ? SHOALS_PLANT : shoals_colour(s->options, heights[x]);
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
        memset(s->line, s->picture->bits == 16 ? 0 : SHOALS_GAP,
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

/* Chooses the least number of columns for which the sheet is at least as wide as high. */
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

ptl_status ptl_shoals_png_write(const ptl_shoals_options *options,
                                const ptl_shoals_picture *picture, ptl_sink sink, void *payload,
                                ptl_error *err)
{
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    ptl_shoals_picture p = PTL_SHOALS_PICTURE_INIT;
    sheet_of_maps s = {.options = &o, .picture = &p};
    error_clear(err);
    if (!sink)
        return error_set(err, PTL_ERR_ARGUMENT, "sink must be given");
    ptl_status status = SIZED_TAKE(ptl_shoals_options, &o, options, err);
    THEN(status, SIZED_TAKE(ptl_shoals_picture, &p, picture, err));
    THEN(status, check(&o, &p, err));
    THEN(status, lay_out(&s, err));
    if (status == PTL_OK) {
        rgb colours[SHOALS_COLOURS];
        const png_note notes[] = {
            {"Title", "Shoals"}, {"Software", s.notes[0]}, {"Shoals", s.notes[1]}};
        const png_source source = {.width = s.width,
                                   .height = s.height,
                                   .bits = s.picture->bits,
                                   .colours = colours,
                                   .colour_count = SHOALS_COLOURS,
                                   .notes = notes,
                                   .note_count = sizeof notes / sizeof notes[0],
                                   .next_row = next_row,
                                   .payload = &s};
        shoals_colours(colours);
        snprintf(s.notes[0], SHOALS_NOTE_SIZE, "portolan %s", ptl_version());
        shoals_note(s.notes[1], s.options, s.picture->count);
        status = png_stream_write(&source, sink, payload, err);
    }
    free(s.heights);
    free(s.plants);
    free(s.line);
    return status;
}

/* Islands at one turn of the tide, or an animation of several turns. */

typedef struct tide_map {
    const ptl_shoals_options *options;
    const ptl_tide_picture *picture;
    int32_t *heights, *spill;
    uint8_t *plants, *line;
    int32_t tide; /* height of the sea in the present frame */
} tide_map;

/* Shallow water is coloured by its present depth, so the sea's height is subtracted. */
static uint8_t colour_at(const tide_map *m, size_t cell)
{
    const int32_t height = m->heights[cell];
    const ptl_shoals_ground ground =
        ptl_tide_ground(m->options, m->picture->profile, height, m->spill[cell], m->tide);
    if (m->plants[cell])
        return SHOALS_PLANT;
    return shoals_ground_colour(m->options, ground,
                                ground == PTL_SHOALS_SHALLOW ? height - m->tide : height);
}

static ptl_status next_frame(void *payload, uint32_t number, ptl_error *err)
{
    tide_map *m = payload;
    (void)err;
    m->tide = ptl_tide_height(m->picture->first_turn + number);
    return PTL_OK;
}

static ptl_status tide_next_row(void *payload, int64_t y, const uint8_t **row, ptl_error *err)
{
    tide_map *m = payload;
    const int32_t scale = m->picture->scale, width = m->options->width;
    const size_t start = (size_t)(y / scale) * (size_t)width;
    (void)err;
    for (int32_t x = 0; x < width && y % scale == 0; x++) {
        const uint8_t colour = colour_at(m, start + (size_t)x);
        for (int32_t i = 0; i < scale; i++)
            m->line[x * scale + i] = colour;
    }
    *row = m->line;
    return PTL_OK;
}

static ptl_status tide_check(const ptl_shoals_options *o, const ptl_tide_picture *p,
                             ptl_error *err)
{
    const bool ordered = p->first_turn <= p->last_turn;
    const uint64_t later = (uint64_t)p->last_turn - (uint64_t)p->first_turn;
    if (p->scale < 1 || p->scale > SCALE_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "scale %d is not within 1..%d", (int)p->scale,
                         SCALE_MAX);
    if (p->profile != PTL_TIDE_GENTLE && p->profile != PTL_TIDE_FULL)
        return error_set(err, PTL_ERR_ARGUMENT, "profile is no ptl_tide_profile");
    if (!ordered || later >= PTL_TIDE_FRAMES_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "turns %jd to %jd: an animation has 1 to %d",
                         p->first_turn, p->last_turn, PTL_TIDE_FRAMES_MAX);
    if (o->width < 1 || o->width > PTL_SHOALS_SIDE_MAX || o->height < 1 ||
        o->height > PTL_SHOALS_SIDE_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "a map of %d x %d cells: a side has 1 to %d",
                         (int)o->width, (int)o->height, PTL_SHOALS_SIDE_MAX);
    if (((size_t)o->width * (size_t)o->height) * (later + 1) > PTL_SHOALS_SHEET_CELLS)
        return error_set(err, PTL_ERR_LIMIT,
                         "%d turns of %d x %d cells: an animation holds %d cells",
                         (int)later + 1, (int)o->width, (int)o->height, PTL_SHOALS_SHEET_CELLS);
    return PTL_OK;
}

static ptl_status make(tide_map *m, ptl_error *err)
{
    const size_t cells = (size_t)m->options->width * (size_t)m->options->height;
    m->heights = malloc(cells * sizeof *m->heights);
    m->spill = malloc(cells * sizeof *m->spill);
    m->plants = malloc(cells);
    m->line = malloc((size_t)m->options->width * (size_t)m->picture->scale);
    if (!m->heights || !m->spill || !m->plants || !m->line)
        return error_nomem(err);
    TRY(ptl_shoals_generate(m->heights, m->plants, m->options, err));
    return ptl_tide_spill(m->spill, NULL, m->options, m->heights, NULL, err);
}

static ptl_status write_picture(tide_map *m, ptl_sink sink, void *payload, ptl_error *err)
{
    const ptl_tide_picture *p = m->picture;
    char software[SHOALS_NOTE_SIZE], shoals[SHOALS_NOTE_SIZE], turns[SHOALS_NOTE_SIZE];
    rgb colours[SHOALS_COLOURS];
    const png_note notes[] = {
        {"Title", "Shoals"}, {"Software", software}, {"Shoals", shoals}, {"Turns", turns}};
    const png_source picture = {.width = (int64_t)m->options->width * p->scale,
                                .height = (int64_t)m->options->height * p->scale,
                                .bits = 8,
                                .colours = colours,
                                .colour_count = SHOALS_COLOURS,
                                .notes = notes,
                                .note_count = sizeof notes / sizeof notes[0],
                                .next_row = tide_next_row,
                                .payload = m};
    const apng_source animation = {&picture, (uint32_t)(p->last_turn - p->first_turn + 1),
                                   next_frame, m};
    shoals_colours(colours);
    snprintf(software, sizeof software, "portolan %s", ptl_version());
    shoals_note(shoals, m->options, 1);
    snprintf(turns, sizeof turns, "%" PRId64 "..%" PRId64, p->first_turn, p->last_turn);
    if (animation.frames > 1)
        return apng_write(&animation, sink, payload, err);
    (void)next_frame(m, 0, err);
    return png_stream_write(&picture, sink, payload, err);
}

ptl_status ptl_tide_png_write(const ptl_shoals_options *options,
                              const ptl_tide_picture *picture, ptl_sink sink, void *payload,
                              ptl_error *err)
{
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    ptl_tide_picture p = PTL_TIDE_PICTURE_INIT;
    tide_map m = {.options = &o, .picture = &p};
    error_clear(err);
    if (!sink)
        return error_set(err, PTL_ERR_ARGUMENT, "sink must be given");
    ptl_status status = SIZED_TAKE(ptl_shoals_options, &o, options, err);
    THEN(status, SIZED_TAKE(ptl_tide_picture, &p, picture, err));
    THEN(status, tide_check(&o, &p, err));
    THEN(status, make(&m, err));
    THEN(status, write_picture(&m, sink, payload, err));
    free(m.heights);
    free(m.spill);
    free(m.plants);
    free(m.line);
    return status;
}
