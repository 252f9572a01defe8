/* Rows of worlds, chunks, levels, features, edges and runs. Most of these functions are
 * operations of the contract; store/store.h says what they mean. */
#pragma once

#include "store/content_store.h"
#include "store/sqlite/connection/stmt.h"
#include "store/store.h"

/* ---- worlds and runs (world_rows.c) ---- */

struct row_value;

/*
 * The settings with which a world or a sweep is made are neighbouring columns in both tables. A
 * world has all settings of portolan/settings.h, a sweep only the first ones.
 */

/* Reads the settings of a world or sweep from the current row: `count` of them from the columns
 * that begin at `first`, then generator_version and content_id from the two columns behind. It
 * can fail only with PTL_ERR_NOMEM; call world_row_dispose in any case. */
ptl_status settings_read(world_row *out, const stmt *s, int first, int count, ptl_error *err);
/* Sets the values of the columns that settings_read reads: `count` settings, generator_version
 * and content_id. Texts are borrowed from `from`. */
void settings_values(struct row_value *out, const world_row *from, int count);
/* Returns a seed as its column stores it: the signed number with the same bits. */
int64_t seed_to_sql(uint64_t seed);

extern const world_operations sqlite_worlds;
extern const run_operations sqlite_runs;

/* ---- chunks ---- */

/* Returns true if the place comes after the other one, in the order of x, then y. */
static inline bool chunk_pos_after(ptl_chunk_pos pos, ptl_chunk_pos other)
{
    return pos.x > other.x || (pos.x == other.x && pos.y > other.y);
}

/* Implements chunk_operations.find; verifies the checksum of the chunk's row as well. */
ptl_status sqlite_chunk_find(chunk_info *out, bool *found, ptl_store *store, int64_t world_id,
                             ptl_chunk_pos pos, ptl_error *err);
ptl_status sqlite_chunk_write(ptl_store *store, int64_t world_id, int64_t run_id,
                              const chunk_write *w, const struct ptl_catalogue *cat,
                              bool *written, ptl_error *err);
/* For repair: writes a chunk with a given id, in place of all rows with this id. w must have
 * features. */
ptl_status chunk_row_put(ptl_store *store, int64_t world_id, int64_t run_id, int64_t id,
                         const chunk_write *w, const struct ptl_catalogue *cat, ptl_error *err);
/* Verifies the checksums of all rows that it reads. */
ptl_status sqlite_chunk_read(ptl_chunk **out, ptl_store *store, int64_t world_id,
                             ptl_chunk_pos pos, const struct ptl_catalogue *cat,
                             chunk_info *info, ptl_error *err);
ptl_status sqlite_chunk_visit_next(ptl_chunk_pos *pos, ptl_store *store, int64_t world_id,
                                   stored_chunk_visit *visit, void *payload, ptl_error *err);
ptl_status sqlite_stored_chunk_features_read(feature_set *out, const stored_chunk *chunk,
                                             ptl_error *err);
/* Verifies the checksums of all rows that it reads. */
ptl_status sqlite_stored_chunk_event_visit(const stored_chunk *chunk, event_visit *visit,
                                           void *payload, ptl_error *err);
ptl_status sqlite_stored_chunk_levels_read(ptl_chunk *out, const stored_chunk *chunk,
                                           uint32_t levels, const struct ptl_catalogue *cat,
                                           ptl_error *err);
ptl_status sqlite_features_read(gen_features *out, bool *found, ptl_store *store,
                                int64_t world_id, ptl_chunk_pos pos,
                                const struct ptl_catalogue *cat, ptl_error *err);
ptl_status sqlite_features_read_all(gen_features *out, bool *found, ptl_store *store,
                                    int64_t world_id, ptl_chunk_pos pos,
                                    const struct ptl_catalogue *cat, ptl_error *err);
ptl_status sqlite_chunk_delete(bool *found, ptl_store *store, int64_t world_id,
                               ptl_chunk_pos pos, ptl_error *err);
ptl_status sqlite_level_read(ptl_oter cells[PTL_LEVEL_CELLS], bool *found, ptl_store *store,
                             int64_t world_id, ptl_chunk_pos pos, int32_t z,
                             const struct ptl_catalogue *cat, ptl_error *err);

