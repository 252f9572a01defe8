/*
 * portolan compare: which specials changed between two worlds, sweeps, contents or placement
 * rules. Both samples are added up (portolan/sample.h) and compared
 * (portolan/stats.h); this reads the command line and opens what it names.
 */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/session/out_file.h"
#include "clients/cli/statistics/compare.h"
#include "core/error.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The command line, read. */
typedef struct request {
    ptl_comparison_options options;
    const char *only[ONLY_MAX];
    rows_style style; /* ROWS_OTHER: junit */
    int64_t least;
    bool all;
    progress shown;
    double start;
} request;

/* ---- the command line ---- */

static int read_only(request *r, const args *a)
{
    const char *id;
    size_t at = 0;
    while ((id = args_next(a, "only", &at)) != NULL) {
        if (r->options.only_count == ONLY_MAX)
            return usage_error(a, "--only is given more than %d times", ONLY_MAX);
        r->only[r->options.only_count++] = id;
    }
    r->options.only = r->only;
    return EXIT_DONE;
}

static int read_request(request *r, const args *a)
{
    *r = (request){.least = LEAST_OVERMAPS,
                   .options = {.size = sizeof r->options, .level = 0.95, .notable = 1.5}};
    r->options.fdr = args_has(a, "fdr");
    r->options.terrains = args_has(a, "terrains");
    r->all = args_has(a, "all");
    int code = args_double(a, "max-change", 1, 1e9, &r->options.max_change);
    if (code == EXIT_DONE && args_has(a, "max-change") && !(r->options.max_change > 1))
        code = usage_error(a, "--max-change is a factor above 1, such as 1.5");
    if (code == EXIT_DONE)
        code = args_double(a, "level", 0.5, 0.9999, &r->options.level);
    if (code == EXIT_DONE)
        code = args_int(a, "min-overmaps", 1, INT64_MAX, &r->least);
    if (code == EXIT_DONE)
        code = rows_style_from_args(&r->style, a, "junit");
    if (code == EXIT_DONE)
        code = read_only(r, a);
    if (r->options.max_change > 1)
        r->options.notable = r->options.max_change;
    return code;
}

static bool is_file(const char *path)
{
    file_facts facts;
    return file_look(&facts, path) && facts.kind != FILE_FOLDER;
}

/* Splits FILE:WORLD into its parts. A path that is a file is one, whatever colons it has; else
 * the longest part before a colon that is a file; else what is before the first colon. */
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

static bool on_progress(void *payload, uint64_t done, uint64_t total)
{
    request *r = payload;
    const double seconds = clock_seconds() - r->start;
    const ptl_progress now = {.size = sizeof now,
                              .done = done,
                              .total = total,
                              .seconds = seconds,
                              .rate = seconds > 0 ? (double)done / seconds : 0};
    return progress_show(&r->shown, &now);
}

static int too_few(const compare_side *s, int64_t least)
{
    if (s->tally->overmaps >= (uint64_t)least)
        return EXIT_DONE;
    tell("portolan compare: %s '%s' of %s has %" PRIu64 " complete overmap%s; at least %" PRId64
         " are needed (--min-overmaps). Make more with 'portolan %s'.\n",
         s->about->is_sweep ? "sweep" : "world", s->about->name, s->path, s->tally->overmaps,
         s->tally->overmaps == 1 ? "" : "s", least, s->about->is_sweep ? "sweep" : "generate");
    return EXIT_FAILED;
}

/* Opens and adds up one side. EXIT_DONE or EXIT_FAILED. */
static int side_read(compare_side *s, request *r, const args *a)
{
    s->args = *a;
    s->operand = s->path;
    s->args.operands = &s->operand;
    s->args.operand_count = 1;
    ptl_sample_options wish = PTL_SAMPLE_OPTIONS_INIT;
    wish.parts = PTL_COUNT_SPECIALS;
    wish.on_progress = on_progress;
    wish.payload = r;
    if (r->options.terrains)
        wish.parts |= PTL_COUNT_TERRAINS | PTL_COUNT_CITIES | PTL_COUNT_LINES;
    if (session_open(&s->session, &s->args, PTL_OPEN_READ) != EXIT_DONE)
        return EXIT_FAILED;
    ptl_error *err = &s->session.err;
    ptl_status status = ptl_sample_open(&s->sample, s->session.store, s->name, err);
    if (status != PTL_OK)
        return session_failed(&s->session);
    s->about = ptl_sample_about(s->sample);
    s->tally = ptl_tally_new();
    if (!s->tally)
        return session_no_memory(&s->session);
    r->start = clock_seconds();
    progress_init(&r->shown, args_has(a, "quiet"));
    r->shown.noun = "overmaps";
    status = ptl_sample_tally(s->tally, s->sample, &wish, err);
    progress_end(&r->shown);
    return status == PTL_OK ? too_few(s, r->least) : session_failed(&s->session);
}

static void side_dispose(compare_side *s)
{
    ptl_tally_free(s->tally);
    ptl_sample_close(s->sample);
    session_close(&s->session);
    free(s->path);
}

/* ---- warnings ---- */

