/*
 * Sweeps: many overmaps, made for their summaries alone (summary.h). A row of table `sweep`
 * says what was made: the settings of a world except the seed, the content, the generator. A
 * row of `sweep_chunk` is one overmap of one seed, with its summary packed (schema/format.md,
 * "Packs"). The functions implement the contract's operations in SQLite; store/store.h says
 * what they mean.
 */
#ifndef STORE_SQLITE_SWEEPS_SWEEP_ROWS_H
#define STORE_SQLITE_SWEEPS_SWEEP_ROWS_H

#include "store/sqlite/connection/stmt.h"
#include "store/store.h"

ptl_status sqlite_sweep_find(sweep_row *out, ptl_store *store, const char *name,
                             ptl_error *err);
ptl_status sqlite_sweep_insert(ptl_store *store, sweep_row *row, ptl_error *err);
ptl_status sqlite_sweep_delete(ptl_store *store, int64_t sweep_id, ptl_error *err);
ptl_status sqlite_sweep_count(uint64_t *out, ptl_store *store, ptl_error *err);
ptl_status sqlite_sweep_chunk_has(bool *has, ptl_store *store, int64_t sweep_id, uint64_t seed,
                                  ptl_chunk_pos pos, ptl_error *err);
ptl_status sqlite_sweep_chunk_insert(ptl_store *store, int64_t sweep_id, uint64_t seed,
                                     ptl_chunk_pos pos, const encoded_summary *e,
                                     ptl_error *err);
ptl_status sqlite_sweep_chunk_visit(ptl_store *store, int64_t sweep_id, uint32_t parts,
                                    sweep_visit *visit, void *payload, ptl_error *err);
ptl_status sqlite_sweep_visit(ptl_store *store, sweep_row_visit *visit, void *payload,
                              ptl_error *err);
ptl_status sqlite_sweep_chunk_total(sweep_totals *out, ptl_store *store, int64_t sweep_id,
                                    ptl_error *err);

/* Decodes the wanted parts of a row that gives SWEEP_CHUNK_COLUMNS; the caller verifies its
 * checksum. Dispose of *out in any case. */
ptl_status sweep_chunk_parse(summary *out, ptl_store *store, const stmt *s, uint32_t parts,
                             ptl_error *err);

#endif
