/*
 * portolan compare: tells which specials changed between two worlds, sweeps, contents or rules
 * of placement. Both samples are counted (portolan/sample.h) and compared (portolan/stats.h).
 * The comparison is printed as tables with sentences, as CSV, JSON or a JUnit report.
 */
#include "clients/cli/checks/loot.h"
#include "clients/cli/line/junit.h"
#include "clients/cli/session/session.h"
#include "clients/cli/statistics/compare_loot.h"
#include "core/error.h"
#include "portolan/stats.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

/* One of the two samples. */
typedef struct compare_side {
    char letter; /* 'A' or 'B' */
    file_operand file;
    ptl_sample *sample;           /* owned */
    const ptl_sample_info *about; /* facts about `sample`, which owns them */
    ptl_tally *tally;             /* owned */
} compare_side;

/* What is printed: the comparison, and how to print it. */
typedef struct compare_report {
    const compare_side *a, *b;
    const ptl_comparison *rows;
    ptl_comparison_options options; /* options of the comparison, with defaults filled in */
    bool all;
    rows_style style; /* the format of the output; ROWS_OTHER stands for --format junit */
    ptl_comparison_difference differences[PTL_COMPARISON_DIFFERENCES];
    size_t difference_count;
} compare_report;

/* The columns of the comparison, in the order in which add_rows fills them. */
static const report_column COLUMNS[] = {
    COLUMN_AS(kind, "kind", 0, REPORT_DATA_ONLY),
    COLUMN(id),
    COLUMN(change),
    COLUMN_DATA(significant),
    COLUMN_DATA(beyond),
    COLUMN_DATA(a_sum),
    COLUMN_DATA(b_sum),
    COLUMN_AS(a_mean, "A", 3, 0),
    COLUMN_AS(b_mean, "B", 3, 0),
    COLUMN_AS(a_none, "A none %", 1, REPORT_PERCENT | REPORT_RANK(4)),
    COLUMN_AS(b_none, "B none %", 1, REPORT_PERCENT | REPORT_RANK(4)),
    COLUMN_AS(ratio, "B/A", 2, 0),
    COLUMN_AS(interval, "interval", 0, REPORT_EYE_ONLY | REPORT_RANK(3)),
    COLUMN_DATA(ratio_low),
    COLUMN_DATA(ratio_high),
    COLUMN_AS(cohen_d, "effect d", 2, REPORT_RANK(8)),
    COLUMN_RANK(test, 9),
    COLUMN_DATA(p),
    COLUMN_DATA(adjusted_p),
    COLUMN_AS(p_text, "p", 0, REPORT_EYE_ONLY | REPORT_RANK(6)),
    COLUMN_AS(adjusted_text, "corrected", 0, REPORT_EYE_ONLY),
    COLUMN_DATA(overmaps_needed),
    COLUMN_DATA(a_definition),
    COLUMN_DATA(b_definition),
    COLUMN_AS(definition, "occurrences", 0, REPORT_EYE_ONLY | REPORT_RANK(7)),
    COLUMNS_END};
/* COLUMN_COUNT counts the NULL at the end, too. OTHERS_COUNT is the number of columns in the
 * table of terrains, cities and roads. It lacks the last column, the definition, which only
 * specials have. */
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0], OTHERS_COUNT = COLUMN_COUNT - 2 };

/* ---- cells ---- */

/* Writes how often an overmap has the special by its definition: "0..3" or "1 in 10"; "" if the
 * content lacks the special. */
static void definition_text(const ptl_sample_special *s, char out[60])
{
    if (!s)
        out[0] = '\0';
    else if (s->is_unique || s->is_globally_unique)
        snprintf(out, 60, "%d in %d%s", s->occurrences_min, s->occurrences_max,
                 s->is_globally_unique ? " (one in a world)" : "");
    else
        snprintf(out, 60, "%d..%d", s->occurrences_min, s->occurrences_max);
}

/* Adds the rows of specials, or if `specials` is false the rows of terrains, cities and roads.
 * The cells are in the order of COLUMNS. Only specials have a cell in the last column. */
