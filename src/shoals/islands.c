/* The islands of the published program, and two additions: atolls and cliffs. */
#include "shoals/shoals.h"

enum {
    MARGIN = 10,
    MAIN_POINTS = 50,
    MAIN_RADIUS_LOW = 3,
    MAIN_RADIUS_HIGH = 10,
    MAIN_LOW = 40,
    MAIN_HIGH = 60,
    EXTRA_MAX = 3, /* hills beside the main one */
    EXTRA_DISTANCE_LOW = 2,
    EXTRA_DISTANCE_HIGH = 10,
    EXTRA_POINTS_LOW = 25,
    EXTRA_POINTS_HIGH = 45,
    EXTRA_RADIUS_LOW = 2,
    EXTRA_RADIUS_HIGH = 7,
    EXTRA_LOW = 25,
    EXTRA_HIGH = 35,
    ATOLL_ONE_IN = 10,
    ATOLL_WIDER = 3,
    CLIFFS_MAX = 6,
    CLIFF_MARGIN = 12,
    CLIFF_LENGTH_LOW = 6,
    CLIFF_LENGTH_HIGH = 15,
    CLIFF_STEP = 3,
    CLIFF_JITTER = 2,
    CLIFF_POINTS_LOW = 40,
    CLIFF_POINTS_HIGH = 60,
    CLIFF_RADIUS = 3,
    CLIFF_LOW = 100,
    CLIFF_HIGH = 130,
    TRIES_BEFORE_LOOKING = 2 * DEGREES
};

static offset around(offset center, int32_t radius, int32_t degrees)
{
    const offset o = offset_at(radius, degrees);
    return (offset){center.x + o.x, center.y + o.y};
}

bool shoals_point_near(shoals *s, offset center, int32_t radius, offset *out)
{
    for (int32_t tries = 1;; tries++) {
        *out = around(center, radius, random_below(&s->random, DEGREES));
        if (shoals_holds(s, *out))
            return true;
        /* On a map that is too small the published program would try for ever. Here it is
         * looked up from time to time whether any point of the circle lies inside the map. */
        bool meets = tries % TRIES_BEFORE_LOOKING != 0;
        for (int32_t degrees = 0; !meets && degrees < DEGREES; degrees++)
            meets = shoals_holds(s, around(center, radius, degrees));
        if (!meets)
            return false;
    }
}

static int32_t draw_along(shoals *s, int32_t margin, int32_t side)
{
    const int32_t most = (side - 1) / 2;
    const int32_t m = margin < most ? margin : most;
    return random_between(&s->random, m, side - 1 - m);
}

/* Draws a cell with a margin to the map's edges, or the largest margin that there is room
 * for. Draws x first, or y first. */
static offset shoals_draw_cell(shoals *s, int32_t margin, bool y_first)
{
    offset at = {0, 0};
    if (y_first)
        at.y = draw_along(s, margin, s->height);
    at.x = draw_along(s, margin, s->width);
    if (!y_first)
        at.y = draw_along(s, margin, s->height);
    return at;
}

/* For each point draws its distance, then angles until the point is inside the map, then
 * the amount. */
static void scatter(shoals *s, const hill *h, int32_t radius, int32_t sign)
{
    for (int32_t i = 0; i < h->points; i++) {
        offset at;
        const int32_t distance = random_below(&s->random, radius + 1);
        if (shoals_point_near(s, h->center, distance, &at))
            *shoals_at(s, at) += sign * random_between(&s->random, h->low, h->high);
    }
}

static void shoals_raise_hill(shoals *s, const hill *h)
{
    int32_t radius = h->radius;
    if ((s->options->parts & PTL_SHOALS_ATOLLS) &&
        random_below(&s->random, ATOLL_ONE_IN) == 0) {
        scatter(s, h, radius, -1);
        radius += ATOLL_WIDER;
    }
    scatter(s, h, radius, 1);
}

void shoals_raise_islands(shoals *s)
{
    for (int32_t i = 0; i < s->options->islands; i++) {
        hill h = {.points = MAIN_POINTS, .low = MAIN_LOW, .high = MAIN_HIGH};
        h.center = shoals_draw_cell(s, MARGIN, true);
        h.radius = random_between(&s->random, MAIN_RADIUS_LOW, MAIN_RADIUS_HIGH);
        shoals_raise_hill(s, &h);
        for (int32_t more = random_below(&s->random, EXTRA_MAX + 1); more > 0; more--) {
            /* Draw the radius before the number of points: in the published program both are
             * arguments of one call, which its compiler evaluates from right to left. */
            hill beside = {.low = EXTRA_LOW, .high = EXTRA_HIGH};
            const int32_t distance =
                random_between(&s->random, EXTRA_DISTANCE_LOW, EXTRA_DISTANCE_HIGH);
            const bool found = shoals_point_near(s, h.center, distance, &beside.center);
            beside.radius = random_between(&s->random, EXTRA_RADIUS_LOW, EXTRA_RADIUS_HIGH);
            beside.points = random_between(&s->random, EXTRA_POINTS_LOW, EXTRA_POINTS_HIGH);
            if (found)
                shoals_raise_hill(s, &beside);
        }
    }
}

void shoals_raise_cliffs(shoals *s)
{
    for (int32_t left = random_middling(&s->random, 0, CLIFFS_MAX); left > 0; left--) {
        /* Draws a line through the middle, with a hill at every third step. */
        const offset middle = shoals_draw_cell(s, CLIFF_MARGIN, false);
        const int32_t length = random_between(&s->random, CLIFF_LENGTH_LOW, CLIFF_LENGTH_HIGH);
        const int32_t degrees = random_below(&s->random, DEGREES);
        for (int32_t i = 0; i < length; i += CLIFF_STEP) {
            hill h = {.radius = CLIFF_RADIUS, .low = CLIFF_LOW, .high = CLIFF_HIGH};
            const int32_t along = i - length / 2;
            const offset o = offset_at(along < 0 ? -along : along, degrees);
            h.center.x = middle.x + (along < 0 ? -o.x : o.x);
            h.center.y = middle.y + (along < 0 ? -o.y : o.y);
            h.center.x += random_between(&s->random, -CLIFF_JITTER, CLIFF_JITTER);
            h.center.y += random_between(&s->random, -CLIFF_JITTER, CLIFF_JITTER);
            h.points = random_between(&s->random, CLIFF_POINTS_LOW, CLIFF_POINTS_HIGH);
            shoals_raise_hill(s, &h);
        }
    }
}
