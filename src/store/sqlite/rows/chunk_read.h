/* Steps of reading a chunk, which the world digest, verify and SQL use as well. */
#pragma once

#include "codec/chunk_codec.h"
#include "codec/level_runs.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

/* Verifies the checksum of a chunk's row and reads it. The statement gives CHUNK_COLUMNS. */
ptl_status chunk_info_read(chunk_info *out, const stmt *s, ptl_error *err);

/* Makes the values of a row of table level, with its checksum. */
ptl_status level_row_make(row_value out[LEVEL_COLUMN_COUNT], row_scratch *scratch, int64_t id,
                          const void *blob, size_t size, ptl_error *err);
/* Verifies the checksum `stored` of a row of table level against the row's other values. */
ptl_status level_row_verify(row_scratch *scratch, int64_t id, int64_t stored, const void *blob,
                            size_t size, ptl_error *err);

/* Is called for each row of table level of a chunk, with the row's blob, whose checksum has
 * been verified. */
typedef ptl_status level_visit(void *payload, int32_t z, const void *blob, size_t size,
                               ptl_error *err);

/* Visits the chunk's rows of table level, the lowest level first. PTL_ERR_CORRUPT unless the
 * chunk has exactly the rows that info->level_mask says, and the checksum over all of them is
 * `levels_checksum`. */
ptl_status chunk_levels_visit(ptl_store *store, const chunk_info *info, int64_t levels_checksum,
                              level_visit *visit, void *payload, ptl_error *err);

/*
 * Computes the digest of a chunk's OMTs from the blobs of its levels, which are added from the
 * lowest level up. Blobs are parsed into runs and never expanded to cells; the dictionary gives
 * the names. A level without a blob has the single oter that the chunk's column `fill` gives
 * for it.
 */
typedef struct chunk_digester {
    ptl_store *store;
    omt_digest omts;
    level_runs *uniform; /* owned */
    uint32_t fill[PTL_LEVELS];
    int next; /* index of the next level to be added, 0..21 */
} chunk_digester;

/* Begins a digest of a chunk's OMTs. `fill` is the blob `fill` of the chunk's row, which has
 * the levels of a single oter. Call chunk_digester_end also after an error. */
ptl_status chunk_digester_begin(chunk_digester *d, ptl_store *store, ptl_chunk_pos pos,
                                const void *fill, size_t size, ptl_error *err);
/* Adds a level to the digest; digester is a chunk_digester. PTL_ERR_CORRUPT if the blob can't
 * be parsed. */
ptl_status chunk_digester_level(void *digester, int32_t z, const void *blob, size_t size,
                                ptl_error *err);
/* Ends the digest. `status` is the result of the calls before; if it is an error, it is
 * returned. */
ptl_status chunk_digester_end(digest *out, chunk_digester *d, ptl_status status,
                              ptl_error *err);

/* ---- counting oters in a level, by adding up the lengths of runs ---- */

/* A rectangle of cells of a level, both ends included; within 0..179 and not empty. */
typedef struct level_rect {
    int x0, y0, x1, y1;
} level_rect;

#define LEVEL_RECT_ALL ((level_rect){0, 0, PTL_CHUNK_SIZE - 1, PTL_CHUNK_SIZE - 1})

/* Sets counts[i] to the number of cells inside the rectangle that have the oter with the index
 * i in the level's list of oters. */
void level_count(uint32_t *counts, const level_runs *r, level_rect rect);

/*
 * Reads a level as runs from the values of its row in table level, whose checksum is verified.
 * *out belongs to the store and lasts until the next call. The caller has refreshed the store's
 * dictionary.
 */
ptl_status level_row_runs(const level_runs **out, ptl_store *store, int64_t id,
                          int64_t checksum, const void *omts, size_t size, ptl_error *err);
