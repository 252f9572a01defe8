/* Steps of reading a chunk that the world digest and verify use as well. */
#pragma once

#include "codec/chunk_codec.h"
#include "codec/level_runs.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

/* Reads the chunk's row from a statement that gives CHUNK_COLUMNS, and verifies its checksum
 * first. */
ptl_status chunk_info_read(chunk_info *out, const stmt *s, ptl_error *err);

/* Makes a row of table `level`, with its checksum. */
ptl_status level_row_make(row_value out[LEVEL_COLUMN_COUNT], row_scratch *scratch, int64_t id,
                          const void *blob, size_t size, ptl_error *err);
/* Verifies the stored checksum of a row of `level` against its values. */
ptl_status level_row_verify(row_scratch *scratch, int64_t id, int64_t stored, const void *blob,
                            size_t size, ptl_error *err);

/* Is called for each of a chunk's level rows, with the blob. Its checksum has been
 * verified. */
typedef ptl_status level_visit(void *payload, int32_t z, const void *blob, size_t size,
                               ptl_error *err);

/* Visits the chunk's level rows from the lowest level up. It checks that they are exactly the
 * levels of the mask, and that the checksum over all of them is `levels_checksum`. */
ptl_status chunk_levels_visit(ptl_store *store, const chunk_info *info, int64_t levels_checksum,
                              level_visit *visit, void *payload, ptl_error *err);

/*
 * Computes the OMT digest of a chunk from the blobs of its levels, from the lowest up. Blobs
 * are parsed into runs and never expanded to cells; the dictionary gives the names. A level
 * without a blob consists of the oter that the chunk's fill has for it.
 */
typedef struct chunk_digester {
    ptl_store *store;
    omt_digest omts;
    level_runs *uniform; /* owned */
    uint32_t fill[PTL_LEVELS];
    int next; /* index of the next level, 0..21 */
} chunk_digester;

/* `fill` is the blob of the chunk's row. Call chunk_digester_end in any case. */
ptl_status chunk_digester_begin(chunk_digester *d, ptl_store *store, ptl_chunk_pos pos,
                                const void *fill, size_t size, ptl_error *err);
/* Adds a level; digester is a chunk_digester. PTL_ERR_CORRUPT if the blob can't be parsed. */
ptl_status chunk_digester_level(void *digester, int32_t z, const void *blob, size_t size,
                                ptl_error *err);
/* `status` is that of the calls before; an error is returned as it is. */
ptl_status chunk_digester_end(digest *out, chunk_digester *d, ptl_status status,
                              ptl_error *err);

/* Counts how often each oter occurs in a level. It adds up the lengths of runs and looks at no
 * single cell. Levels are read one by one, as runs of the file's oter numbers. */

/* Cells in a level, both ends included; within 0..179 and not empty. */
typedef struct level_rect {
    int x0, y0, x1, y1;
} level_rect;

#define LEVEL_RECT_ALL ((level_rect){0, 0, PTL_CHUNK_SIZE - 1, PTL_CHUNK_SIZE - 1})

/* Sets counts[i] to the number of cells inside the rectangle that have palette entry i, for
 * all entries of the palette. */
void level_count(uint32_t *counts, const level_runs *r, level_rect rect);

/*
 * Reads one level as runs, given its row `id` of table `level` and that row's other values;
 * its checksum is verified. *out belongs to the store and lasts until the next call. The
 * caller has refreshed the store's dictionary.
 */
ptl_status level_row_runs(const level_runs **out, ptl_store *store, int64_t id,
                          int64_t checksum, const void *omts, size_t size, ptl_error *err);
