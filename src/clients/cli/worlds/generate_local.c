#include "clients/cli/worlds/generate_local.h"

#include "clients/cli/line/output.h"
#include "clients/cli/line/prose.h"
#include "clients/cli/line/table.h"
#include "clients/cli/session/local_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_summary(const ptl_local_generate_report *r, bool keep)
{
    out_prose_begin(0);
    out_printf("%" PRIu64 " local maps made and stored in %.2f s", r->done, r->seconds);
    if (r->done > 0 && r->seconds > 0)
        out_printf(" (%.0f/s)", (double)r->done / r->seconds);
    if (r->skipped > 0)
        out_printf("; %" PRIu64 " were stored already", r->skipped);
    out_text("\n");
    if (r->chunks > 0)
        out_printf("%" PRIu64 " chunks were generated for them\n", r->chunks);
    if (r->fallback > 0)
        out_printf("%" PRIu64 " of the maps are of one terrain: theirs has no mapgen that can "
                   "be run\n",
                   r->fallback);
    if (keep)
        out_text("The world stores each map that it makes from now on.\n");
    out_prose_end();
}

static bool time_row(table *t, const char *name, double seconds, uint64_t maps)
{
    char total[32], each[32];
    snprintf(total, sizeof total, "%.3f", seconds);
    snprintf(each, sizeof each, "%.1f", maps ? 1e6 * seconds / (double)maps : 0);
    return table_text(t, name) && table_cell(t, total, strlen(total), true) &&
           table_cell(t, each, strlen(each), true);
}

static int print_times(const ptl_local_generate_report *r)
{
    static const table_column columns[] = {
        {"step", 0, false}, {"seconds", 0, false}, {"us a map", 0, false}};
    const table_style style = table_style_of(true, false);
    table *t = table_new(columns, 3, &style);
    const bool good = t && time_row(t, "(make)", r->make_seconds, r->done) &&
                      time_row(t, "(encode)", r->encode_seconds, r->done) &&
                      time_row(t, "(write)", r->write_seconds, r->done) &&
                      time_row(t, "(wall clock)", r->seconds, r->done);
    table_finish(t);
    if (!good)
        tell("portolan generate: memory is out\n");
    return good ? EXIT_DONE : EXIT_FAILED;
}

int generate_local(session *s, const args *a, const chunk_list *chunks, int32_t jobs)
{
    local_areas areas = {NULL, 0};
    int code = local_areas_from_args(&areas, a, chunks);
    ptl_local_generate_report report = PTL_LOCAL_GENERATE_REPORT_INIT;
    if (code == EXIT_DONE)
        code = local_areas_store(s, &areas, jobs, &report);
    local_areas_dispose(&areas);
    if (code == EXIT_DONE && !args_has(a, "quiet"))
        print_summary(&report, args_has(a, "keep"));
    return code == EXIT_DONE && args_has(a, "times") ? print_times(&report) : code;
}
