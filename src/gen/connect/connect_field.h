/* Internals of the search of connect_field.c: what its kernels share. */
#pragma once

#include "gen/connect/connect_impl.h"

enum {
    FIELD_WIDTH = FAR_WIDTH, /* width of a row, in whole lanes */
    /* The numbers of FIELD_GROUP cells side by side lie together, in three cache lines. First
     * come two arrays of what is left of the budget: when the cell is entered along its
     * column, and along its row. The following constants are the offsets of the other
     * arrays. */
    FIELD_GROUP = STALE_COLUMNS,
    FIELD_NEED = 2 * FIELD_GROUP,
    FIELD_OPEN = 3 * FIELD_GROUP,
    FIELD_COST = 4 * FIELD_GROUP, /* two arrays: along the column, along the row */
    FIELD_GROUP_SIZE = 6 * FIELD_GROUP,
    FIELD_CELLS = SIZE * FIELD_WIDTH / FIELD_GROUP * FIELD_GROUP_SIZE
};

typedef field_result field_kernel(generator *g, const path_task *task);

struct field_search {
    /*
     * The numbers of each group of cells. (1) What is left of the budget, + 1; 0 where the
     * search has not come. (2) FIELD_NEED: the least that is needed to reach a goal from
     * there, + 1. (1) and (2) are leftovers of earlier searches where the present one has not
     * been. (3) FIELD_OPEN: all bits where the cell is free, so that a path may turn there.
     * (4) FIELD_COST: the cost of entering it, or BLOCKED.
     */
    uint16_t *cells;                   /* FIELD_CELLS numbers; begins at a cache line */
    uint16_t goal[SIZE * FIELD_WIDTH]; /* all bits set: an OMT that may be the nearest goal */
    bool goals[SIZE];                  /* rows that have such an OMT */
    /* For each row, bit x / LANES: met, this search has been there; down and up, the stretch
     * has changed and this was not yet handed on to the row below, or above. */
    uint32_t met[SIZE], down[SIZE], up[SIZE];
    /* The distance from each column or row to the goal's, and the number of bare ones entered
     * on the way. For the nearest OMT: the distance to one that holds an OMT. */
    uint16_t to_column[FIELD_WIDTH], bare_columns[FIELD_WIDTH], to_row[SIZE], bare_rows[SIZE];
    field_kernel *kernel;
};

/* Returns the index in `cells` at which a cell's numbers begin. */
static inline int32_t field_place(int32_t x, int32_t y)
{
    return (y * (FIELD_WIDTH / FIELD_GROUP) + x / FIELD_GROUP) * FIELD_GROUP_SIZE +
           x % FIELD_GROUP;
}

field_kernel field_search_base;
field_kernel field_search_avx2; /* equal to base where the build has no AVX2 */