static void add_rows(report_table *t, const compare_report *r, bool specials)
{
    for (size_t i = 0; i < r->rows->count; i++) {
        const ptl_comparison_row *row = r->rows->rows[i];
        const ptl_interval *range = &row->ratio.range;
        const bool shown = r->all || row->change != PTL_CHANGE_NONE || row->significant;
        char a[60], b[60], p[24], adjusted[24];
        if ((row->kind == PTL_COMPARE_SPECIAL) != specials || !shown)
            continue;
        definition_text(row->a.definition, a);
        definition_text(row->b.definition, b);
        report_p_text(row->test.p, p);
        report_p_text(row->adjusted, adjusted);
        const char *change = ptl_comparison_change_name(row->change);
        report_put(t,
                   CELLS(cell_text(ptl_comparison_kind_name(row->kind)), cell_text(row->id),
                         cell_text(row->change == PTL_CHANGE_NONE ? "" : change),
                         cell_text(row->significant ? "yes" : "no"),
                         cell_text(row->beyond ? "yes" : "no"), cell_uint(row->a.sum),
                         cell_uint(row->b.sum), cell_real(row->a.each.mean),
                         cell_real(row->b.each.mean), cell_real(row->a.none),
                         cell_real(row->b.none), cell_real(row->ratio.ratio),
                         isinf(range->high) ? cell_text("")
                                            : report_range(t, range->low, range->high, 2),
                         cell_real(range->low), cell_real(range->high),
                         cell_real(row->ratio.cohen_d),
                         cell_text(ptl_test_kind_name(row->test.kind)), cell_real(row->test.p),
                         cell_real(row->adjusted), cell_text(p), cell_text(adjusted),
                         row->needed == UINT64_MAX ? cell_none() : cell_uint(row->needed),
                         cell_text(row->a.definition ? a : NULL),
                         cell_text(row->b.definition ? b : NULL)));
        const report_cell both =
            strcmp(a, b) == 0
                ? cell_text(a)
                : report_format(t, "%s -> %s", a[0] ? a : "none", b[0] ? b : "none");
        if (t->column_count != OTHERS_COUNT)
            report_put(t, &both, 1);
    }
}

/* ---- the comparison in sentences ---- */

/* Writes a row as words: "more by 1.52 (1.20..1.93), p 0.003". */
static void compare_words(const compare_report *r, const ptl_comparison_row *row, char *out,
                          size_t size)
{
    char p[24];
    report_p_text(row->adjusted, p);
    if (isinf(row->ratio.range.high))
        snprintf(out, size, "%s: %.4g an overmap in A, %.4g in B; corrected p %s (%s)",
                 ptl_comparison_change_name(row->change), row->a.each.mean, row->b.each.mean, p,
                 ptl_test_kind_name(row->test.kind));
    else
        snprintf(out, size,
                 "%s: %.4g an overmap in A, %.4g in B: %.2f times (%g %% interval %.2f..%.2f); "
                 "corrected p %s (%s)",
                 ptl_comparison_change_name(row->change), row->a.each.mean, row->b.each.mean,
                 row->ratio.ratio, 100 * r->options.level, row->ratio.range.low,
                 row->ratio.range.high, p, ptl_test_kind_name(row->test.kind));
}

static void print_side(const compare_side *s)
{
    out_printf("%c: %s: %s '%s', %ju overmap%s\n", s->letter, s->file.path,
               s->about->is_sweep ? "sweep" : "world", s->about->name, s->tally->overmaps,
               plural(s->tally->overmaps));
}

static void print_count(const compare_report *r, const ptl_comparison_family *c,
                        const char *one, const char *many)
{
    out_printf("%zu of %zu %s changed significantly (%s, %g %% confidence)", c->significant,
               c->tested, c->tested == 1 ? one : many,
               r->options.fdr ? "Benjamini-Hochberg's correction" : "Holm's correction",
               100 * r->options.level);
    if (c->rows > c->tested)
        out_printf("; %zu %s in neither sample, or equally often in all overmaps",
                   c->rows - c->tested, c->rows - c->tested == 1 ? "is" : "are");
    out_text(".\n");
}

/* Prints for how many specials the samples are large enough to detect a change by the factor
 * options.notable, and for how many specials larger samples would be. */
static void print_power(const compare_report *r)
{
    static const uint64_t STEPS[] = {1000, 10000, 100000};
    enum { STEP_COUNT = 3 };
    const uint64_t na = r->a->tally->overmaps, nb = r->b->tally->overmaps;
    const uint64_t have = na < nb ? na : nb;
    size_t known = 0, seen = 0, enough[STEP_COUNT] = {0};
    for (size_t i = 0; i < r->rows->count; i++) {
        const uint64_t needed = r->rows->rows[i]->needed;
        known += needed != UINT64_MAX;
        seen += needed <= have;
        for (size_t j = 0; j < STEP_COUNT; j++)
            enough[j] += needed <= STEPS[j];
    }
    if (seen == known)
        return;
    out_printf(
        "A change of %g times, up or down, would be seen (in 4 of 5 comparisons) for %zu of "
        "the %zu specials that occur and can change so",
        r->options.notable, seen, known);
    for (size_t j = 0; j < STEP_COUNT && seen < known; j++) {
        if (STEPS[j] <= have || enough[j] <= seen)
            continue;
        out_printf("; with %ju overmaps on each side for %zu", STEPS[j], enough[j]);
        seen = enough[j];
    }
    out_text(".\n");
}

