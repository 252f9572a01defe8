/* portolan verify: checks every row of a file, and on demand that roads and rivers go on. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/table.h"

static const option_spec options[] = {
    {"seams", NULL, "also check that roads, rails, trails, tunnels and rivers go on", 0},
    {"problems", "N", "how many seams to list at most (default: 20); all are counted", 0},
    OPTION_WORLD,
    {"quiet", NULL, "print problems only", 'q'},
    OPTIONS_END,
};

static void on_problem(void *payload, const ptl_problem *problem)
{
    (void)payload;
    out_printf("%s: invariant %d: %s\n", problem->where, problem->invariant, problem->message);
}

/* The seams that are listed, and the table of counts. */
typedef struct seam_output {
    int64_t shown, most;
    table *counts; /* NULL: not wanted */
    bool failed;   /* out of memory */
} seam_output;

static void on_seam(void *payload, const ptl_problem *problem)
{
    seam_output *o = payload;
    if (o->shown++ < o->most)
        out_printf("%s: seam: %s\n", problem->where, problem->message);
}

static const char *const SEAM_COLUMNS[] = {
    "kind",    "arms",    "line", "parallel", "crossed", "building",  "border", "own",
    "foreign", "unbound", "dead", "ends",     "loose",   "crossings", "missing"};
enum { SEAM_COLUMN_COUNT = sizeof SEAM_COLUMNS / sizeof SEAM_COLUMNS[0] };

static void on_counts(void *payload, const ptl_seam_counts *c)
{
    seam_output *o = payload;
    const uint64_t values[SEAM_COLUMN_COUNT - 1] = {
        c->arms,    c->line,    c->parallel, c->crossed, c->building, c->border,    c->own,
        c->foreign, c->unbound, c->dead,     c->ends,    c->loose,    c->crossings, c->missing};
    if (!o->counts || c->arms + c->ends + c->crossings == 0)
        return;
    bool ok = table_text(o->counts, c->kind[0] ? c->kind : "(no connection)");
    for (size_t i = 0; i < SEAM_COLUMN_COUNT - 1; i++)
        ok = ok && table_int(o->counts, (long long)values[i]);
    o->failed = o->failed || !ok;
}

static void print_seam_summary(const seam_output *o, const ptl_seam_report *r)
{
    if (o->shown > o->most)
        out_printf("... and %lld more\n", (long long)(o->shown - o->most));
    if (!o->counts)
        return;
    out_printf("seams of %llu chunk%s (%llu unfinished), %llu rivers at borders, %llu river "
               "crossings: %llu problem%s\n",
               (unsigned long long)r->chunks, r->chunks == 1 ? "" : "s",
               (unsigned long long)r->skipped, (unsigned long long)r->river_runs,
               (unsigned long long)r->river_crossings, (unsigned long long)r->problems,
               r->problems == 1 ? "" : "s");
}

static int verify_seams(session *s, int64_t most)
{
    seam_output output = {.most = most};
    ptl_seam_report report;
    int code = session_world(s, NULL);
    if (code != EXIT_DONE)
        return code;
    if (!args_has(s->args, "quiet"))
        output.counts = table_new(SEAM_COLUMN_COUNT, SEAM_COLUMNS);
    output.failed = !args_has(s->args, "quiet") && !output.counts;
    const ptl_seam_options o = {on_seam, on_counts, &output};
    ptl_status status = PTL_ERR_NOMEM;
    if (!output.failed)
        status = ptl_verify_seams(s->world, &o, &report, &s->err);
    if (status == PTL_OK && !output.failed) {
        print_seam_summary(&output, &report);
        code = report.problems ? EXIT_FAILED : EXIT_DONE;
    } else {
        if (s->err.status == PTL_OK)
            s->err.status = PTL_ERR_NOMEM;
        code = session_failed(s);
    }
    table_finish(output.counts);
    return code;
}

static int verify_rows(session *s)
{
    ptl_verify_counts counts = {0, 0, 0, 0};
    if (ptl_verify(s->store, on_problem, NULL, &counts, &s->err) != PTL_OK)
        return session_failed(s);
    if (!args_has(s->args, "quiet"))
        out_printf("checked %llu chunks, %llu levels, %llu edges: %llu problem%s\n",
                   (unsigned long long)counts.chunks, (unsigned long long)counts.levels,
                   (unsigned long long)counts.edges, (unsigned long long)counts.problems,
                   counts.problems == 1 ? "" : "s");
    int told = args_has(s->args, "quiet") ? EXIT_DONE : session_tell_journal(s);
    return counts.problems ? EXIT_FAILED : told;
}

static int run(const args *a)
{
    session s;
    if (!args_has(a, "seams") && (args_value(a, "problems") || args_value(a, "world")))
        return usage_error(a, "--problems and --world go with --seams");
    int64_t most = 20;
    int code = args_int(a, "problems", 0, INT64_MAX, &most);
    if (code != EXIT_DONE)
        return code;
    code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE)
        code = verify_rows(&s);
    if (code == EXIT_DONE && args_has(a, "seams"))
        code = verify_seams(&s, most);
    session_close(&s);
    return code;
}

const command verify_command = {
    .name = "verify",
    .group = GROUP_SAFE,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Check the whole file; exit code 1 if anything is damaged.",
    .details =
        "Checks SQLite's own structure and every chunk, level, edge and dictionary row\n"
        "against the numbered invariants of schema/format.md. One line per problem.\n"
        "\n"
        "With --seams also one world's lines: every arm of a road, rail, trail or tunnel\n"
        "must be answered by what it points at, in the chunk and across borders, and rivers\n"
        "must go on. Arms that a building's definition states are counted apart (own), and\n"
        "so are chunks imported from a game's save (foreign). Connections that share terrain\n"
        "have one row: a tile does not say which of them drew it. Rows that are damaged end\n"
        "the check before.\n",
    .examples = "  portolan verify w.db\n"
                "  portolan verify w.db --seams\n",
    .options = options,
    .run = run,
};
