/* ptl_atlas_write: exports a map of a world into a file, which gets its name only when it is
 * complete. */
#include "atlas/atlas_impl.h"

#include "core/array.h"
#include "core/error.h"
#include "core/sized.h"
#include "os/clock.h"
#include "portolan/lists.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

enum { DRAIN_FROM = 1 << 16 };

ptl_status atlas_flush(atlas *a, ptl_error *err)
{
    if (a->out.failed)
        return error_nomem(err);
    const size_t size = a->out.size;
    const ptl_status status =
        size > 0 ? new_file_write(&a->file, a->out.data, size, err) : PTL_OK;
    a->report.bytes += size;
    bytes_clear(&a->out);
    return status;
}

/* Writes the bytes of a->out to the file, but only when there are many of them, so that the
 * file is written in large pieces. */
ptl_status atlas_drain(atlas *a, ptl_error *err)
{
    return a->out.size >= DRAIN_FROM || a->out.failed ? atlas_flush(a, err) : PTL_OK;
}

ptl_status atlas_advance(atlas *a, ptl_error *err)
{
    ptl_progress *p = &a->progress;
    p->done++;
    p->seconds = clock_seconds() - a->started;
    p->rate = p->seconds > 0 ? (double)p->done / p->seconds : 0;
    if (a->options->on_progress && !a->options->on_progress(a->options->payload, p))
        return error_set(err, PTL_ERR_CANCELLED, "stopped; no map was written");
    return PTL_OK;
}

static bool take_chunk(void *payload, ptl_chunk_pos pos)
{
    atlas *a = payload;
    if (!ARRAY_ROOM(a->chunks, a->chunk_room, a->chunk_count + 1)) {
        a->failed = true;
        return false;
    }
    a->chunks[a->chunk_count++] = pos;
    return true;
}

static ptl_status list_chunks(atlas *a, ptl_error *err)
{
    const ptl_atlas_options *o = a->options;
    ptl_chunk_list_options which = PTL_CHUNK_LIST_OPTIONS_INIT;
    if (o->has_rect) {
        which.x0 = o->x0;
        which.y0 = o->y0;
        which.x1 = o->x1;
        which.y1 = o->y1;
    }
    ptl_status status = ptl_chunk_list(a->world->store, ptl_world_name(a->world), &which,
                                       take_chunk, a, a->failed ? NULL : err);
    if (a->failed) {
        error_clear(err);
        return error_nomem(err);
    }
    if (status == PTL_OK && a->chunk_count == 0)
        status = error_set(err, PTL_ERR_NOT_FOUND, "world '%s' has no saved chunks%s",
                           ptl_world_name(a->world), o->has_rect ? " there" : "");
    a->report.chunks = a->chunk_count;
    return status;
}

/* Finds the rectangle of the chunks, and how large a map of the earth has to be. */
static void measure(atlas *a)
{
    a->west = a->north = INT32_MAX;
    a->east = a->south = INT32_MIN;
    for (size_t i = 0; i < a->chunk_count; i++) {
        const ptl_chunk_pos c = a->chunks[i];
        a->west = c.x < a->west ? c.x : a->west;
        a->east = c.x > a->east ? c.x : a->east;
        a->north = c.y < a->north ? c.y : a->north;
        a->south = c.y > a->south ? c.y : a->south;
    }
    const int64_t sides[4] = {-(int64_t)a->west, -(int64_t)a->north, (int64_t)a->east + 1,
                              (int64_t)a->south + 1};
    a->half = ATLAS_HALF;
    for (size_t i = 0; i < 4; i++)
        while (a->half < sides[i] * PTL_CHUNK_SIZE)
            a->half *= 2;
}

double atlas_longitude(const atlas *a, double x)
{
    return 180 * x / (double)a->half;
}

double atlas_latitude(const atlas *a, double y)
{
    const double pi = acos(-1);
    return atan(sinh(-pi * y / (double)a->half)) * 180 / pi;
}