/* Prints the table's rows and disposes of it in any case. */
static ptl_status print_rows(const compare_report *r, report_table *t, ptl_error *err)
{
    ptl_status status = report_status(t, err);
    if (status == PTL_OK && !rows_print(&r->style, t, 0))
        status = err->status = PTL_ERR_NOMEM;
    report_dispose(t);
    return status;
}

static ptl_status print_section(const compare_report *r, bool specials, ptl_error *err)
{
    report_table t;
    report_column others[COLUMN_COUNT];
    memcpy(others, COLUMNS, sizeof others);
    others[0].flags = 0; /* without its flags the column "kind" is shown in tables, too */
    others[OTHERS_COUNT].key = NULL;
    report_init(&t, "", NULL, specials ? COLUMNS : others);
    add_rows(&t, r, specials);
    if (report_rows(&t) > 0) {
        out_printf("\n%s\n", specials ? "Specials per overmap"
                                      : "Terrains, cities and roads (cells per overmap; "
                                        "buildings per city)");
        return print_rows(r, &t, err);
    }
    const ptl_status status = report_status(&t, err);
    if (status == PTL_OK)
        out_printf("\nNothing changed among the %s.\n",
                   specials ? "specials" : "terrains, cities and roads");
    report_dispose(&t);
    return status;
}

static ptl_status print_tables(const compare_report *r, ptl_error *err)
{
    out_prose_begin(0);
    print_side(r->a);
    print_side(r->b);
    for (size_t i = 0; i < r->difference_count; i++) {
        const ptl_comparison_difference *d = &r->differences[i];
        const bool is_digest = strcmp(d->what, "content") == 0;
        out_printf("%s differs: %.*s in A, %.*s in B\n", d->what, is_digest ? 12 : 99, d->a,
                   is_digest ? 12 : 99, d->b);
    }
    if (r->difference_count == 0)
        out_text("Content, generator and settings are equal.\n");
    out_prose_end();
    ptl_status status = print_section(r, true, err);
    if (status == PTL_OK && r->options.terrains)
        status = print_section(r, false, err);
    if (status != PTL_OK)
        return status;
    out_text("\n");
    out_prose_begin(0);
    print_count(r, &r->rows->specials, "special", "specials");
    if (r->options.terrains)
        print_count(r, &r->rows->others, "terrain, city or road figure",
                    "terrain, city and road figures");
    if (r->options.max_change > 1)
        out_printf("%zu by more than %g times.\n", r->rows->specials.beyond,
                   r->options.max_change);
    print_power(r);
    out_prose_end();
    return PTL_OK;
}

/* ---- CSV and JSON ---- */

static void json_pair(const char *before, const char *name, const char *text)
{
    out_printf("%s\"%s\": ", before, name);
    out_json_text(text);
}

static void json_side(const compare_side *s)
{
    out_printf("\"%c\": {", s->letter == 'A' ? 'a' : 'b');
    json_pair("", "file", s->file.path);
    json_pair(", ", "kind", s->about->is_sweep ? "sweep" : "world");
    json_pair(", ", "name", s->about->name);
    json_pair(", ", "content", s->about->content);
    out_printf(", \"overmaps\": %ju, \"left_out\": %ju},\n", s->tally->overmaps,
               s->about->left_out);
}

static void json_counts(const char *name, const ptl_comparison_family *c)
{
    out_printf(
        "\"%s\": {\"rows\": %zu, \"tested\": %zu, \"significant\": %zu, \"beyond\": %zu, "
        "\"too_few_overmaps\": %zu}",
        name, c->rows, c->tested, c->significant, c->beyond, c->unseen);
}

