/* Inside the search of connect_field.c: what its kernels share. */
#ifndef GEN_CONNECT_CONNECT_FIELD_H
#define GEN_CONNECT_CONNECT_FIELD_H

#include "gen/connect/connect_impl.h"

enum {
    FIELD_WIDTH = FAR_WIDTH, /* of a row: whole lanes */
    /* All that a step needs to know of so many cells side by side lies in one place, three
     * lines of the cache: twice what is left, as entered along a column and along a row; then,
     * from these on, ... */
    FIELD_GROUP = STALE_COLUMNS,
    FIELD_NEED = 2 * FIELD_GROUP,
    FIELD_OPEN = 3 * FIELD_GROUP,
    FIELD_COST = 4 * FIELD_GROUP, /* twice, likewise */
    FIELD_GROUP_SIZE = 6 * FIELD_GROUP,
    FIELD_CELLS = SIZE * FIELD_WIDTH / FIELD_GROUP * FIELD_GROUP_SIZE
};

typedef field_result field_kernel(generator *g, const path_task *task);

struct field_search {
    /*
     * Of each group of cells. What is left of the budget, + 1, or 0 where the search has not
     * come; what it needs to reach a goal from there at least, + 1: where the present search
     * has not been these are what earlier ones left. All bits where a cell is free, so that one
     * may turn there. What it costs to enter it; or that it is blocked.
     */
    uint16_t *cells;                   /* FIELD_CELLS; begins a line of the cache */
    uint16_t *block;                   /* owned: where that lies */
    uint16_t goal[SIZE * FIELD_WIDTH]; /* all bits: a tile that the nearest may be */
    bool goals[SIZE];                  /* rows that have any */
    /* Of each row, bit x / LANES: this search has been there; that changed, and was not handed
     * on to the row below, or above. */
    uint32_t met[SIZE], down[SIZE], up[SIZE];
    /* How far it is to a column or row of the goal's, and how many bare ones are entered. */
    uint16_t to_column[FIELD_WIDTH], bare_columns[FIELD_WIDTH], to_row[SIZE], bare_rows[SIZE];
    field_kernel *kernel;
};

/* Where a cell's numbers begin. */
static inline int32_t field_place(int32_t x, int32_t y)
{
    return (y * (FIELD_WIDTH / FIELD_GROUP) + x / FIELD_GROUP) * FIELD_GROUP_SIZE +
           x % FIELD_GROUP;
}

field_kernel field_search_base;
field_kernel field_search_avx2; /* equal to base where the build has no AVX2 */

#endif
