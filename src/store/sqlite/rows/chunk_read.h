/* Steps of reading a chunk that the world digest and verify share. */
#ifndef STORE_SQLITE_ROWS_CHUNK_READ_H
#define STORE_SQLITE_ROWS_CHUNK_READ_H

#include "codec/level_runs.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

/* From a statement that gives CHUNK_COLUMNS; the row's checksum is verified first. */
ptl_status chunk_info_read(chunk_info *out, const stmt *s, ptl_error *err);

/* Makes a row of `level`, sealed. */
ptl_status level_row_make(row_value out[LEVEL_COLUMN_COUNT], row_scratch *scratch, int64_t id,
                          const void *blob, size_t size, ptl_error *err);
/* Compares the checksum of a row of `level` with its values. */
ptl_status level_row_verify(row_scratch *scratch, int64_t id, int64_t stored, const void *blob,
                            size_t size, ptl_error *err);

/* Called for each row of a chunk's levels, with the blob; its checksum is verified already. */
typedef ptl_status level_visit(void *payload, int32_t z, const void *blob, size_t size,
                               ptl_error *err);

/*
 * Visits the levels that have rows, from below, and checks that they are those of the mask and
 * that the checksum over them is `levels_checksum`.
 */
ptl_status chunk_levels_visit(ptl_store *store, const chunk_info *info, int64_t levels_checksum,
                              level_visit *visit, void *payload, ptl_error *err);

/*
 * How many cells of each oter a level has, from its runs: no cell is looked at. Levels are read
 * singly, as runs over the file's oter numbers.
 */

/* Local cells, both ends included; within 0..179, and not empty. */
typedef struct level_rect {
    int x0, y0, x1, y1;
} level_rect;

#define LEVEL_RECT_ALL ((level_rect){0, 0, PTL_CHUNK_SIZE - 1, PTL_CHUNK_SIZE - 1})

/* counts[i] of palette entry i, for all of the palette; entries that the rectangle lacks are 0.
 */
void level_count(uint32_t *counts, const level_runs *r, level_rect rect);

/*
 * The level of row `id` of table `level`, whose other values these are: its checksum is
 * verified and its blob parsed. *out is the store's, until it reads the next one. The store's
 * dictionary has been refreshed.
 */
ptl_status level_row_runs(const level_runs **out, ptl_store *store, int64_t id,
                          int64_t checksum, const void *tiles, size_t size, ptl_error *err);

#endif
