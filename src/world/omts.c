/* Rectangles of OMTs across chunks (portolan/area.h). */
#include "core/sized.h"
#include "world/chunk_cache.h"
#include "world/edits.h"
#include "world/world.h"

#include <stdlib.h>

enum { SIZE = PTL_CHUNK_SIZE };

/* ---- making missing chunks ---- */

ptl_status world_make_missing(ptl_world *world, missing_chunks *missing, ptl_error *err)
{
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    bool own;
    size_t left = 0;
    ptl_status status = ops(world->store)->transaction->begin_lookups(world->store, &own, err);
    for (size_t i = 0; i < missing->count && status == PTL_OK; i++) {
        bool has = missing->cache && cache_has(missing->cache, missing->list[i]);
        if (!has)
            status = world_has_chunk(world, missing->list[i], ptl_step_count(), &has, err);
        if (status == PTL_OK && !has)
            missing->list[left++] = missing->list[i];
    }
    ops(world->store)->transaction->end_snapshot(world->store, own);
    missing->count = left;
    if (status != PTL_OK || missing->count == 0)
        return status;
    const ptl_generate_options o = {.size = sizeof o,
                                    .positions = missing->list,
                                    .position_count = missing->count,
                                    .jobs = missing->jobs,
                                    .on_progress = missing->on_progress,
                                    .payload = missing->payload};
    status = ptl_generate(&report, world, &o, err);
    missing->generated = report.done;
    return status;
}

/* ---- reading an area ---- */

typedef struct filling {
    ptl_world *world;
    const ptl_area *area;
    ptl_cache *cache;
    /* `cells` is the array of the caller of ptl_area_get, which is to be filled. `scratch` has
     * room for the OMTs of one level of a chunk. It is used only if there is no cache. */
    ptl_oter *cells, *scratch;
    /* Chunks that the cache has in memory are read again if they lack steps of generation,
     * because another process may have finished them meanwhile. */
    bool again;
    /* First and last column and row of the chunks that the area touches. */
    int32_t cx0, cx1, cy0, cy1;
    ptl_area_report *report;
} filling;

static ptl_status check_area(const ptl_area *a, ptl_error *err)
{
    const int64_t most = (int64_t)PTL_CHUNK_COORD_MAX * SIZE;
    if (a->width < 1 || a->width > PTL_AREA_SIDE_MAX || a->height < 1 ||
        a->height > PTL_AREA_SIDE_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "an area of %d x %d OMTs; its sides are 1..%d",
                         a->width, a->height, PTL_AREA_SIDE_MAX);
    if (a->z < PTL_Z_MIN || a->z > PTL_Z_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "level %d lies outside %d..%d", a->z, PTL_Z_MIN,
                         PTL_Z_MAX);
    if (a->x < -most || a->x > most + SIZE - a->width || a->y < -most ||
        a->y > most + SIZE - a->height)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "an area of %d x %d OMTs at %lld,%lld lies outside of all chunks",
                         a->width, a->height, (long long)a->x, (long long)a->y);
    return PTL_OK;
}

/* Copies the OMTs of the area that lie in a chunk from `from`, the OMTs of one level of that
 * chunk. If `from` is NULL, all OMTs of the level count as `fill`. */
static void copy_part(const filling *f, ptl_chunk_pos pos, const ptl_oter *from, ptl_oter fill)
{
    const ptl_area *a = f->area;
    const int64_t left = (int64_t)pos.x * SIZE, top = (int64_t)pos.y * SIZE;
    const int64_t x0 = world_greater(a->x, left),
                  x1 = world_lesser(a->x + a->width, left + SIZE);
    const int64_t y0 = world_greater(a->y, top),
                  y1 = world_lesser(a->y + a->height, top + SIZE);
    for (int64_t y = y0; y < y1; y++) {
        ptl_oter *row = f->cells + (y - a->y) * a->width + (x0 - a->x);
        if (from)
            memcpy(row, from + (y - top) * SIZE + (x0 - left), (size_t)(x1 - x0) * sizeof *row);
        for (int64_t i = 0; !from && i < x1 - x0; i++)
            row[i] = fill;
    }
}

