/* portolan generate: makes chunks and saves them. Given again, it continues
 * where it was stopped. */
#include "clients/cli/session/local_options.h"
#include "core/bytes.h"
#include "core/suggest.h"

static const option_spec options[] = {
    OPTION_WORLD,
    OPTIONS_CHUNKS,
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

static int read_step(const args *a, const char **out)
{
    const char *wanted = args_value(a, "stop-after"), *names[PTL_STEPS_MAX + 1] = {NULL};
    *out = NULL;
    if (!wanted)
        return EXIT_DONE;
    for (size_t i = 0; i < ptl_step_count() && i < PTL_STEPS_MAX; i++) {
        names[i] = ptl_step_name(i);
        if (strcmp(wanted, names[i]) == 0)
            *out = wanted;
    }
    if (*out)
        return EXIT_DONE;
    const char *near = suggest_nearest(wanted, names);
    int code = usage_error(a, "there is no step '%s'%s%s%s", wanted,
                           near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    tell("Steps:");
    for (size_t i = 0; names[i]; i++)
        tell(" %s", names[i]);
    tell("\n");
    return code;
}

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

/* ---- times ---- */

static void put_time(row_printer *r, const char *name, double seconds, double of_each)
{
    (void)rows_put(r, CELLS(cell_text(name), cell_real(seconds), cell_real(seconds * of_each)));
}

static int print_times(session *s, const ptl_generate_report *g)
{
    static const report_column columns[] = {COLUMN_AS(step, "step", 0, 0),
                                            COLUMN_AS(seconds, "seconds", 3, 0),
                                            COLUMN_AS(ms, "ms a chunk", 3, 0),
                                            {0}};
    static const rows_style style = {.format = ROWS_TABLE, .header = true};
    const double each = g->done ? 1000 / (double)g->done : 0;
    row_printer *r = rows_new(&style, columns, false);
    for (size_t i = 0; i < ptl_step_count() && i < PTL_STEPS_MAX; i++)
        put_time(r, ptl_step_name(i), g->step_seconds[i], each);
    put_time(r, "(encode)", g->encode_seconds, each);
    put_time(r, "(write)", g->write_seconds, each);
    put_time(r, "(wall clock)", g->seconds, each);
    return session_printed(s, rows_finish(r));
}

/* ---- making ---- */

/* Makes the chunks. Those saved before a stop count as done, so the same command continues. */
static int generate(session *s, ptl_generate_options *o)
{
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    o->on_progress = progress_show;
    o->payload = &s->shown;
    const ptl_status status = ptl_generate(&report, s->world, o, &s->err);
    progress_end(&s->shown);
    if (status == PTL_ERR_CANCELLED && stop_wanted() && report.total > 0)
        return stop_tell_how(
            "%ju of %ju chunks are saved. The same command again goes on from there.",
            report.done + report.skipped, report.total);
    NEED(session_done(s, status));
    if (!s->shown.quiet) {
        out_prose_begin(0);
        out_printf("%ju chunks generated and saved in %.2f s", report.done, report.seconds);
        if (report.done > 0 && report.seconds > 0)
            out_printf(" (%.1f/s)", (double)report.done / report.seconds);
        if (report.skipped > 0)
            out_printf("; %ju were saved already", report.skipped);
        out_text("\n");
        if (report.events > 0)
            out_printf("events, as every world has (a special found no room, a road no way): "
                       "%ju; view v_event lists them\n",
                       report.events);
        if (report.empty_cities > 0)
            out_printf("%ju cities have no building: events 'city_empty'\n",
                       report.empty_cities);
        out_prose_end();
    }
    return args_has(s->args, "times") ? print_times(s, &report) : EXIT_DONE;
}

/* Makes the local maps of the chunks and of --omt. */
static int generate_local(session *s, int32_t jobs)
{
    ptl_local_generate_report report = PTL_LOCAL_GENERATE_REPORT_INIT;
    local_areas areas = {NULL, 0};
    int code = local_areas_from_args(&areas, s->args, &s->chunks);
    if (code == EXIT_DONE)
        code = local_areas_store(s, &areas, jobs, &report);
    local_areas_dispose(&areas);
    NEED(code);
    if (!s->shown.quiet) {
        const ptl_local_generate_report *r = &report;
        out_prose_begin(0);
        out_printf("%ju local maps made and stored in %.2f s", r->done, r->seconds);
        if (r->done > 0 && r->seconds > 0)
            out_printf(" (%.0f/s)", (double)r->done / r->seconds);
        if (r->skipped > 0)
            out_printf("; %ju were stored already", r->skipped);
        out_text("\n");
        if (r->chunks > 0)
            out_printf("%ju chunks were generated for them\n", r->chunks);
        if (r->fallback > 0)
            out_printf(
                "%ju of the maps are of one terrain: theirs has no mapgen that can be run\n",
                r->fallback);
        if (args_has(s->args, "keep"))
            out_text("The world stores each map that it makes from now on.\n");
        out_prose_end();
    }
    if (!args_has(s->args, "times"))
        return EXIT_DONE;
    static const report_column columns[] = {COLUMN_AS(step, "step", 0, 0),
                                            COLUMN_AS(seconds, "seconds", 3, 0),
                                            COLUMN_AS(us, "us a map", 1, 0),
                                            {0}};
    static const rows_style style = {.format = ROWS_TABLE, .header = true};
    const double each = report.done ? 1e6 / (double)report.done : 0;
    row_printer *rows = rows_new(&style, columns, false);
    put_time(rows, "(make)", report.make_seconds, each);
    put_time(rows, "(encode)", report.encode_seconds, each);
    put_time(rows, "(write)", report.write_seconds, each);
    put_time(rows, "(wall clock)", report.seconds, each);
    return session_printed(s, rows_finish(rows));
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
    NEED(read_step(a, &o.stop_after));
    NEED(chunks_from_args(&s->chunks, a));
    if (s->chunks.count == 0 && !args_has(a, "list") && !(local && args_has(a, "omt")))
        return usage_error(a, local ? "say which local maps: --omt, or --rect, --chunk, "
                                      "--radius, --list"
                                    : "say which chunks: --rect, --chunk, --radius or --list");
    if (local && args_has(a, "stop-after"))
        return usage_error(a, "local maps are made of chunks with all steps: --stop-after "
                              "does not go with --local");
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
        "With --local, all local maps of the chunks and of rectangles of OMTs (--omt) are "
        "made and stored as well; --levels says on which levels. Chunks at their borders are "
        "generated where a map needs them. A world that was made with 'new --derive' stores "
        "them with --keep alone: when all are there it stores whatever map it makes, too, and "
        "other content can be imported.\n",
    .more_details = list_steps,
    .examples = "  portolan generate w.db --radius 2                  # 25 chunks around 0,0\n"
                "  portolan generate w.db --local --omt 80,80,99,99 --levels -1,1\n"
                "  portolan generate w.db --rect -3,-1,3,1 --jobs 2\n"
                "  portolan generate w.db --chunk 5,-2 --stop-after lakes --times\n"
                "  echo 4,0 | portolan generate w.db --list -\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "what was committed stays: the same command again goes on from there",
};
