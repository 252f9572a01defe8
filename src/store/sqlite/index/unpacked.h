/* The contract's operations (store/operations.h) of the plain tables; what they mean stands in
 * portolan/index.h. */
#ifndef STORE_SQLITE_INDEX_UNPACKED_H
#define STORE_SQLITE_INDEX_UNPACKED_H

#include "portolan/index.h"

/* options and report: whole structs of this library's; parts: 1..PTL_INDEX_ALL when dropping.
 */
ptl_status sqlite_index_update(ptl_store *store, const ptl_index_options *options,
                               ptl_index_report *report, ptl_error *err);
ptl_status sqlite_index_drop(ptl_store *store, uint32_t parts, int *found, ptl_error *err);
ptl_status sqlite_index_look(ptl_store *store, int64_t world_id, ptl_index_state *out,
                             ptl_error *err);

#endif
