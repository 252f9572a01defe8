/*
 * What making one map may take. Content may ask for 10^18 pieces, each of which goes over
 * tiles, things or lists: so pieces are counted, and all that is gone over is, where it is
 * done; and whoever may stop the work is asked meanwhile. Counted, never timed: where a budget
 * ends is the same on every machine.
 */
#ifndef MAPGEN_GROUPS_BUDGET_H
#define MAPGEN_GROUPS_BUDGET_H

#include "core/stop.h"

enum {
    MAPGEN_PIECES = 1000000, /* that are put down, and creations that are tried */
    MAPGEN_WORK = 100000000, /* tiles, things and entries of lists that are gone over */
    MAPGEN_PIECE_WORK = 8,   /* what a piece goes over of itself */
    MAPGEN_LOOK = 1 << 16    /* between two questions whether to stop */
};

typedef struct mapgen_budget {
    uint32_t pieces, work; /* left */
    uint32_t unlooked;     /* gone over, and not taken off the work yet */
    bool over;             /* nothing more is to be done */
    bool stopped;          /* since somebody asked for it */
    stop_hook stop;
} mapgen_budget;

static inline mapgen_budget mapgen_budget_of(stop_hook stop)
{
    return (mapgen_budget){.pieces = MAPGEN_PIECES, .work = MAPGEN_WORK, .stop = stop};
}

/* Counts what is gone over; false once the budget is spent. */
static inline bool mapgen_budget_touch(mapgen_budget *b, size_t count)
{
    b->unlooked += count < b->work ? (uint32_t)count : b->work;
    if (b->unlooked < MAPGEN_LOOK)
        return !b->over;
    b->over = b->over || b->unlooked >= b->work;
    b->work = b->over ? 0 : b->work - b->unlooked;
    b->unlooked = 0;
    b->stopped = b->stopped || stop_asked(&b->stop);
    b->over = b->over || b->stopped;
    return !b->over;
}

/* Counts a piece; false once the budget is spent. */
static inline bool mapgen_budget_spend(mapgen_budget *b)
{
    b->over = b->over || b->pieces == 0;
    b->pieces -= b->pieces > 0;
    return mapgen_budget_touch(b, MAPGEN_PIECE_WORK);
}

#endif
