#include "render/shoals_colours.h"

#include <inttypes.h>
#include <stdio.h>

/* The colours at the lowest and the highest point of each ground, and the height between these
 * points. */
static const struct ground_shades {
    rgb low, high;
    int32_t span; /* 0: as far as the threshold of the next ground */
} grounds[SHOALS_GROUNDS] = {
    [PTL_SHOALS_DEEP] = {{14, 34, 84}, {40, 92, 160}, 120},
    [PTL_SHOALS_SHALLOW] = {{70, 140, 190}, {150, 214, 214}, 0},
    [PTL_SHOALS_FLOOR] = {{232, 220, 168}, {92, 150, 78}, 0},
    [PTL_SHOALS_HIGH] = {{110, 128, 84}, {206, 200, 188}, 300},
    [PTL_SHOALS_WALL] = {{150, 146, 142}, {240, 240, 240}, 600},
};

static uint8_t between(uint8_t low, uint8_t high, int32_t shade)
{
    return (uint8_t)(low + (high - low) * shade / (SHOALS_SHADES - 1));
}

void shoals_colours(rgb out[SHOALS_COLOURS])
{
    for (int32_t g = 0; g < SHOALS_GROUNDS; g++)
        for (int32_t i = 0; i < SHOALS_SHADES; i++) {
            const rgb low = grounds[g].low, high = grounds[g].high;
            out[g * SHOALS_SHADES + i] =
                (rgb){between(low.r, high.r, i), between(low.g, high.g, i),
                      between(low.b, high.b, i)};
        }
    out[SHOALS_PLANT] = (rgb){24, 96, 44};
    out[SHOALS_GAP] = (rgb){30, 30, 34};
}

uint8_t shoals_ground_colour(const ptl_shoals_options *o, ptl_shoals_ground ground,
                             int32_t height)
{
    const int32_t lows[SHOALS_GROUNDS] = {o->shallow - grounds[PTL_SHOALS_DEEP].span,
                                          o->shallow, o->floor, o->high, o->wall};
    const int32_t spans[SHOALS_GROUNDS] = {grounds[PTL_SHOALS_DEEP].span, o->floor - o->shallow,
                                           o->high - o->floor, grounds[PTL_SHOALS_HIGH].span,
                                           grounds[PTL_SHOALS_WALL].span};
    const int64_t above = (int64_t)height - lows[ground];
    int64_t shade = spans[ground] > 0 ? above * SHOALS_SHADES / spans[ground] : 0;
    shade = shade < 0 ? 0 : shade >= SHOALS_SHADES ? SHOALS_SHADES - 1 : shade;
    return (uint8_t)(ground * SHOALS_SHADES + shade);
}

uint8_t shoals_colour(const ptl_shoals_options *options, int32_t height)
{
    return shoals_ground_colour(options, ptl_shoals_ground_of(options, height), height);
}

void shoals_note(char out[SHOALS_NOTE_SIZE], const ptl_shoals_options *o, int32_t count)
{
    const uint32_t last = o->seed + (uint32_t)count - 1;
    char wall[16] = "";
    if (o->wall != INT32_MAX)
        snprintf(wall, sizeof wall, ",%d", (int)o->wall);
    snprintf(out, SHOALS_NOTE_SIZE,
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
