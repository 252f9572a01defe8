#include "store/sqlite/rows/chunk_read.h"

#include "codec/level_parse.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/dictionary.h"

#include <string.h>

static void count_all(uint32_t *counts, const level_runs *r)
{
    for (size_t i = 0; i < r->run_count; i++)
        counts[r->runs[i].symbol] += r->runs[i].length;
}

/* How many of the first n cells lie inside the rectangle. */
static uint32_t cells_before(uint32_t n, level_rect rect)
{
    const int row = (int)(n / PTL_CHUNK_SIZE), column = (int)(n % PTL_CHUNK_SIZE);
    const int width = rect.x1 - rect.x0 + 1;
    if (row < rect.y0)
        return 0;
    if (row > rect.y1)
        return (uint32_t)(width * (rect.y1 - rect.y0 + 1));
    const int part = column <= rect.x0 ? 0 : column > rect.x1 ? width : column - rect.x0;
    return (uint32_t)(width * (row - rect.y0) + part);
}

void level_count(uint32_t *counts, const level_runs *r, level_rect rect)
{
    memset(counts, 0, r->palette_count * sizeof *counts);
    if (rect.x0 <= 0 && rect.y0 <= 0 && rect.x1 >= PTL_CHUNK_SIZE - 1 &&
        rect.y1 >= PTL_CHUNK_SIZE - 1) {
        count_all(counts, r);
        return;
    }
    const uint32_t last = (uint32_t)((rect.y1 + 1) * PTL_CHUNK_SIZE);
    uint32_t cell = 0, before = 0;
    for (size_t i = 0; i < r->run_count && cell < last; i++) {
        cell += r->runs[i].length;
        const uint32_t now = cells_before(cell, rect);
        counts[r->runs[i].symbol] += now - before;
        before = now;
    }
}

ptl_status level_row_runs(const level_runs **out, ptl_store *store, int64_t id,
                          int64_t checksum, const void *tiles, size_t size, ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    row_value v[LEVEL_COLUMN_COUNT];
    ptl_status status = level_row_make(v, scratch, id, tiles, size, err);
    if (status == PTL_OK && v[LEVEL_COLUMN_CHECKSUM].integer != checksum)
        status = error_set(err, PTL_ERR_CORRUPT, "checksum differs");
    if (status == PTL_OK)
        status = level_parse(out, scratch->codec, tiles, size, dictionary_size(store), err);
    if (status != PTL_OK)
        return error_prefix(err, status, "level z %d", (int)(id % 32) + PTL_Z_MIN);
    return PTL_OK;
}
