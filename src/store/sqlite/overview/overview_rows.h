/* Rows of table overview (format.md, "Overviews") beside their writing with each chunk: reading
 * them all, and making them anew of the levels, which repair does. */
#ifndef STORE_SQLITE_OVERVIEW_OVERVIEW_ROWS_H
#define STORE_SQLITE_OVERVIEW_OVERVIEW_ROWS_H

#include "store/store.h"

/* As store_overview_visit. */
ptl_status sqlite_overview_visit(ptl_store *store, int64_t world_id, const catalogue *cat,
                                 overview_visit *visit, void *payload, ptl_error *err);

/* What is told of a row that was made anew, or that no chunk had. */
typedef struct overview_mended {
    int64_t chunk_id, world_id;
    ptl_chunk_pos pos;
    bool had_chunk; /* false: world_id and pos are not known, and the row is gone */
} overview_mended;

typedef ptl_status overview_mended_visit(void *payload, const overview_mended *m,
                                         ptl_error *err);

/*
 * Makes every row what its chunk's level 0 gives, where it isn't; visit is
 * told of each. Rows of chunks whose level can't be read stay. Inside a write transaction of
 * the caller's; visit may commit and begin another one.
 */
ptl_status overview_rows_mend(ptl_store *store, overview_mended_visit *visit, void *payload,
                              ptl_error *err);

#endif
