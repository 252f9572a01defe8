/* Rows of local maps, of their spills and of local tides. sqlite_maps has the contract's
 * operations on them (store/store.h). */
#pragma once

#include "store/sqlite/connection/stmt.h"
#include "store/store.h"

extern const map_operations sqlite_maps;

/* Decodes a row that gives MAP_COLUMNS; the caller verifies its checksum. Dispose of *out in
 * any case. */
ptl_status map_row_parse(stored_map *out, ptl_store *store, const stmt *s, ptl_error *err);

/* Checks a row of table omt_spill whose checksum is right: PTL_ERR_CORRUPT if no map could have
 * such spills. */
ptl_status spill_row_check(ptl_store *store, const stmt *s, ptl_error *err);

/* Reads a row of table surge whose checksum is right: PTL_ERR_CORRUPT if no local tide could
 * have such values. */
ptl_status surge_row_parse(surge_row *out, const stmt *s, ptl_error *err);
