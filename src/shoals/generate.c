/* The public call. */
#include "core/error.h"
#include "core/sized.h"
#include "shoals/shoals.h"

#include <string.h>

static bool within(int32_t value, int32_t low, int32_t high)
{
    return value >= low && value <= high;
}

static bool is_height(int32_t value)
{
    return within(value, -PTL_SHOALS_HEIGHT_MAX, PTL_SHOALS_HEIGHT_MAX);
}

ptl_status shoals_check(const ptl_shoals_options *o, ptl_error *err)
{
    if (!within(o->islands, 1, PTL_SHOALS_ISLANDS_MAX))
        return error_set(err, PTL_ERR_ARGUMENT, "%d islands: 1 to %d can be made",
                         (int)o->islands, PTL_SHOALS_ISLANDS_MAX);
    if (!within(o->width, 1, PTL_SHOALS_SIDE_MAX) || !within(o->height, 1, PTL_SHOALS_SIDE_MAX))
        return error_set(err, PTL_ERR_ARGUMENT, "a map of %d x %d cells: a side has 1 to %d",
                         (int)o->width, (int)o->height, PTL_SHOALS_SIDE_MAX);
    if (!is_height(o->start) || !is_height(o->shallow) || !is_height(o->floor) ||
        !is_height(o->high) || (o->wall != INT32_MAX && !is_height(o->wall)))
        return error_set(err, PTL_ERR_ARGUMENT,
                         "the start and the thresholds lie within -%d..%d",
                         PTL_SHOALS_HEIGHT_MAX, PTL_SHOALS_HEIGHT_MAX);
    if (o->shallow > o->floor || o->floor > o->high || o->high > o->wall)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "thresholds rise: shallow %d, floor %d, high %d, wall %d",
                         (int)o->shallow, (int)o->floor, (int)o->high, (int)o->wall);
    if (o->parts & ~(uint32_t)PTL_SHOALS_ALL_PARTS)
        return error_set(err, PTL_ERR_ARGUMENT, "parts has bits of no ptl_shoals_part");
    return PTL_OK;
}

ptl_shoals_ground ptl_shoals_ground_of(const ptl_shoals_options *options, int32_t height)
{
    if (height < options->floor)
        return height < options->shallow ? PTL_SHOALS_DEEP : PTL_SHOALS_SHALLOW;
    if (height < options->high)
        return PTL_SHOALS_FLOOR;
    return height < options->wall || options->wall == INT32_MAX ? PTL_SHOALS_HIGH
                                                                : PTL_SHOALS_WALL;
}

static ptl_status make(shoals *s, uint8_t *plants, ptl_error *err)
{
    const uint32_t parts = s->options->parts;
    const size_t cells = (size_t)s->width * (size_t)s->height;
    glibc_random_seed(&s->random, s->options->seed);
    for (size_t i = 0; i < cells; i++)
        s->heights[i] = s->options->start;
    shoals_raise_islands(s);
    if (parts & PTL_SHOALS_CLIFFS)
        shoals_raise_cliffs(s);
    shoals_smooth(s);
    if (plants)
        memset(plants, 0, cells);
    /* Plants are drawn after everything else, but stand where the sea was not deepened yet. */
    if (plants && (parts & PTL_SHOALS_PLANTS))
        TRY(shoals_plant(s, plants, err));
    return (parts & PTL_SHOALS_DEEPEN) ? shoals_deepen(s, err) : PTL_OK;
}

ptl_status ptl_shoals_generate(const ptl_shoals_options *options, int32_t *heights,
                               uint8_t *plants, ptl_error *err)
{
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    error_clear(err);
    if (!heights)
        return error_set(err, PTL_ERR_ARGUMENT, "heights must be given");
    TRY(SIZED_TAKE(ptl_shoals_options, &o, options, err));
    TRY(shoals_check(&o, err));
    shoals s = {.options = &o, .width = o.width, .height = o.height, .heights = heights};
    return make(&s, plants, err);
}
