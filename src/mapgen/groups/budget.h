/*
 * Limits for making one map. Content may ask for 10^18 pieces, each of which goes over tiles,
 * things or lists. So pieces are counted, and so is everything that is gone over, at the
 * place where that happens; on the way the caller is asked whether to stop. It counts instead
 * of measuring time, so that the limit falls on the same place on every machine.
 */
#ifndef MAPGEN_GROUPS_BUDGET_H
#define MAPGEN_GROUPS_BUDGET_H

#include "core/stop.h"

enum {
    MAPGEN_PIECES = 1000000, /* pieces put down, and tries to create something */
    MAPGEN_WORK = 100000000, /* tiles, things and entries of lists that are gone over */
    MAPGEN_PIECE_WORK = 8,   /* work that is counted for each piece */
    MAPGEN_LOOK = 1 << 16    /* work between two questions whether to stop */
};

typedef struct mapgen_budget {
    uint32_t pieces, work; /* what is left of each */
    uint32_t unlooked;     /* work that is not yet subtracted from `work` */
    bool over;             /* nothing more may be done */
    bool stopped;          /* it is over because the caller asked to stop */
    stop_hook stop;
} mapgen_budget;

/* Returns a full budget. */
static inline mapgen_budget mapgen_budget_of(stop_hook stop)
{
    return (mapgen_budget){.pieces = MAPGEN_PIECES, .work = MAPGEN_WORK, .stop = stop};
}

/* Counts `count` things that are gone over; false once the budget is spent. */
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
