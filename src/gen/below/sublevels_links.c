/*
 * Links the lines of a level (sewers, subways and other connections). The ends of a line are
 * the points that step sublevels planned, and the cells at which specials connect to the line.
 * Ends are linked from the last of the list to the first, each to the nearest OMT of the line
 * that is drawn already. So each end is linked with a later end of the list, as in the games,
 * or with a path that leads to one. A search for the nearest OMT costs far less than a search
 * for a certain point. Afterwards networks of the line that are still apart are linked. An end
 * that can't be linked keeps its lone OMT, and an event `unreached` reports it.
 */
#include "gen/below/sublevels.h"

#include <string.h>

void sub_add_point(const sub_level *l, int line, sub_point p)
{
    sub_points *points = &l->s->points[line];
    if (points->count == SUB_POINTS_MAX)
        return;
    points->list[points->count++] = p;
    for (int32_t i = 0; i <= p.through; i++)
        l->s->marks[(p.y - i) * SIZE + p.x] |= SUB_TAKEN;
    l->s->marked = true;
    if (points->count == SUB_POINTS_MAX)
        add_event(l->g, "too_many", p.x, p.y, l->z,
                  line == SUB_SEWERS ? "sewers: those after this one are not linked"
                                     : "subways: those after this one are not linked");
}

typedef struct line {
    const sub_level *l;
    size_t connection;
    /* An OMT (as y * SIZE + x) with which ends can be linked, because the connection had it on
     * this level before; -1: it had none. */
    int32_t first;
    size_t count; /* number of the line's ends (the cells that it is to link) in
                   * sublevels.ends */
    /* How many of the line's ends are points that step sublevels planned. They come first in
     * sublevels.ends. */
    size_t points;
    size_t closed;
    /* True if since the last call that linked an end nothing has written on the level but the
     * connection engine (the code that draws connections, connect.h). */
    bool known;
    bool whole; /* whether it is certain that all ends of the line are linked */
} line;

/* ---- ends ---- */
/* Collects the ends of a line (of sewers, say): the cells that must be linked. A point that
 * gets its arm in any case (sub_point.arm) becomes an end of the kind `exit`, from which the
 * path goes in the direction opposite to the arm. */
static void collect(line *n, const sub_points *points)
{
    generator *g = n->l->g;
    struct sublevels *s = n->l->s;
    for (size_t i = 0; i < points->count; i++) {
        const sub_point *p = &points->list[i];
        const bool arm = p->arm != CONNECT_ANY;
        s->ends[n->count++] =
            (connect_end){p->x, p->y, (int8_t)(arm ? opposite(p->arm) : CONNECT_ANY), arm};
        if (p->before)
            s->closed[n->closed++] = (p->y - 1) * SIZE + p->x;
    }
    n->points = n->count;
    for (size_t i = 0; i < g->deep_link_count; i++) {
        const deep_link *d = &g->deep_links[i];
        if (d->z != n->l->z || d->connection != n->connection)
            continue;
        if (n->count == SUB_ENDS_MAX) {
            add_event(g, "too_many", d->end.x, d->end.y, d->z,
                      "connections of specials: those after this one are not linked");
            break;
        }
        s->ends[n->count++] = d->end;
    }
}

/* Links one end to the nearest OMT of the connection. If the connection has no OMT yet, only
 * the end is drawn. */
static void link_end(line *n, size_t i)
{
    generator *g = n->l->g;
    struct sublevels *s = n->l->s;
    const connect_end *end = &s->ends[i];
    const int arm =
        end->exit && end->heading != CONNECT_ANY ? opposite(end->heading) : CONNECT_ANY;
    const int32_t cell = end->y * SIZE + end->x;
    /* No end is linked yet and the level has no OMT of the connection, so there is nothing to
     * link this end to. */
    if (n->first < 0 && i + 1 == n->count) {
        connect_draw_end(g, n->connection, n->l->z, cell, arm);
        return;
    }
    const connect_ground ground = {
        .closed = s->closed, .closed_count = n->closed, .known = n->known};
    const connect_result result = connect_link(g, n->connection, n->l->z, *end, &ground);
    n->known = result != CONNECT_BLOCKED && result != CONNECT_SAME ? true : n->known;
    if (result == CONNECT_BLOCKED && i < n->points)
        connect_draw_end(g, n->connection, n->l->z, cell, arm);
    if (result == CONNECT_BLOCKED || result == CONNECT_NO_PATH)
        n->whole = false;
}

/* ---- linking ---- */
static bool crosses_borders(const line *n)
{
    const gen_config *config = n->l->g->config;
    for (size_t i = 0; i < config->network_count; i++)
        if (config->networks[i].connection == n->connection && config->networks[i].z == n->l->z)
            return true;
    return false;
}

static int32_t label_at(const line *n, const connect_end *end)
{
    return n->l->s->labels[end->y * SIZE + end->x];
}

/* Marks, in sublevels.wanted, each network that holds one of the line's ends or the cell
 * `main`. Returns the number of marked networks. A network is a set of OMTs that are linked
 * with each other. */
