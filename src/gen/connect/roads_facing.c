/*
 * Short cuts between towns that face each other across water: the line between them crosses
 * some, and no third town lies in the circle that has this line as its diameter. Where the way
 * along roads is over twice the direct one they are linked once more, by what is short, over a
 * bridge of its own or one that is there.
 *
 * Only where rivers are curved. These are few and long, so that a road, to which what is there
 * costs little, hardly ever crosses one. With exact roads nothing is preferred.
 */
#include "gen/connect/ends.h"

#include <stdlib.h>

enum {
    TOO_LONG = 2, /* times the direct way, in steps */
    LEAST_APART = 10
};

static bool is_water(const generator *g, int32_t x, int32_t y)
{
    return g->config->cat->oters[g->ground[y * SIZE + x]].flags & CAT_FLAGS_WATER;
}

/* A coordinate of the i-th of n points of a line, rounded to a cell. */
static int32_t on_line(int32_t from, int32_t to, int32_t i, int32_t n)
{
    return (2 * (from * (n - i) + to * i) + n) / (2 * n);
}

static bool crosses_water(const generator *g, connect_end a, connect_end b)
{
    const int32_t across = abs(a.x - b.x), down = abs(a.y - b.y);
    const int32_t n = across > down ? across : down;
    for (int32_t i = 1; i < n; i++)
        if (is_water(g, on_line(a.x, b.x, i, n), on_line(a.y, b.y, i, n)))
            return true;
    return false;
}

/* Does it lie in the circle around the line between the two, or on it? */
static bool lies_between(connect_end c, connect_end a, connect_end b)
{
    return (c.x - a.x) * (c.x - b.x) + (c.y - a.y) * (c.y - b.y) <= 0;
}

static bool face_each_other(const generator *g, const end_list *list, size_t i, size_t j)
{
    for (size_t k = list->exit_count; k < list->count; k++)
        if (k != i && k != j && lies_between(list->ends[k], list->ends[i], list->ends[j]))
            return false;
    return crosses_water(g, list->ends[i], list->ends[j]);
}

void link_facing(generator *g, track l, const end_list *list)
{
    const bool exact = g->config->options.roads == PTL_ROADS_EXACT;
    if (exact || g->config->river_form != RIVERS_CURVED || l.z != 0)
        return;
    for (size_t i = list->exit_count; i < list->count; i++)
        for (size_t j = i + 1; j < list->count && !g->failed; j++)
            if (face_each_other(g, list, i, j)) {
                const connect_end a = list->ends[i];
                const connect_end b = list->ends[j];
                const int32_t apart = abs(a.x - b.x) + abs(a.y - b.y);
                const int32_t limit = TOO_LONG * apart + 1;
                if (apart >= LEAST_APART &&
                    connect_way(g, l.connection, l.z, a, b, limit) == limit)
                    connect_short_cut(g, l.connection, l.z, a, b);
            }
}
