/* portolan view: the worlds of a file as a map in the terminal. */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/stop.h"
#include "clients/cli/pictures/map_window.h"
#include "clients/cli/session/session.h"
#include "clients/cli/view/viewer.h"
#include "os/terminal.h"

#include <stdlib.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"center", "PLACE", "begin at X,Y in OMTs, a city, a special", 0},
    {"level", "Z", "begin on this level, -10..10 (default: 0)", 0},
    {"write", NULL, "let the space bar generate overmaps, and local maps be made", 0},
    {"seconds", "N", "end by itself after so long (default: at q)", 0},
    OPTION_SHARED,
    OPTION_ACCEPT_CONTENT,
    OPTIONS_END,
};

static const value_type values[] = {
    {"center", VALUE_CITIES, NULL, NULL},
    VALUES_END,
};

/* The place of --center, or the largest city, or the middle of what is saved. */
static int read_place(session *s, ptl_omt *out)
{
    static const map_rect chunk = {0, 0, PTL_CHUNK_SIZE - 1, PTL_CHUNK_SIZE - 1};
    ptl_world_counts counts = PTL_WORLD_COUNTS_INIT;
    map_wish wish;
    map_rect saved = chunk;
    int64_t z = 0, place[2];
    int code = map_wish_read(&wish, s->args);
    if (code == EXIT_DONE)
        code = args_int(s->args, "level", PTL_Z_MIN, PTL_Z_MAX, &z);
    if (code == EXIT_DONE)
        code = ptl_world_count(s->store, ptl_world_name(s->world), &counts, &s->err) == PTL_OK
                   ? EXIT_DONE
                   : session_failed(s);
    if (code == EXIT_DONE && counts.chunks > 0)
        code = map_saved(s, &saved);
    if (code == EXIT_DONE)
        code = map_center(s, &wish, &saved, place);
    if (code == EXIT_DONE)
        *out = (ptl_omt){place[0], place[1], (int32_t)z};
    return code;
}

static int show(session *s, viewer_options *o)
{
    const ptl_status status = viewer_run(o, &s->err);
    if (status == PTL_ERR_CANCELLED && stop_wanted())
        return stop_tell();
    if (status == PTL_ERR_ARGUMENT)
        return usage_error(s->args, "%s; 'portolan render FILE --text' prints a map",
                           s->err.message);
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

static int run(const args *a)
{
    const char *no_color = getenv("NO_COLOR");
    session s;
    viewer_options o = {.path = a->operands[0],
                        .world = args_value(a, "world"),
                        .colours = !(no_color && no_color[0]),
                        .write = args_has(a, "write"),
                        .shared = args_has(a, "shared"),
                        .accept_content = args_has(a, "accept-content"),
                        .program = "portolan view",
                        .seconds = -1,
                        .should_stop = stop_asked_for};
    if (!o.write && (o.shared || o.accept_content))
        return usage_error(a, "--%s goes with --write: else nothing is written",
                           o.shared ? "shared" : "accept-content");
    int code = args_double(a, "seconds", 0, 1e9, &o.seconds);
    if (code != EXIT_DONE)
        return code;
    code = session_open_world(&s, a, PTL_OPEN_READ, NULL);
    if (code == EXIT_DONE)
        code = read_place(&s, &o.at);
    session_close(&s);
    if (code == EXIT_DONE && !(terminal_is(STREAM_INPUT) && terminal_is(STREAM_OUTPUT)))
        return usage_error(a, "standard input and output must be a terminal; 'portolan render "
                              "FILE --text' prints a map into anything");
    return code == EXIT_DONE ? show(&s, &o) : code;
}

const command view_command = {
    .name = "view",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Show a world in the terminal: a map to walk and search.",
    .details =
        "Arrows or h j k l move, with shift ten tiles; < and > change the level; / searches "
        "the whole world, n goes to the next hit; g goes to a place; Enter tells what is "
        "here and why, twice the local map; m closes, q ends, ? tells all keys.\n"
        "\n"
        "The file is read as it is, also while another process generates into it. With "
        "--write the space bar generates the overmap under the cursor; the file is held for "
        "writing only then.\n",
    .examples = "  portolan view w.db\n"
                "  portolan view w.db --center 90,90 --level -1\n"
                "  portolan view w.db --write\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "the file is as it was, with what was generated",
};