static int32_t find_wanted(const line *n, int32_t main, int32_t parts)
{
    struct sublevels *s = n->l->s;
    int32_t count = 0;
    memset(s->wanted, 0, (size_t)parts + 1);
    for (size_t i = 0; i <= n->count; i++) {
        const int32_t label = i < n->count ? label_at(n, &s->ends[i]) : s->labels[main];
        if (label > 0 && !s->wanted[label]) {
            s->wanted[label] = true;
            count++;
        }
    }
    return count;
}

/* Links every end with the main network of the line. If a tunnel from a neighbouring chunk
 * belongs to the line, its network is the main one; otherwise it is the network of the last end
 * in the list. Networks that lie near each other are linked first. Then each end that is still
 * apart is linked by a search. An end that can't be linked stays as it is. */
static void link_parts(line *n)
{
    generator *g = n->l->g;
    struct sublevels *s = n->l->s;
    int32_t parts = connect_parts(g, n->connection, n->l->z, s->labels);
    const char *const id = g->config->cat->connections[n->connection].id;
    const bool tunnels = n->first >= 0 && crosses_borders(n);
    const connect_end *last = &s->ends[n->count - 1];
    const int32_t main = tunnels ? n->first : last->y * SIZE + last->x;
    if (find_wanted(n, main, parts) > 1) {
        sub_link_near(n->l, n->connection, parts, s->wanted);
        parts = connect_parts(g, n->connection, n->l->z, s->labels);
    }
    for (size_t i = 0; i < n->count; i++)
        s->given_up[i] = false;
    for (size_t i = 0; i < n->count && !g->failed; i++) {
        const connect_end *end = &s->ends[i];
        while (parts > 1 && label_at(n, end) != s->labels[main] && !s->given_up[i]) {
            /* The end's arm (sub_point.arm) is drawn already, so the path may leave the end in
             * any direction. */
            const connect_end from = {end->x, end->y, CONNECT_ANY, false};
            if (connect_to_any(g, n->connection, n->l->z, from) == CONNECT_DRAWN)
                parts = connect_parts(g, n->connection, n->l->z, s->labels);
            else /* No way leads on from this end. Gives up the end, and all later ends that
                  * this end is joined to by tunnels. */
                for (size_t k = i; k < n->count; k++)
                    s->given_up[k] =
                        s->given_up[k] || label_at(n, &s->ends[k]) == label_at(n, end);
        }
        if (label_at(n, end) == 0) /* nothing could be drawn on the cell, since a building's
                                    * cellar lies there */
            add_event(g, "blocked", end->x, end->y, n->l->z, id);
        else if (label_at(n, end) != s->labels[main])
            add_event(g, "unreached", end->x, end->y, n->l->z, id);
    }
}

/* Links all ends of a line, from the last to the first. The part of the line that leads through
 * a subway station is drawn as soon as the station's point is linked. */
static void link_line(line *n, const sub_points *points)
{
    generator *g = n->l->g;
    const struct sublevels *s = n->l->s;
    const uint32_t *looks = compiled(g, n->connection)->looks;
    const lanes fills = lanes_all(g->config->defaults[n->l->z - PTL_Z_MIN]);
    n->first = -1;
    for (int32_t i = 0; n->first < 0 && (i = sub_next_group(n->l->cells, i, fills)) < CELLS;
         i += LANES)
        for (int32_t k = i; n->first < 0 && k < i + LANES; k++)
            n->first = looks[n->l->cells[k]] & LOOK_HAS ? k : -1;
    n->whole = n->first < 0;
    collect(n, points);
    for (size_t i = n->count; i-- > 0 && !g->failed;) {
        link_end(n, i);
        if (i >= n->points)
            continue;
        /* Draw the line through a subway station, from the station's southern point
         * northwards. */
        const sub_point *p = &points->list[i];
        path_node nodes[3];
        for (int k = 0; k <= p->through; k++)
            nodes[k] = (path_node){p->x, (int16_t)(p->y - k),
                                   (int8_t)(k < p->through ? 0 : CONNECT_ANY)};
        if (p->through > 0 &&
            !connect_draw(g, n->connection, n->l->z, nodes, (size_t)p->through + 1))
            n->whole = false;
    }
    if (!n->whole)
        link_parts(n);
    if (n->count == 1 && n->points == 0 && n->first < 0)
        add_event(g, "unreached", s->ends[0].x, s->ends[0].y, n->l->z,
                  "nothing else on this level that it could lead to");
}

static bool asked(const sub_level *l, size_t connection)
{
    for (size_t i = 0; i < l->g->deep_link_count; i++)
        if (l->g->deep_links[i].z == l->z && l->g->deep_links[i].connection == connection)
            return true;
    return false;
}

void sub_link_points(const sub_level *l, int which)
{
    const uint16_t connection = l->content->lines[which];
    const sub_points *points = &l->s->points[which];
    if (connection == CAT_NONE || l->g->failed || (points->count == 0 && !asked(l, connection)))
        return;
    line n = {.l = l, .connection = connection};
    link_line(&n, points);
}

void sub_link_others(const sub_level *l)
{
    static const sub_points none;
    for (size_t c = 0; c < l->g->config->cat->connection_count && !l->g->failed; c++) {
        if (c == l->content->lines[SUB_SEWERS] || c == l->content->lines[SUB_SUBWAYS] ||
            !asked(l, c))
            continue;
        line n = {.l = l, .connection = c};
        link_line(&n, &none);
    }
}
