/* Pictures of islands as PNG: maps beside each other on a sheet, with consecutive seeds, or one
 * map at one turn of the tide or animated over several turns. */
#include "core/error.h"
#include "core/sized.h"
#include "portolan/tide.h"
#include "render/png_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCALE_MAX = 32,
    GAP_MAX = 32,
    GREY_ZERO = 32768,
    SHADES = 32, /* shades of each ground */
    GROUNDS = PTL_SHOALS_WALL + 1,
    PLANT = GROUNDS * SHADES,
    GAP,
    COLOURS,
    NOTE_SIZE = 256
};

/* A map, or a row of maps, while it is drawn. */
typedef struct islands {
    const ptl_shoals_options *options;
    int32_t *heights, *spill; /* owned, as plants and line; spill: only with a tide */
    uint8_t *plants, *line;
    /* ---- of a sheet ---- */
    const ptl_shoals_picture *picture;
    int32_t columns, rows; /* the sheet's maps in each direction */
    int64_t row_pixels;    /* height of a map and the gap below it */
    int32_t made;          /* how many rows of maps were made so far */
    int64_t width;         /* of the picture, in pixels */
    /* ---- of a map with a tide ---- */
    const ptl_tide_picture *tides;
    int32_t tide; /* height of the sea in the present frame */
} islands;

/* ---- colours ---- */

/* The colours at the lowest and the highest point of each ground, and the height between these
 * points. */
static const struct ground_shades {
    rgb low, high;
    int32_t span; /* 0: as far as the threshold of the next ground */
} grounds[GROUNDS] = {
    [PTL_SHOALS_DEEP] = {{14, 34, 84}, {40, 92, 160}, 120},
    [PTL_SHOALS_SHALLOW] = {{70, 140, 190}, {150, 214, 214}, 0},
    [PTL_SHOALS_FLOOR] = {{232, 220, 168}, {92, 150, 78}, 0},
    [PTL_SHOALS_HIGH] = {{110, 128, 84}, {206, 200, 188}, 300},
    [PTL_SHOALS_WALL] = {{150, 146, 142}, {240, 240, 240}, 600},
};

static uint8_t between(uint8_t low, uint8_t high, int32_t shade)
{
    return (uint8_t)(low + (high - low) * shade / (SHADES - 1));
}

/* Returns the index of the colour for a height on a given ground, even if the height would mean
 * another ground. */
static uint8_t ground_colour(const ptl_shoals_options *o, ptl_shoals_ground ground,
                             int32_t height)
{
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

/* ---- writing ---- */

static bool make_room(islands *m, size_t cells, size_t line)
{
    m->heights = malloc(cells * sizeof *m->heights);
    m->spill = m->tides ? malloc(cells * sizeof *m->spill) : NULL;
    m->plants = malloc(cells);
    m->line = malloc(line);
    return m->heights && (m->spill || !m->tides) && m->plants && m->line;
}

static void islands_dispose(islands *m)
{
    free(m->heights);
    free(m->spill);
    free(m->plants);
    free(m->line);
}

/* Writes a picture that lacks only colours and notes: what was drawn, as arguments of the
 * command. It has `count` maps, with seeds from options->seed on. turns: of an animation, or
 * NULL. */
static ptl_status write_picture(png_source source, const ptl_shoals_options *o, int32_t count,
                                const char *turns, ptl_sink sink, void *payload, ptl_error *err)
{
    rgb colours[COLOURS];
    char software[NOTE_SIZE], shoals[NOTE_SIZE];
    const png_note notes[] = {
        {"Title", "Shoals"}, {"Software", software}, {"Shoals", shoals}, {"Turns", turns}};
    for (int32_t g = 0; g < GROUNDS; g++)
        for (int32_t i = 0; i < SHADES; i++) {
            const rgb low = grounds[g].low, high = grounds[g].high;
            colours[g * SHADES + i] =
                (rgb){between(low.r, high.r, i), between(low.g, high.g, i),
                      between(low.b, high.b, i)};
        }
    colours[PLANT] = (rgb){24, 96, 44};
    colours[GAP] = (rgb){30, 30, 34};
    const uint32_t last = o->seed + (uint32_t)count - 1;
    char wall[16] = "";
    if (o->wall != INT32_MAX)
        snprintf(wall, sizeof wall, ",%d", (int)o->wall);
    snprintf(shoals, sizeof shoals,
             "--seed %" PRIu32 "..%" PRIu32 " --islands %d --size %dx%d --ground %d "
             "--thresholds %d,%d,%d%s%s%s%s%s%s",
             o->seed, last, (int)o->islands, (int)o->width, (int)o->height, (int)o->start,
             (int)o->shallow, (int)o->floor, (int)o->high, wall,
             o->parts & PTL_SHOALS_ATOLLS ? " --atolls" : "",
             o->parts & PTL_SHOALS_CLIFFS ? " --cliffs" : "",
             o->parts & PTL_SHOALS_FROM_MIDDLE ? " --from-middle" : "",
             o->parts & PTL_SHOALS_DEEPEN ? " --deepen" : "",
             o->parts & PTL_SHOALS_PLANTS ? " --plants" : "");
    snprintf(software, sizeof software, "portolan %s", ptl_version());
    source.colours = colours;
    source.colour_count = COLOURS;
    source.notes = notes;
    source.note_count = turns ? 4 : 3;
    return png_stream_write(&source, sink, payload, err);
}

/* Checks what all pictures of islands have. */
static ptl_status check_map(const ptl_shoals_options *o, int32_t scale, ptl_error *err)
{
    if (scale < 1 || scale > SCALE_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "scale %d is not within 1..%d", (int)scale,
                         SCALE_MAX);
    if (o->width < 1 || o->width > PTL_SHOALS_SIDE_MAX || o->height < 1 ||
        o->height > PTL_SHOALS_SIDE_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "a map of %d x %d cells: a side has 1 to %d",
                         (int)o->width, (int)o->height, PTL_SHOALS_SIDE_MAX);
    return PTL_OK;
}

/* ---- a sheet of maps ---- */

static size_t cells_of(const ptl_shoals_options *o)
{
    return (size_t)o->width * (size_t)o->height;
}

/* Makes a row of maps. The last row may have fewer maps than columns. */
static ptl_status make_row(islands *s, int32_t row, ptl_error *err)
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
static void draw_cells(islands *s, uint8_t *at, const int32_t *heights, const uint8_t *plants)
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
                *at++ = plants[x] ? PLANT
                                  : ground_colour(s->options,
                                                  ptl_shoals_ground_of(s->options, heights[x]),
                                                  heights[x]);
            }
        }
}

