/* Pictures of islands as PNG: several maps beside each other on a sheet, with consecutive
 * seeds, or one map at one turn of the tide or animated over several turns. */
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
    SHADES = 32, /* each kind of ground has so many shades */
    GROUNDS = PTL_SHOALS_WALL + 1,
    PLANT = GROUNDS * SHADES,
    GAP,
    COLOURS,
    NOTE_SIZE = 256
};

/* What is kept while a row of maps is drawn. If there is a tide, the row has only one map. */
typedef struct islands {
    const ptl_shoals_options *options;
    const ptl_shoals_picture *picture;
    /* Pictures of the tide; NULL: the islands are shown without a tide. */
    const ptl_tide_picture *tides;
    /* The heights of the cells, and how high the sea must stand to reach each cell. `spill` is
     * used only if there is a tide. The arrays heights, spill, plants and line are owned. */
    int32_t *heights, *spill;
    uint8_t *plants, *line;
    int32_t columns, rows; /* number of maps on the sheet in each direction */
    int64_t row_pixels;    /* height of a map together with the gap below it, in pixels */
    int32_t made;          /* how many rows of the sheet have their maps made */
    int64_t width;         /* width of the picture in pixels */
    int32_t tide;          /* height of the sea in the picture that is drawn at present */
} islands;

/* ---- colours ---- */

/* For each kind of ground, the colours of its lowest and of its highest point, and how much
 * higher the highest point is. */
