/*
 * portolan compare: which specials changed between two worlds, sweeps, contents or placement
 * rules. Both samples are added up (analysis/sample/sample.h) and compared
 * (stats/comparison/comparison.h); this reads the command line and opens what it names.
 */
#include "cli/line/commands.h"
#include "cli/line/output.h"
#include "cli/line/progress.h"
#include "cli/session/out_file.h"
#include "cli/statistics/compare.h"
#include "core/error.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/terminal.h"
#include "world/world.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ONLY_MAX = 256, LEAST_OVERMAPS = 2 };

static const option_spec options[] = {
    {"max-change", "R", "exit 1 if a special changed significantly and by more than R times",
     0},
    {"only", "SPECIAL", "compare this special; may be repeated (default: all)", 0},
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
    comparison_options options;
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
    *r = (request){.least = LEAST_OVERMAPS, .options = {.level = 0.95, .notable = 1.5}};
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

/* FILE:WORLD into its parts. A path that is a file is one, whatever colons it has; else the
 * longest part before a colon that is a file; else what is before the first colon. */
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

typedef struct wanted_content {
    int64_t id;
    char *digest; /* 65 bytes */
} wanted_content;

static bool keep_digest(void *payload, size_t columns, const char *const *names,
                        const ptl_value *values)
{
    wanted_content *w = payload;
    (void)names;
    if (columns == 2 && values[0].integer == w->id)
        snprintf(w->digest, 65, "%.*s", (int)values[1].size, values[1].text);
    return true;
}

/* The content that the sample was made with may be another than the file's present one. */
static ptl_status read_content(compare_side *s)
{
    wanted_content wanted = {s->sample.settings.content_id, s->content};
    const ptl_query_options query = {
        .size = sizeof query, .on_row = keep_digest, .payload = &wanted};
    return ptl_query(s->session.store, "SELECT id, digest FROM content", &query,
                     &s->session.err);
}

/* The catalogue's specials are sorted by id; city buildings are no specials here. */
static ptl_status read_definitions(compare_side *s)
{
    const catalogue *cat = s->sample.cat;
    s->specials = calloc(cat->special_count + 1, sizeof *s->specials);
    if (!s->specials) {
        s->session.err.status = PTL_ERR_NOMEM;
        return PTL_ERR_NOMEM;
    }
    for (size_t i = 0; i < cat->special_count; i++)
        if (!cat->specials[i].building &&
            sample_definition(&s->sample, cat->specials[i].id, &s->specials[s->special_count]))
            s->special_count++;
    return PTL_OK;
}

static int too_few(const compare_side *s, int64_t least)
{
    if (s->tally.overmaps >= (uint64_t)least)
        return EXIT_DONE;
    tell("portolan compare: %s '%s' of %s has %" PRIu64 " complete overmap%s; at least %" PRId64
         " are needed (--min-overmaps). Make more with 'portolan %s'.\n",
         s->sample.is_sweep ? "sweep" : "world", s->sample.name, s->path, s->tally.overmaps,
         s->tally.overmaps == 1 ? "" : "s", least, s->sample.is_sweep ? "sweep" : "generate");
    return EXIT_FAILED;
}

/* Opens and adds up one side. EXIT_DONE or EXIT_FAILED. */
static int side_read(compare_side *s, request *r, const args *a)
{
    s->args = *a;
    s->operand = s->path;
    s->args.operands = &s->operand;
    s->args.operand_count = 1;
    sample_options wish = {.parts = SUMMARY_SPECIALS, .on_progress = on_progress, .payload = r};
    if (r->options.terrains)
        wish.parts |= SUMMARY_TERRAINS | SUMMARY_CITIES | SUMMARY_LINES;
    if (session_open(&s->session, &s->args, PTL_OPEN_READ) != EXIT_DONE)
        return EXIT_FAILED;
    ptl_error *err = &s->session.err;
    ptl_status status = sample_open(&s->sample, s->session.store, s->name, err);
    if (status == PTL_OK)
        status = read_content(s);
    if (status == PTL_OK)
        status = read_definitions(s);
    if (status == PTL_OK && !tally_init(&s->tally))
        status = err->status = PTL_ERR_NOMEM;
    r->start = clock_seconds();
    progress_init(&r->shown, args_has(a, "quiet"));
    r->shown.noun = "overmaps";
    if (status == PTL_OK)
        status = sample_tally(&s->tally, &s->sample, &wish, err);
    progress_end(&r->shown);
    return status == PTL_OK ? too_few(s, r->least) : session_failed(&s->session);
}

static void side_dispose(compare_side *s)
{
    tally_dispose(&s->tally);
    sample_dispose(&s->sample);
    session_close(&s->session);
    free(s->specials);
    free(s->path);
}

/* ---- warnings ---- */

static bool nothing_shared(const comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].kind == COMPARE_SPECIAL && c->rows[i].change != CHANGE_NEW &&
            c->rows[i].change != CHANGE_GONE)
            return false;
    return c->count > 0;
}

static void warn_side(const compare_side *s)
{
    if (s->sample.left_out > 0)
        tell("portolan compare: %c: %" PRIu64 " overmaps are left out, as incomplete or "
             "imported\n",
             s->letter, s->sample.left_out);
    if (strcmp(s->content, s->sample.cat->digest) != 0)
        tell("portolan compare: %c was made with another content than its file holds now: "
             "occurrences,\nand what is new or gone, are the present one's\n",
             s->letter);
}

static void warn(const compare_report *r)
{
    const bool same = strcmp(r->a->path, r->b->path) == 0 &&
                      r->a->sample.is_sweep == r->b->sample.is_sweep &&
                      strcmp(r->a->sample.name, r->b->sample.name) == 0;
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

static int compare(const compare_side *a, compare_side *b, const request *r, const char *path)
{
    const comparison_input in_a = {&a->tally, a->specials, a->special_count};
    const comparison_input in_b = {&b->tally, b->specials, b->special_count};
    comparison rows = {0};
    out_file o;
    ptl_error *err = &b->session.err;
    ptl_status status = comparison_make(&rows, &in_a, &in_b, &r->options, err);
    compare_report report = {a, b, &rows, r->options, r->all, r->style, {{0}}, 0};
    if (status != PTL_OK) {
        comparison_dispose(&rows);
        return report_error("compare", NULL, err);
    }
    report.difference_count = comparison_differences(
        report.differences, &a->sample.settings, &b->sample.settings, a->content, b->content);
    warn(&report);
    int code = output_begin(&o, path, a, b) ? EXIT_DONE : out_file_failed(&o, "compare");
    if (code == EXIT_DONE) {
        status = compare_print(&report, err);
        if (status != PTL_OK)
            code = report_error("compare", NULL, err);
    }
    code = output_end(&o, code);
    if (code == EXIT_DONE && rows.specials.beyond > 0)
        code = EXIT_FAILED;
    comparison_dispose(&rows);
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