static void draw_line(islands *s, int32_t row, int32_t y)
{
    const ptl_shoals_options *o = s->options;
    const size_t size = s->picture->bits == 16 ? 2 : 1; /* of a pixel */
    const size_t step =
        ((size_t)o->width * (size_t)s->picture->scale + (size_t)s->picture->gap);
    for (int32_t i = 0; i < s->columns && row * s->columns + i < s->picture->count; i++) {
        const size_t start = (size_t)i * cells_of(o) + (size_t)y * (size_t)o->width;
        draw_cells(s, s->line + (size_t)i * step * size, s->heights + start, s->plants + start);
    }
}

static ptl_status next_row(void *payload, int64_t y, const uint8_t **out, ptl_error *err)
{
    islands *s = payload;
    const int32_t row = (int32_t)(y / s->row_pixels);
    const int64_t within = y % s->row_pixels / s->picture->scale;
    ptl_status status = row < s->made ? PTL_OK : make_row(s, row, err);
    if (y % s->row_pixels % s->picture->scale == 0 || within >= s->options->height) {
        memset(s->line, s->picture->bits == 16 ? 0 : GAP,
               (size_t)s->width * (s->picture->bits == 16 ? 2 : 1));
        if (status == PTL_OK && within < s->options->height)
            draw_line(s, row, (int32_t)within);
    }
    *out = s->line;
    return status;
}

static ptl_status check_sheet(const ptl_shoals_options *o, const ptl_shoals_picture *p,
                              ptl_error *err)
{
    if (p->count < 1 || p->count > PTL_SHOALS_SHEET_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "%d maps: a sheet has 1 to %d", (int)p->count,
                         PTL_SHOALS_SHEET_MAX);
    if (p->bits != 8 && p->bits != 16)
        return error_set(err, PTL_ERR_ARGUMENT, "%d bits a pixel: 8 or 16 can be had",
                         (int)p->bits);
    if (p->gap < 0 || p->gap > GAP_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "a gap of %d pixels is not within 0..%d",
                         (int)p->gap, GAP_MAX);
    if (cells_of(o) * (size_t)p->count > PTL_SHOALS_SHEET_CELLS)
        return error_set(err, PTL_ERR_LIMIT, "%d maps of %d x %d cells: a sheet holds %d cells",
                         (int)p->count, (int)o->width, (int)o->height, PTL_SHOALS_SHEET_CELLS);
    return PTL_OK;
}

/* Chooses the least number of columns for which the sheet is at least as wide as high. */
static ptl_status lay_out(islands *s, ptl_error *err)
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
    return make_room(s, (size_t)s->columns * cells_of(o), (size_t)s->width * 2)
               ? PTL_OK
               : error_nomem(err);
}

