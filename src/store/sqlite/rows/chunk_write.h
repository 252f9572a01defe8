/* Rows of edges, and their border cells. (rows.h declares the writing of chunks.) */
#pragma once

#include "core/bytes.h"
#include "store/sqlite/rows/rows.h"

/* What the row of an edge says about how the edge was made: the world, the content, the run and
 * the generator's version. */
typedef struct edge_source {
    int64_t world_id, content_id, run_id;
    int32_t generator_version;
} edge_source;

/* Writes the edge if no edge is saved at its place. PTL_ERR_MISMATCH if a different edge is
 * saved. cat gives the id texts of border cells. */
ptl_status edge_row_ensure(ptl_store *store, const edge *e, const edge_source *source,
                           const struct ptl_catalogue *cat, ptl_error *err);

/*
 * Writes a foreign edge with its border cells; it replaces a saved edge that differs. The
 * caller gives the whole edge, with the crossings and border cells of both sides.
 * PTL_ERR_EXISTS, naming the chunk, if the saved edge differs and a generated chunk lies on
 * either side. Inside a transaction of the caller's.
 */
ptl_status edge_row_write_foreign(ptl_store *store, const edge *e, const edge_source *source,
                                  const struct ptl_catalogue *cat, ptl_error *err);

/* For repair: writes the edge with a given id, in place of all rows with this id. */
ptl_status edge_row_put(ptl_store *store, int64_t id, const edge *e, const edge_source *source,
                        const struct ptl_catalogue *cat, ptl_error *err);

/* The border cells of a foreign edge, as numbers of the file's dictionary (format.md, "Border
 * cells"). Side 0 is the edge's own chunk, side 1 its eastern or southern neighbour. */
typedef struct edge_cells {
    bool has[2];
    uint32_t numbers[2][PTL_CHUNK_SIZE];
} edge_cells;

/* Reads a row of table crossing, except its kind; false if a value is out of range. */
bool crossing_row_take(crossing *out, const stmt *s);

/* Finds the edge at a place; *id is 0 if no edge is saved there. *cells, which may be NULL,
 * gets the border cells as they are stored. */
ptl_status edge_row_find(edge *out, int64_t *id, edge_cells *cells, ptl_store *store,
                         int64_t world_id, const edge *place, ptl_error *err);

/* The following functions compare border cells, and convert them to and from the column `cells`
 * of table edge (format.md, "Border cells"). */

bool edge_cells_equal(const edge_cells *a, const edge_cells *b);
/* Appends an edge's border cells as a blob; nothing is appended if neither side has cells. */
void edge_cells_build(bytes *out, const edge_cells *cells);
/* Parses a blob of border cells; size 0 means no cells. `limit` is one more than the
 * dictionary's greatest number. */
ptl_status edge_cells_parse(edge_cells *out, const void *blob, size_t size, size_t limit,
                            ptl_error *err);
