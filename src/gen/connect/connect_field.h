/* Memory of the path search of connect_field_kernel.h. The version of the search for any
 * processor and that for AVX2 share it. */
#pragma once

#include "gen/connect/connect_impl.h"

enum {
    FIELD_WIDTH = FAR_WIDTH, /* cells in a row, rounded up to whole vectors */
    /* The array search.cells is made of groups, one for each FIELD_GROUP neighbouring cells of
     * a row. A group has six arrays of numbers and fills three cache lines. The first two
     * arrays say how much of the search's budget is left when a path enters the cell along its
     * column, and along its row. The next constants are the offsets of the other four arrays in
     * the group. */
    FIELD_GROUP = STALE_COLUMNS,
    FIELD_NEED = 2 * FIELD_GROUP,
    FIELD_OPEN = 3 * FIELD_GROUP,
    /* Offset of a group's last two arrays. They have what it costs to enter each cell of the
     * group along its column, and along its row. */
    FIELD_COST = 4 * FIELD_GROUP,
    FIELD_GROUP_SIZE = 6 * FIELD_GROUP,
    FIELD_CELLS = SIZE * FIELD_WIDTH / FIELD_GROUP * FIELD_GROUP_SIZE
};

typedef field_result field_kernel(generator *g, const path_task *task);

struct field_search {
    /*
     * This array has six arrays for each group of FIELD_GROUP cells. The first two have what is
     * left of the search's budget, plus 1, when a cell is entered along its column or along its
     * row; 0 where the search has not come. The one at FIELD_NEED has the least budget, plus 1,
     * that is needed to reach a goal from the cell. Where `met` is not set, these three have
     * values of earlier searches. The one at FIELD_OPEN has all bits set if a path may turn on
     * the cell, else 0. The two at FIELD_COST have the cost of entering the cell along its
     * column and along its row, or BLOCKED.
     */
    uint16_t *cells; /* FIELD_CELLS numbers; the array begins at a cache line */
    uint16_t goal[SIZE * FIELD_WIDTH]; /* by cell: all bits set if it is a goal */
    bool goals[SIZE]; /* by row: whether it has cells for which `goal` is set */
    /* A row of cells is divided into stretches of LANES cells; bit x / LANES of these numbers
     * stands for a stretch of the row. `met`: the present search has been in the stretch.
     * `down` (or `up`): the stretch has changed since the row to the south (or north) was last
     * visited. */
    uint32_t met[SIZE], down[SIZE], up[SIZE];
    /* For each column of cells: `to_column` is the distance to the goal's column, and
     * `bare_columns` says how many of the columns from this one to the goal's have no OMT of
     * the connection. For rows, `to_row` and `bare_rows` are the same. In a search for the
     * nearest OMT, `to_column` and `to_row` are the distances to the nearest column and row
     * that have an OMT of the connection. */
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
/* The version for AVX2; the same as field_search_base if this build has none. */
field_kernel field_search_avx2;
