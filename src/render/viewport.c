/*
 * The part of a world that a picture shows. OMTs are loaded in bands. A band is one row of
 * chunks: each chunk's level is read once, and those of its OMTs that the picture shows are
 * copied to their places.
 */
#include "render/sheet.h"

#include "core/error.h"
#include "core/whole.h"

#include <stdlib.h>
#include <string.h>

static const int64_t OMT_MAX = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
static const int64_t OMT_MIN = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;

/* The largest product of the picture's width in OMTs and its number of levels. A band is one
 * row of chunks on each level. At this limit a band has 16,000 levels of single chunks, which
 * take 1 GB of memory. */
static const size_t BAND_COLUMNS_MAX = (size_t)2880 * 1000;

/* Number of rows and columns that a band has beyond the rows of a chunk and the columns of the
 * rectangle. */
enum { MARGINS = 2, BAND_ROWS = PTL_CHUNK_SIZE + MARGINS };

/* Bytes of a band: that of each level, and of the ground. */
static size_t band_size(const viewport *v)
{
    return (v->level_count + v->margin) * BAND_ROWS * (v->width + MARGINS) * sizeof *v->band;
}

ptl_status viewport_init(viewport *v, ptl_world *world, const ptl_render_options *options,
                         ptl_error *err)
{
    memset(v, 0, sizeof *v);
    if (options->x0 > options->x1 || options->y0 > options->y1)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "the rectangle %lld,%lld,%lld,%lld is empty: X0,Y0 is its north-west "
                         "corner",
                         (long long)options->x0, (long long)options->y0, (long long)options->x1,
                         (long long)options->y1);
    if (options->x0 < OMT_MIN || options->y0 < OMT_MIN || options->x1 > OMT_MAX ||
        options->y1 > OMT_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "the rectangle leaves the world");
    if (options->z_first < PTL_Z_MIN || options->z_first > PTL_Z_MAX ||
        options->z_last < PTL_Z_MIN || options->z_last > PTL_Z_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "levels lie in %d..%d", PTL_Z_MIN, PTL_Z_MAX);
    v->world = world;
    v->x0 = options->x0;
    v->y0 = options->y0;
    v->x1 = options->x1;
    v->y1 = options->y1;
    v->z_first = options->z_first;
    v->z_step = options->z_first <= options->z_last ? 1 : -1;
    v->level_count = (size_t)((options->z_last - options->z_first) * v->z_step) + 1;
    if (options->maps) {
        v->block_width = options->block_width > 0 ? options->block_width : 1;
        v->block_height = options->block_height > 0 ? options->block_height : 1;
    }
    v->width = (size_t)(v->x1 - v->x0) + 1;
    v->height = (size_t)(v->y1 - v->y0) + 1;
    if (v->width * v->level_count > BAND_COLUMNS_MAX)
        return error_set(err, PTL_ERR_LIMIT,
                         "the rectangle is too wide: %zu columns, the limit is %zu; draw it in "
                         "parts",
                         v->width * v->level_count, BAND_COLUMNS_MAX);
    v->margin = options->style != PTL_STYLE_TERMINAL && !options->local;
    v->band = malloc(band_size(v));
    v->cells = malloc(PTL_LEVEL_CELLS * sizeof *v->cells);
    return v->band && v->cells ? PTL_OK : error_nomem(err);
}

void viewport_dispose(viewport *v)
{
    free(v->band);
    free(v->cells);
    ptl_chunk_free(v->grown);
    v->band = NULL;
    v->cells = NULL;
    v->grown = NULL;
}

static ptl_oter *band_row(const viewport *v, size_t nth, int64_t row)
{
    return v->band + (nth * BAND_ROWS + (size_t)(row + 1)) * (v->width + MARGINS) + 1;
}

int32_t viewport_level(const viewport *v, size_t nth)
{
    return nth < v->level_count ? v->z_first + (int32_t)nth * v->z_step : 0;
}

/* Copies the rows first..last of a chunk, all in the rectangle or its margin, to the band,
 * where the first of them becomes row `to`. */
