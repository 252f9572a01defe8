/* portolan export: a world's chunks as files that a game reads. */
#include "cli/commands.h"
#include "cli/coordinates.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"format", "dda-save", "the format, required: overmaps of a Cataclysm: DDA 0.F save", 0},
    {"rect", "X0,Y0,X1,Y1", "only the chunks of a rectangle, both ends included", 0},
    {"force", NULL, "write although DIR holds overmaps already", 0},
    {"quiet", NULL, "no progress, no summary", 'q'},
    OPTIONS_END,
};

static int read_options(const args *a, ptl_export_save_options *o)
{
    const char *format = args_value(a, "format"), *rect = args_value(a, "rect");
    int64_t r[4];
    if (!format || strcmp(format, "dda-save") != 0)
        return usage_error(a, "say which format: --format dda-save");
    o->directory = a->operands[1];
    o->force = args_has(a, "force");
    o->has_rect = rect != NULL;
    if (!rect)
        return EXIT_DONE;
    int code = rect_from_text(a, "rect", rect, PTL_CHUNK_COORD_MAX, r);
    if (code == EXIT_DONE) {
        o->x0 = (int32_t)r[0];
        o->y0 = (int32_t)r[1];
        o->x1 = (int32_t)r[2];
        o->y1 = (int32_t)r[3];
    }
    return code;
}

static int export_save(session *s, const args *a, ptl_export_save_options *o)
{
    progress shown;
    ptl_export_save_report r;
    memset(&r, 0, sizeof r);
    progress_init(&shown, args_has(a, "quiet"));
    o->on_progress = progress_show;
    o->payload = &shown;
    ptl_status status = ptl_export_save(s->world, o, &r, &s->err);
    progress_end(&shown);
    if (status != PTL_OK) {
        session_failed(s);
        if (status == PTL_ERR_EXISTS)
            tell("--force writes over those of the world's own chunks.\n");
        return EXIT_FAILED;
    }
    out_prose_begin(0);
    if (!args_has(a, "quiet"))
        out_printf("%" PRIu64 " overmaps written to %s in %.2f s (%.1f MB): %" PRIu64
                   " cities, %" PRIu64 " buildings and specials, %" PRIu64 " radios, %" PRIu64
                   " monster groups\n",
                   r.chunks, o->directory, r.seconds, (double)r.bytes / 1e6, r.cities,
                   r.placements, r.radios, r.groups);
    out_prose_end();
    return EXIT_DONE;
}

static int run(const args *a)
{
    session s = {.args = a};
    ptl_export_save_options o = PTL_EXPORT_SAVE_OPTIONS_INIT;
    int code = read_options(a, &o);
    if (code != EXIT_DONE)
        return code;
    code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE)
        code = session_world(&s, NULL);
    if (code == EXIT_DONE)
        code = export_save(&s, a, &o);
    session_close(&s);
    return code;
}

const command export_command = {
    .name = "export",
    .group = GROUP_GAME,
    .operands = "FILE DIR --format dda-save",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Write saved chunks as a game's own files.",
    .details =
        "One file o.X.Y for each chunk: tiles, cities, roads over the borders, radios,\n"
        "monster groups, buildings and specials. DIR is made if it is missing. Each file is\n"
        "written under another name first, so that none is ever half there.\n",
    .examples = "  portolan export w.db maps --format dda-save\n"
                "  portolan export w.db maps --format dda-save --rect 0,0,0,0 --force\n",
    .options = options,
    .run = run,
    .stopped = "the overmaps that were written stay: --force goes over them again",
};