static ptl_status fill_chunk(const filling *f, ptl_chunk_pos pos, ptl_error *err)
{
    ptl_world *w = f->world;
    cached_chunk held = {NULL, false, false};
    bool found = false;
    TRY(f->cache ? cache_fetch(&held, f->cache, pos, f->again, err)
                 : world_level_read(f->scratch, &found, w, pos, f->area->z, err));
    const level *l = held.chunk ? &held.chunk->levels[f->area->z - PTL_Z_MIN] : NULL;
    if (l)
        copy_part(f, pos, l->cells, l->fill);
    else
        copy_part(f, pos, found ? f->scratch : NULL, PTL_OTER_NONE);
    f->report->chunks++;
    f->report->missing += !l && !found;
    return PTL_OK;
}

/* Fills the cells of an area that the caller has checked. */
static ptl_status fill(ptl_oter *cells, ptl_world *world, const ptl_area *area,
                       const ptl_area_options *o, ptl_area_report *report, ptl_error *err)
{
    filling f = {.world = world,
                 .area = area,
                 .cache = o->cache,
                 .cells = cells,
                 .again = o->generate,
                 .report = report};
    const ptl_omt last = {area->x + area->width - 1, area->y + area->height - 1, area->z};
    const ptl_chunk_pos from = ptl_omt_chunk((ptl_omt){area->x, area->y, area->z});
    const ptl_chunk_pos to = ptl_omt_chunk(last);
    f.cx0 = from.x;
    f.cy0 = from.y;
    f.cx1 = to.x;
    f.cy1 = to.y;
    /* A view of chunks in memory needs no statement of the database. */
    const bool held = f.cache && cache_has_all(f.cache, from, to);
    if (o->generate && !held) {
        /* Makes the chunks of the area that are not saved. */
        const size_t room = (size_t)(f.cx1 - f.cx0 + 1) * (size_t)(f.cy1 - f.cy0 + 1);
        ptl_chunk_pos *list = malloc(room * sizeof *list);
        missing_chunks missing = {o->cache, list, 0, o->jobs, o->on_progress, o->payload, 0};
        for (int32_t y = f.cy0; list && y <= f.cy1; y++)
            for (int32_t x = f.cx0; x <= f.cx1; x++)
                list[missing.count++] = (ptl_chunk_pos){x, y};
        const ptl_status made =
            list ? world_make_missing(world, &missing, err) : error_nomem(err);
        report->generated = missing.generated;
        free(list);
        TRY(made);
    }
    /* All cells are read in one transaction, so that they belong to the same moment even if
     * another process writes. */
    bool own = false;
    f.scratch = f.cache ? NULL : malloc(PTL_LEVEL_CELLS * sizeof *f.scratch);
    if (!f.cache && !f.scratch)
        return error_nomem(err);
    ptl_status status =
        held ? PTL_OK
             : ops(f.world->store)->transaction->begin_lookups(f.world->store, &own, err);
    for (int32_t y = f.cy0; y <= f.cy1 && status == PTL_OK; y++)
        for (int32_t x = f.cx0; x <= f.cx1 && status == PTL_OK; x++)
            status = fill_chunk(&f, (ptl_chunk_pos){x, y}, err);
    ops(f.world->store)->transaction->end_snapshot(f.world->store, own);
    free(f.scratch);
    return status;
}

ptl_status ptl_area_get(ptl_oter *cells, ptl_area_report *report, ptl_world *world,
                        const ptl_area *area, const ptl_area_options *options, ptl_error *err)
{
    ptl_area_options o = PTL_AREA_OPTIONS_INIT;
    ptl_area_report r = PTL_AREA_REPORT_INIT;
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_area_options, &o, options, err);
    THEN(status, SIZED_CHECK(ptl_area_report, report, err));
    THEN(status, check_area(area, err));
    THEN(status, fill(cells, world, area, &o, &r, err));
    SIZED_FILL(ptl_area_report, report, &r);
    return status;
}
