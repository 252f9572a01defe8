/* The part of portolan export that writes maps for other programs. */
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/worlds/export.h"
#include "portolan/atlas.h"

#include <inttypes.h>
#include <string.h>

static const struct map_format {
    const char *name;
    ptl_atlas_format format;
    const char *unit; /* what progress counts */
} formats[] = {{"geojson", PTL_ATLAS_GEOJSON, "chunks"},
               {"mbtiles", PTL_ATLAS_MBTILES, "tiles"},
               {"pmtiles", PTL_ATLAS_PMTILES, "tiles"},
               {"tiled", PTL_ATLAS_TILED, "levels of chunks"}};

static const struct map_format *find_format(const char *name)
{
    for (size_t i = 0; name && i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

bool export_is_map(const char *format)
{
    return find_format(format) != NULL;
}

int export_read_levels(const args *a, ptl_atlas_options *o)
{
    const char *levels = args_value(a, "levels");
    int64_t span[2] = {0, 0}, scale = 0;
    int code = args_int(a, "level", PTL_Z_MIN, PTL_Z_MAX, &span[0]);
    if (code == EXIT_DONE)
        code = args_int(a, "scale", 1, 16, &scale);
    if (code != EXIT_DONE)
        return code;
    o->scale = (int32_t)scale;
    span[1] = span[0];
    if (levels && args_has(a, "level"))
        return usage_error(a, "give --level or --levels, not both");
    if (levels && !parse_span(levels, PTL_Z_MIN, PTL_Z_MAX, span))
        return usage_error(a, "--levels '%s' is not A..B with A and B in %d..%d", levels,
                           PTL_Z_MIN, PTL_Z_MAX);
    o->has_levels = levels || args_has(a, "level");
    o->z_first = (int32_t)span[0];
    o->z_last = (int32_t)span[1];
    return EXIT_DONE;
}

static void print_report(const ptl_atlas_report *r, const ptl_atlas_options *o)
{
    out_prose_begin(0);
    out_printf("%" PRIu64 " overmaps written to %s in %.2f s (%.1f MB)", r->chunks, o->path,
               r->seconds, (double)r->bytes / 1e6);
    if (r->features > 0)
        out_printf(": %" PRIu64 " features", r->features);
    if (r->tiles > 0)
        out_printf(": %" PRIu64 " tiles", r->tiles);
    out_text("\n");
    out_prose_end();
}

int export_map(session *s, const ptl_export_save_options *which)
{
    const struct map_format *format = find_format(args_value(s->args, "format"));
    ptl_atlas_options o = PTL_ATLAS_OPTIONS_INIT;
    ptl_atlas_report r = PTL_ATLAS_REPORT_INIT;
    progress shown;
    int code = export_read_levels(s->args, &o);
    if (code != EXIT_DONE)
        return code;
    progress_init(&shown, args_has(s->args, "quiet"));
    shown.noun = format->unit;
    o.path = s->args->operands[1];
    o.format = format->format;
    o.force = args_has(s->args, "force");
    o.has_rect = which->has_rect;
    o.x0 = which->x0;
    o.y0 = which->y0;
    o.x1 = which->x1;
    o.y1 = which->y1;
    o.on_progress = progress_show;
    o.payload = &shown;
    const ptl_status status = ptl_atlas_export(s->world, &o, &r, &s->err);
    progress_end(&shown);
    if (status == PTL_OK && !args_has(s->args, "quiet"))
        print_report(&r, &o);
    if (status == PTL_OK)
        return EXIT_DONE;
    session_failed(s);
    if (status == PTL_ERR_EXISTS)
        tell("--force replaces it.\n");
    return EXIT_FAILED;
}
