/* portolan render: a world as a PNG, or as text for the terminal. */
#include "cli/commands.h"
#include "cli/coordinates.h"
#include "cli/output.h"
#include "cli/picture_file.h"
#include "cli/progress.h"
#include "cli/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"output", "OUT.png", "the picture to write; - is standard output", 'o'},
    {"text", NULL, "print symbols to the terminal instead of a picture", 0},
    {"rect", "X0,Y0,X1,Y1", "chunks, both ends included (default: all saved chunks)", 0},
    {"omt", "X0,Y0,X1,Y1", "absolute OMTs, both ends included", 0},
    {"level", "Z", "-10..10 (default: 0)", 0},
    {"levels", "A..B", "a strip of levels side by side, from A to B", 0},
    {"scale", "N", "pixels per OMT, 1..32 (default: 1; with --symbols: 8)", 0},
    {"symbols", NULL, "draw each terrain's symbol; needs a scale of 8 or more", 0},
    {"color", "WHEN", "of --text: auto (default), always or never", 0},
    OPTIONS_END,
};

static int read_levels(const args *a, ptl_render_options *o)
{
    int64_t span[2] = {0, 0};
    const char *levels = args_value(a, "levels");
    int code = args_int(a, "level", PTL_Z_MIN, PTL_Z_MAX, &span[0]);
    if (code != EXIT_DONE)
        return code;
    span[1] = span[0];
    if (levels && args_has(a, "level"))
        return usage_error(a, "give --level or --levels, not both");
    if (levels && !parse_span(levels, PTL_Z_MIN, PTL_Z_MAX, span))
        return usage_error(a, "--levels '%s' is not A..B with A and B in %d..%d", levels,
                           PTL_Z_MIN, PTL_Z_MAX);
    o->z_first = (int32_t)span[0];
    o->z_last = (int32_t)span[1];
    return EXIT_DONE;
}

static int read_color(const args *a, bool *out)
{
    const char *when = args_value(a, "color"), *no_color = getenv("NO_COLOR");
    *out = isatty(STDOUT_FILENO) == 1 && !(no_color && no_color[0]);
    if (!when || strcmp(when, "auto") == 0)
        return EXIT_DONE;
    *out = strcmp(when, "always") == 0;
    if (!*out && strcmp(when, "never") != 0)
        return usage_error(a, "--color '%s' is none of auto, always, never", when);
    return EXIT_DONE;
}

static int read_options(const args *a, ptl_render_options *o, bool *colours)
{
    bool text = args_has(a, "text");
    int64_t scale;
    o->symbols = args_has(a, "symbols");
    scale = o->symbols ? 8 : 1;
    int code = read_levels(a, o);
    if (code == EXIT_DONE)
        code = args_int(a, "scale", 1, 32, &scale);
    if (code == EXIT_DONE)
        code = read_color(a, colours);
    if (code != EXIT_DONE)
        return code;
    o->scale = (int32_t)scale;
    if (o->symbols && scale < 8)
        return usage_error(a, "--symbols needs a --scale of 8 or more");
    if (args_has(a, "rect") && args_has(a, "omt"))
        return usage_error(a, "give --rect or --omt, not both");
    if (text == args_has(a, "output"))
        return usage_error(a, "say where to: -o OUT.png, or --text for the terminal");
    return EXIT_DONE;
}

static void chunk_rect(const int64_t r[4], ptl_render_options *o)
{
    o->x0 = r[0] * PTL_CHUNK_SIZE;
    o->y0 = r[1] * PTL_CHUNK_SIZE;
    o->x1 = r[2] * PTL_CHUNK_SIZE + PTL_CHUNK_SIZE - 1;
    o->y1 = r[3] * PTL_CHUNK_SIZE + PTL_CHUNK_SIZE - 1;
}

/* --rect and --omt; *given tells whether there was one. */
static int read_rect(const args *a, ptl_render_options *o, bool *given)
{
    const int64_t limit = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    const char *rect = args_value(a, "rect"), *omt = args_value(a, "omt");
    int64_t r[4];
    int code = EXIT_DONE;
    *given = rect || omt;
    if (rect) {
        code = rect_from_text(a, "rect", rect, PTL_CHUNK_COORD_MAX, r);
        if (code == EXIT_DONE)
            chunk_rect(r, o);
    } else if (omt) {
        code = rect_from_text(a, "omt", omt, limit, r);
        if (code == EXIT_DONE) {
            o->x0 = r[0];
            o->y0 = r[1];
            o->x1 = r[2];
            o->y1 = r[3];
        }
    }
    return code;
}

static int saved_rect(session *s, ptl_render_options *o)
{
    bool any = false;
    int64_t extent[4];
    int code = session_extent(s, &any, extent);
    if (code != EXIT_DONE)
        return code;
    if (!any) {
        tell("portolan render: world '%s' has no saved chunks. Make some: portolan generate "
             "'%s' --world '%s' --radius 2\n",
             ptl_world_name(s->world), s->args->operands[0], ptl_world_name(s->world));
        return EXIT_FAILED;
    }
    chunk_rect(extent, o);
    return EXIT_DONE;
}

static bool to_stdout(void *payload, const void *data, size_t size)
{
    (void)payload;
    out_raw(data, size);
    return out_ok() && !stop_wanted();
}

static int render_text(session *s, const ptl_render_options *o, bool colours)
{
    ptl_status status = ptl_render_text(s->world, o, colours, to_stdout, NULL, &s->err);
    if (status == PTL_OK)
        return EXIT_DONE;
    if (status == PTL_ERR_IO && (stop_wanted() || !out_ok()))
        return EXIT_FAILED; /* stopped, or out_finish tells */
    return session_failed(s);
}

static int file_failed(const picture_file *f)
{
    tell("portolan render: %s: %s\n", f->path,
         f->error ? strerror(f->error) : "could not be written");
    return EXIT_FAILED;
}

static int render_png(session *s, const ptl_render_options *o)
{
    picture_file file;
    if (!picture_file_open(&file, args_value(s->args, "output")))
        return file_failed(&file);
    ptl_status status = ptl_render_png(s->world, o, picture_file_write, &file, &s->err);
    bool closed = picture_file_close(&file, status == PTL_OK);
    if (status == PTL_OK)
        return closed ? EXIT_DONE : file_failed(&file);
    if (stop_wanted()) {
        tell("portolan render: stopped; no picture was written\n");
        return EXIT_FAILED;
    }
    if (!out_ok())
        return EXIT_FAILED;
    return file.error ? file_failed(&file) : session_failed(s);
}

static int run(const args *a)
{
    session s = {.args = a};
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    bool given = false, colours = false;
    int code = read_options(a, &o, &colours);
    if (code == EXIT_DONE)
        code = read_rect(a, &o, &given);
    if (code != EXIT_DONE)
        return code;
    stop_on_signals();
    code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE)
        code = session_world(&s, NULL);
    if (code == EXIT_DONE && !given)
        code = saved_rect(&s, &o);
    if (code == EXIT_DONE)
        code = args_has(a, "text") ? render_text(&s, &o, colours) : render_png(&s, &o);
    session_close(&s);
    return code;
}

const command render_command = {
    .name = "render",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Draw a world as a PNG picture, or as text for the terminal.",
    .details =
        "Colours and symbols are the content's own. Chunks that are not saved stay dark. The\n"
        "picture is written row by row, and appears under its name when it is complete.\n",
    .examples = "  portolan render w.db -o home.png\n"
                "  portolan render w.db -o city.png --omt 0,0,89,59 --scale 8 --symbols\n",
    .options = options,
    .run = run,
};
