/* portolan generate: makes chunks and saves them. Given again, it continues
 * where it was stopped. */
#include "clients/cli/session/session.h"
#include "core/bytes.h"
#include "core/suggest.h"

static const option_spec options[] = {
    OPTION_WORLD,
    OPTIONS_CHUNKS,
    OPTION_SHARD,
    OPTION_JOBS,
    {"stop-after", "STEP", "run the steps only up to this one", 0},
    OPTION_ACCEPT_CONTENT,
    OPTION_SHARED,
    OPTION_WAIT,
    {"times", NULL, "print the time of each step", 0},
    {"local", NULL, "make and store the local maps of these chunks, too", 0},
    OPTIONS_LOCAL,
    {"keep", NULL, "the world derives its local maps no longer: it stores these, and others",
     0},
    OPTION_QUIET,
    OPTIONS_END,
};

static void list_steps(void (*put)(const char *lines))
{
    enum { WIDTH = 80 };
    bytes text = {.size = 0};
    bytes_put_text(&text, "\nSteps, in their order:");
    for (size_t i = 0, column = WIDTH; i < ptl_step_count(); i++) {
        const char *name = ptl_step_name(i);
        bool wrap = column + 1 + strlen(name) > WIDTH;
        bytes_printf(&text, "%s%s", wrap ? "\n  " : " ", name);
        column = (wrap ? 1 : column) + 1 + strlen(name);
    }
    bytes_put_text(&text, "\n");
    const char *lines = bytes_text(&text);
    put(lines ? lines : "");
    bytes_dispose(&text);
}

/* ---- what was done ---- */

/* A row of --times: a step of generation and the time that it took. */
typedef struct step_time {
    const char *step;
    double seconds;
} step_time;

/* Prints the times. The last column has the seconds of a step multiplied by `of_each`, which
 * gives the time that the step took for each chunk or map. */
static int print_times(session *s, const report_column *columns, const step_time *times,
                       size_t count, double of_each)
{
    static const rows_style style = {.format = ROWS_TABLE, .header = true};
    row_printer *r = rows_new(&style, columns, false);
    for (size_t i = 0; i < count; i++)
        (void)rows_put(r, CELLS(cell_text(times[i].step), cell_real(times[i].seconds),
                                cell_real(times[i].seconds * of_each)));
    return session_printed(s, rows_finish(r));
}

/* Prints "N chunks generated and saved in S s (R/s); M were saved already". */
static void say_done(uint64_t done, const char *what, double seconds, int decimals,
                     uint64_t skipped, const char *how)
{
    out_say("%ju %s in %.2f s", done, what, seconds);
    if (done > 0 && seconds > 0)
        out_say(" (%.*f/s)", decimals, (double)done / seconds);
    if (skipped > 0)
        out_say("; %ju were %s already", skipped, how);
    out_say("\n");
}

/* ---- making ---- */

/* Makes the chunks. Chunks that were saved before a stop count as done, so the same command
 * continues. */
static int generate(session *s, ptl_generate_options *o)
{
    static const report_column columns[] = {COLUMN_AS(step, "step", 0, 0),
                                            COLUMN_AS(seconds, "seconds", 3, 0),
                                            COLUMN_AS(ms, "ms a chunk", 3, 0), COLUMNS_END};
    ptl_generate_report r = PTL_GENERATE_REPORT_INIT;
    o->on_progress = progress_show;
    o->payload = &s->shown;
    const ptl_status status = ptl_generate(&r, s->world, o, &s->err);
    progress_end(&s->shown);
    if (status == PTL_ERR_CANCELLED && stop_wanted() && r.total > 0)
        return stop_tell_how(
            "%ju of %ju chunks are saved. The same command again goes on from there.",
            r.done + r.skipped, r.total);
    NEED(session_done(s, status));
    if (!s->shown.quiet) {
        say_done(r.done, "chunks generated and saved", r.seconds, 1, r.skipped, "saved");
        if (r.events > 0)
            out_say("events, as every world has (a special found no room, a road no way): "
                    "%ju; view v_event lists them\n",
                    r.events);
        if (r.empty_cities > 0)
            out_say("%ju cities have no building: events 'city_empty'\n", r.empty_cities);
    }
    if (!args_has(s->args, "times"))
        return EXIT_DONE;
    step_time times[PTL_STEPS_MAX + 3];
    size_t count = 0;
    for (; count < ptl_step_count() && count < PTL_STEPS_MAX; count++)
        times[count] = (step_time){ptl_step_name(count), r.step_seconds[count]};
    times[count++] = (step_time){"(encode)", r.encode_seconds};
    times[count++] = (step_time){"(write)", r.write_seconds};
    times[count++] = (step_time){"(wall clock)", r.seconds};
    return print_times(s, columns, times, count, r.done ? 1000 / (double)r.done : 0);
}

