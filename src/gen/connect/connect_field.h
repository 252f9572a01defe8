/* Memory of the search of connect_field_kernel.h, which its two compiled versions share. */
#pragma once

#include "gen/connect/connect_impl.h"

enum {
    FIELD_WIDTH = FAR_WIDTH, /* cells in a row, rounded up to whole vectors */
    /* The numbers of FIELD_GROUP cells side by side lie together, in three cache lines, as six
     * arrays. The first two have what is left of the budget when a cell is entered along its
     * column, and along its row. The next constants are the offsets of the other arrays. */
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
     * search has not come. (2) FIELD_NEED: the least budget that is needed to reach a goal from
     * the cell,
     * + 1. Where `met` is not set, (1) and (2) are values of earlier searches. (3) FIELD_OPEN:
     * all bits set if a path may turn on the cell, else 0. (4) FIELD_COST: the cost of entering
     * the cell, or BLOCKED.
     */
    uint16_t *cells; /* FIELD_CELLS numbers; begins at a cache line */
    uint16_t
        goal[SIZE * FIELD_WIDTH]; /* all bits set: a goal of a search for the nearest OMT */
    bool goals[SIZE];             /* the row has cells for which `goal` is set */
    /* For each row, bit x / LANES stands for a stretch of LANES cells. met: this search has
     * been there. down, up: the stretch has changed, and the row to the south, or north, has
     * not taken this into account yet. */
    uint32_t met[SIZE], down[SIZE], up[SIZE];
    /* By column or row: the distance to the goal's column or row, and how many of those on the
     * way have no OMT of the connection. In a search for the nearest OMT: the distance to the
     * next column or row that has an OMT. */
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
/* Equal to field_search_base where the build has no AVX2. */
field_kernel field_search_avx2;
