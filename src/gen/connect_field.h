/* Inside the search of connect_field.c: what its kernels share. */
#ifndef GEN_CONNECT_FIELD_H
#define GEN_CONNECT_FIELD_H

#include "gen/connect_impl.h"

enum { FIELD_WIDTH = FAR_WIDTH }; /* of a row: whole lanes */

/* Of each cell, row after row. */
typedef uint16_t field_plane[SIZE * FIELD_WIDTH];

typedef field_result field_kernel(generator *g, const path_task *task, const ptl_oter *cells);

struct field_search {
    field_kernel *kernel;
    field_plane cost[2]; /* of entering it along a column, and along a row; or blocked */
    field_plane open;    /* all bits: free, one may turn there */
    field_plane goal;    /* all bits: a tile that the nearest may be */
    bool goals[SIZE];    /* rows that have any */
    /* of the present search; where it has not been they hold what earlier ones left */
    field_plane left[2]; /* of the budget, + 1, by how the cell was entered; 0: not reached */
    field_plane need;    /* to reach a goal from there, at least, + 1 */
    /* Of each row, bit x / LANES: this search has been there; that changed, and was not handed
     * on to the row below, or above. */
    uint32_t met[SIZE], down[SIZE], up[SIZE];
    /* how far it is to a column or row of the goal's, and how many bare ones are entered */
    uint16_t to_column[FIELD_WIDTH], bare_columns[FIELD_WIDTH], to_row[SIZE], bare_rows[SIZE];
};

field_kernel field_search_base;
field_kernel field_search_avx2; /* equal to base where the build has no AVX2 */

#endif
