/*
 * Lays out the highways of a chunk. If only one side of the chunk has a highway, the highway
 * ends inside the chunk. If two sides have one, a path leads from side to side. If three or
 * four have one, a path leads from each side to an intersection. The intersection lies near the
 * middle of the chunk, or at a corner that two highways come near; with two such corners there
 * are two intersections. A highway that cannot be laid out ends just behind the border, from
 * where roads lead on, and an event reports that.
 */
#include "gen/highways/highway.h"
#include "model/direction.h"

#include <stdlib.h>
#include <string.h>

/* For the four sides of the chunk: where a highway crosses each, and a list of the sides that
 * have a highway. */
typedef struct sides {
    highway_end ends[4];
    int list[4];
    int count;
} sides;

/* Returns the place (the anchor) of the first piece of the highway that begins at this side of
 * the chunk. The piece lies at the border. */
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

/* Lays out a highway that ends just behind the border: a segment at the border, a segment that
 * can become a ramp, and the on-ramp. */
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

/* ---- intersections ---- */

/* An intersection that is to be laid out, and the paths that it joins. */
typedef struct junction {
    unsigned from; /* bit d: the highway of the chunk's side d comes to the intersection */
    int missing;   /* of an intersection with three paths: the side that no path comes to */
    /* Another intersection, from which a path leads to this one; NULL: there is none. */
    const highway_piece *other;
    int towards; /* the side of the intersection `other` at which the path from there to this
                    intersection begins */
    uint16_t special, bend;
} junction;

/*
 * How the path of a highway is laid. It goes straight on, with slants if its end lies a little
 * to one side. It has one bend if it enters and leaves by adjacent sides of the chunk, and two
 * bends if its end lies far to one side.
 */

static bool along_y(int heading)
{
    return heading == 0 || heading == 2;
}

/* Returns how many cells b lies ahead of a, in the direction `heading`. */
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

/* Adds a segment of highway at each cell of the line from a to b, both included; the highway
 * runs in the direction `heading`. There may be no cell left between other pieces: if b is just
 * one cell behind a, no segment is added. Returns false if b is farther behind, or if a segment
 * does not fit. */
static bool add_run(generator *g, point a, point b, int heading)
{
    const int32_t count = ahead(a, b, heading) + 1;
    bool good = count >= 0;
    for (int32_t i = 0; i < count && good; i++)
        good = add_segment(g, go_on(a, heading, i), heading);
    return good;
}

/* Adds a slant, a piece that shifts the highway to one side, at this place if there is room for
 * it. On water it is added only if `must` is set. */
static bool add_slant(generator *g, point at, int heading, int32_t aside, bool must)
{
    const cat_highway *h = g->config->region->highway;
    /* A slant moves a path that runs along y to another x, or a path that runs along x to
     * another y. Does this x (or y) grow towards the right-hand side of a path with this
     * heading? */
    const bool to_larger = heading == 0 || heading == 1;
    const bool clockwise = (aside > 0) == to_larger;
    highway_piece slant = {.kind = HIGHWAY_SLANT,
                           .heading = (uint8_t)heading,
                           .aside = (int8_t)aside,
                           .x = (int16_t)at.x,
                           .y = (int16_t)at.y,
                           .special = clockwise ? h->clockwise : h->counterclockwise};
    return highway_fits(g, &slant) && (must || !slant.water) && highway_add(g, &slant);
}

/* Adds a path whose first piece is placed at a and whose last one at b. b lies ahead of a, but
 * `aside` cells to one side. The path shifts to that side by slants, which come as soon as the
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

/* Returns a bend with its middle at this place that joins the paths on two of its sides. With
 * rotation 0 a bend joins south and east. */
static highway_piece make_bend(uint16_t bend, point at, int side, int other)
{
    const int rotation = ((side + 1) & 3) == other ? (side + 3) & 3 : (other + 3) & 3;
    return (highway_piece){.kind = HIGHWAY_HUB,
                           .heading = (uint8_t)rotation,
                           .x = (int16_t)at.x,
                           .y = (int16_t)at.y,
                           .special = bend};
}

/* Returns the position of an intersection along the two opposite sides a and b of the chunk:
 * half way between the positions of the two highways there, so that neither has to shift
 * far. */
static int32_t middle(const sides *s, int a, int b)
{
    /* An intersection lies at least this many cells from the border, to leave room for
     * bends. */
    enum { NEAREST = 48 };
    const highway_end *p = &s->ends[a], *q = &s->ends[b];
    const int32_t sum = (p->there ? p->position : 0) + (q->there ? q->position : 0);
    const int32_t at = p->there && q->there ? sum / 2 : sum;
    return at < NEAREST ? NEAREST : at > SIZE - 1 - NEAREST ? SIZE - 1 - NEAREST : at;
}