static ptl_status print_json(const compare_report *r, ptl_error *err)
{
    static const char *const kinds[] = {"specials", "others"};
    ptl_status status = PTL_OK;
    char number[32];
    out_text("{");
    json_side(r->a);
    json_side(r->b);
    out_text("\"differences\": [");
    for (size_t i = 0; i < r->difference_count; i++) {
        json_pair(i ? ", {" : "{", "what", r->differences[i].what);
        json_pair(", ", "a", r->differences[i].a);
        json_pair(", ", "b", r->differences[i].b);
        out_text("}");
    }
    format_double(r->options.level, number);
    out_printf("],\n\"level\": %s, \"correction\": \"%s\"", number,
               r->options.fdr ? "fdr" : "holm");
    format_double(r->options.max_change, number);
    if (r->options.max_change > 1)
        out_printf(", \"max_change\": %s", number);
    format_double(r->options.notable, number);
    out_printf(", \"notable_change\": %s,\n\"summary\": {", number);
    json_counts("specials", &r->rows->specials);
    if (r->options.terrains) {
        out_text(", ");
        json_counts("others", &r->rows->others);
    }
    out_text("}");
    for (int i = 0; i < (r->options.terrains ? 2 : 1) && status == PTL_OK; i++) {
        report_table t;
        report_init(&t, kinds[i], NULL, COLUMNS);
        add_rows(&t, r, i == 0);
        out_printf(",\n\"%s\": ", kinds[i]);
        status = print_rows(r, &t, err);
    }
    out_text("}\n");
    return status;
}

/* ---- JUnit ---- */

/*
 * Prints the comparison as a JUnit report, for the continuous integration of a mod. Each
 * special is a test case, which fails if it changed by more than --max-change.
 */

static void side_properties(const compare_side *s)
{
    char overmaps[24];
    snprintf(overmaps, sizeof overmaps, "%" PRIu64, s->tally->overmaps);
    const char *const pairs[][2] = {{"file", s->file.path},
                                    {s->about->is_sweep ? "sweep" : "world", s->about->name},
                                    {"content", s->about->content},
                                    {"overmaps", overmaps}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char name[20];
        snprintf(name, sizeof name, "%c.%s", s->letter, pairs[i][0]);
        junit_property(name, pairs[i][1]);
    }
}

/* Prints the test case of a special. A special without a statistical test is a skipped case.
 * One that changed by more than --max-change is a failed case. */
static void test_case(const compare_report *r, const ptl_comparison_row *row)
{
    const uint64_t na = r->a->tally->overmaps, nb = r->b->tally->overmaps;
    const uint64_t have = na < nb ? na : nb;
    char text[400];
    compare_words(r, row, text, sizeof text);
    junit_case_begin("portolan.compare", row->id);
    if (row->test.kind == PTL_TEST_NONE) {
        junit_skipped("");
    } else if (row->beyond) {
        junit_failure_begin("change", text);
        out_xml_text(row->id);
        out_text(" ");
        out_xml_text(text);
        out_printf("; at most %g times is allowed", r->options.max_change);
        junit_failure_end();
    } else if (row->needed > have) { /* there are so few overmaps that a test that passes does
                                        not prove that nothing has changed */
        junit_output_begin();
        out_printf("%ju overmaps on each side are too few to see a change of %g times: ", have,
                   r->options.notable);
        if (row->needed == UINT64_MAX)
            out_text("no number is enough");
        else
            out_printf("%ju are needed", row->needed);
        junit_output_end();
    }
    junit_case_end();
}

static void print_junit(const compare_report *r)
{
    const ptl_comparison_family *c = &r->rows->specials;
    char text[240];
    junit_begin("portolan compare", c->rows, c->beyond, c->rows - c->tested);
    junit_properties_begin();
    side_properties(r->a);
    side_properties(r->b);
    for (size_t i = 0; i < r->difference_count; i++) {
        const ptl_comparison_difference *d = &r->differences[i];
        if (strcmp(d->what, "content") == 0)
            continue;
        snprintf(text, sizeof text, "%s in A, %s in B", d->a, d->b);
        junit_property(d->what, text);
    }
    junit_properties_end();
    for (size_t i = 0; i < r->rows->count && out_ok(); i++)
        if (r->rows->rows[i]->kind == PTL_COMPARE_SPECIAL)
            test_case(r, r->rows->rows[i]);
    junit_end();
}

/* Prints the comparison on standard output, in the format of r->style. */
static ptl_status compare_print(const compare_report *r, ptl_error *err)
{
    report_table t;
    if (r->style.format == ROWS_TABLE)
        return print_tables(r, err);
    if (r->style.format == ROWS_JSON)
        return print_json(r, err);
    if (r->style.format == ROWS_OTHER) {
        print_junit(r);
        return PTL_OK;
    }
    report_init(&t, "comparison", NULL, COLUMNS);
    add_rows(&t, r, true);
    add_rows(&t, r, false);
    return print_rows(r, &t, err);
}

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
    {"loot", NULL, "compare what local maps hold, by the contents of the files", 0},
    OPTIONS_LOOT("with --loot: "),
    OPTIONS_ROWS_AND(", raw or junit"),
    OPTION_OUTPUT,
    OPTION_NO_PROGRESS,
    OPTIONS_END,
};