static ptl_status open_file(new_file *out, atlas *a, const char *path, ptl_error *err)
{
    const bool known = file_id_of_path(&a->inputs, ptl_store_path(a->world->store));
    const new_file_options file = {.rule =
                                       a->options->force ? NEW_FILE_REPLACE : NEW_FILE_ABSENT,
                                   .inputs = &a->inputs,
                                   .input_count = known};
    return new_file_open(out, path, &file, err);
}

ptl_status atlas_open_aside(atlas *a, const char *ending, ptl_error *err)
{
    const char *path = a->options->path, *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    bytes aside = {.size = 0};
    bytes_put(&aside, path, dot ? (size_t)(dot - path) : strlen(path));
    bytes_put_text(&aside, ending);
    const char *text = bytes_text(&aside);
    ptl_status status = text ? PTL_OK : error_nomem(err);
    if (text && strcmp(text, path) == 0)
        status = error_set(
            err, PTL_ERR_ARGUMENT,
            "%s: the file beside the map is called so; give the map another ending", path);
    THEN(status, open_file(&a->aside, a, text, err));
    bytes_dispose(&aside);
    return status;
}

static ptl_status export_map(atlas *a, ptl_error *err)
{
    const ptl_atlas_options *o = a->options;
    if (!o->path || !o->path[0])
        return error_set(err, PTL_ERR_ARGUMENT, "no path to write a map to");
    if (o->has_levels && (o->z_first < PTL_Z_MIN || o->z_first > PTL_Z_MAX ||
                          o->z_last < PTL_Z_MIN || o->z_last > PTL_Z_MAX))
        return error_set(err, PTL_ERR_ARGUMENT, "levels %d..%d are not in %d..%d", o->z_first,
                         o->z_last, PTL_Z_MIN, PTL_Z_MAX);
    if (o->has_rect && (o->x0 > o->x1 || o->y0 > o->y1))
        return error_set(err, PTL_ERR_ARGUMENT, "the rectangle is empty");
    TRY(list_chunks(a, err));
    measure(a);
    TRY(open_file(&a->file, a, a->options->path, err));
    ptl_status status;
    if (o->format == PTL_ATLAS_GEOJSON)
        status = atlas_geojson(a, err);
    else if (o->format == PTL_ATLAS_GPKG)
        status = atlas_gpkg(a, err);
    else if (o->format == PTL_ATLAS_MBTILES || o->format == PTL_ATLAS_PMTILES ||
             o->format == PTL_ATLAS_TILED)
        status = atlas_pictures(a, err);
    else
        status = error_set(err, PTL_ERR_ARGUMENT, "no such format of maps");
    THEN(status, atlas_flush(a, err));
    if (status == PTL_OK) {
        /* Give the files their names: first the second file (a->aside), because the map refers
         * to it. If then the map can't be named, the second file is removed again if it is new.
         */
        const bool aside = a->aside.path != NULL;
        status = aside ? new_file_publish(&a->aside, err) : PTL_OK;
        THEN(status, new_file_publish(&a->file, err));
        if (status != PTL_OK && aside && a->aside.has_name && !a->aside.replaced)
            (void)file_remove(a->aside.path);
    }
    new_file_close(&a->aside);
    new_file_close(&a->file);
    return status;
}

ptl_status ptl_atlas_write(ptl_atlas_report *report, ptl_world *world,
                           const ptl_atlas_options *options, ptl_error *err)
{
    ptl_atlas_options o = PTL_ATLAS_OPTIONS_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_atlas_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_atlas_report, report, err));
    atlas a = {.world = world,
               .cat = world->cat,
               .options = &o,
               .started = clock_seconds(),
               .progress = {.size = sizeof(ptl_progress)},
               .report = PTL_ATLAS_REPORT_INIT};
    ptl_status status = export_map(&a, err);
    a.report.seconds = clock_seconds() - a.started;
    SIZED_FILL(ptl_atlas_report, report, &a.report);
    free(a.chunks);
    bytes_dispose(&a.out);
    return status;
}
