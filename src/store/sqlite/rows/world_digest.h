/* Computes the canonical digests of what is stored, from its rows (format.md, "Digests"). */
#ifndef STORE_SQLITE_ROWS_WORLD_DIGEST_H
#define STORE_SQLITE_ROWS_WORLD_DIGEST_H

#include "store/sqlite/rows/rows.h"

/*
 * Computes the world's digest. Ids come from the file's own dictionary, so a world whose
 * content is gone has a digest as well. Chunks and edges are read one by one, so that no lock
 * is held for long.
 */
ptl_status sqlite_world_digest(ptl_world_digest_result *out, ptl_store *store, int64_t world_id,
                               ptl_error *err);

#endif
