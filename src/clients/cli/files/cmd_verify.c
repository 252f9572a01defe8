/* portolan verify: checks each row of a file and, on request, that roads and rivers
 * continue across chunks. */
#include "clients/cli/session/session.h"

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

/* The column `invariant` is empty if a road or river does not go on across the border of two
 * chunks. */
static const report_column problem_columns[] = {COLUMN(invariant), COLUMN(where),
                                                COLUMN_WRAP(message), COLUMNS_END};

static const report_column seam_columns[] = {COLUMN(kind),
                                             COLUMN(arms),
                                             COLUMN_RANK(line, 1),
                                             COLUMN_RANK(parallel, 3),
                                             COLUMN_RANK(crossed, 4),
                                             COLUMN_RANK(building, 5),
                                             COLUMN_RANK(border, 2),
                                             COLUMN_RANK(own, 6),
                                             COLUMN_RANK(foreign, 7),
                                             COLUMN_RANK(unbound, 8),
                                             COLUMN(dead),
                                             COLUMN(ends),
                                             COLUMN(loose),
                                             COLUMN(crossings),
                                             COLUMN(missing),
                                             COLUMNS_END};

/* The check's state. Problems are printed as they are found, counts at the end. */
typedef struct checker {
    session *s;
    row_printer *problems; /* owned; prints the problems as rows; NULL: each problem is printed
                              as a line of text for people */
    int64_t seams, seams_most;
    report_table counts; /* a row of numbers for each connection, from ptl_seam_counts */
    ptl_verify_counts checked;
    ptl_seam_report seam_report;
    /* For --spills: how many local maps were checked, and how many problems they have. */
    uint64_t spills, spill_problems;
    bool words; /* counts are printed as sentences */
    bool with_seams, with_spills;
} checker;

static void on_problem(void *payload, const ptl_problem *problem)
{
    checker *c = payload;
    if (c->problems) {
        (void)rows_put(
            c->problems,
            CELLS(problem->invariant > 0 ? cell_int(problem->invariant) : cell_none(),
                  cell_text(problem->where), cell_text(problem->message)));
        return;
    }
    if (problem->invariant > 0)
        out_say("%s: invariant %d: %s\n", problem->where, problem->invariant, problem->message);
    else
        out_say("%s: seam: %s\n", problem->where, problem->message);
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
    if (n->arms + n->ends + n->crossings == 0)
        return;
    report_put(&c->counts,
               CELLS(cell_text(n->kind[0] ? n->kind : "(no connection)"), cell_uint(n->arms),
                     cell_uint(n->line), cell_uint(n->parallel), cell_uint(n->crossed),
                     cell_uint(n->building), cell_uint(n->border), cell_uint(n->own),
                     cell_uint(n->foreign), cell_uint(n->unbound), cell_uint(n->dead),
                     cell_uint(n->ends), cell_uint(n->loose), cell_uint(n->crossings),
                     cell_uint(n->missing)));
}

/* ---- checking ---- */

static int verify_seams(checker *c)
{
    session *s = c->s;
    const ptl_seam_options o = {sizeof o, on_seam, on_counts, c};
    ptl_seam_report *r = &c->seam_report;
    *r = (ptl_seam_report)PTL_SEAM_REPORT_INIT;
    NEED(session_world(s, NULL));
    NEED(session_done(s, ptl_seams_verify(r, s->world, &o, &s->err)));
    NEED(session_done(s, report_status(&c->counts, &s->err)));
    if (!c->problems && c->seams > c->seams_most)
        out_printf("... and %jd more\n", c->seams - c->seams_most);
    if (c->words) {
        out_say("seams of %ju chunk%s (%ju unfinished), %ju rivers at borders, %ju river "
                "crossings, %ju of highways, %ju straight shore%s: %ju problem%s\n",
                r->chunks, plural(r->chunks), r->skipped, r->river_runs, r->river_crossings,
                r->highway_crossings, r->straight_shores, plural(r->straight_shores),
                r->problems, plural(r->problems));
        NEED(session_printed(s, rows_print(&s->style, &c->counts, 0)));
    }
    return r->problems ? EXIT_FAILED : EXIT_DONE;
}

/* Prints the end of the JSON object that lists the problems. Returns false when memory
 * is out. */
static bool print_json_end(const checker *c)
{
    const ptl_verify_counts *n = &c->checked;
    const ptl_seam_report *r = &c->seam_report;
    bool good = true;
    out_printf(
        ",\n\"checked\": {\"chunks\": %ju, \"levels\": %ju, \"edges\": %ju, \"problems\": %ju}",
        n->chunks, n->levels, n->edges, n->problems);
    if (c->with_spills)
        out_printf(",\n\"spills\": {\"maps\": %ju, \"problems\": %ju}", c->spills,
                   c->spill_problems);
    if (c->with_seams) {
        out_printf(",\n\"seams_checked\": {\"chunks\": %ju, \"unfinished\": %ju, \"rivers\": "
                   "%ju, \"river_crossings\": %ju, \"highway_crossings\": %ju, "
                   "\"straight_shores\": %ju, \"problems\": %ju},\n\"seams\": ",
                   r->chunks, r->skipped, r->river_runs, r->river_crossings,
                   r->highway_crossings, r->straight_shores, r->problems);
        good = rows_print(&c->s->style, &c->counts, 0);
    }
    out_text("}\n");
    return good;
}

