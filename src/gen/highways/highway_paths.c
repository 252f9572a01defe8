/*
 * Paths. A path goes straight on, with slants if its end lies a little aside. It has one bend
 * if it enters and leaves by adjacent sides, and two if its end lies far aside.
 */
#include "gen/highways/highway.h"
#include "model/direction.h"

#include <stdlib.h>

static bool along_y(int heading)
{
    return heading == 0 || heading == 2;
}

/* Returns how far b lies from a in the direction of the heading. */
static int32_t ahead(point a, point b, int heading)
{
    return (b.x - a.x) * step_x(heading) + (b.y - a.y) * step_y(heading);
}

static point go_on(point p, int heading, int32_t steps)
{
    return (point){p.x + steps * step_x(heading), p.y + steps * step_y(heading)};
}

static bool add_segment(generator *g, point at, int heading)
{
    return highway_add(g, &(highway_piece){.kind = HIGHWAY_SEGMENT,
                                           .heading = (uint8_t)heading,
                                           .x = (int16_t)at.x,
                                           .y = (int16_t)at.y,
                                           .special = CAT_NONE});
}

/* Adds a slant here if there is room; on water only if `must` is set. */
static bool add_slant(generator *g, point at, int heading, int32_t aside, bool must)
{
    const cat_highway *h = g->config->region->highway;
    const bool to_larger = heading == 0 || heading == 1; /* the right of the heading */
    const bool clockwise = (aside > 0) == to_larger;
    highway_piece slant = {.kind = HIGHWAY_SLANT,
                           .heading = (uint8_t)heading,
                           .aside = (int8_t)aside,
                           .x = (int16_t)at.x,
                           .y = (int16_t)at.y,
                           .special = clockwise ? h->clockwise : h->counterclockwise};
    return highway_fits(g, &slant) && (must || !slant.water) && highway_add(g, &slant);
}

/* Adds segments from a to b, both included, on one line; none where b is right behind a. */
static bool add_run(generator *g, point a, point b, int heading)
{
    const int32_t count = ahead(a, b, heading) + 1;
    bool good = count >= 0;
    for (int32_t i = 0; i < count && good; i++)
        good = add_segment(g, go_on(a, heading, i), heading);
    return good;
}

/* Adds a line from a to b, which lies aside by `aside` cells: slants come as soon as the
 * ground allows. */
static bool add_line(generator *g, point a, point b, int heading, int32_t aside)
{
    enum { LENGTH = 3 };
    const int32_t unit = aside < 0 ? -1 : 1;
    int32_t left = ahead(a, b, heading) + 1, due = abs(aside);
    bool good = left >= LENGTH * due + 2;
    for (bool first = true; left > 0 && good; first = false) {
        if (due > 0 && !first && add_slant(g, a, heading, unit, left - 1 <= LENGTH * due)) {
            a = go_on(a, heading, LENGTH);
            a.x += along_y(heading) ? unit : 0;
            a.y += along_y(heading) ? 0 : unit;
            left -= LENGTH;
            due--;
            continue;
        }
        good = add_segment(g, a, heading);
        a = go_on(a, heading, 1);
        left--;
    }
    return good && due == 0;
}

/* Returns the bend that joins two sides around its anchor. Unturned, a bend joins south and
 * east. */
static highway_piece make_bend(uint16_t bend, point at, int side, int other)
{
    const int rotation = ((side + 1) & 3) == other ? (side + 3) & 3 : (other + 3) & 3;
    return (highway_piece){.kind = HIGHWAY_HUB,
                           .heading = (uint8_t)rotation,
                           .x = (int16_t)at.x,
                           .y = (int16_t)at.y,
                           .special = bend};
}

/* Lays a path with two bends, the first one after `steps`. With `dry`, no bend may be on
 * water. */
static bool two_bends(generator *g, const highway_way *w, uint16_t bend, int32_t steps,
                      bool dry)
{
    const bool vertical = along_y(w->heading);
    const point first = go_on(w->from, w->heading, steps);
    const point second = {vertical ? w->to.x : first.x, vertical ? first.y : w->to.y};
    const int across = vertical ? (second.x > first.x ? 1 : 3) : (second.y > first.y ? 2 : 0);
    const int back = opposite(w->heading);
    highway_piece in = make_bend(bend, first, back, across);
    highway_piece out = make_bend(bend, second, opposite(across), w->heading);
    if (!highway_fits(g, &in) || !highway_fits(g, &out) || (dry && (in.water || out.water)))
        return false;
    return add_run(g, w->from, highway_port(g->config, &in, back), w->heading) &&
           highway_add(g, &in) &&
           add_run(g, highway_port(g->config, &in, across),
                   highway_port(g->config, &out, opposite(across)), across) &&
           highway_add(g, &out) &&
           add_run(g, highway_port(g->config, &out, w->heading), w->to, w->heading);
}

/* Places the two bends half way, or as near to that as there is room, on dry ground if
 * possible. */
static bool try_two_bends(generator *g, const highway_way *w, uint16_t bend)
{
    enum { STRIDE = 5 };
    const size_t first = g->highways->count;
    const int32_t length = ahead(w->from, w->to, w->heading), middle = length / 2;
    for (int wet = 0; wet < 2; wet++)
        for (int32_t off = 0; off < middle; off += STRIDE)
            for (int side = -1; side <= 1; side += 2) {
                if (two_bends(g, w, bend, middle + side * off, !wet))
                    return true;
                highway_take_back(g, first);
            }
    return false;
}

bool highway_lay(generator *g, const highway_way *way, uint16_t bend)
{
    const size_t first = g->highways->count;
    const bool turns = way->heading != way->end_heading;
    const int32_t aside =
        along_y(way->heading) ? way->to.x - way->from.x : way->to.y - way->from.y;
    bool good = false;
    if (turns) {
        const bool vertical = along_y(way->heading);
        const point corner = {vertical ? way->from.x : way->to.x,
                              vertical ? way->to.y : way->from.y};
        const int back = opposite(way->heading);
        const highway_piece hub = make_bend(bend, corner, back, way->end_heading);
        good = add_run(g, way->from, highway_port(g->config, &hub, back), way->heading) &&
               highway_add(g, &hub) &&
               add_run(g, highway_port(g->config, &hub, way->end_heading), way->to,
                       way->end_heading);
    } else if (abs(aside) < HIGHWAY_DEVIATION)
        good = add_line(g, way->from, way->to, way->heading, aside);
    if (!good)
        highway_take_back(g, first);
    if (!good && !turns && aside != 0)
        good = try_two_bends(g, way, bend);
    return good;
}
