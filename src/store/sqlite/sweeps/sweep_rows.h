/*
 * Sweeps: many overmaps, made for their summaries alone (summary.h). A row of table sweep has
 * the settings with which the overmaps were made, except the seed, and their content and
 * generator. A row of sweep_chunk is one overmap of one seed, with its summary in packs, which
 * are blobs with all values of one kind, for example of all cities (schema/format.md, "Packs").
 * The functions implement the contract's operations in SQLite; store/store.h says what they
 * mean.
 */
#pragma once

#include "store/sqlite/connection/stmt.h"
#include "store/store.h"

extern const sweep_operations sqlite_sweeps;

/* Decodes those columns of an overmap's summary whose bits are set in `parts`. The row gives
 * SWEEP_CHUNK_COLUMNS; the caller verifies its checksum. Dispose of *out in any case. */
ptl_status sweep_chunk_parse(summary *out, ptl_store *store, const stmt *s, uint32_t parts,
                             ptl_error *err);
