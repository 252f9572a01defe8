/* portolan generate: makes chunks and saves them; goes on where it was stopped. */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/line/table.h"
#include "clients/cli/session/coordinates.h"
#include "clients/cli/session/local_options.h"
#include "clients/cli/session/session.h"
#include "clients/cli/worlds/generate_local.h"
#include "core/bytes.h"
#include "core/suggest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
    bytes text;
    bytes_init(&text);
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

static bool time_row(table *t, const char *name, double seconds, uint64_t chunks)
{
    char total[32], each[32];
    snprintf(total, sizeof total, "%.3f", seconds);
    snprintf(each, sizeof each, "%.3f", chunks ? 1000 * seconds / (double)chunks : 0);
    return table_text(t, name) && table_cell(t, total, strlen(total), true) &&
           table_cell(t, each, strlen(each), true);
}

static int print_times(const ptl_generate_report *r)
{
    static const table_column columns[] = {
        {"step", 0, false}, {"seconds", 0, false}, {"ms a chunk", 0, false}};
    const table_style style = table_style_of(true, false);
    uint64_t chunks = r->done;
    table *t = table_new(columns, 3, &style);
    bool good = t != NULL;
    for (size_t i = 0; good && i < ptl_step_count() && i < PTL_STEPS_MAX; i++)
        good = time_row(t, ptl_step_name(i), r->step_seconds[i], chunks);
    good = good && time_row(t, "(encode)", r->encode_seconds, chunks) &&
           time_row(t, "(write)", r->write_seconds, chunks) &&
           time_row(t, "(wall clock)", r->seconds, chunks);
    table_finish(t);
    if (!good)
        tell("portolan generate: memory is out\n");
    return good ? EXIT_DONE : EXIT_FAILED;
}

static void print_summary(const ptl_generate_report *r)
{
    out_prose_begin(0);
    out_printf("%llu chunks generated and saved in %.2f s", (unsigned long long)r->done,
               r->seconds);
    if (r->done > 0 && r->seconds > 0)
        out_printf(" (%.1f/s)", (double)r->done / r->seconds);
    if (r->skipped > 0)
        out_printf("; %llu were saved already", (unsigned long long)r->skipped);
    out_text("\n");
    if (r->events > 0)
        out_printf("events, as every world has (a special found no room, a road no way): %llu; "
                   "view v_event lists them\n",
                   (unsigned long long)r->events);
    if (r->empty_cities > 0)
        out_printf("%llu cities have no building: events 'city_empty'\n",
                   (unsigned long long)r->empty_cities);
    out_prose_end();
}

static int generate(session *s, const args *a, ptl_generate_options *o)
{
    progress shown;
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    progress_init(&shown, args_has(a, "quiet"));
    o->on_progress = progress_show;
    o->payload = &shown;
    ptl_status status = ptl_generate(s->world, o, &report, &s->err);
    progress_end(&shown);
    if (status == PTL_ERR_CANCELLED && stop_wanted() && report.total > 0)
        return stop_tell_how("%" PRIu64 " of %" PRIu64 " chunks are saved. The same command "
                             "again goes on from there.",
                             report.done + report.skipped, report.total);
    if (status != PTL_OK)
        return session_failed(s);
    if (!args_has(a, "quiet"))
        print_summary(&report);
    return args_has(a, "times") ? print_times(&report) : EXIT_DONE;
}

/* EXIT_DONE, or what is wrong with the choice. */
static int check_choice(const args *a, const chunk_list *chunks)
{
    const bool local = args_has(a, "local");
    if (chunks->count == 0 && !args_has(a, "list") && !(local && args_has(a, "omt")))
        return usage_error(a, local ? "say which local maps: --omt, or --rect, --chunk, "
                                      "--radius, --list"
                                    : "say which chunks: --rect, --chunk, --radius or --list");
    if (local && args_has(a, "stop-after"))
        return usage_error(a, "local maps are made of chunks with all steps: --stop-after "
                              "does not go with --local");
    return local_options_alone(a);
}

static int run(const args *a)
{
    session s = {.args = a};
    chunk_list chunks = {NULL, 0, 0};
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    ptl_world_open_options open = {.size = sizeof open,
                                   .accept_content = args_has(a, "accept-content")};
    int64_t jobs = 1;
    int code = args_int(a, "jobs", 1, 64, &jobs);
    if (code == EXIT_DONE)
        code = read_step(a, &o.stop_after);
    if (code == EXIT_DONE)
        code = chunks_from_args(&chunks, a);
    if (code == EXIT_DONE)
        code = check_choice(a, &chunks);
    if (code != EXIT_DONE)
        goto out;
    o.positions = chunks.positions;
    o.position_count = chunks.count;
    o.jobs = (int32_t)jobs;
    code = session_open_world(&s, a, PTL_OPEN_WRITE, &open);
    if (code == EXIT_DONE)
        code =
            args_has(a, "local") ? generate_local(&s, a, &chunks, o.jobs) : generate(&s, a, &o);
    session_close(&s);
out:
    chunk_list_dispose(&chunks);
    return code;
}

static void list_step_names(value_sink sink, void *payload)
{
    for (size_t i = 0; i < ptl_step_count(); i++)
        if (!sink(payload, ptl_step_name(i), ""))
            return;
}

static const value_type values[] = {
    VALUES_CHUNKS,
    {"stop-after", VALUE_LISTED, NULL, list_step_names},
    VALUES_END,
};

const command generate_command = {
    .name = "generate",
    .group = GROUP_MAKE,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Generate chunks of a world and save them.",
    .details =
        "--rect, --chunk, --radius and --list can be repeated and combined. Chunks that are\n"
        "saved already are skipped, so the same command goes on where Ctrl-C (or a crash)\n"
        "stopped it. The world does not depend on the order or on the number of threads.\n"
        "\n"
        "With --local, all local maps of the chunks and of rectangles of OMTs (--omt) are "
        "made\n"
        "and stored as well; --levels says on which levels. Chunks at their borders are\n"
        "generated where a map needs them. A world that was made with 'new --derive' stores\n"
        "them with --keep alone: when all are there it stores whatever map it makes, too,\n"
        "and other content can be imported.\n",
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
