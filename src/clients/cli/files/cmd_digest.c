/* portolan digest: prints one line that is the same for equal worlds. */
#include "clients/cli/session/session.h"
#include "clients/os/terminal.h"

#include <inttypes.h>

static const option_spec options[] = {
    OPTION_WORLD,  {"local", NULL, "over local maps: stored ones, or those of --omt", 0},
    OPTIONS_LOCAL, {"base", NULL, "of the world as it was generated, without its edits", 0},
    OPTIONS_ROWS,  OPTIONS_END,
};

/* Prints the result as a row of the wanted format. As text for people it is one line, or two
 * lines if the terminal is narrow. */
static int print(session *s, const report_column *columns, const char *hex, uint64_t first,
                 uint64_t second, const char *counts)
{
    const size_t width = terminal_columns(STREAM_OUTPUT);
    const bool fits = width == 0 || s->style.wide || strlen(hex) + 2 + strlen(counts) <= width;
    if (s->style.format != ROWS_TABLE)
        return session_printed(
            s, rows_print_one(&s->style, columns,
                              CELLS(cell_text(hex), cell_uint(first), cell_uint(second))));
    out_printf(fits ? "%s  %s\n" : "%s\n%s\n", hex, counts);
    return EXIT_DONE;
}

static int digest_local_maps(session *s, const local_areas *areas)
{
    static const report_column columns[] = {COLUMN(digest), COLUMN(maps), COLUMN(made),
                                            COLUMNS_END};
    ptl_local_digest_result d = PTL_LOCAL_DIGEST_RESULT_INIT;
    char counts[80];
    if (areas->count > 1)
        return usage_error(s->args, "--omt is given twice");
    if (areas->count == 0 && args_has(s->args, "levels"))
        return usage_error(s->args, "--levels goes with --omt");
    NEED(session_done(
        s, ptl_local_digest_get(&d, s->world, areas->count ? areas->list : NULL, &s->err)));
    snprintf(counts, sizeof counts, "%" PRIu64 " local maps, %" PRIu64 " of them not stored",
             d.maps, d.made);
    return print(s, columns, d.hex, d.maps, d.made, counts);
}

static int run(session *s)
{
    local_areas areas = {NULL, 0};
    NEED(rows_style_from_args(&s->style, s->args, NULL));
    NEED(local_options_alone(s->args));
    const ptl_world_open_options o = {.size = sizeof o, .base = args_has(s->args, "base")};
    if (o.base && args_has(s->args, "local"))
        return usage_error(s->args, "--base and --local don't go together: stored local maps "
                                    "are those of the edited world");
    NEED(session_open_world(s, PTL_OPEN_READ, &o));
    if (!args_has(s->args, "local")) {
        static const report_column columns[] = {COLUMN(digest), COLUMN(chunks), COLUMN(edges),
                                                COLUMNS_END};
        ptl_world_digest_result d = PTL_WORLD_DIGEST_RESULT_INIT;
        char counts[80];
        NEED(session_done(s, ptl_world_digest_get(&d, s->world, &s->err)));
        snprintf(counts, sizeof counts, "%" PRIu64 " chunks, %" PRIu64 " edges", d.chunks,
                 d.edges);
        return print(s, columns, d.hex, d.chunks, d.edges, counts);
    }
    int code = local_areas_from_args(&areas, s->args, &s->chunks);
    if (code == EXIT_DONE)
        code = digest_local_maps(s, &areas);
    local_areas_dispose(&areas);
    return code;
}

const command digest_command = {
    .name = "digest",
    .group = GROUP_SAFE,
    .operands = "FILE",
    .summary = "Print one digest over all OMTs, edges and edits of a world.",
    .details =
        "Equal worlds give equal lines, in whatever order, by however many threads or "
        "processes and on whatever machine they were generated.\n\n"
        "With --local it is over local maps: all that are stored, or all of a rectangle of "
        "OMTs (--omt, --levels), where those that are not stored are made and thrown away. "
        "What is stored and what would be made have the same digest.\n\n"
        "With --base edits ('portolan edit') don't count: it is the digest of what was "
        "generated.\n",
    .examples = "  portolan digest w.db\n"
                "  portolan digest w.db --local --omt 80,80,99,99 --levels -1,1\n",
    .options = options,
    .run = run,
    .stopped = "no digest was made: the same command begins again",
};
