/*
 * portolan compare: tells which specials changed between two worlds, sweeps, contents or rules
 * of placement. Both samples are counted (portolan/sample.h) and compared (portolan/stats.h).
 * This file reads the command line and opens the samples.
 */
#include "clients/cli/statistics/compare.h"
#include "clients/os/terminal.h"
#include "core/error.h"

#include <errno.h>

enum { ONLY_MAX = 256, LEAST_OVERMAPS = 2 };

static const option_spec options[] = {
    {"max-change", "R", "exit 1 if a special changed significantly and by more than R times",
     0},
    {"only", "SPECIAL...", "compare this special; may be repeated (default: all)", 0},
    {"all", NULL, "list what did not change, too", 0},
    {"terrains", NULL, "also compare terrains, cities and roads", 0},
    {"level", "C", "confidence, 0.5..0.9999 (default: 0.95)", 0},
    {"fdr", NULL, "correct by Benjamini and Hochberg (default: by Holm)", 0},
    {"min-overmaps", "N", "fail if a sample has fewer (default: 2)", 0},
    OPTIONS_ROWS_AND(", raw or junit"),
    {"output", "FILE", "write the result there, once it is complete", 'o'},
    OPTION_NO_PROGRESS,
    OPTIONS_END,
};

/* What the command line asks for. */
typedef struct request {
    ptl_comparison_options options;
    const char *only[ONLY_MAX];
    int64_t least;
} request;

/* ---- the command line ---- */

static int read_request(session *s, request *r)
{
    const args *a = s->args;
    ptl_comparison_options *o = &r->options;
    const char *id;
    *r = (request){.least = LEAST_OVERMAPS,
                   .options = {.size = sizeof *o,
                               .level = 0.95,
                               .notable = 1.5,
                               .fdr = args_has(a, "fdr"),
                               .terrains = args_has(a, "terrains")}};
    NEED(args_double(a, "max-change", 1, 1e9, &o->max_change));
    if (args_has(a, "max-change") && !(o->max_change > 1))
        return usage_error(a, "--max-change is a factor above 1, such as 1.5");
    NEED(args_double(a, "level", 0.5, 0.9999, &o->level));
    NEED(args_int(a, "min-overmaps", 1, INT64_MAX, &r->least));
    NEED(rows_style_from_args(&s->style, a, "junit"));
    for (size_t at = 0; (id = args_next(a, "only", &at)) != NULL;) {
        if (o->only_count == ONLY_MAX)
            return usage_error(a, "--only is given more than %d times", ONLY_MAX);
        r->only[o->only_count++] = id;
    }
    o->only = r->only;
    if (o->max_change > 1)
        o->notable = o->max_change;
    return EXIT_DONE;
}

static bool is_file(const char *path)
{
    file_facts facts;
    return file_look(&facts, path) && facts.kind != FILE_FOLDER;
}

/* Splits FILE:WORLD. If the whole text is a file's path, there is no WORLD. Otherwise FILE is
 * the longest part before a colon that is a file, or the part before the first colon. Returns
 * false when memory is out. */
static bool split_operand(compare_side *s, const char *text)
{
    s->path = strdup(text);
    if (!s->path)
        return false;
    if (is_file(text) || !strchr(text, ':'))
        return true;
    for (char *colon = strrchr(s->path, ':'); colon; colon = strrchr(s->path, ':')) {
        *colon = '\0';
        s->name = text + (colon - s->path) + 1;
        if (is_file(s->path))
            break;
    }
    return true;
}

/* ---- a sample ---- */

/* Opens one side and counts its sample. Returns EXIT_DONE or EXIT_FAILED. */
static int side_read(compare_side *side, const request *r, const args *a)
{
    session *s = &side->session;
    ptl_sample_options wish = PTL_SAMPLE_OPTIONS_INIT;
    wish.parts = PTL_COUNT_SPECIALS;
    wish.on_progress = progress_count;
    wish.payload = &s->shown;
    if (r->options.terrains)
        wish.parts |= PTL_COUNT_TERRAINS | PTL_COUNT_CITIES | PTL_COUNT_LINES;
    side->args = *a;
    side->operand = side->path;
    side->args.operands = &side->operand;
    side->args.operand_count = 1;
    session_init(s, &side->args);
    NEED(session_open(s, PTL_OPEN_READ));
    NEED(session_done(s, ptl_sample_open(&side->sample, s->store, side->name, &s->err)));
    const ptl_sample_info *about = side->about = ptl_sample_about(side->sample);
    side->tally = ptl_tally_new();
    if (!side->tally)
        return session_no_memory(s);
    progress_begin(&s->shown, "overmaps");
    NEED(session_done(s, ptl_tally_add(side->tally, side->sample, &wish, &s->err)));
    const uint64_t overmaps = side->tally->overmaps;
    if (overmaps >= (uint64_t)r->least)
        return EXIT_DONE;
    tell("portolan compare: %s '%s' of %s has %ju complete overmap%s; at least %jd are needed "
         "(--min-overmaps). Make more with 'portolan %s'.\n",
         about->is_sweep ? "sweep" : "world", about->name, side->path, overmaps,
         plural(overmaps), r->least, about->is_sweep ? "sweep" : "generate");
    return EXIT_FAILED;
}

static void side_dispose(compare_side *s)
{
    ptl_tally_free(s->tally);
    ptl_sample_close(s->sample);
    session_close(&s->session);
    free(s->path);
}

/* ---- warnings ---- */

static void warn_side(const compare_side *s)
{
    if (s->about->left_out > 0)
        tell("portolan compare: %c: %ju overmaps are left out, as incomplete or imported\n",
             s->letter, s->about->left_out);
    if (strcmp(s->about->content, s->about->definitions) != 0)
        tell("portolan compare: %c was made with another content than its file holds now: "
             "occurrences,\nand what is new or gone, are the present one's\n",
             s->letter);
}

