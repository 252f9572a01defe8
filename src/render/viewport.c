/* Loads a picture's cells in bands. A band is one row of chunks: each chunk's level is read
 * once, and the part inside of the rectangle is copied to its place. */
#include "render/drawing.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

static const int64_t OMT_MAX = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
static const int64_t OMT_MIN = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;

/* A band of this width takes 1 GB: 16,000 chunks side by side. */
static const size_t BAND_COLUMNS_MAX = (size_t)2880 * 1000;

static int64_t floor_chunk(int64_t omt)
{
    int64_t q = omt / PTL_CHUNK_SIZE;
    return omt % PTL_CHUNK_SIZE < 0 ? q - 1 : q;
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
    v->width = (size_t)(v->x1 - v->x0) + 1;
    v->height = (size_t)(v->y1 - v->y0) + 1;
    if (v->width * v->level_count > BAND_COLUMNS_MAX)
        return error_set(err, PTL_ERR_LIMIT,
                         "the rectangle is too wide: %zu columns, the limit is %zu; draw it in "
                         "parts",
                         v->width * v->level_count, BAND_COLUMNS_MAX);
    v->band = malloc(v->level_count * PTL_CHUNK_SIZE * v->width * sizeof *v->band);
    v->cells = malloc(PTL_LEVEL_CELLS * sizeof *v->cells);
    return v->band && v->cells ? PTL_OK : error_nomem(err);
}

void viewport_dispose(viewport *v)
{
    free(v->band);
    free(v->cells);
    v->band = NULL;
    v->cells = NULL;
}

static ptl_oter *band_row(const viewport *v, size_t nth, size_t row)
{
    return v->band + (nth * PTL_CHUNK_SIZE + row) * v->width;
}

static ptl_status load_chunk(viewport *v, ptl_chunk_pos pos, ptl_error *err)
{
    for (size_t nth = 0; nth < v->level_count; nth++) {
        int32_t z = v->z_first + (int32_t)nth * v->z_step;
        ptl_error inner = {0};
        ptl_status status = ptl_level_load(v->cells, v->world, pos, z, &inner);
        if (status == PTL_ERR_NOT_FOUND)
            return PTL_OK; /* not saved: the band has CAT_NONE there already */
        if (status != PTL_OK)
            return error_set(err, status, "chunk %d,%d: %s", pos.x, pos.y, inner.message);
        /* Copies the columns that lie in the rectangle. */
        int64_t west = (int64_t)pos.x * PTL_CHUNK_SIZE, east = west + PTL_CHUNK_SIZE - 1;
        int64_t from = west < v->x0 ? v->x0 : west, to = east > v->x1 ? v->x1 : east;
        for (size_t row = 0; row < PTL_CHUNK_SIZE; row++)
            memcpy(band_row(v, nth, row) + (from - v->x0),
                   v->cells + row * PTL_CHUNK_SIZE + (from - west),
                   (size_t)(to - from + 1) * sizeof *v->cells);
    }
    return PTL_OK;
}

ptl_status viewport_seek(viewport *v, int64_t y, ptl_error *err)
{
    int64_t chunk_y = floor_chunk(y);
    if (v->band_loaded && v->band_y == chunk_y * PTL_CHUNK_SIZE)
        return PTL_OK;
    v->band_loaded = false;
    v->band_y = chunk_y * PTL_CHUNK_SIZE;
    /* CAT_NONE has all bits set, so this fills the band with it. */
    memset(v->band, 0xff, v->level_count * PTL_CHUNK_SIZE * v->width * sizeof *v->band);
    int64_t last = floor_chunk(v->x1);
    for (int64_t x = floor_chunk(v->x0); x <= last; x++) {
        TRY(load_chunk(v, (ptl_chunk_pos){(int32_t)x, (int32_t)chunk_y}, err));
    }
    v->band_loaded = true;
    return PTL_OK;
}

const ptl_oter *viewport_row(const viewport *v, size_t nth, int64_t y)
{
    return band_row(v, nth, (size_t)(y - v->band_y));
}
