/* Prints the comparison as tables with sentences, as CSV and as JSON. */
#include "clients/cli/statistics/compare.h"
#include "os/clock.h"

#include <inttypes.h>
#include <math.h>

/* In the order in which add_rows fills them. */
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
/* COLUMN_COUNT includes the NULL at the end. The table of terrains, cities and roads ends
 * before the last column, since they have no definition. */
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0], OTHERS_COUNT = COLUMN_COUNT - 2 };

/* ---- cells ---- */

static report_cell cell_p(report_table *t, double p)
{
    char text[24];
    report_p_text(p, text);
    return report_format(t, "%s", text);
}

/* Writes "0..3" or "1 in 10"; "" if the content lacks the special. */
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

/* Adds the rows of specials, or else those of all other kinds, to a table with its columns set:
 * cells in the order of COLUMNS. Tables of specials have one more column than the others. */
static void add_rows(report_table *t, const compare_report *r, bool specials)
{
    for (size_t i = 0; i < r->rows->count; i++) {
        const ptl_comparison_row *row = r->rows->rows[i];
        const ptl_interval *range = &row->ratio.range;
        const bool shown = r->all || row->change != PTL_CHANGE_NONE || row->significant;
        char a[60], b[60];
        if ((row->kind == PTL_COMPARE_SPECIAL) != specials || !shown)
            continue;
        definition_text(row->a.definition, a);
        definition_text(row->b.definition, b);
        const char *change = ptl_comparison_change_name(row->change);
        report_put(t, CELLS(cell_text(ptl_comparison_kind_name(row->kind)), cell_text(row->id),
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
                            cell_text(ptl_test_kind_name(row->test.kind)),
                            cell_real(row->test.p), cell_real(row->adjusted),
                            cell_p(t, row->test.p), cell_p(t, row->adjusted),
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

/* ---- words ---- */

void compare_words(const compare_report *r, const ptl_comparison_row *row, char *out,
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
    out_printf("%c: %s: %s '%s', %ju overmap%s\n", s->letter, s->path,
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

/* Tells for how many specials a change could have been detected, and for how many
 * with more overmaps. */
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
    others[0].flags = 0; /* the column that names the kind of row */
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
    json_pair("", "file", s->path);
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

/*
 * Prints the comparison as a JUnit report, for the continuous integration of a mod. Each
 * special is a test case, which fails if it changed by more than --max-change. Elements and
 * attributes are those that the common schemas (Jenkins, Maven's Surefire, Ant) agree on.
 */

static void property(const char *name, const char *text)
{
    out_text("      <property name=\"");
    out_xml_text(name);
    out_text("\" value=\"");
    out_xml_text(text);
    out_text("\"/>\n");
}

static void side_properties(const compare_side *s)
{
    char name[20], text[40];
    snprintf(name, sizeof name, "%c.file", s->letter);
    property(name, s->path);
    snprintf(name, sizeof name, "%c.%s", s->letter, s->about->is_sweep ? "sweep" : "world");
    property(name, s->about->name);
    snprintf(name, sizeof name, "%c.content", s->letter);
    property(name, s->about->content);
    snprintf(name, sizeof name, "%c.overmaps", s->letter);
    snprintf(text, sizeof text, "%" PRIu64, s->tally->overmaps);
    property(name, text);
}

/* A special without a test is skipped; one with a change beyond the limit fails. */
static void test_case(const compare_report *r, const ptl_comparison_row *row)
{
    const uint64_t na = r->a->tally->overmaps, nb = r->b->tally->overmaps;
    const uint64_t have = na < nb ? na : nb;
    char text[400];
    compare_words(r, row, text, sizeof text);
    out_text("    <testcase classname=\"portolan.compare\" name=\"");
    out_xml_text(row->id);
    out_text("\" time=\"0\"");
    if (row->test.kind == PTL_TEST_NONE) {
        out_text(">\n      <skipped/>\n    </testcase>\n");
    } else if (row->beyond) {
        out_text(">\n      <failure type=\"change\" message=\"");
        out_xml_text(text);
        out_text("\">");
        out_xml_text(row->id);
        out_text(" ");
        out_xml_text(text);
        out_printf("; at most %g times is allowed</failure>\n    </testcase>\n",
                   r->options.max_change);
    } else if (row->needed <= have) {
        out_text("/>\n");
    } else { /* the samples are too small to show a change: passing proves nothing */
        out_printf(">\n      <system-out>%ju overmaps on each side are too few to see a change "
                   "of %g times: ",
                   have, r->options.notable);
        if (row->needed == UINT64_MAX)
            out_text("no number is enough");
        else
            out_printf("%ju are needed", row->needed);
        out_text("</system-out>\n    </testcase>\n");
    }
}

ptl_status compare_print(const compare_report *r, ptl_error *err)
{
    report_table t;
    if (r->style.format == ROWS_TABLE)
        return print_tables(r, err);
    if (r->style.format == ROWS_JSON)
        return print_json(r, err);
    if (r->style.format == ROWS_OTHER) {
        const ptl_comparison_family *c = &r->rows->specials;
        char when[32];
        clock_now(when);
        when[strcspn(when, "Z")] = '\0'; /* the format has no time zone; the time is UTC */
        out_text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        out_printf("  <testsuite name=\"portolan compare\" tests=\"%zu\" failures=\"%zu\" "
                   "errors=\"0\" skipped=\"%zu\" time=\"0\" timestamp=\"%s\" "
                   "hostname=\"localhost\">\n",
                   c->rows, c->beyond, c->rows - c->tested, when);
        char text[240];
        out_text("    <properties>\n");
        side_properties(r->a);
        side_properties(r->b);
        for (size_t i = 0; i < r->difference_count; i++) {
            const ptl_comparison_difference *d = &r->differences[i];
            if (strcmp(d->what, "content") == 0)
                continue;
            snprintf(text, sizeof text, "%s in A, %s in B", d->a, d->b);
            property(d->what, text);
        }
        out_text("    </properties>\n");
        for (size_t i = 0; i < r->rows->count && out_ok(); i++)
            if (r->rows->rows[i]->kind == PTL_COMPARE_SPECIAL)
                test_case(r, r->rows->rows[i]);
        out_text("  </testsuite>\n</testsuites>\n");
        return PTL_OK;
    }
    report_init(&t, "comparison", NULL, COLUMNS);
    add_rows(&t, r, true);
    add_rows(&t, r, false);
    return print_rows(r, &t, err);
}