/* Inserts the overview of a chunk that has none; `data` was written by overview_build. */
ptl_status overview_row_insert(ptl_store *store, int64_t chunk_id, const void *data,
                               size_t size, ptl_error *err);
/* Deletes a chunk's overview. It is no error if there is none. */
ptl_status overview_row_delete(ptl_store *store, int64_t chunk_id, ptl_error *err);

/* ---- places (place_rows.c) ---- */
ptl_status sqlite_chunk_list(ptl_chunk_pos **out, size_t *count, ptl_store *store,
                             int64_t world_id, const chunk_filter *which, ptl_error *err);
ptl_status sqlite_chunk_count(uint64_t *out, ptl_store *store, int64_t world_id,
                              const chunk_filter *which, ptl_error *err);
ptl_status sqlite_chunk_next(ptl_chunk_pos *pos, bool *found, ptl_store *store,
                             int64_t world_id, const chunk_filter *which, ptl_error *err);
ptl_status sqlite_chunk_total(chunk_totals *out, ptl_store *store, int64_t world_id,
                              int64_t content_id, int32_t generator_version, ptl_error *err);
ptl_status sqlite_city_visit(ptl_store *store, int64_t world_id, ptl_chunk_pos first,
                             ptl_chunk_pos last, city_visit *visit, void *payload,
                             ptl_error *err);
ptl_status sqlite_place_visit(ptl_store *store, int64_t world_id, const char *special,
                              place_visit *visit, void *payload, ptl_error *err);
ptl_status sqlite_edge_count(uint64_t *out, ptl_store *store, int64_t world_id, ptl_error *err);

/* ---- edits of overmaps (edit_rows.c) ---- */
extern const edit_operations sqlite_edits;
/* Reads the cells of a row that gives EDIT_COLUMNS and whose checksum is right; their oters are
 * numbers of the file. *cells is new, and the caller frees it. PTL_ERR_CORRUPT if no edit could
 * have such values. */
ptl_status edit_row_parse(edit_row *out, edit_cell **cells, ptl_store *store, const stmt *s,
                          ptl_error *err);
/* Reads a row that gives PLACED_COLUMNS and whose checksum is right; out->special is valid as
 * long as the row. The caller disposes of out->parts, also after an error. PTL_ERR_CORRUPT if
 * no placement could have such values. */
ptl_status placed_row_parse(placed_row *out, const stmt *s, ptl_error *err);
/* The operations placed_write and placed_visit of sqlite_edits (placed_rows.c). */
ptl_status placed_row_write(ptl_store *store, int64_t world_id, const placed_row *row,
                            ptl_error *err);
ptl_status placed_row_visit(ptl_store *store, int64_t world_id, const edit_area *which,
                            placed_visit *visit, void *payload, ptl_error *err);
/* Gets what the edits show on the levels of a mask (bit z + 10) of a chunk, with the file's
 * numbers of oters. *out is disposed of by the caller, also after an error. */
ptl_status edit_rows_shown(edit_overlay *out, ptl_store *store, int64_t chunk_id,
                           uint32_t levels, ptl_error *err);

/* ---- notes, marks and facts (saved_rows.c) ---- */
extern const saved_operations sqlite_saved;
/* Reads a row that gives the columns of the type's table, and whose checksum is right. The
 * texts of *out are valid as long as the row; its data lie in *data, which the caller disposes
 * of, also after an error. PTL_ERR_CORRUPT if no save could have written such a row. */
ptl_status saved_row_parse(saved_row *out, bytes *data, saved_type type, ptl_store *store,
                           const stmt *s, ptl_error *err);

/* ---- edges ---- */
ptl_status sqlite_edge_find(edge *out, bool *found, ptl_store *store, int64_t world_id,
                            int32_t x, int32_t y, edge_side side,
                            const struct ptl_catalogue *cat, ptl_error *err);

/* Writes a row of the table `run` with a given id, for a call that begins now to make
 * chunks. Repair uses this for lost rows, too. */
ptl_status run_row_put(ptl_store *store, int64_t id, int64_t world_id, const char *command,
                       const char *content_digest, ptl_error *err);
/* ---- rows that repair has set aside (world_rows.c) ---- */
ptl_status sqlite_aside_visit(ptl_store *store, aside_visit *visit, void *payload,
                              ptl_error *err);
