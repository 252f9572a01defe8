/* Rows of special_placement: writing and reading those of one chunk. */
#ifndef STORE_SQLITE_ROWS_SPECIAL_ROWS_H
#define STORE_SQLITE_ROWS_SPECIAL_ROWS_H

#include "codec/feature_codec.h"
#include "store/sqlite/rows/row_scratch.h"

/* Adds them inside the caller's transaction. The rows' values are added to scratch->levels. */
ptl_status special_rows_insert(ptl_store *store, row_scratch *scratch, int64_t chunk_id,
                               const special_rows *rows, ptl_error *err);
/*
 * Replaces what is in *out; ids are borrowed from the dictionary, which has been refreshed.
 * Verifies numbers and ranges; the values are added to scratch->levels. city_count is the
 * chunk's.
 */
ptl_status special_rows_read(special_rows *out, ptl_store *store, row_scratch *scratch,
                             int64_t chunk_id, size_t city_count, ptl_error *err);

#endif