static const struct ground_shades {
    rgb low, high;
    /* How much higher the highest point is, which has the colour `high`, than the lowest one,
     * which has the colour `low`. 0: the colour `high` is reached where the next kind of ground
     * begins. */
    int32_t span;
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

/* Checks the options that all pictures of islands have. */
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

/* Returns the colour of a cell. The colour of shallow water depends on how deep the water is at
 * present, so the height of the sea is subtracted from that of the ground. Without a tide the
 * height of the sea is 0. */
static uint8_t colour_at(const islands *s, size_t cell)
{
    const ptl_shoals_options *o = s->options;
    const int32_t lows[GROUNDS] = {o->shallow - grounds[PTL_SHOALS_DEEP].span, o->shallow,
                                   o->floor, o->high, o->wall};
    const int32_t spans[GROUNDS] = {grounds[PTL_SHOALS_DEEP].span, o->floor - o->shallow,
                                    o->high - o->floor, grounds[PTL_SHOALS_HIGH].span,
                                    grounds[PTL_SHOALS_WALL].span};
    const int32_t height = s->heights[cell];
    const ptl_shoals_ground ground =
        s->tides ? ptl_tide_ground(o, s->tides->profile, height, s->spill[cell], s->tide)
                 : ptl_shoals_ground_of(o, height);
    if (s->plants[cell])
        return PLANT;
    const int64_t sea = ground == PTL_SHOALS_SHALLOW ? s->tide : 0;
    const int64_t above = height - sea - lows[ground];
    int64_t shade = spans[ground] > 0 ? above * SHADES / spans[ground] : 0;
    shade = shade < 0 ? 0 : shade >= SHADES ? SHADES - 1 : shade;
    return (uint8_t)(ground * SHADES + shade);
}

/* Draws a row of the cells of one map. Each cell is `scale` pixels wide. */
static void draw_cells(const islands *s, uint8_t *at, size_t first)
{
    for (size_t cell = first; cell < first + (size_t)s->options->width; cell++)
        for (int32_t i = 0; i < s->picture->scale; i++) {
            if (s->picture->bits == 16) {
                const int32_t height = s->heights[cell];
                int32_t v = height < -GREY_ZERO ? 0 : height + GREY_ZERO;
                v = height > UINT16_MAX - GREY_ZERO ? UINT16_MAX : v;
                *at++ = (uint8_t)(v >> 8);
                *at++ = (uint8_t)v;
            } else {
                *at = i > 0 ? at[-1] : colour_at(s, cell);
                at++;
            }
        }
}

static ptl_status next_row(void *payload, int64_t y, const uint8_t **out, ptl_error *err)
{
    islands *s = payload;
    const int32_t row = (int32_t)(y / s->row_pixels);
    const int64_t within = y % s->row_pixels / s->picture->scale;
    const ptl_shoals_options *o = s->options;
    const size_t size = s->picture->bits == 16 ? 2 : 1; /* bytes of a pixel */
    const size_t step = (size_t)o->width * (size_t)s->picture->scale + (size_t)s->picture->gap;
    const ptl_status status = row < s->made ? PTL_OK : make_row(s, row, err);
    if (y % s->row_pixels % s->picture->scale == 0 || within >= o->height) {
        const int32_t maps = status == PTL_OK && within < o->height ? s->columns : 0;
        memset(s->line, size == 2 ? 0 : GAP, (size_t)s->width * size);
        for (int32_t i = 0; i < maps && row * s->columns + i < s->picture->count; i++)
            draw_cells(s, s->line + (size_t)i * step * size,
                       (size_t)i * cells_of(o) + (size_t)within * (size_t)o->width);
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

/* Chooses the least number of columns that makes the sheet at least as wide as high. */
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
    const size_t cells = (size_t)s->columns * cells_of(o);
    s->heights = malloc(cells * sizeof *s->heights);
    s->spill = s->tides ? malloc(cells * sizeof *s->spill) : NULL;
    s->plants = malloc(cells);
    s->line = malloc((size_t)s->width * 2);
    return s->heights && (s->spill || !s->tides) && s->plants && s->line ? PTL_OK
                                                                         : error_nomem(err);
}

static ptl_status next_frame(void *payload, uint32_t number, ptl_error *err)
{
    islands *s = payload;
    (void)err;
    s->tide = ptl_tide_height(s->tides->first_turn + number);
    return PTL_OK;
}

/* Writes the picture of `count` maps, whose seeds begin with options->seed. A note in the file
 * says what was drawn, in the form of arguments of the command `shoals`. */
static ptl_status write_picture(islands *s, ptl_sink sink, void *payload, ptl_error *err)
{
    const ptl_shoals_options *o = s->options;
    const ptl_tide_picture *t = s->tides;
    rgb colours[COLOURS];
    char software[NOTE_SIZE], shoals[NOTE_SIZE], turns[NOTE_SIZE] = "";
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
    const uint32_t last = o->seed + (uint32_t)s->picture->count - 1;
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
    if (t)
        snprintf(turns, sizeof turns, "%" PRId64 "..%" PRId64, t->first_turn, t->last_turn);
    const png_source source = {.width = s->width,
                               .height = s->rows * s->row_pixels - s->picture->gap,
                               .bits = s->picture->bits,
                               .colours = colours,
                               .colour_count = COLOURS,
                               .notes = notes,
                               .note_count = t ? 4 : 3,
                               .next_row = next_row,
                               .frames = t ? (uint32_t)(t->last_turn - t->first_turn + 1) : 1,
                               .next_frame = t ? next_frame : NULL,
                               .payload = s};
    return png_stream_write(&source, sink, payload, err);
}

/* Makes and writes the picture; its options were checked before. */
static ptl_status draw(islands *s, ptl_sink sink, void *payload, ptl_error *err)
{
    ptl_status status = lay_out(s, err);
    if (s->tides) {
        THEN(status, make_row(s, 0, err));
        THEN(status, ptl_tide_spill(s->spill, NULL, s->options, s->heights, NULL, err));
    }
    THEN(status, write_picture(s, sink, payload, err));
    free(s->heights);
    free(s->spill);
    free(s->plants);
    free(s->line);
    return status;
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
    return draw(&s, sink, payload, err);
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
    ptl_shoals_picture map = PTL_SHOALS_PICTURE_INIT;
    islands s = {.options = &o, .picture = &map, .tides = &p};
    error_clear(err);
    if (!sink)
        return error_set(err, PTL_ERR_ARGUMENT, "sink must be given");
    TRY(SIZED_TAKE(ptl_shoals_options, &o, options, err));
    TRY(SIZED_TAKE(ptl_tide_picture, &p, picture, err));
    TRY(check_map(&o, p.scale, err));
    TRY(tide_check(&o, &p, err));
    map.scale = p.scale;
    map.count = 1;
    map.bits = 8;
    map.gap = 0;
    return draw(&s, sink, payload, err);
}
