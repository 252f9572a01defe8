/*
 * Draws connections (generation.md 7.3). Drawing an OMT keeps this rule: where a linear OMT has
 * an arm, the OMT that the arm points to has an arm back (it answers the arm). A new linear OMT
 * gets the arms of the path, and an arm towards each neighbour that has an arm towards it. It
 * is also joined with straight lines beside it, which get an arm as well. Where a new OMT
 * replaces one of another connection (a road over a trail), neighbours lose the arms that the
 * new OMT does not answer, so that the trail ends there.
 */
#include "gen/connect/connect_impl.h"

/* Says which OMTs are joined with a path that passes beside them; the index is an OMT's arms,
 * as bits. An OMT with one arm, or with two opposite arms, is joined. */
static const bool STRAIGHTISH[16] = {
    [1] = true, [2] = true, [4] = true, [5] = true, [8] = true, [10] = true};

/* The arguments of functions that draw OMTs of one connection on one level. */
typedef struct pen {
    generator *g;
    size_t connection;
    ptl_oter *cells;
    int32_t z;
    const uint8_t *lines;  /* by oter: its arms if it is linear (LINE_*) */
    const uint32_t *looks; /* by oter: bits STEP_* and LOOK_* for this connection */
} pen;

static pen take_pen(generator *g, size_t connection, ptl_oter *cells, int32_t z)
{
    return (pen){.g = g,
                 .connection = connection,
                 .cells = cells,
                 .z = z,
                 .lines = g->config->connections->lines,
                 .looks = compiled(g, connection)->looks};
}

static int line_of(const pen *p, ptl_oter oter)
{
    return p->lines[oter] & LINE_ARMS;
}

/* Returns, as bits, the arms that an OMT with this oter has for the connection that is being
 * drawn. */
static int answers_of(const pen *p, ptl_oter oter)
{
    return (int)(p->looks[oter] >> LOOK_ANSWERS_SHIFT & 15);
}

/* Returns the oter of the same linear terrain that has the arms `line`. The oters of a linear
 * terrain are ordered by their arms. */
static ptl_oter with_line(const pen *p, ptl_oter oter, int line)
{
    return (ptl_oter)(oter - line_of(p, oter) + line);
}

static void write_cell(const pen *p, int32_t cell, ptl_oter oter)
{
    if (p->cells[cell] == oter)
        return;
    cell_set(p->g, p->cells, p->z, cell, oter);
    connect_touch(p->g->connector, cell);
}

/* Writes an OMT. If its terrain changes, neighbouring lines lose those arms towards it to which
 * the new OMT has no arm back. */
static void put(const pen *p, int32_t x, int32_t y, ptl_oter oter)
{
    const int32_t cell = y * SIZE + x;
    const cat_oter *oters = p->g->config->cat->oters;
    const ptl_oter before = p->cells[cell];
    const bool other_type = before != oter && oters[before].terrain != oters[oter].terrain;
    write_cell(p, cell, oter);
    if (other_type) {
        /* Remove arms of neighbouring linear OMTs that the new OMT does not answer by an arm
         * back. */
        const ptl_oter here = p->cells[y * SIZE + x];
        for (int d = 0; d < 4; d++) {
            const int32_t nx = x + step_x(d), ny = y + step_y(d), back = opposite(d);
            if (!inside(nx, ny))
                continue;
            const ptl_oter n = p->cells[ny * SIZE + nx];
            const int arm = 1 << back;
            /* Does the new OMT answer the neighbour's arm? The first test is whether both
             * OMTs belong to the connection that is drawn: that is so most often, and takes the
             * least time to find out. */
            if (!(line_of(p, n) & arm) ||
                (p->looks[n] & LOOK_LINE && answers_of(p, here) >> opposite(back) & 1) ||
                connect_answered(p->g->config->connections, n, back, here))
                continue;
            write_cell(p, ny * SIZE + nx, with_line(p, n, line_of(p, n) & ~arm));
        }
    }
}

/* Does a new linear OMT get an arm towards its neighbour (nx, ny) in direction d? If so, and if
 * the neighbour lacks an arm back, the neighbour gets one. `direction` is the direction in
 * which the path leaves the new OMT; `old` are the arms that the OMT in its place had
 * before. */
static bool meet_beside(const pen *p, int32_t nx, int32_t ny, int d, int direction, int old)
{
    const ptl_oter n = p->cells[ny * SIZE + nx];
    const int back = 1 << opposite(d), line = answers_of(p, n);
    if (!(p->looks[n] & LOOK_LINE))
        /* An OMT that is not linear has sides at which it can be joined: a bridge has two, its
         * ends. If it can be joined on all four sides, as a manhole can, it is joined only
         * where there was an arm before. */
        return (line & back) && (line != 15 || (old >> d & 1));
    if (line & back)
        return true;
    if (!STRAIGHTISH[line] && (direction == CONNECT_ANY || !(line >> direction & 1)))
        return false;
    write_cell(p, ny * SIZE + nx, with_line(p, n, line | back));
    return true;
}

static void draw_line(const pen *p, int32_t x, int32_t y, int direction, int arms,
                      ptl_oter first)
{
    const ptl_oter ground = p->cells[y * SIZE + x];
    const int old = p->looks[ground] & LOOK_HAS ? answers_of(p, ground) : 0;
    /* If the cell had a line of the connection before, the new OMT keeps that line's arms,
     * because a building or the next chunk may have arms that point at them. */
    if (p->looks[ground] & LOOK_LINE)
        arms |= old;
    for (int d = 0; d < 4; d++) {
        const int32_t nx = x + step_x(d), ny = y + step_y(d);
        if (!(arms >> d & 1) && inside(nx, ny) && meet_beside(p, nx, ny, d, direction, old))
            arms |= 1 << d;
    }
    put(p, x, y, (ptl_oter)(first + arms));
}

