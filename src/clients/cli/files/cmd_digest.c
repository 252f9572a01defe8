/* portolan digest: one line that is the same for equal worlds. */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/rows.h"
#include "clients/cli/line/terminal.h"
#include "clients/cli/session/local_options.h"
#include "clients/cli/session/session.h"
#include "os/terminal.h"

#include <stdio.h>
#include <string.h>

static const option_spec options[] = {
    OPTION_WORLD,  {"local", NULL, "over local maps: stored ones, or those of --omt", 0},
    OPTIONS_LOCAL, OPTIONS_ROWS,
    OPTIONS_END,
};

static const report_column columns[] = {
    {"digest", "digest", 0, 0},
    {"chunks", "chunks", 0, 0},
    {"edges", "edges", 0, 0},
    {NULL, NULL, 0, 0},
};

/* One line, or two where it does not fit. */
static void print_line(const char *hex, const char *counts, const rows_style *style)
{
    const size_t width = terminal_columns(STREAM_OUTPUT);
    const bool fits = width == 0 || style->wide || strlen(hex) + 2 + strlen(counts) <= width;
    out_printf(fits ? "%s  %s\n" : "%s\n%s\n", hex, counts);
}

static int print_local(session *s, const ptl_local_digest_result *d, const rows_style *style)
{
    static const report_column local_columns[] = {
        {"digest", "digest", 0, 0},
        {"maps", "maps", 0, 0},
        {"made", "made", 0, 0},
        {NULL, NULL, 0, 0},
    };
    if (style->format == ROWS_TABLE) {
        char counts[80];
        snprintf(counts, sizeof counts, "%llu local maps, %llu of them not stored",
                 (unsigned long long)d->maps, (unsigned long long)d->made);
        print_line(d->hex, counts, style);
        return EXIT_DONE;
    }
    row_printer *r = rows_new(style, local_columns, true);
    const bool good =
        r && rows_text(r, d->hex) && rows_uint(r, d->maps) && rows_uint(r, d->made);
    rows_finish(r);
    return good || !out_ok() ? EXIT_DONE : session_no_memory(s);
}

static int digest_local_maps(session *s, const rows_style *style)
{
    ptl_local_digest_result result = PTL_LOCAL_DIGEST_RESULT_INIT;
    const chunk_list none = {NULL, 0, 0};
    local_areas areas = {NULL, 0};
    int code = local_areas_from_args(&areas, s->args, &none);
    if (code == EXIT_DONE && areas.count > 1)
        code = usage_error(s->args, "--omt is given twice");
    if (code == EXIT_DONE && areas.count == 0 && args_has(s->args, "levels"))
        code = usage_error(s->args, "--levels goes with --omt");
    if (code == EXIT_DONE &&
        ptl_local_digest(s->world, areas.count ? areas.list : NULL, &result, &s->err) != PTL_OK)
        code = session_failed(s);
    if (code == EXIT_DONE)
        code = print_local(s, &result, style);
    local_areas_dispose(&areas);
    return code;
}

static int digest_world(session *s, const rows_style *style)
{
    ptl_world_digest_result result = PTL_WORLD_DIGEST_RESULT_INIT;
    if (ptl_world_digest(s->world, &result, &s->err) != PTL_OK)
        return session_failed(s);
    if (style->format == ROWS_TABLE) {
        char counts[80];
        snprintf(counts, sizeof counts, "%llu chunks, %llu edges",
                 (unsigned long long)result.chunks, (unsigned long long)result.edges);
        print_line(result.hex, counts, style);
        return EXIT_DONE;
    }
    row_printer *r = rows_new(style, columns, true);
    const bool good = r && rows_text(r, result.hex) && rows_uint(r, result.chunks) &&
                      rows_uint(r, result.edges);
    rows_finish(r);
    if (good || !out_ok())
        return EXIT_DONE;
    return session_no_memory(s);
}

static int run(const args *a)
{
    session s;
    rows_style style;
    int code = rows_style_from_args(&style, a, NULL);
    if (code == EXIT_DONE)
        code = local_options_alone(a);
    if (code != EXIT_DONE)
        return code;
    code = session_open_world(&s, a, PTL_OPEN_READ, NULL);
    if (code == EXIT_DONE)
        code = args_has(a, "local") ? digest_local_maps(&s, &style) : digest_world(&s, &style);
    session_close(&s);
    return code;
}

const command digest_command = {
    .name = "digest",
    .group = GROUP_SAFE,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Print one digest over all tiles and edges of a world.",
    .details =
        "Equal worlds give equal lines, in whatever order, by however many threads or\n"
        "processes and on whatever machine they were generated.\n"
        "\n"
        "With --local it is over local maps: all that are stored, or all of a rectangle\n"
        "of OMTs (--omt, --levels), where those that are not stored are made and thrown\n"
        "away. What is stored and what would be made have the same digest.\n",
    .examples = "  portolan digest w.db\n"
                "  portolan digest w.db --local --omt 80,80,99,99 --levels -1,1\n",
    .options = options,
    .run = run,
    .stopped = "no digest was made: the same command begins again",
};