/* Lays a path with two bends, the first of them `steps` cells after the path's beginning. With
 * `dry`, no bend may be on water. */
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

/* Lays a path whose two bends lie half way along it, or as near to that as there is room, on
 * dry ground if possible. */
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

static bool highway_lay(generator *g, const highway_way *way, uint16_t bend)
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

static bool lay_way(generator *g, const highway_way *way, uint16_t bend, bool raised)
{
    highway_layout *l = g->highways;
    const size_t first = l->count;
    if (!highway_lay(g, way, bend))
        return false;
    close_path(l, first);
    return highway_level(g, &l->paths[l->path_count - 1], raised, false, true);
}

/* Lays an intersection with all of its paths. If one of the paths can't be laid, the layout is
 * left as it was before. */
static bool lay_around(generator *g, const sides *s, const junction *j, highway_piece hub)
{
    highway_layout *l = g->highways;
    const size_t first = l->count, paths = l->path_count;
    bool good = highway_fits(g, &hub) && !hub.water && highway_add(g, &hub);
    for (int side = 0; side < 4; side++)
        if (good && j->from >> side & 1) {
            const highway_way way = {border(s, side), highway_port(g->config, &hub, side),
                                     opposite(side), opposite(side)};
            good = lay_way(g, &way, j->bend, s->ends[side].raised);
        }
    if (good && j->other) {
        /* Lay the path from the other intersection (j->other) to this one. Both lie on the
         * ground, so the path must not begin or end on a bridge. */
        const highway_way way = {highway_port(g->config, j->other, j->towards),
                                 highway_port(g->config, &hub, opposite(j->towards)),
                                 j->towards, j->towards};
        const size_t begin = l->count;
        good = lay_way(g, &way, j->bend, false) && !l->pieces[begin].raised;
    }
    if (good)
        return true;
    highway_take_back(g, first);
    l->path_count = paths;
    return false;
}

/* The highways of the sides `side` and side + 1 lead straight into the chunk from there.
 * Returns the place where they would cross if they went straight on. */
static point crossing_at(const sides *s, int side)
{
    const point a = border(s, side), b = border(s, (side + 1) & 3);
    return side % 2 == 0 ? (point){a.x, b.y} : (point){b.x, a.y};
}

/* Lays an intersection with all of its paths, as near to `at` as possible: places around `at`
 * are tried ring by ring. False if the paths can be laid from none of them. If hub is not NULL,
 * *hub becomes the intersection. */
static bool lay_junction(generator *g, const sides *s, const junction *j, point at,
                         highway_piece *hub)
{
    enum { STRIDE = 4 };
    highway_piece piece = {
        .kind = HIGHWAY_HUB, .heading = (uint8_t)j->missing, .special = j->special};
    for (int32_t ring = 0; ring <= HIGHWAY_DEVIATION; ring += STRIDE)
        for (int32_t dy = -ring; dy <= ring; dy += STRIDE)
            for (int32_t dx = -ring; dx <= ring; dx += STRIDE) {
                piece.x = (int16_t)(at.x + dx);
                piece.y = (int16_t)(at.y + dy);
                if ((abs(dx) != ring && abs(dy) != ring) || !lay_around(g, s, j, piece))
                    continue;
                if (hub)
                    *hub = piece;
                return true;
            }
    return false;
}

/* Lays one intersection. A path leads to it from every side of the chunk that has a highway. */
static bool lay_one(generator *g, const sides *s, point at, uint16_t special, uint16_t bend)
{
    junction j = {.special = special, .bend = bend};
    for (int i = 0; i < s->count; i++)
        j.from |= 1u << s->list[i];
    while (s->count == 3 && s->ends[j.missing].there)
        j.missing++;
    return lay_junction(g, s, &j, at, NULL);
}

/* Lays two intersections of three paths each: one for the highways of the sides `side` and side
 * + 1, one for those of the two remaining sides. A path leads between them. It leaves the first
 * intersection on its side `towards`, which is one of the remaining sides. */
