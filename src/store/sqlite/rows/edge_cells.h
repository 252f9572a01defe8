/* Border cells of foreign edges: between oters, file numbers and the column edge.cells
 * (format.md, "Border cells"). */
#ifndef STORE_SQLITE_ROWS_EDGE_CELLS_H
#define STORE_SQLITE_ROWS_EDGE_CELLS_H

#include "core/bytes.h"
#include "store/sqlite/rows/edge_rows.h"

/* Gives the numbers of e->border; new ids are added to the dictionary. */
ptl_status edge_cells_number(edge_cells *out, const edge *e, ptl_store *store,
                             const struct ptl_catalogue *cat, ptl_error *err);
/* Makes e->border of the numbers; it is new. PTL_ERR_MISMATCH for an id that cat has not. */
ptl_status edge_cells_resolve(edge *e, const edge_cells *cells, ptl_store *store,
                              const struct ptl_catalogue *cat, ptl_error *err);
bool edge_cells_equal(const edge_cells *a, const edge_cells *b);
/* Appends nothing where neither side has cells. */
void edge_cells_build(bytes *out, const edge_cells *cells);
/* Reads the blob; limit is one more than the dictionary's largest number. size 0: no cells. */
ptl_status edge_cells_parse(edge_cells *out, const void *blob, size_t size, size_t limit,
                            ptl_error *err);

#endif
