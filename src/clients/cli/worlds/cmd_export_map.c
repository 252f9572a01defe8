/* The part of portolan export that writes maps for other programs. */
#include "clients/cli/worlds/export.h"

int export_read_levels(const args *a, ptl_atlas_options *o)
{
    int64_t span[2];
    NEED(levels_from_args(a, span));
    NEED(args_int32(a, "scale", 1, 16, &o->scale));
    o->has_levels = args_has(a, "levels") || args_has(a, "level");
    o->z_first = (int32_t)span[0];
    o->z_last = (int32_t)span[1];
    return EXIT_DONE;
}

int export_map(session *s, const export_format *format, const ptl_export_save_options *which)
{
    ptl_atlas_report r = PTL_ATLAS_REPORT_INIT;
    ptl_atlas_options o = PTL_ATLAS_OPTIONS_INIT;
    o.path = s->args->operands[1];
    o.format = format->map;
    o.force = args_has(s->args, "force");
    o.has_rect = which->has_rect;
    o.x0 = which->x0;
    o.y0 = which->y0;
    o.x1 = which->x1;
    o.y1 = which->y1;
    o.on_progress = progress_show;
    o.payload = &s->shown;
    NEED(export_read_levels(s->args, &o));
    progress_begin(&s->shown, format->unit);
    const ptl_status status = ptl_atlas_export(s->world, &o, &r, &s->err);
    progress_end(&s->shown);
    if (status != PTL_OK)
        return session_failed_of(s, PTL_ERR_EXISTS, "--force replaces it.");
    if (s->shown.quiet)
        return EXIT_DONE;
    out_prose_begin(0);
    out_printf("%" PRIu64 " overmaps written to %s in %.2f s (%.1f MB)", r.chunks, o.path,
               r.seconds, (double)r.bytes / 1e6);
    if (r.features > 0)
        out_printf(": %" PRIu64 " features", r.features);
    if (r.tiles > 0)
        out_printf(": %" PRIu64 " tiles", r.tiles);
    out_text("\n");
    out_prose_end();
    return EXIT_DONE;
}