static void warn(const compare_report *r)
{
    const bool same = strcmp(r->a->path, r->b->path) == 0 &&
                      r->a->about->is_sweep == r->b->about->is_sweep &&
                      strcmp(r->a->about->name, r->b->about->name) == 0;
    bool shared = r->rows->count == 0; /* some special is in both */
    for (size_t i = 0; i < r->rows->count; i++) {
        const ptl_comparison_row *row = r->rows->rows[i];
        shared |= row->kind == PTL_COMPARE_SPECIAL && row->change != PTL_CHANGE_NEW &&
                  row->change != PTL_CHANGE_GONE;
    }
    warn_side(r->a);
    warn_side(r->b);
    if (same)
        tell("portolan compare: A and B are the same sample\n");
    if (!shared)
        tell("portolan compare: A and B share no special: these are different games\n");
    if (r->difference_count < 2)
        return;
    tell("portolan compare: A and B differ in ");
    for (size_t i = 0; i < r->difference_count; i++)
        tell("%s%s",
             i == 0                         ? ""
             : i + 1 == r->difference_count ? " and "
                                            : ", ",
             r->differences[i].what);
    tell(": what changed may come of any of these\n");
}

/* ---- the command ---- */

static ptl_comparison_input input_of(const compare_side *s)
{
    ptl_comparison_input in = {.tally = s->tally};
    in.specials = ptl_sample_specials(&in.special_count, s->sample);
    return in;
}

static int compare(session *s, const compare_side *a, const compare_side *b, const request *r)
{
    const ptl_comparison_input in_a = input_of(a), in_b = input_of(b);
    ptl_comparison *rows;
    if (ptl_comparison_new(&rows, &in_a, &in_b, &r->options, &s->err) != PTL_OK)
        return report_error("compare", NULL, &s->err);
    compare_report report = {a,        b,     rows, r->options, args_has(s->args, "all"),
                             s->style, {{0}}, 0};
    report.difference_count =
        ptl_comparison_differences(report.differences, a->sample, b->sample);
    warn(&report);
    /* Prints into the file of --output, or to standard output. */
    const char *path = args_value(s->args, "output");
    const char *const inputs[] = {a->path, b->path};
    out_file o;
    int code = EXIT_DONE;
    bool opened = out_file_open(&o, path ? path : "-", inputs, 2);
    if (opened && !o.is_stdout && !(out_flush() && stream_lead_to(STREAM_OUTPUT, o.file.fd))) {
        error_system(&o.err, PTL_ERR_IO, errno, "%s", path);
        opened = false;
    }
    if (!opened)
        code = out_file_failed(&o, "compare");
    else if (compare_print(&report, &s->err) != PTL_OK)
        code = report_error("compare", NULL, &s->err);
    if (code == EXIT_DONE && !o.is_stdout)
        code = out_finish();
    if (!out_file_close(&o, code == EXIT_DONE) && code == EXIT_DONE)
        code = out_file_failed(&o, "compare");
    if (code == EXIT_DONE && rows->specials.beyond > 0)
        code = EXIT_FAILED;
    ptl_comparison_free(rows);
    return code;
}

static int run(session *s)
{
    const args *a = s->args;
    request r;
    compare_side first = {.letter = 'A'}, second = {.letter = 'B'};
    NEED(read_request(s, &r));
    int code = EXIT_DONE;
    if (!split_operand(&first, a->operands[0]) || !split_operand(&second, a->operands[1])) {
        tell("portolan compare: memory is out\n");
        code = EXIT_FAILED;
    }
    if (code == EXIT_DONE)
        code = side_read(&first, &r, a);
    if (code == EXIT_DONE)
        code = side_read(&second, &r, a);
    if (code == EXIT_DONE)
        code = compare(s, &first, &second, &r);
    side_dispose(&first);
    side_dispose(&second);
    return code;
}

static const value_type values[] = {{"format", VALUE_WORDS, ROWS_FORMATS "|junit", NULL}, {0}};

const command compare_command = {
    .name = "compare",
    .group = GROUP_ASK,
    .operands = "FILE[:WORLD] FILE[:WORLD]",
    .summary = "Say which specials changed between worlds, sweeps or contents.",
    .operand_help =
        "FILE[:WORLD]  A sample: a world file and the name of a world or a sweep in it.\n",
    .details =
        "WORLD is a world's or a sweep's name ('sweep:NAME' where both exist); it may be left "
        "out where the file holds one. A is the first, B the second; both may be of one "
        "file.\n\n"
        "Each special's number per overmap is tested: exactly (Fisher's test where there is "
        "one or none, else the permutation test of the means), or where that would take too "
        "long by chi-square; terrains and roads by Welch's t-test, in which a few overmaps "
        "vary no less than all together. Where overmaps lie side by side they are alike, since "
        "they share lakes and forests: if a sample has 8 blocks of 4 x 4 overmaps or more, all "
        "are tested by Welch's t-test of blocks. Fewer count as "
        "independent, as different seeds are. p-values are corrected for the number of "
        "specials compared. With equal seeds on both sides the tests are more cautious than "
        "they need be.\n\n"
        "With --max-change a special fails if its change is significant and the ratio of the "
        "means, as measured, lies outside 1/R..R; one that is new or gone does once it is "
        "significant. The exit code is 1 then, and --format junit names it as a failure.\n",
    .examples = "  portolan compare old.db w.db\n"
                "  portolan compare old.db w.db --only anthill --all\n"
                "  portolan compare old.db w.db --max-change 3 --format junit -o report.xml\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "nothing was compared: the same command begins again",
};