static bool nothing_shared(const ptl_comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i]->kind == PTL_COMPARE_SPECIAL && c->rows[i]->change != PTL_CHANGE_NEW &&
            c->rows[i]->change != PTL_CHANGE_GONE)
            return false;
    return c->count > 0;
}

static void warn_side(const compare_side *s)
{
    if (s->about->left_out > 0)
        tell("portolan compare: %c: %" PRIu64 " overmaps are left out, as incomplete or "
             "imported\n",
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
    warn_side(r->a);
    warn_side(r->b);
    if (same)
        tell("portolan compare: A and B are the same sample\n");
    if (nothing_shared(r->rows))
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

/* ---- the output file ---- */

/* Standard output goes there from here on; path NULL: it stays. Close it in any case. */
static bool output_begin(out_file *o, const char *path, const compare_side *a,
                         const compare_side *b)
{
    const char *const inputs[] = {a->path, b->path};
    if (!out_file_open(o, path ? path : "-", inputs, 2))
        return false;
    if (o->is_stdout || (out_flush() && stream_lead_to(STREAM_OUTPUT, o->file.fd)))
        return true;
    error_system(&o->err, PTL_ERR_IO, errno, "%s", path);
    return false;
}

static int output_end(out_file *o, int code)
{
    if (code == EXIT_DONE && !o->is_stdout)
        code = out_finish();
    const bool closed = out_file_close(o, code == EXIT_DONE);
    return code != EXIT_DONE || closed ? code : out_file_failed(o, "compare");
}

/* ---- the command ---- */

static ptl_comparison_input input_of(const compare_side *s)
{
    ptl_comparison_input in = {.tally = s->tally};
    in.specials = ptl_sample_specials(s->sample, &in.special_count);
    return in;
}

static int compare(const compare_side *a, compare_side *b, const request *r, const char *path)
{
    const ptl_comparison_input in_a = input_of(a), in_b = input_of(b);
    ptl_comparison *rows;
    out_file o;
    ptl_error *err = &b->session.err;
    ptl_status status = ptl_comparison_make(&rows, &in_a, &in_b, &r->options, err);
    if (status != PTL_OK)
        return report_error("compare", NULL, err);
    compare_report report = {a, b, rows, r->options, r->all, r->style, {{0}}, 0};
    report.difference_count =
        ptl_comparison_differences(report.differences, a->sample, b->sample);
    warn(&report);
    int code = output_begin(&o, path, a, b) ? EXIT_DONE : out_file_failed(&o, "compare");
    if (code == EXIT_DONE) {
        status = compare_print(&report, err);
        if (status != PTL_OK)
            code = report_error("compare", NULL, err);
    }
    code = output_end(&o, code);
    if (code == EXIT_DONE && rows->specials.beyond > 0)
        code = EXIT_FAILED;
    ptl_comparison_free(rows);
    return code;
}

static int run(const args *a)
{
    request r;
    compare_side first = {.letter = 'A'}, second = {.letter = 'B'};
    int code = read_request(&r, a);
    if (code != EXIT_DONE)
        return code;
    if (!split_operand(&first, a->operands[0]) || !split_operand(&second, a->operands[1])) {
        tell("portolan compare: memory is out\n");
        code = EXIT_FAILED;
    }
    if (code == EXIT_DONE)
        code = side_read(&first, &r, a);
    if (code == EXIT_DONE)
        code = side_read(&second, &r, a);
    if (code == EXIT_DONE)
        code = compare(&first, &second, &r, args_value(a, "output"));
    side_dispose(&first);
    side_dispose(&second);
    return code;
}

static const value_type values[] = {
    {"FILE[:WORLD]", VALUE_SAMPLE, NULL, NULL},
    {"only", VALUE_SPECIALS, NULL, NULL},
    {"format", VALUE_WORDS, ROWS_FORMATS "|junit", NULL},
    VALUES_END,
};

const command compare_command = {
    .name = "compare",
    .group = GROUP_ASK,
    .operands = "FILE[:WORLD] FILE[:WORLD]",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Say which specials changed between worlds, sweeps or contents.",
    .operand_help =
        "FILE[:WORLD]  A sample: a world file and the name of a world or a sweep in it.\n",
    .details =
        "WORLD is a world's or a sweep's name ('sweep:NAME' where both exist); it may be left\n"
        "out where the file holds one. A is the first, B the second; both may be of one file.\n"
        "\n"
        "Each special's number per overmap is tested: exactly (Fisher's test where there is\n"
        "one or none, else the permutation test of the means), or where that would take too\n"
        "long by chi-square; terrains and roads by Welch's t-test. p-values are corrected for\n"
        "the number of specials compared. Overmaps count as independent: of different seeds\n"
        "they are, of one world nearly so for specials, less for forests and lakes. With\n"
        "equal seeds on both sides the tests are more cautious than they need be.\n"
        "\n"
        "With --max-change a special fails if its change is significant and the ratio of the\n"
        "means, as measured, lies outside 1/R..R; one that is new or gone does once it is\n"
        "significant. The exit code is 1 then, and --format junit names it as a failure.\n",
    .examples = "  portolan compare old.db w.db\n"
                "  portolan compare old.db w.db --only anthill --all\n"
                "  portolan compare old.db w.db --max-change 3 --format junit -o report.xml\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "nothing was compared: the same command begins again",
};
