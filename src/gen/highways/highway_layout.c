/*
 * The layout of a chunk, by the number of sides that it has highways on: an end, a path from
 * side to side, or an intersection near the middle with a path from each side. What can't be
 * laid out ends at the border, where roads take over, and an event says so.
 */
#include "gen/highways/highway.h"
#include "model/direction.h"

#include <stdlib.h>
#include <string.h>

/* The sides of the chunk. */
typedef struct sides {
    highway_end ends[4];
    int list[4];
    int count;
} sides;

static sides find_sides(const generator *g)
{
    sides s = {.count = 0};
    for (int d = 0; d < 4; d++) {
        const edge *e = g->edges[d];
        for (size_t i = 0; i < e->count && !s.ends[d].there; i++)
            if (crossing_is_highway(&e->crossings[i]))
                s.ends[d] = (highway_end){.there = true,
                                          .raised = e->crossings[i].z > 0,
                                          .position = e->crossings[i].position};
        if (s.ends[d].there)
            s.list[s.count++] = d;
    }
    return s;
}

/* The anchor at the border. */
static point border(const sides *s, int side)
{
    const int32_t at = s->ends[side].position, last = SIZE - 1;
    return (point){side == 1   ? last
                   : side == 3 ? 0
                               : at,
                   side == 2   ? last
                   : side == 0 ? 0
                               : at};
}

static uint16_t draw(const cat_bin *bin, uint16_t otherwise, rng *r)
{
    return bin->count > 0 ? bin->specials[rng_by_weight(r, bin->upto, bin->count)] : otherwise;
}

static void close_path(highway_layout *l, size_t first)
{
    l->paths[l->path_count++] = (highway_path){first, l->count - first};
}

/* A segment at the border, one for a ramp, and the end. */
static void lay_end(generator *g, const sides *s, int side)
{
    highway_layout *l = g->highways;
    const size_t first = l->count;
    const int heading = opposite(side);
    point at = border(s, side);
    for (int i = 0; i < 3; i++) {
        const highway_piece piece = {.kind = i < 2 ? HIGHWAY_SEGMENT : HIGHWAY_ONRAMP,
                                     .heading = (uint8_t)heading,
                                     .x = (int16_t)at.x,
                                     .y = (int16_t)at.y,
                                     .special = i < 2 ? (uint16_t)CAT_NONE
                                                      : g->config->region->highway->onramp};
        if (!highway_add(g, &piece))
            break;
        at = (point){at.x + step_x(heading), at.y + step_y(heading)};
    }
    if (l->count == first)
        return;
    close_path(l, first);
    highway_level(g, &l->paths[l->path_count - 1], s->ends[side].raised, false, false);
}

static bool lay_through(generator *g, const sides *s, uint16_t bend)
{
    highway_layout *l = g->highways;
    const int from = s->list[0], to = s->list[1];
    const highway_way way = {border(s, from), border(s, to), opposite(from), to};
    if (!highway_lay(g, &way, bend))
        return false;
    close_path(l, 0);
    return highway_level(g, &l->paths[0], s->ends[from].raised, s->ends[to].raised, false);
}

/* ---- intersections ---- */

static bool lay_around(generator *g, const sides *s, highway_piece hub, uint16_t bend)
{
    highway_layout *l = g->highways;
    highway_take_back(g, 0);
    l->path_count = 0;
    if (!highway_fits(g, &hub) || hub.water || !highway_add(g, &hub))
        return false;
    for (int i = 0; i < s->count; i++) {
        const int side = s->list[i];
        const size_t first = l->count;
        const highway_way way = {border(s, side), highway_port(g->config, &hub, side),
                                 opposite(side), opposite(side)};
        if (!highway_lay(g, &way, bend))
            return false;
        close_path(l, first);
        if (!highway_level(g, &l->paths[i], s->ends[side].raised, false, true))
            return false;
    }
    return true;
}

/* Between the ends of opposite sides, so that neither has to come far aside. */
static int32_t middle(const sides *s, int a, int b)
{
    enum { NEAREST = 48 }; /* to a border: room for bends and for what else lies between */
    const highway_end *p = &s->ends[a], *q = &s->ends[b];
    const int32_t sum = (p->there ? p->position : 0) + (q->there ? q->position : 0);
    const int32_t at = p->there && q->there ? sum / 2 : sum;
    return at < NEAREST ? NEAREST : at > SIZE - 1 - NEAREST ? SIZE - 1 - NEAREST : at;
}