static int verify_rows(checker *c)
{
    session *s = c->s;
    const ptl_verify_counts *n = &c->checked;
    c->checked = (ptl_verify_counts)PTL_VERIFY_COUNTS_INIT;
    NEED(session_done(s, ptl_verify(&c->checked, s->store, on_problem, c, &s->err)));
    if (c->words)
        out_printf("checked %ju chunks, %ju levels, %ju edges: %ju problem%s\n", n->chunks,
                   n->levels, n->edges, n->problems, plural(n->problems));
    if (n->problems > 0 && !s->shown.quiet)
        tell("Bring back what can be, on a copy or with a backup at hand:\n  portolan repair "
             "'%s'\n",
             s->args->operands[0]);
    const int told = c->words ? session_tell_journal(s) : EXIT_DONE;
    return n->problems ? EXIT_FAILED : told;
}

static int verify(checker *c)
{
    session *s = c->s;
    const bool json = s->style.format == ROWS_JSON;
    out_text(json ? "{\"problems\": " : "");
    if (s->style.format != ROWS_TABLE)
        c->problems = rows_new(&s->style, problem_columns, false);
    if (s->style.format != ROWS_TABLE && !c->problems)
        return session_no_memory(s);
    int code = verify_rows(c);
    if (code == EXIT_DONE && c->with_spills) {
        code = session_world(s, NULL);
        if (code == EXIT_DONE)
            code = session_done(s, ptl_local_spills_verify(&c->spills, &c->spill_problems,
                                                           s->world, on_problem, c, &s->err));
        if (code == EXIT_DONE && c->words)
            out_printf("spills of %ju local map%s: %ju problem%s\n", c->spills,
                       plural(c->spills), c->spill_problems, plural(c->spill_problems));
        code = c->spill_problems ? EXIT_FAILED : code;
    }
    if (code == EXIT_DONE && c->with_seams)
        code = verify_seams(c);
    (void)rows_finish(c->problems);
    return json && !print_json_end(c) ? session_no_memory(s) : code;
}

static int run(session *s)
{
    const args *a = s->args;
    checker c = {.s = s,
                 .seams_most = 20,
                 .with_seams = args_has(a, "seams"),
                 .with_spills = args_has(a, "spills")};
    if (!c.with_seams && args_value(a, "problems"))
        return usage_error(a, "--problems goes with --seams");
    if (!c.with_seams && !c.with_spills && args_value(a, "world"))
        return usage_error(a, "--world goes with --seams and --spills");
    NEED(args_int(a, "problems", 0, INT64_MAX, &c.seams_most));
    NEED(rows_style_from_args(&s->style, a, NULL));
    NEED(session_open(s, PTL_OPEN_READ));
    c.words = s->style.format == ROWS_TABLE && !s->shown.quiet;
    report_init(&c.counts, "seams", NULL, seam_columns);
    const int code = verify(&c);
    report_dispose(&c.counts);
    return code;
}

const command verify_command = {
    .name = "verify",
    .group = GROUP_SAFE,
    .operands = "FILE",
    .summary = "Check the whole file; exit code 1 if anything is damaged.",
    .details =
        "Checks SQLite's own structure and every chunk, level, edge and dictionary row "
        "against the numbered invariants of schema/format.md. One line per problem; in csv, "
        "jsonl and raw one row; json has them in an object, with what was counted.\n\n"
        "With --seams also one world's lines: every arm of a road, rail, trail or tunnel must "
        "be answered by what it points at, in the chunk and across borders, and rivers must "
        "go on. Arms that a building's definition states are counted apart (own), and so are "
        "chunks imported from a game's save (foreign). Connections that share terrain have "
        "one row: an OMT does not say which of them drew it. A shore of the sea that follows "
        "a border in a straight line is a problem, too, but not in chunks that other versions "
        "of Portolan made. Rows that are damaged end the check before.\n\n"
        "With --spills also the heights and spills that are stored with one world's local "
        "maps of the coast: each is found again of the seed and of what stands there and "
        "around. repair writes those that differ, or are missing, anew.\n",
    .examples = "  portolan verify w.db\n"
                "  portolan verify w.db --seams\n"
                "  portolan verify w.db --spills\n",
    .options = options,
    .run = run,
    .stopped = "the rest of the file was not looked at",
};
