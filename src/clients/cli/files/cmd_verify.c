/* portolan verify: checks every row of a file, and on demand that roads and rivers go on. */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/rows.h"
#include "clients/cli/session/session.h"

#include <inttypes.h>

static const option_spec options[] = {
    {"seams", NULL, "also check that roads, rails, trails, tunnels and rivers go on", 0},
    {"spills", NULL, "also find the spills of stored maps of the coast again and compare them",
     0},
    {"problems", "N", "how many seams to list at most (default: 20); all are counted", 0},
    OPTION_WORLD,
    OPTIONS_ROWS,
    {"quiet", NULL, "print problems only", 'q'},
    OPTIONS_END,
};

static const report_column problem_columns[] = {
    {"invariant", "invariant", 0, 0}, /* none: a seam */
    {"where", "where", 0, 0},
    {"message", "message", 0, REPORT_WRAP},
    {NULL, NULL, 0, 0},
};

static const report_column seam_columns[] = {
    {"kind", "kind", 0, 0},
    {"arms", "arms", 0, 0},
    {"line", "line", 0, REPORT_RANK(1)},
    {"parallel", "parallel", 0, REPORT_RANK(3)},
    {"crossed", "crossed", 0, REPORT_RANK(4)},
    {"building", "building", 0, REPORT_RANK(5)},
    {"border", "border", 0, REPORT_RANK(2)},
    {"own", "own", 0, REPORT_RANK(6)},
    {"foreign", "foreign", 0, REPORT_RANK(7)},
    {"unbound", "unbound", 0, REPORT_RANK(8)},
    {"dead", "dead", 0, 0},
    {"ends", "ends", 0, 0},
    {"loose", "loose", 0, 0},
    {"crossings", "crossings", 0, 0},
    {"missing", "missing", 0, 0},
    {NULL, NULL, 0, 0},
};

/* What is printed, in the order in which it comes: problems, then counts. */
typedef struct checker {
    rows_style style;
    row_printer
        *problems; /* owned; for the eye each problem is a line instead, and this is NULL */
    int64_t seams, seams_most;
    report_table counts; /* of seams */
    ptl_verify_counts checked;
    ptl_seam_report seam_report;
    uint64_t spills, spill_problems; /* of local maps */
    bool quiet, with_seams, with_spills;
} checker;

static void on_problem(void *payload, const ptl_problem *problem)
{
    checker *c = payload;
    if (!c->problems) {
        out_prose_begin(0);
        if (problem->invariant > 0)
            out_printf("%s: invariant %d: %s\n", problem->where, problem->invariant,
                       problem->message);
        else
            out_printf("%s: seam: %s\n", problem->where, problem->message);
        out_prose_end();
        return;
    }
    (void)(problem->invariant > 0 ? rows_int(c->problems, problem->invariant)
                                  : rows_none(c->problems));
    (void)rows_text(c->problems, problem->where);
    (void)rows_text(c->problems, problem->message);
}

static void on_seam(void *payload, const ptl_problem *problem)
{
    checker *c = payload;
    if (c->seams++ < c->seams_most)
        on_problem(c, problem);
}

static void on_counts(void *payload, const ptl_seam_counts *n)
{
    checker *c = payload;
    const uint64_t values[] = {n->arms,   n->line,  n->parallel,  n->crossed, n->building,
                               n->border, n->own,   n->foreign,   n->unbound, n->dead,
                               n->ends,   n->loose, n->crossings, n->missing};
    if (n->arms + n->ends + n->crossings == 0)
        return;
    report_text(&c->counts, n->kind[0] ? n->kind : "(no connection)");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        report_whole(&c->counts, values[i]);
}

/* ---- for the eye ---- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static bool print_seams(const checker *c)
{
    const ptl_seam_report *r = &c->seam_report;
    if (c->seams > c->seams_most)
        out_printf("... and %" PRId64 " more\n", c->seams - c->seams_most);
    if (c->quiet)
        return true;
    out_prose_begin(0);
    out_printf("seams of %" PRIu64 " chunk%s (%" PRIu64 " unfinished), %" PRIu64
               " rivers at borders, %" PRIu64 " river crossings, %" PRIu64
               " of highways, %" PRIu64 " straight shore%s: %" PRIu64 " problem%s\n",
               r->chunks, plural(r->chunks), r->skipped, r->river_runs, r->river_crossings,
               r->highway_crossings, r->straight_shores, plural(r->straight_shores),
               r->problems, plural(r->problems));
    out_prose_end();
    return rows_print(&c->style, &c->counts, 0);
}

/* ---- for machines ---- */

static bool print_json_end(const checker *c)
{
    const ptl_verify_counts *n = &c->checked;
    const ptl_seam_report *r = &c->seam_report;
    out_printf(",\n\"checked\": {\"chunks\": %" PRIu64 ", \"levels\": %" PRIu64
               ", \"edges\": %" PRIu64 ", \"problems\": %" PRIu64 "}",
               n->chunks, n->levels, n->edges, n->problems);
    bool good = true;
    if (c->with_spills)
        out_printf(",\n\"spills\": {\"maps\": %" PRIu64 ", \"problems\": %" PRIu64 "}",
                   c->spills, c->spill_problems);
    if (c->with_seams) {
        out_printf(",\n\"seams_checked\": {\"chunks\": %" PRIu64 ", \"unfinished\": %" PRIu64
                   ", \"rivers\": %" PRIu64 ", \"river_crossings\": %" PRIu64
                   ", \"highway_crossings\": %" PRIu64 ", \"straight_shores\": %" PRIu64
                   ", \"problems\": %" PRIu64 "},\n\"seams\": ",
                   r->chunks, r->skipped, r->river_runs, r->river_crossings,
                   r->highway_crossings, r->straight_shores, r->problems);
        good = rows_print(&c->style, &c->counts, 0);
    }
    out_text("}\n");
    return good;
}

