/* portolan view: shows the worlds of a file as a map in the terminal. */
#include "clients/cli/pictures/picture.h"
#include "clients/cli/view/viewer.h"
#include "clients/os/terminal.h"

static const option_spec options[] = {
    OPTION_WORLD,
    {"center", "PLACE", "begin at X,Y in OMTs, a city, a special", 0},
    {"level", "Z", "begin on this level, -10..10 (default: 0)", 0},
    {"write", NULL, "let keys generate, set terrain, place specials and write notes", 0},
    {"author", "NAME", "with --write: who makes edits and notes", 0},
    {"seconds", "N", "end by itself after so long (default: at q)", 0},
    OPTION_SHARED,
    OPTION_ACCEPT_CONTENT,
    OPTIONS_END,
};

static int run(session *s)
{
    const args *a = s->args;
    const char *no_color = getenv("NO_COLOR");
    viewer_options o = {.path = a->operands[0],
                        .world = args_value(a, "world"),
                        .colours = !(no_color && no_color[0]),
                        .write = args_has(a, "write"),
                        .author = args_value(a, "author"),
                        .shared = args_has(a, "shared"),
                        .accept_content = args_has(a, "accept-content"),
                        .program = "portolan view",
                        .seconds = -1,
                        .should_stop = stop_asked_for};
    if (!o.write && (o.shared || o.accept_content || o.author))
        return usage_error(a, "--%s goes with --write: else nothing is written",
                           o.shared           ? "shared"
                           : o.accept_content ? "accept-content"
                                              : "author");
    NEED(args_double(a, "seconds", 0, 1e9, &o.seconds));
    NEED(session_open_world(s, PTL_OPEN_READ, NULL));
    /* The map begins at --center, else in the largest city, else in the middle of what is
     * saved. */
    ptl_world_counts counts = PTL_WORLD_COUNTS_INIT;
    map_wish wish;
    map_rect saved = {0, 0, PTL_CHUNK_SIZE - 1, PTL_CHUNK_SIZE - 1};
    int64_t z = 0, place[2];
    NEED(map_wish_read(&wish, a));
    NEED(args_int(a, "level", PTL_Z_MIN, PTL_Z_MAX, &z));
    NEED(session_done(
        s, ptl_world_counts_load(&counts, s->store, ptl_world_name(s->world), &s->err)));
    if (counts.chunks > 0)
        NEED(map_saved(s, &saved));
    NEED(map_center(s, &wish, &saved, place));
    o.at = (ptl_omt){place[0], place[1], (int32_t)z};
    session_close(s);
    if (!terminal_is(STREAM_INPUT) || !terminal_is(STREAM_OUTPUT))
        return usage_error(a, "standard input and output must be a terminal; 'portolan render "
                              "FILE --text' prints a map into anything");
    const ptl_status status = viewer_run(&o, &s->err);
    if (status == PTL_ERR_CANCELLED && stop_wanted())
        return stop_tell();
    if (status == PTL_ERR_ARGUMENT)
        return usage_error(a, "%s; 'portolan render FILE --text' prints a map", s->err.message);
    return session_done(s, status);
}

const command view_command = {
    .name = "view",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .summary = "Show a world in the terminal: a map to walk and search.",
    .details =
        "Arrows or h j k l move, with shift ten OMTs; < and > change the level; / searches "
        "the whole world, n goes to the next hit; g goes to a place; Enter tells what is here "
        "and why, twice the local map; m closes, q ends, ? tells all keys.\n\n"
        "The file is read as it is, also while another process generates into it. With "
        "--write the space bar generates the overmap under the cursor, e sets its terrain (. "
        "the same again), w writes a note, u takes the last edit back; the file is held for "
        "writing only then.\n",
    .examples = "  portolan view w.db\n"
                "  portolan view w.db --center 90,90 --level -1\n"
                "  portolan view w.db --write\n",
    .options = options,
    .run = run,
    .stopped = "the file is as it was, with what was generated",
};