/* The two ends of a corner, side and side + 1, and where the highways from them cross. */
static point crossing_at(const sides *s, int side)
{
    const point a = border(s, side), b = border(s, (side + 1) & 3);
    return side % 2 == 0 ? (point){a.x, b.y} : (point){b.x, a.y};
}

/* Do the ends of four sides come near each other at one corner, and at no other? Then all meet
 * there, as in the games. (Where two corners are so, the games have two intersections of
 * three.)
 */
static bool meet_at_corner(const sides *s, point *at)
{
    enum { NEAR = 60 }; /* along both axes, if both were alike */
    int near = 0;
    for (int side = 0; side < 4 && s->count == 4; side++) {
        const point a = border(s, side), b = border(s, (side + 1) & 3);
        const int32_t dx = a.x - b.x, dy = a.y - b.y;
        if (dx * dx + dy * dy >= 2 * NEAR * NEAR)
            continue;
        *at = crossing_at(s, side);
        near++;
    }
    return near == 1;
}

/* The nearest place, by rings, at which all can be joined. */
static bool lay_intersection(generator *g, const sides *s, point at, uint16_t special,
                             uint16_t bend)
{
    enum { STRIDE = 4 };
    int missing = 0;
    while (s->count == 3 && s->ends[missing].there)
        missing++;
    for (int32_t ring = 0; ring <= HIGHWAY_DEVIATION; ring += STRIDE)
        for (int32_t dy = -ring; dy <= ring; dy += STRIDE)
            for (int32_t dx = -ring; dx <= ring; dx += STRIDE) {
                const highway_piece hub = {.kind = HIGHWAY_HUB,
                                           .heading = (uint8_t)missing,
                                           .x = (int16_t)(at.x + dx),
                                           .y = (int16_t)(at.y + dy),
                                           .special = special};
                if ((abs(dx) == ring || abs(dy) == ring) && lay_around(g, s, hub, bend))
                    return true;
            }
    return false;
}

static bool lay_all(generator *g, const sides *s)
{
    const cat_highway *h = g->config->region->highway;
    rng r = step_stream(g, "highways");
    const uint16_t bend = draw(&h->bends, h->bend, &r);
    if (s->count == 2)
        return lay_through(g, s, bend);
    const bool four = s->count == 4;
    const uint16_t fallback = four ? h->four_way : h->three_way;
    const uint16_t special = draw(four ? &h->four_ways : &h->three_ways, fallback, &r);
    point at;
    if (meet_at_corner(s, &at) && (lay_intersection(g, s, at, special, bend) ||
                                   lay_intersection(g, s, at, fallback, bend)))
        return true;
    at = (point){middle(s, 0, 2), middle(s, 1, 3)};
    return lay_intersection(g, s, at, special, bend) ||
           lay_intersection(g, s, at, fallback, bend);
}

bool highway_lay_out(generator *g)
{
    highway_layout *l = g->highways;
    const sides s = find_sides(g);
    l->count = l->path_count = 0;
    if (s.count == 0)
        return false;
    memset(l->taken, 0, sizeof l->taken);
    if (s.count > 1 && lay_all(g, &s))
        return true;
    highway_take_back(g, 0);
    l->path_count = 0;
    for (int i = 0; i < s.count; i++) {
        const point at = border(&s, s.list[i]);
        lay_end(g, &s, s.list[i]);
        add_event(g, "highway_unreached", at.x, at.y, s.ends[s.list[i]].raised,
                  s.count == 1 ? "no other side has one" : "no way to the other sides");
    }
    return true;
}

/* ---- as a part of a generator ---- */

static bool make_layout(generator *g)
{
    g->highways = malloc(sizeof *g->highways);
    return g->highways != NULL;
}

static void drop_layout(generator *g)
{
    free(g->highways);
}

static void reset_layout(generator *g)
{
    g->highways->count = g->highways->path_count = 0;
}

const gen_part highways_part = {"highways", make_layout, drop_layout, reset_layout};