/* The values of the command line. */
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
    static const char *const own_formats[] = {"junit", NULL};
    NEED(rows_style_from_args(&s->style, a, own_formats));
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

/* ---- a sample ---- */

/* Opens the file of one of the two samples, and counts the sample's overmaps. Returns EXIT_DONE
 * or EXIT_FAILED. */
static int side_read(compare_side *side, const request *r)
{
    session *s = &side->file.session;
    ptl_sample_options wish = PTL_SAMPLE_OPTIONS_INIT;
    wish.parts = PTL_COUNT_SPECIALS;
    wish.on_progress = progress_count;
    wish.payload = &s->shown;
    if (r->options.terrains)
        wish.parts |= PTL_COUNT_TERRAINS | PTL_COUNT_CITIES | PTL_COUNT_LINES;
    NEED(session_open(s, PTL_OPEN_READ));
    NEED(session_done(s, ptl_sample_open(&side->sample, s->store, side->file.name, &s->err)));
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
         about->is_sweep ? "sweep" : "world", about->name, side->file.path, overmaps,
         plural(overmaps), r->least, about->is_sweep ? "sweep" : "generate");
    return EXIT_FAILED;
}

static void side_dispose(compare_side *s)
{
    ptl_tally_free(s->tally);
    ptl_sample_close(s->sample);
    file_operand_dispose(&s->file);
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
    const bool same = strcmp(r->a->file.path, r->b->file.path) == 0 &&
                      r->a->about->is_sweep == r->b->about->is_sweep &&
                      strcmp(r->a->about->name, r->b->about->name) == 0;
    /* True: at least one special is in both samples, or the comparison has no rows. */
    bool shared = r->rows->count == 0;
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

static ptl_status print_report(void *payload, ptl_error *err)
{
    return compare_print(payload, err);
}

static int compare(session *s, const compare_side *a, const compare_side *b, const request *r)
{
    ptl_comparison_input in_a = {.tally = a->tally}, in_b = {.tally = b->tally};
    in_a.specials = ptl_sample_specials(&in_a.special_count, a->sample);
    in_b.specials = ptl_sample_specials(&in_b.special_count, b->sample);
    ptl_comparison *rows;
    if (ptl_comparison_new(&rows, &in_a, &in_b, &r->options, &s->err) != PTL_OK)
        return report_error("compare", NULL, &s->err);
    compare_report report = {a,        b,     rows, r->options, args_has(s->args, "all"),
                             s->style, {{0}}, 0};
    report.difference_count =
        ptl_comparison_differences(report.differences, a->sample, b->sample);
    warn(&report);
    const char *const inputs[] = {a->file.path, b->file.path};
    int code = out_file_print(s, inputs, 2, print_report, &report);
    if (code == EXIT_DONE && rows->specials.beyond > 0)
        code = EXIT_FAILED;
    ptl_comparison_free(rows);
    return code;
}

static int compare_sides(session *s, const request *r, compare_side *a, compare_side *b)
{
    if (!file_operand_init(&a->file, s->args, 0) || !file_operand_init(&b->file, s->args, 1))
        return args_no_memory(s->args);
    if (args_has(s->args, "loot")) {
        const loot_operand sides[] = {{a->file.path, a->file.name},
                                      {b->file.path, b->file.name}};
        return compare_loot(s, sides, r->options.max_change);
    }
    NEED(side_read(a, r));
    NEED(side_read(b, r));
    return compare(s, a, b, r);
}

static int run(session *s)
{
    request r;
    compare_side first = {.letter = 'A'}, second = {.letter = 'B'};
    NEED(read_request(s, &r));
    NEED(compare_loot_check(s));
    const int code = compare_sides(s, &r, &first, &second);
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
        "significant. The exit code is 1 then, and --format junit names it as a failure.\n\n"
        "With --loot no samples are needed: the expected numbers of things on local maps are "
        "compared, by the content of each file (see 'portolan loot'), and those listed that "
        "differ; counted ones if they are more than four standard errors apart.\n",
    .examples = "  portolan compare old.db w.db\n"
                "  portolan compare old.db w.db --only anthill --all\n"
                "  portolan compare old.db w.db --loot --in cabin\n"
                "  portolan compare old.db w.db --max-change 3 --format junit -o report.xml\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "nothing was compared: the same command begins again",
};
