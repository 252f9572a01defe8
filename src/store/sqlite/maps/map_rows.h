/* Rows of local maps, of their spills and of local tides. They implement the contract's
 * operations (store/store.h). */
#ifndef STORE_SQLITE_MAPS_MAP_ROWS_H
#define STORE_SQLITE_MAPS_MAP_ROWS_H

#include "store/sqlite/connection/stmt.h"
#include "store/store.h"

/* Binds a place to parameters 1 to 4: the world, x, y and z. */
void map_bind_place(stmt *s, int64_t world_id, ptl_omt at);
/* The row's checksum is verified. */
ptl_status sqlite_map_read(stored_map *out, bool *found, ptl_store *store, int64_t world_id,
                           ptl_omt at, ptl_error *err);
ptl_status sqlite_map_revision(int64_t *out, ptl_store *store, int64_t world_id, ptl_omt at,
                               ptl_error *err);
ptl_status sqlite_map_put(ptl_store *store, int64_t world_id, const map_write *maps,
                          size_t count, ptl_error *err);
ptl_status sqlite_map_visit(ptl_store *store, int64_t world_id, const map_area *which,
                            map_visit *visit, void *payload, ptl_error *err);
ptl_status sqlite_map_drop(uint64_t *dropped, ptl_store *store, int64_t world_id,
                           const map_area *which, ptl_error *err);
/* Decodes a row that gives MAP_COLUMNS; the caller verifies its checksum. Dispose of *out in
 * any case. */
ptl_status map_row_parse(stored_map *out, ptl_store *store, const stmt *s, ptl_error *err);

/* ---- spills (spill_rows.c) ---- */

ptl_status sqlite_spill_read(bytes *out, bool *found, ptl_store *store, int64_t world_id,
                             ptl_omt at, ptl_error *err);
ptl_status sqlite_spill_put(ptl_store *store, int64_t world_id, ptl_omt at, const bytes *spills,
                            ptl_error *err);
ptl_status sqlite_spill_drop(ptl_store *store, int64_t world_id, const map_area *which,
                             ptl_error *err);
/* Removes the spills of those maps that are not edited, for when these maps are dropped. */
ptl_status spill_rows_drop_unedited(ptl_store *store, int64_t world_id, const map_area *which,
                                    ptl_error *err);
/* Removes the row of a map's spills, if there is one. */
ptl_status spill_row_delete(ptl_store *store, int64_t map_id, ptl_error *err);
/* Checks a row whose checksum is right: PTL_ERR_CORRUPT if no map could have such spills. */
ptl_status spill_row_check(const stmt *s, ptl_error *err);

/* ---- local tides (map_rows.c) ---- */

ptl_status sqlite_surge_insert(ptl_store *store, int64_t world_id, const surge_row *surge,
                               ptl_error *err);
ptl_status sqlite_surge_remove(ptl_store *store, int64_t world_id, const surge_row *surge,
                               ptl_error *err);
ptl_status sqlite_surge_visit(ptl_store *store, int64_t world_id, const surge_area *which,
                              surge_visit *visit, void *payload, ptl_error *err);
/* Reads a row whose checksum is right: PTL_ERR_CORRUPT if no local tide could have such
 * values. */
ptl_status surge_row_parse(surge_row *out, const stmt *s, ptl_error *err);

#endif
