/* portolan digest: one line that is the same for equal worlds. */
#include "cli/line/commands.h"
#include "cli/line/output.h"
#include "cli/line/rows.h"
#include "cli/line/terminal.h"
#include "cli/session/session.h"
#include "os/terminal.h"

#include <stdio.h>
#include <string.h>

static const option_spec options[] = {
    OPTION_WORLD,
    OPTIONS_ROWS,
    OPTIONS_END,
};

static const report_column columns[] = {
    {"digest", "digest", 0, 0},
    {"chunks", "chunks", 0, 0},
    {"edges", "edges", 0, 0},
    {NULL, NULL, 0, 0},
};

static int print(session *s, const ptl_world_digest_result *d, const rows_style *style)
{
    if (style->format == ROWS_TABLE) {
        char counts[80];
        const int size = snprintf(counts, sizeof counts, "%llu chunks, %llu edges",
                                  (unsigned long long)d->chunks, (unsigned long long)d->edges);
        const size_t width = terminal_columns(STREAM_OUTPUT);
        const bool fits =
            width == 0 || style->wide || strlen(d->hex) + 2 + (size_t)size <= width;
        out_printf(fits ? "%s  %s\n" : "%s\n%s\n", d->hex, counts);
        return EXIT_DONE;
    }
    row_printer *r = rows_new(style, columns, true);
    const bool good =
        r && rows_text(r, d->hex) && rows_uint(r, d->chunks) && rows_uint(r, d->edges);
    rows_finish(r);
    if (good || !out_ok())
        return EXIT_DONE;
    return session_no_memory(s);
}

static int run(const args *a)
{
    session s;
    rows_style style;
    ptl_world_digest_result result = PTL_WORLD_DIGEST_RESULT_INIT;
    int code = rows_style_from_args(&style, a, NULL);
    if (code != EXIT_DONE)
        return code;
    code = session_open_world(&s, a, PTL_OPEN_READ, NULL);
    if (code == EXIT_DONE && ptl_world_digest(s.world, &result, &s.err) != PTL_OK)
        code = session_failed(&s);
    if (code == EXIT_DONE)
        code = print(&s, &result, &style);
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
    .details = "Equal worlds give equal lines, in whatever order, by however many threads or\n"
               "processes and on whatever machine they were generated.\n",
    .examples = "  portolan digest w.db\n",
    .options = options,
    .run = run,
    .stopped = "no digest was made: the same command begins again",
};