/* Makes the local maps of the chunks and of --omt. */
static int generate_local(session *s, int32_t jobs)
{
    static const report_column columns[] = {COLUMN_AS(step, "step", 0, 0),
                                            COLUMN_AS(seconds, "seconds", 3, 0),
                                            COLUMN_AS(us, "us a map", 1, 0), COLUMNS_END};
    ptl_local_generate_report r = PTL_LOCAL_GENERATE_REPORT_INIT;
    local_areas areas = {NULL, 0};
    int code = local_areas_from_args(&areas, s->args, &s->chunks);
    if (code == EXIT_DONE)
        code = local_areas_store(s, &areas, jobs, &r);
    local_areas_dispose(&areas);
    NEED(code);
    if (!s->shown.quiet) {
        say_done(r.done, "local maps made and stored", r.seconds, 0, r.skipped, "stored");
        if (r.chunks > 0)
            out_say("%ju chunks were generated for them\n", r.chunks);
        if (r.fallback > 0)
            out_say(
                "%ju of the maps are of one terrain: theirs has no mapgen that can be run\n",
                r.fallback);
        if (args_has(s->args, "keep"))
            out_say("The world stores each map that it makes from now on.\n");
    }
    const step_time times[] = {{"(make)", r.make_seconds},
                               {"(encode)", r.encode_seconds},
                               {"(write)", r.write_seconds},
                               {"(wall clock)", r.seconds}};
    return args_has(s->args, "times")
               ? print_times(s, columns, times, 4, r.done ? 1e6 / (double)r.done : 0)
               : EXIT_DONE;
}

static int run(session *s)
{
    const args *a = s->args;
    const bool local = args_has(a, "local");
    const ptl_world_open_options open = {.size = sizeof open,
                                         .accept_content = args_has(a, "accept-content")};
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.jobs = 1;
    NEED(args_int32(a, "jobs", 1, 64, &o.jobs));
    NEED(args_shard(a, &o.shard, &o.shards));
    const char *names[PTL_STEPS_MAX + 1] = {NULL}, *step = args_value(a, "stop-after");
    for (size_t i = 0; i < ptl_step_count() && i < PTL_STEPS_MAX; i++) {
        names[i] = ptl_step_name(i);
        if (step && strcmp(step, names[i]) == 0)
            o.stop_after = step;
    }
    if (step && !o.stop_after) {
        const char *near = suggest_nearest(step, names);
        usage_error(a, "there is no step '%s'%s%s%s", step, near ? "; did you mean " : "",
                    near ? near : "", near ? "?" : "");
        tell("Steps:");
        for (size_t i = 0; names[i]; i++)
            tell(" %s", names[i]);
        tell("\n");
        return EXIT_USAGE;
    }
    NEED(chunks_from_args(&s->chunks, a));
    if (s->chunks.count == 0 && !args_has(a, "list") && !(local && args_has(a, "omt")))
        return usage_error(a, local ? "say which local maps: --omt, or --rect, --chunk, "
                                      "--radius, --list"
                                    : "say which chunks: --rect, --chunk, --radius or --list");
    if (local && args_has(a, "stop-after"))
        return usage_error(a, "local maps are made of chunks with all steps: --stop-after "
                              "does not go with --local");
    if (local && o.shards > 0)
        return usage_error(a, "local maps need chunks beyond a shard's border: --shard does "
                              "not go with --local");
    NEED(local_options_alone(a));
    o.positions = s->chunks.positions;
    o.position_count = s->chunks.count;
    NEED(session_open_world(s, PTL_OPEN_WRITE, &open));
    return local ? generate_local(s, o.jobs) : generate(s, &o);
}

static void list_step_names(value_sink sink, void *payload)
{
    for (size_t i = 0; i < ptl_step_count(); i++)
        if (!sink(payload, ptl_step_name(i), ""))
            return;
}

static const value_type values[] = {{"stop-after", VALUE_LISTED, NULL, list_step_names}, {0}};

const command generate_command = {
    .name = "generate",
    .group = GROUP_MAKE,
    .operands = "FILE",
    .summary = "Generate chunks of a world and save them.",
    .details =
        "--rect, --chunk, --radius and --list can be repeated and combined. Chunks that are "
        "saved already are skipped, so the same command goes on where Ctrl-C (or a crash) "
        "stopped it. The world does not depend on the order or on the number of threads.\n\n"
        "With --shard I/N the command makes part I of N of these chunks and no others, so that "
        "N machines can share a world, each with a file that was made by the same 'import' and "
        "'new'. The parts are made of blocks of 8 x 8 chunks, and depend on nothing but the "
        "chunks that are asked for and N.\n\n"
        "With --local, all local maps of the chunks and of rectangles of OMTs (--omt) are "
        "made and stored as well; --levels says on which levels. Chunks at their borders are "
        "generated where a map needs them. A world that was made with 'new --derive' stores "
        "them with --keep alone: when all are there it stores whatever map it makes, too, and "
        "other content can be imported.\n",
    .more_details = list_steps,
    .examples = "  portolan generate w.db --radius 2                  # 25 chunks around 0,0\n"
                "  portolan generate w.db --local --omt 80,80,99,99 --levels -1,1\n"
                "  portolan generate w.db --rect -3,-1,3,1 --jobs 2\n"
                "  portolan generate w.db --rect 0,0,15,15 --shard 2/4\n"
                "  portolan generate w.db --chunk 5,-2 --stop-after lakes --times\n"
                "  echo 4,0 | portolan generate w.db --list -\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "what was committed stays: the same command again goes on from there",
};
