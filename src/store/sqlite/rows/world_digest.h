/* The canonical digests of what is stored, recomputed from the rows (format.md, "Digests"). */
#ifndef STORE_SQLITE_ROWS_WORLD_DIGEST_H
#define STORE_SQLITE_ROWS_WORLD_DIGEST_H

#include "store/sqlite/rows/rows.h"

/*
 * Gives the world's digest. Ids come from the file's own dictionary, so that a world whose
 * content is gone has one too. Chunks and edges are read one by one: no lock is held for long.
 */
ptl_status sqlite_world_digest(ptl_world_digest_result *out, ptl_store *store, int64_t world_id,
                               ptl_error *err);

/*
 * Gives a chunk's tile digest, decoded again from its rows. s gives the columns of the chunk's
 * row (CHUNK_COLUMNS of prepared.h), info was read from it.
 */
ptl_status chunk_digest_rows(digest *out, ptl_store *store, const stmt *s,
                             const chunk_info *info, uint64_t *levels, ptl_error *err);

#endif