ptl_status ptl_shoals_png_write(const ptl_shoals_options *options,
                                const ptl_shoals_picture *picture, ptl_sink sink, void *payload,
                                ptl_error *err)
{
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    ptl_shoals_picture p = PTL_SHOALS_PICTURE_INIT;
    islands s = {.options = &o, .picture = &p};
    error_clear(err);
    if (!sink)
        return error_set(err, PTL_ERR_ARGUMENT, "sink must be given");
    TRY(SIZED_TAKE(ptl_shoals_options, &o, options, err));
    TRY(SIZED_TAKE(ptl_shoals_picture, &p, picture, err));
    TRY(check_map(&o, p.scale, err));
    TRY(check_sheet(&o, &p, err));
    ptl_status status = lay_out(&s, err);
    const png_source source = {.width = s.width,
                               .height = s.rows * s.row_pixels - p.gap,
                               .bits = p.bits,
                               .next_row = next_row,
                               .payload = &s};
    THEN(status, write_picture(source, &o, p.count, NULL, sink, payload, err));
    islands_dispose(&s);
    return status;
}

/* ---- islands at one turn of the tide, or an animation of several turns ---- */

/* Shallow water is coloured by its present depth, so the sea's height is subtracted. */
static uint8_t colour_at(const islands *m, size_t cell)
{
    const int32_t height = m->heights[cell];
    const ptl_shoals_ground ground =
        ptl_tide_ground(m->options, m->tides->profile, height, m->spill[cell], m->tide);
    if (m->plants[cell])
        return PLANT;
    return ground_colour(m->options, ground,
                         ground == PTL_SHOALS_SHALLOW ? height - m->tide : height);
}

static ptl_status next_frame(void *payload, uint32_t number, ptl_error *err)
{
    islands *m = payload;
    (void)err;
    m->tide = ptl_tide_height(m->tides->first_turn + number);
    return PTL_OK;
}

static ptl_status tide_next_row(void *payload, int64_t y, const uint8_t **row, ptl_error *err)
{
    islands *m = payload;
    const int32_t scale = m->tides->scale, width = m->options->width;
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
    if (p->profile != PTL_TIDE_GENTLE && p->profile != PTL_TIDE_FULL)
        return error_set(err, PTL_ERR_ARGUMENT, "profile is no ptl_tide_profile");
    if (!ordered || later >= PTL_TIDE_FRAMES_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "turns %jd to %jd: an animation has 1 to %d",
                         p->first_turn, p->last_turn, PTL_TIDE_FRAMES_MAX);
    if (cells_of(o) * (later + 1) > PTL_SHOALS_SHEET_CELLS)
        return error_set(err, PTL_ERR_LIMIT,
                         "%d turns of %d x %d cells: an animation holds %d cells",
                         (int)later + 1, (int)o->width, (int)o->height, PTL_SHOALS_SHEET_CELLS);
    return PTL_OK;
}

ptl_status ptl_tide_png_write(const ptl_shoals_options *options,
                              const ptl_tide_picture *picture, ptl_sink sink, void *payload,
                              ptl_error *err)
{
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    ptl_tide_picture p = PTL_TIDE_PICTURE_INIT;
    islands m = {.options = &o, .tides = &p};
    char turns[NOTE_SIZE];
    error_clear(err);
    if (!sink)
        return error_set(err, PTL_ERR_ARGUMENT, "sink must be given");
    TRY(SIZED_TAKE(ptl_shoals_options, &o, options, err));
    TRY(SIZED_TAKE(ptl_tide_picture, &p, picture, err));
    TRY(check_map(&o, p.scale, err));
    TRY(tide_check(&o, &p, err));
    const png_source source = {.width = (int64_t)o.width * p.scale,
                               .height = (int64_t)o.height * p.scale,
                               .bits = 8,
                               .next_row = tide_next_row,
                               .frames = (uint32_t)(p.last_turn - p.first_turn + 1),
                               .next_frame = next_frame,
                               .payload = &m};
    snprintf(turns, sizeof turns, "%" PRId64 "..%" PRId64, p.first_turn, p.last_turn);
    ptl_status status =
        make_room(&m, cells_of(&o), (size_t)source.width) ? PTL_OK : error_nomem(err);
    THEN(status, ptl_shoals_generate(m.heights, m.plants, &o, err));
    THEN(status, ptl_tide_spill(m.spill, NULL, &o, m.heights, NULL, err));
    THEN(status, write_picture(source, &o, 1, turns, sink, payload, err));
    islands_dispose(&m);
    return status;
}
