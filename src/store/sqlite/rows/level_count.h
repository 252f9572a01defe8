/*
 * How many cells of each oter a level has, from its runs: no cell is looked at. Levels are read
 * singly, as runs over the file's oter numbers.
 */
#ifndef STORE_SQLITE_QUERY_LEVEL_COUNT_H
#define STORE_SQLITE_QUERY_LEVEL_COUNT_H

#include "codec/level_runs.h"
#include "store/sqlite/connection/stmt.h"

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
