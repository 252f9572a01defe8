/* Deep water that gets deeper with the distance from the shelf, and is deepest at the map's
 * edge. */
#include "core/error.h"
#include "shoals/shoals.h"

#include <stdlib.h>

enum { DEEPER_BY_STEP = 7, DEEPER_AT_EDGE = 1000, UNSEEN = -1 };

static bool is_deep(const shoals *s, int32_t height)
{
    return height < s->options->shallow;
}

static bool touches_shallow(const shoals *s, offset at)
{
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            const offset near = {at.x + dx, at.y + dy};
            if (!shoals_holds(s, near))
                continue;
            if (ptl_shoals_ground_of(s->options, *shoals_at(s, near)) == PTL_SHOALS_SHALLOW)
                return true;
        }
    return false;
}

/* Deep cells in the order of their distance from the shelf. */
typedef struct spread {
    int32_t *steps; /* of each cell; UNSEEN */
    int64_t *queue; /* cells */
    int64_t count;
} spread;

static void reach(spread *p, int64_t cell, int32_t steps)
{
    p->steps[cell] = steps;
    p->queue[p->count++] = cell;
}

/* The outermost two rings: the tide leaves the outermost one alone. */
static void deepen_edges(shoals *s)
{
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t x = 0; x < s->width; x++) {
            const bool edge = x <= 1 || y <= 1 || x >= s->width - 2 || y >= s->height - 2;
            int32_t *height = shoals_at(s, (offset){x, y});
            if (edge && is_deep(s, *height))
                *height -= DEEPER_AT_EDGE;
        }
}

/* Deep cells alone are read and written: a coast does not move. */
static void smooth_deep(shoals *s)
{
    const window deep = {0, 0, s->width - 1, s->height - 1, s->options->shallow};
    for (int32_t y = 1; y < s->height - 1; y++)
        for (int32_t x = 1; x < s->width - 1; x++) {
            int32_t *height = shoals_at(s, (offset){x, y});
            if (is_deep(s, *height))
                *height = shoals_mean(s, &deep, x, y);
        }
}

ptl_status shoals_deepen(shoals *s, ptl_error *err)
{
    const size_t cells = (size_t)s->width * (size_t)s->height;
    spread p = {malloc(cells * sizeof *p.steps), malloc(cells * sizeof *p.queue), 0};
    ptl_status status = p.steps && p.queue ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        for (int32_t y = 0; y < s->height; y++)
            for (int32_t x = 0; x < s->width; x++) {
                const int64_t cell = (int64_t)y * s->width + x;
                p.steps[cell] = UNSEEN;
                if (is_deep(s, s->heights[cell]) && touches_shallow(s, (offset){x, y}))
                    reach(&p, cell, 0);
            }
        static const offset sides[] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
        for (int64_t i = 0; i < p.count; i++) {
            const int64_t cell = p.queue[i];
            for (size_t side = 0; side < sizeof sides / sizeof sides[0]; side++) {
                const offset at = {(int32_t)(cell % s->width) + sides[side].x,
                                   (int32_t)(cell / s->width) + sides[side].y};
                const int64_t next = (int64_t)at.y * s->width + at.x;
                if (shoals_holds(s, at) && p.steps[next] == UNSEEN &&
                    is_deep(s, s->heights[next]))
                    reach(&p, next, p.steps[cell] + 1);
            }
        }
        for (int64_t i = 0; i < p.count; i++) {
            const int64_t by = (int64_t)DEEPER_BY_STEP * p.steps[p.queue[i]];
            s->heights[p.queue[i]] -=
                by < PTL_SHOALS_HEIGHT_MAX ? (int32_t)by : PTL_SHOALS_HEIGHT_MAX;
        }
        deepen_edges(s);
        smooth_deep(s);
    }
    free(p.steps);
    free(p.queue);
    return status;
}
