/* portolan render: a world as a PNG, or as text for the terminal. */
#include "cli/line/commands.h"
#include "cli/line/output.h"
#include "cli/line/progress.h"
#include "cli/pictures/render_text.h"
#include "cli/session/out_file.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/terminal.h"
#include "portolan/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The longer side that a picture's scale aims at, in pixels; and its OMTs where only a place is
 * named. */
enum { SIDE_PIXELS = 1000, SIZE_OMTS = 180, SYMBOLS_SCALE = 8 };

static const option_spec options[] = {
    OPTION_WORLD,
    {"output", "OUT.png", "the picture to write; - is standard output", 'o'},
    {"text", NULL, "print symbols to the terminal instead of a picture", 0},
    {"rect", "X0,Y0,X1,Y1", "chunks, both ends included (default: all saved chunks)", 0},
    {"omt", "X0,Y0,X1,Y1", "absolute OMTs, both ends included", 0},
    {"center", "PLACE", "what is in the middle: X,Y in OMTs, a city, a special", 0},
    {"size", "WxH", "OMTs around it (180x180; a text: what fits)", 0},
    {"level", "Z", "-10..10 (default: 0)", 0},
    {"levels", "A..B", "a strip of levels side by side, from A to B", 0},
    {"scale", "N", "pixels per OMT, 1..32 (default: for some 1,000 pixels)", 0},
    {"symbols", NULL, "draw each terrain's symbol; scale 8 or more", 0},
    {"plain", NULL, "the map alone, scale 1; of --text all of it", 0},
    {"title", NULL, "only this part, and others that are named: a title", 0},
    {"grid", NULL, "the same: borders of chunks, coordinates (of --text, too)", 0},
    {"names", NULL, "the same: names of cities", 0},
    {"scale-bar", NULL, "the same: how long an OMT is", 0},
    {"legend", NULL, "the same: the terrains in the picture", 0},
    {"color", "WHEN", "of --text: auto (default), always or never", 0},
    OPTIONS_END,
};

static const struct part_option {
    const char *name;
    uint32_t part;
} part_options[] = {
    {"title", PTL_RENDER_TITLE},   {"grid", PTL_RENDER_GRID},
    {"names", PTL_RENDER_NAMES},   {"scale-bar", PTL_RENDER_SCALE_BAR},
    {"legend", PTL_RENDER_LEGEND},
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
    *out = terminal_is(STREAM_OUTPUT) && !(no_color && no_color[0]);
    if (!when || strcmp(when, "auto") == 0)
        return EXIT_DONE;
    *out = strcmp(when, "always") == 0;
    if (!*out && strcmp(when, "never") != 0)
        return usage_error(a, "--color '%s' is none of auto, always, never", when);
    return EXIT_DONE;
}

/* All parts, unless some are named; none with --plain. Of a text only the grid can be named. */
static int read_parts(const args *a, uint32_t *out)
{
    const char *named = NULL;
    *out = 0;
    for (size_t i = 0; i < sizeof part_options / sizeof part_options[0]; i++) {
        if (!args_has(a, part_options[i].name))
            continue;
        named = part_options[i].name;
        *out |= part_options[i].part;
        if (args_has(a, "text") && part_options[i].part != PTL_RENDER_GRID)
            return usage_error(a, "--%s is for pictures; a text can have --grid", named);
    }
    if (named && args_has(a, "plain"))
        return usage_error(a, "give --plain or --%s, not both", named);
    if (!named && !args_has(a, "plain"))
        *out = PTL_RENDER_ALL;
    return EXIT_DONE;
}

/* A name that says another format than PNG would lie. Devices and pipes have any name. */
static int check_output(const args *a)
{
    const char *path = args_value(a, "output");
    file_facts facts;
    if (!path || strcmp(path, "-") == 0 ||
        (file_look(&facts, path) && facts.kind != FILE_REGULAR))
        return EXIT_DONE;
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    if (dot && strcasecmp(dot, ".png") != 0)
        return usage_error(a, "-o '%s': pictures are PNG; name it '%.*s.png'", path,
                           (int)(dot - path), path);
    return EXIT_DONE;
}

/* *o has scale 0 where none is given. */
static int read_options(const args *a, ptl_render_options *o)
{
    int64_t scale = 0;
    o->symbols = args_has(a, "symbols");
    int code = read_levels(a, o);
    if (code == EXIT_DONE)
        code = args_int(a, "scale", 1, 32, &scale);
    if (code == EXIT_DONE)
        code = read_parts(a, &o->parts);
    if (code == EXIT_DONE)
        code = check_output(a);
    if (code != EXIT_DONE)
        return code;
    o->scale = (int32_t)scale;
    if (o->symbols && scale > 0 && scale < SYMBOLS_SCALE)
        return usage_error(a, "--symbols needs a --scale of %d or more", SYMBOLS_SCALE);
    if (args_has(a, "text") == args_has(a, "output"))
        return usage_error(a, "say where to: -o OUT.png, or --text for the terminal");
    return EXIT_DONE;
}

/* ---- pictures ---- */