static ptl_status load_chunk(viewport *v, ptl_chunk_pos pos, const int rows[3], ptl_error *err)
{
    const int64_t x0 = v->x0 - v->margin, x1 = v->x1 + v->margin;
    const size_t levels = v->level_count + v->margin;
    for (size_t nth = 0; nth < levels; nth++) {
        ptl_error inner = {0};
        ptl_status status = growth_level(v, pos, viewport_level(v, nth), &inner);
        if (status == PTL_ERR_NOT_FOUND)
            return PTL_OK; /* if the chunk is not saved, its cells are CAT_NONE already */
        if (status != PTL_OK)
            return strncmp(inner.message, "chunk ", 6) == 0 || status == PTL_ERR_CANCELLED
                       ? error_copy(err, &inner)
                       : error_set(err, status, "chunk %d,%d: %s", pos.x, pos.y, inner.message);
        /* Copies the columns of the chunk that lie in the rectangle. */
        int64_t west = (int64_t)pos.x * PTL_CHUNK_SIZE, east = west + PTL_CHUNK_SIZE - 1;
        int64_t from = west < x0 ? x0 : west, to = east > x1 ? x1 : east;
        for (int row = rows[0]; row <= rows[1]; row++)
            memcpy(band_row(v, nth, rows[2] + row - rows[0]) + (from - v->x0),
                   v->cells + row * PTL_CHUNK_SIZE + (from - west),
                   (size_t)(to - from + 1) * sizeof *v->cells);
    }
    return PTL_OK;
}

/* Loads rows of a row of chunks; see load_chunk. What is only in the margin may be damaged: the
 * picture does not show it. */
static ptl_status load_rows(viewport *v, int64_t chunk_y, const int rows[3], ptl_error *err)
{
    const int64_t first = floor_div(v->x0, PTL_CHUNK_SIZE),
                  last = floor_div(v->x1, PTL_CHUNK_SIZE);
    if (chunk_y < -PTL_CHUNK_COORD_MAX || chunk_y > PTL_CHUNK_COORD_MAX)
        return PTL_OK;
    for (int64_t x = floor_div(v->x0 - v->margin, PTL_CHUNK_SIZE);
         x <= floor_div(v->x1 + v->margin, PTL_CHUNK_SIZE); x++) {
        const bool shown = x >= first && x <= last && rows[0] != rows[1];
        ptl_error found = {0};
        if (x < -PTL_CHUNK_COORD_MAX || x > PTL_CHUNK_COORD_MAX)
            continue;
        const ptl_status status =
            load_chunk(v, (ptl_chunk_pos){(int32_t)x, (int32_t)chunk_y}, rows, &found);
        if (status != PTL_OK && (shown || status == PTL_ERR_CANCELLED))
            return error_copy(err, &found);
    }
    return PTL_OK;
}

ptl_status viewport_seek(viewport *v, int64_t y, ptl_error *err)
{
    enum { LAST = PTL_CHUNK_SIZE - 1 };
    int64_t chunk_y = floor_div(y, PTL_CHUNK_SIZE);
    if (v->band_loaded && v->band_y == chunk_y * PTL_CHUNK_SIZE)
        return PTL_OK;
    v->band_loaded = false;
    v->band_y = chunk_y * PTL_CHUNK_SIZE;
    /* All bits of CAT_NONE are set, so this sets all cells to CAT_NONE. */
    memset(v->band, 0xff, band_size(v));
    TRY(load_rows(v, chunk_y, (const int[3]){0, LAST, 0}, err));
    if (v->margin) {
        TRY(load_rows(v, chunk_y - 1, (const int[3]){LAST, LAST, -1}, err));
        TRY(load_rows(v, chunk_y + 1, (const int[3]){0, 0, PTL_CHUNK_SIZE}, err));
    }
    v->band_loaded = true;
    return PTL_OK;
}

const ptl_oter *viewport_row(const viewport *v, size_t nth, int64_t y)
{
    return band_row(v, nth, y - v->band_y);
}
