/* Rows of table overview (format.md, "Overviews"): reading all of them, and making them anew
 * from the levels, which repair does. They are written together with their chunks. */
#pragma once

#include "store/store.h"

/* Implements chunk_operations.overview_visit. */
ptl_status sqlite_overview_visit(ptl_store *store, int64_t world_id, const catalogue *cat,
                                 overview_visit *visit, void *payload, ptl_error *err);

/* Describes a row that was made anew, or that belonged to no chunk. */
typedef struct overview_mended {
    int64_t chunk_id, world_id;
    ptl_chunk_pos pos;
    bool had_chunk; /* false: the row was removed; world_id and pos are not known */
} overview_mended;

typedef ptl_status overview_mended_visit(void *payload, const overview_mended *m,
                                         ptl_error *err);

/*
 * Makes each overview anew that is not what its chunk's level 0 gives; visit is called for
 * each of them. If the level can't be read the row stays. Inside a write transaction of the
 * caller's, which visit may commit to begin another one.
 */
ptl_status overview_rows_mend(ptl_store *store, overview_mended_visit *visit, void *payload,
                              ptl_error *err);