static bool lay_two(generator *g, const sides *s, int side, int towards, uint16_t special,
                    uint16_t bend)
{
    /* The chunk's sides have the numbers 0 to 3. `behind` is that of one of the two sides that
     * remain; the other one has behind + 1, or 0 after 3. */
    const int behind = side ^ 2;
    const int other = towards == behind ? (side + 3) & 3 : behind;
    highway_piece hub;
    const junction first = {.from = 1u << side | 1u << ((side + 1) & 3),
                            .missing = other,
                            .special = special,
                            .bend = bend};
    const junction second = {.from = 1u << behind | 1u << ((behind + 1) & 3),
                             .missing = opposite(other),
                             .other = &hub,
                             .towards = towards,
                             .special = special,
                             .bend = bend};
    if (!lay_junction(g, s, &first, crossing_at(s, side), &hub))
        return false;
    if (lay_junction(g, s, &second, crossing_at(s, behind), NULL))
        return true;
    highway_take_back(g, 0);
    g->highways->path_count = 0;
    return false;
}

/* Lays two intersections and a path between them. The path is first tried along the axis on
 * which the intersections lie farther apart, because there its bends have more room. */
static bool lay_corners(generator *g, const sides *s, int side, uint16_t special, uint16_t bend)
{
    const point a = crossing_at(s, side), b = crossing_at(s, side ^ 2);
    const bool by_rows = abs(a.y - b.y) > abs(a.x - b.x);
    const int behind = side ^ 2, beside = (side + 3) & 3;
    const bool behind_first = (behind % 2 == 0) == by_rows;
    return lay_two(g, s, side, behind_first ? behind : beside, special, bend) ||
           lay_two(g, s, side, behind_first ? beside : behind, special, bend);
}

/* Lays the highways of a chunk that has one on each of its four sides, as the games do. If two
 * adjacent sides' highways begin near the corner of the chunk between them, all four meet in
 * front of that corner. If there are two such corners, an intersection is put at each. If there
 * is none, all four meet near the middle. */
static bool lay_four(generator *g, const sides *s, uint16_t bend, rng *r)
{
    const cat_highway *h = g->config->region->highway;
    const uint16_t special = draw(&h->four_ways, h->four_way, r);
    const point half_way = {middle(s, 0, 2), middle(s, 1, 3)};
    int corner = 0;
    /* Two highways are near each other if the places where they begin are less than NEAR *
     * sqrt(2) cells apart. */
    enum { NEAR = 60 };
    /* Count the corners of the chunk at which the highways of the two adjacent sides are near
     * each other. `corner` becomes the number of the last of these corners: the one between the
     * sides `corner` and corner + 1. If two corners are counted, they are opposite. */
    int near = 0;
    for (int side = 3; side >= 0 && s->count == 4; side--) {
        const point a = border(s, side), b = border(s, (side + 1) & 3);
        const int32_t dx = a.x - b.x, dy = a.y - b.y;
        if (dx * dx + dy * dy >= 2 * NEAR * NEAR)
            continue;
        corner = side;
        near++;
    }

    const point at = crossing_at(s, corner);
    const uint16_t of_three = near == 2 ? draw(&h->three_ways, h->three_way, r) : 0;
    return (near == 2 && (lay_corners(g, s, corner, of_three, bend) ||
                          lay_corners(g, s, corner, h->three_way, bend))) ||
           (near == 1 &&
            (lay_one(g, s, at, special, bend) || lay_one(g, s, at, h->four_way, bend))) ||
           lay_one(g, s, half_way, special, bend) || lay_one(g, s, half_way, h->four_way, bend);
}

/* Lays the highways of a chunk that has one on two, three or four of its sides. False if
 * nothing fits. */
static bool lay_all(generator *g, const sides *s)
{
    const cat_highway *h = g->config->region->highway;
    rng r = step_stream(g, "highways");
    const uint16_t bend = draw(&h->bends, h->bend, &r);
    if (s->count == 2) {
        highway_layout *l = g->highways;
        const int from = s->list[0], to = s->list[1];
        const highway_way way = {border(s, from), border(s, to), opposite(from), to};
        if (!highway_lay(g, &way, bend))
            return false;
        close_path(l, 0);
        return highway_level(g, &l->paths[0], s->ends[from].raised, s->ends[to].raised, false);
    }
    if (s->count == 4)
        return lay_four(g, s, bend, &r);
    const point at = {middle(s, 0, 2), middle(s, 1, 3)};
    return lay_one(g, s, at, draw(&h->three_ways, h->three_way, &r), bend) ||
           lay_one(g, s, at, h->three_way, bend);
}

bool highway_lay_out(generator *g)
{
    highway_layout *l = g->highways;
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

static void make_layout(generator *g)
{
    g->highways = generator_memory(g, 1, sizeof *g->highways);
}

static void reset_layout(generator *g)
{
    g->highways->count = g->highways->path_count = 0;
}

const gen_part highways_part = {.make = make_layout, .reset = reset_layout};