/* Draws one OMT of a path. `in` is the direction in which the path comes to it, `out` the
 * direction in which the path goes on; CONNECT_ANY where there is none. `outward` is the
 * direction in which the path leaves the chunk from this OMT, or CONNECT_ANY. */
static void draw_omt(const pen *p, int32_t x, int32_t y, int in, int out, int outward)
{
    const ptl_oter ground = p->cells[y * SIZE + x];
    const catalogue *cat = p->g->config->cat;
    const oter_class class = connect_class(p->g, p->connection, ground);
    if (class.subtype < 0)
        return;
    const cat_subtype *s = &compiled(p->g, p->connection)->connection->subtypes[class.subtype];
    const ptl_oter first = cat->terrains[s->terrain].first;
    int arms = outward == CONNECT_ANY ? 0 : 1 << outward;
    arms |= (out == CONNECT_ANY ? 0 : 1 << out) | (in == CONNECT_ANY ? 0 : 1 << opposite(in));
    if (s->shape == PTL_TERRAIN_LINE)
        draw_line(p, x, y, out, arms, first);
    else if (cat->oters[ground].terrain == s->terrain)
        return; /* a bridge that an earlier path drew keeps its direction */
    else if (s->shape == PTL_TERRAIN_FIXED)
        put(p, x, y, first);
    else
        put(p, x, y,
            (ptl_oter)(first + (out != CONNECT_ANY       ? out
                                : in != CONNECT_ANY      ? in
                                : outward != CONNECT_ANY ? outward
                                                         : 0)));
}

void connect_draw_path(generator *g, size_t connection, int32_t z, const path_node *nodes,
                       size_t count, const connect_end *from, const connect_end *to)
{
    ptl_oter *cells = cells_at(g, z);
    if (!cells)
        return;
    const pen p = take_pen(g, connection, cells, z);
    int in = CONNECT_ANY;
    for (size_t i = 0; i < count; i++) {
        const connect_end *end = i == 0 ? from : i + 1 == count ? to : NULL;
        const int outward = end && end->exit ? opposite(end->heading) : CONNECT_ANY;
        const int out = i + 1 < count ? nodes[i].direction : CONNECT_ANY;
        draw_omt(&p, nodes[i].x, nodes[i].y, in, out, outward);
        in = out;
    }
}

/* May a path come to this ground in the direction `in` and leave it in the direction `out`? If
 * `in` or `out` is CONNECT_ANY: may a path begin or end here? */
static bool passes(const generator *g, size_t connection, ptl_oter ground, int in, int out)
{
    const oter_class class = connect_class(g, connection, ground);
    const uint32_t enter = class.step >> STEP_ENTER_SHIFT & 15;
    if (!enter)
        return false;
    if (in == CONNECT_ANY || out == CONNECT_ANY)
        return class.end;
    return (enter >> in & 1) && (enter >> out & 1) && (in == out || !(class.step & STEP_RIGID));
}

bool connect_draw(generator *g, size_t connection, int32_t z, const path_node *nodes,
                  size_t count)
{
    ptl_oter *cells = cells_at(g, z);
    if (!cells || count == 0)
        return false;
    const path_node *last = &nodes[count - 1];
    connect_choose(g, connection, z, nodes->y * SIZE + nodes->x, last->y * SIZE + last->x);
    int in = CONNECT_ANY;
    for (size_t i = 0; i < count; i++) {
        const int32_t x = nodes[i].x, y = nodes[i].y;
        const int out = i + 1 < count ? nodes[i].direction : CONNECT_ANY;
        if (!inside(x, y) || !passes(g, connection, cells[y * SIZE + x], in, out))
            return false;
        if (i + 1 < count && (out < 0 || out > 3 || nodes[i + 1].x != x + step_x(out) ||
                              nodes[i + 1].y != y + step_y(out)))
            return false;
        in = out;
    }
    connect_draw_path(g, connection, z, nodes, count, NULL, NULL);
    return true;
}

void connect_draw_end(generator *g, size_t connection, int32_t z, int32_t cell, int arm)
{
    ptl_oter *cells = cells_at(g, z);
    if (!cells)
        return;
    const compiled_connection *c = compiled(g, connection);
    const catalogue *cat = g->config->cat;
    connect_choose(g, connection, z, cell, cell);
    const oter_class class = connect_class(g, connection, cells[cell]);
    const int arms = arm == CONNECT_ANY ? 0 : 1 << arm;
    const pen p = take_pen(g, connection, cells, z);
    if (p.looks[cells[cell]] & LOOK_LINE) {
        write_cell(&p, cell, with_line(&p, cells[cell], line_of(&p, cells[cell]) | arms));
        return;
    }
    if (class.subtype == DRAW_KEEP || (class.has && class.shape == PTL_TERRAIN_FIXED))
        return;
    /* If the connection can't use the ground in the direction of the arm, the connection's
     * default subtype is drawn. */
    const int enter = (int)(class.step >> STEP_ENTER_SHIFT & 15);
    const bool fits = enter && (enter & arms) == arms;
    const cat_subtype *s = &c->connection->subtypes[fits ? class.subtype : c->default_subtype];
    const int variant = s->shape == PTL_TERRAIN_LINE                              ? arms
                        : s->shape == PTL_TERRAIN_ROTATABLE && arm != CONNECT_ANY ? arm
                                                                                  : 0;
    put(&p, cell % SIZE, cell / SIZE, (ptl_oter)(cat->terrains[s->terrain].first + variant));
}

void connect_stub(generator *g, size_t connection, int32_t z, connect_end end)
{
    if (connect_is_exit(end))
        connect_draw_end(g, connection, z, end.y * SIZE + end.x, opposite(connect_inward(end)));
}
