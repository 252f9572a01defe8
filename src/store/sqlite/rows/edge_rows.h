/* Writing edges; sqlite_edge_find is in rows.h. */
#ifndef STORE_SQLITE_ROWS_EDGE_ROWS_H
#define STORE_SQLITE_ROWS_EDGE_ROWS_H

#include "core/bytes.h"
#include "store/sqlite/rows/rows.h"

/* What an edge's row says beside the edge itself. */
typedef struct edge_source {
    int64_t world_id, content_id, run_id;
    int32_t generator_version;
} edge_source;

/* Writes the edge if it is not saved; PTL_ERR_MISMATCH if it is, but otherwise. cat gives the
 * id strings of border cells. */
ptl_status edge_row_ensure(ptl_store *store, const edge *e, const edge_source *source,
                           const struct ptl_catalogue *cat, ptl_error *err);

/*
 * Writes a foreign edge with its border cells, in the place of a saved one if need be: the
 * caller gives all of it, both sides merged. Equal to the saved one: nothing is done.
 * PTL_ERR_EXISTS, naming the chunk, if a generated chunk lies on either side and the saved
 * edge is another. Inside a transaction of the caller's.
 */
ptl_status edge_row_write_foreign(ptl_store *store, const edge *e, const edge_source *source,
                                  const struct ptl_catalogue *cat, ptl_error *err);

/* The edge under a given id, in the place of the rows that have it: for repair. */
ptl_status edge_row_put(ptl_store *store, int64_t id, const edge *e, const edge_source *source,
                        const struct ptl_catalogue *cat, ptl_error *err);

/* A foreign edge's border cells as numbers of the file's dictionary (format.md, "Border
 * cells"): sides 0 the edge's own chunk, 1 its east or south neighbour. */
typedef struct edge_cells {
    bool has[2];
    uint32_t numbers[2][PTL_CHUNK_SIZE];
} edge_cells;

/* sqlite_edge_find with the cells as they are stored; cells may be NULL. */
ptl_status edge_row_find_raw(edge *out, edge_cells *cells, bool *found, ptl_store *store,
                             int64_t world_id, int32_t x, int32_t y, edge_side side,
                             ptl_error *err);

/* Border cells of foreign edges: between oters, file numbers and the column edge.cells
 * (format.md, "Border cells"). */

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