static bool begin(checker *c)
{
    report_init(&c->counts, "seams", NULL, seam_columns);
    if (c->style.format == ROWS_TABLE)
        return true;
    if (c->style.format == ROWS_JSON)
        out_text("{\"problems\": ");
    c->problems = rows_new(&c->style, problem_columns, false);
    return c->problems != NULL;
}

/* ---- checking ---- */

static int verify_seams(session *s, checker *c)
{
    const ptl_seam_options o = {sizeof o, on_seam, on_counts, c};
    const int code = session_world(s, NULL);
    c->seam_report = (ptl_seam_report)PTL_SEAM_REPORT_INIT;
    if (code != EXIT_DONE)
        return code;
    if (ptl_verify_seams(s->world, &o, &c->seam_report, &s->err) != PTL_OK)
        return session_failed(s);
    if (report_status(&c->counts, &s->err) != PTL_OK)
        return session_failed(s);
    if (!c->problems && !print_seams(c))
        return session_no_memory(s);
    return c->seam_report.problems ? EXIT_FAILED : EXIT_DONE;
}

static int verify_rows(session *s, checker *c)
{
    c->checked = (ptl_verify_counts)PTL_VERIFY_COUNTS_INIT;
    if (ptl_verify(s->store, on_problem, c, &c->checked, &s->err) != PTL_OK)
        return session_failed(s);
    const ptl_verify_counts *n = &c->checked;
    if (!c->problems && !c->quiet)
        out_printf("checked %" PRIu64 " chunks, %" PRIu64 " levels, %" PRIu64 " edges: %" PRIu64
                   " problem%s\n",
                   n->chunks, n->levels, n->edges, n->problems, plural(n->problems));
    if (c->checked.problems > 0 && !c->quiet)
        tell("Bring back what can be, on a copy or with a backup at hand:\n  portolan repair "
             "'%s'\n",
             s->args->operands[0]);
    const int told = c->quiet || c->problems ? EXIT_DONE : session_tell_journal(s);
    return c->checked.problems ? EXIT_FAILED : told;
}

static int verify_spills(session *s, checker *c)
{
    const int code = session_world(s, NULL);
    if (code != EXIT_DONE)
        return code;
    if (ptl_local_verify_spills(s->world, on_problem, c, &c->spills, &c->spill_problems,
                                &s->err) != PTL_OK)
        return session_failed(s);
    if (!c->problems && !c->quiet)
        out_printf("spills of %" PRIu64 " local map%s: %" PRIu64 " problem%s\n", c->spills,
                   plural(c->spills), c->spill_problems, plural(c->spill_problems));
    return c->spill_problems ? EXIT_FAILED : EXIT_DONE;
}

static int verify(session *s, checker *c)
{
    if (!begin(c))
        return session_no_memory(s);
    int code = verify_rows(s, c);
    if (code == EXIT_DONE && c->with_spills)
        code = verify_spills(s, c);
    if (code == EXIT_DONE && c->with_seams)
        code = verify_seams(s, c);
    rows_finish(c->problems);
    if (c->style.format == ROWS_JSON && !print_json_end(c))
        code = session_no_memory(s);
    report_dispose(&c->counts);
    return code;
}

static int run(const args *a)
{
    session s = {.args = a};
    checker c = {.seams_most = 20,
                 .quiet = args_has(a, "quiet"),
                 .with_seams = args_has(a, "seams"),
                 .with_spills = args_has(a, "spills")};
    if (!c.with_seams && args_value(a, "problems"))
        return usage_error(a, "--problems goes with --seams");
    if (!c.with_seams && !c.with_spills && args_value(a, "world"))
        return usage_error(a, "--world goes with --seams and --spills");
    int code = args_int(a, "problems", 0, INT64_MAX, &c.seams_most);
    if (code == EXIT_DONE)
        code = rows_style_from_args(&c.style, a, NULL);
    if (code != EXIT_DONE)
        return code;
    code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE)
        code = verify(&s, &c);
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
        "against the numbered invariants of schema/format.md. One line per problem; in csv, "
        "jsonl and raw one row; json has them in an object, with what was counted.\n"
        "\n"
        "With --seams also one world's lines: every arm of a road, rail, trail or tunnel\n"
        "must be answered by what it points at, in the chunk and across borders, and rivers\n"
        "must go on. Arms that a building's definition states are counted apart (own), and\n"
        "so are chunks imported from a game's save (foreign). Connections that share terrain\n"
        "have one row: a tile does not say which of them drew it. A shore of the sea that\n"
        "follows a border in a straight line is a problem, too, but not in chunks that other\n"
        "versions of Portolan made. Rows that are damaged end the check before.\n"
        "\n"
        "With --spills also the heights and spills that are stored with one world's local "
        "maps\n"
        "of the coast: each is found again of the seed and of what stands there and around.\n"
        "repair writes those that differ, or are missing, anew.\n",
    .examples = "  portolan verify w.db\n"
                "  portolan verify w.db --seams\n"
                "  portolan verify w.db --spills\n",
    .options = options,
    .run = run,
    .stopped = "the rest of the file was not looked at",
};
