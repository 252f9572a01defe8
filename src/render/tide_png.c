/* Islands at one turn of the tide, or an animation of several turns. */
#include "core/error.h"
#include "core/sized.h"
#include "portolan/tide.h"
#include "render/png_stream.h"
#include "render/shoals_colours.h"

#include <stdio.h>
#include <stdlib.h>

enum { SCALE_MAX = 32 };

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

static ptl_status next_row(void *payload, int64_t y, const uint8_t **row, ptl_error *err)
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

static ptl_status check(const ptl_shoals_options *o, const ptl_tide_picture *p, ptl_error *err)
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
                                .next_row = next_row,
                                .payload = m};
    const apng_source animation = {&picture, (uint32_t)(p->last_turn - p->first_turn + 1),
                                   next_frame, m};
    shoals_colours(colours);
    snprintf(software, sizeof software, "portolan %s", ptl_version());
    shoals_note(shoals, m->options, 1);
    snprintf(turns, sizeof turns, "%jd..%jd", p->first_turn, p->last_turn);
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
    THEN(status, check(&o, &p, err));
    THEN(status, make(&m, err));
    THEN(status, write_picture(&m, sink, payload, err));
    free(m.heights);
    free(m.spill);
    free(m.plants);
    free(m.line);
    return status;
}