/* The largest of 1, 2, 4, 8, 16 that keeps the longer side within SIDE_PIXELS. */
static int32_t fitting_scale(const ptl_render_options *o)
{
    const int32_t span = o->z_last - o->z_first;
    const int64_t levels = (span < 0 ? -span : span) + 1;
    const int64_t width = (o->x1 - o->x0 + 1) * levels, height = o->y1 - o->y0 + 1;
    const int64_t longer = width > height ? width : height;
    int32_t scale = 1;
    while (scale < 16 && 2 * scale * longer <= SIDE_PIXELS)
        scale *= 2;
    return scale;
}

static void choose_scale(ptl_render_options *o)
{
    if (o->scale == 0)
        o->scale = o->parts ? fitting_scale(o) : 1;
    if (o->symbols && o->scale < SYMBOLS_SCALE)
        o->scale = SYMBOLS_SCALE;
}

static int choose_rect(session *s, const map_wish *wish, ptl_render_options *o)
{
    map_rect rect = wish->rect, saved;
    int64_t center[2];
    int code = map_saved(s, &saved);
    if (code == EXIT_DONE && !wish->has_rect)
        rect = saved;
    if (code == EXIT_DONE && (wish->has_center || wish->has_size)) {
        const int64_t width = wish->has_size ? wish->width : SIZE_OMTS;
        const int64_t height = wish->has_size ? wish->height : SIZE_OMTS;
        code = map_center(s, wish, &saved, center);
        if (code == EXIT_DONE)
            rect = map_around(center, width, height);
    }
    o->x0 = rect.x0;
    o->y0 = rect.y0;
    o->x1 = rect.x1;
    o->y1 = rect.y1;
    return code == EXIT_DONE ? map_check_saved(s, &rect) : code;
}

/* Progress of what takes longer than a second. */
typedef struct follower {
    progress bar;
    double start;
} follower;

static bool on_progress(void *payload, uint64_t done, uint64_t total)
{
    follower *f = payload;
    const double seconds = clock_seconds() - f->start;
    const ptl_progress now = {.size = sizeof now,
                              .done = done,
                              .total = total,
                              .seconds = seconds,
                              .rate = seconds > 0 ? (double)done / seconds : 0};
    return seconds < 1 ? !stop_wanted() : progress_show(&f->bar, &now);
}

static int render_png(session *s, const ptl_render_options *wanted)
{
    ptl_render_options o = *wanted;
    out_file file;
    follower follow = {.start = clock_seconds()};
    progress_init(&follow.bar, false);
    follow.bar.noun = "rows";
    o.on_progress = on_progress;
    o.payload = &follow;
    if (!out_file_open(&file, args_value(s->args, "output"), s->args->operands, 1))
        return out_file_failed(&file, "render");
    ptl_status status = ptl_render_png(s->world, &o, out_file_write, &file, &s->err);
    bool closed = out_file_close(&file, status == PTL_OK);
    progress_end(&follow.bar);
    if (status == PTL_OK)
        return closed ? EXIT_DONE : out_file_failed(&file, "render");
    if (stop_wanted())
        return stop_tell();
    if (!out_ok())
        return EXIT_FAILED;
    return file.err.status != PTL_OK ? out_file_failed(&file, "render") : session_failed(s);
}

static int draw(session *s, const args *a, const map_wish *where, ptl_render_options *o,
                bool colours)
{
    if (args_has(a, "text")) {
        const text_wish wish = {.where = *where,
                                .colours = colours,
                                .plain = args_has(a, "plain"),
                                .grid = args_has(a, "grid")};
        return render_text(s, &wish, o);
    }
    int code = choose_rect(s, where, o);
    choose_scale(o);
    return code == EXIT_DONE ? render_png(s, o) : code;
}

static int run(const args *a)
{
    session s = {.args = a};
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    map_wish where;
    bool colours = false;
    int code = read_options(a, &o);
    if (code == EXIT_DONE)
        code = read_color(a, &colours);
    if (code == EXIT_DONE)
        code = map_wish_read(&where, a);
    if (code != EXIT_DONE)
        return code;
    code = session_open_world(&s, a, PTL_OPEN_READ, NULL);
    if (code == EXIT_DONE)
        code = draw(&s, a, &where, &o, colours);
    session_close(&s);
    return code;
}

static const value_type values[] = {
    {"center", VALUE_CITIES, NULL, NULL},
    {"color", VALUE_WORDS, "auto|always|never", NULL},
    VALUES_END,
};

const command render_command = {
    .name = "render",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Draw a world as a PNG picture, or as text for the terminal.",
    .details =
        "A picture has a title, a grid of chunks with coordinates, names of cities, a scale\n"
        "bar and a legend; with --plain it is the map alone, with --grid, --names ... these\n"
        "alone. It is written row by row, and appears under its name when it is complete.\n"
        "Its PNG texts say what it shows: world, seed, rectangle, levels, content. Chunks\n"
        "that are not saved are dark; where none is, that is an error.\n"
        "\n"
        "A text on a terminal is cropped to it, around the largest city or --center, and\n"
        "says below what is seen. Into a file or a pipe goes all of it, unless --center or\n"
        "--size is given.\n",
    .examples = "  portolan render w.db -o home.png\n"
                "  portolan render w.db -o city.png --size 90x60 --symbols\n"
                "  portolan render w.db -o below.png --rect 0,0,0,0 --levels 0..-3 --plain\n"
                "  portolan render w.db --text --center 12,-40\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "no picture was written",
};
