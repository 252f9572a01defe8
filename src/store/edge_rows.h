/* Writing edges; edge_row_find is in rows.h. */
#ifndef STORE_EDGE_ROWS_H
#define STORE_EDGE_ROWS_H

#include "store/rows.h"

/* The letter of a side in the tables: "E" or "S". */
const char *edge_side_text(edge_side side);

/* What an edge's row says beside the edge itself. */
typedef struct edge_source {
    int64_t world_id, content_id, run_id;
    int32_t generator_version;
} edge_source;

/* Writes the edge if it is not saved; PTL_ERR_MISMATCH if it is, but otherwise. */
ptl_status edge_row_ensure(ptl_store *store, const edge *e, const edge_source *source,
                           ptl_error *err);

#endif
