/* Rows of table overview (format.md, "Overviews"): reads all overviews of a world, and makes
 * overviews anew from the levels, for repair. Overviews are written together with their
 * chunks. */
#pragma once

#include "store/store.h"

/* Implements chunk_operations.overview_visit. */
ptl_status sqlite_overview_visit(ptl_store *store, int64_t world_id, const catalogue *cat,
                                 overview_visit *visit, void *payload, ptl_error *err);

/* Describes a row that was made anew, or that was deleted because its chunk does not exist. */
typedef struct overview_mended {
    int64_t chunk_id, world_id;
    ptl_chunk_pos pos;
    bool had_chunk; /* false: the chunk does not exist, so the row was deleted; world_id and pos
                       are not known */
} overview_mended;

typedef ptl_status overview_mended_visit(void *payload, const overview_mended *m,
                                         ptl_error *err);

/*
 * Makes each overview anew that differs from the overview of its chunk's level 0; visit is
 * called for each. If the level can't be read, the row stays. Call it in a write transaction,
 * which visit may commit to begin another one.
 */
ptl_status overview_rows_mend(ptl_store *store, overview_mended_visit *visit, void *payload,
                              ptl_error *err);
