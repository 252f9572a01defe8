/*
 * Corridors: the ground behind an exit that is kept free for its road, three cells wide and
 * EXIT_CORRIDOR deep. Streets and buildings keep off; what comes after the roads need not.
 */
#include "gen/connect/ends.h"

static void reserve(generator *g, connect_end end)
{
    int32_t dx = step_x(end.heading), dy = step_y(end.heading);
    for (int32_t depth = 0; depth < EXIT_CORRIDOR; depth++)
        for (int32_t aside = -1; aside <= 1; aside++) {
            int32_t x = end.x + depth * dx + aside * dy, y = end.y + depth * dy + aside * dx;
            if (inside(x, y))
                g->reserved[y * SIZE + x] = 1;
        }
}

void reserve_corridors(generator *g)
{
    for (int direction = 0; direction < 4; direction++) {
        const edge *e = g->edges[direction];
        for (size_t i = 0; i < e->count; i++)
            if (e->crossings[i].z == 0 && crossing_is_exit(&e->crossings[i]))
                reserve(g, exit_end(direction, e->crossings[i].position));
    }
}
