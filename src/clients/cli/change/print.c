/* Prints what `portolan change` has found out: a summary for people, or the table of one part,
 * or the findings, or all of it as JSON, or a report for JUnit. */
#include "clients/cli/change/change.h"
#include "clients/cli/line/junit.h"
#include "core/error.h"

#include <math.h>

/* SHOWN_ROWS: the most rows of each part that the summary shows. */
enum { SHOWN_ROWS = 30, OTHER_JUNIT = 0 };

const report_cell *change_cell(const report_table *t, size_t row, size_t column)
{
    return &t->cells[row * t->column_count + column];
}

void change_columns_shown(bool out[CHANGE_COLUMNS_MAX], int part, const report_table *t)
{
    char text[48];
    for (size_t k = 0; k < CHANGE_COLUMNS_MAX; k++)
        out[k] = false;
    for (size_t i = 0; i < report_rows(t); i++)
        for (size_t k = 0; k < t->column_count && change_row_is_shown(part, t, i); k++)
            out[k] = out[k] || (!(t->columns[k].flags & REPORT_DATA_ONLY) &&
                                *change_cell_text(&t->columns[k], change_cell(t, i, k), text));
}

const char *change_cell_text(const report_column *column, const report_cell *c, char out[48])
{
    const int decimals = column->decimals < 0 ? 6 : column->decimals;
    out[0] = '\0';
    if (c->kind == REPORT_TEXT)
        return c->text;
    if (c->kind == REPORT_WHOLE)
        snprintf(out, 48, "%jd", (intmax_t)c->whole);
    else if (c->kind == REPORT_COUNT)
        snprintf(out, 48, "%ju", (uintmax_t)c->whole);
    else if (c->kind == REPORT_REAL && column->flags & REPORT_PERCENT)
        snprintf(out, 48, "%.*f %%", decimals, 100 * c->real);
    else if (c->kind == REPORT_REAL)
        snprintf(out, 48, "%.*f", decimals, c->real);
    return out;
}

static const char *text_of(const report_table *t, size_t row, size_t column)
{
    const report_cell *c = change_cell(t, row, column);
    return c->kind == REPORT_TEXT ? c->text : "";
}

/* ---- the summary ---- */

bool change_row_is_shown(int part, const report_table *t, size_t row)
{
    enum { CHANGE_OF_RATE = 1, SIGNIFICANT = 2, CHANGE_OF_VERDICT = 2, TILES = 4 };
    if (part == PART_RATES)
        return *text_of(t, row, CHANGE_OF_RATE) ||
               strcmp(text_of(t, row, SIGNIFICANT), "yes") == 0;
    if (part == PART_COVERAGE)
        return *text_of(t, row, CHANGE_OF_VERDICT) != '\0';
    return part != PART_PICTURES || change_cell(t, row, TILES)->whole > 0;
}

static bool print_part(const change *c, int part)
{
    const report_table *t = &c->tables[part];
    size_t shown = 0, left = 0;
    report_table rows;
    /* A column in which all cells are empty is not printed. */
    report_column columns[CHANGE_COLUMNS_MAX];
    bool has[CHANGE_COLUMNS_MAX];
    change_columns_shown(has, part, t);
    memcpy(columns, t->columns, (t->column_count + 1) * sizeof *columns);
    for (size_t k = 0; k < t->column_count; k++)
        columns[k].flags |= has[k] ? 0 : (unsigned)REPORT_DATA_ONLY;
    report_init(&rows, t->name, NULL, columns);
    for (size_t i = 0; i < report_rows(t); i++) {
        if (!change_row_is_shown(part, t, i))
            continue;
        if (shown == SHOWN_ROWS) {
            left++;
            continue;
        }
        shown++;
        report_put(&rows, change_cell(t, i, 0), t->column_count);
    }
    bool good = !rows.failed;
    if (shown > 0) {
        out_printf("\n%s\n", t->title);
        good = good && rows_print(&c->s->style, &rows, 0);
    }
    if (left > 0)
        out_say("and %zu more: '--list %s' lists all.\n", left, t->name);
    report_dispose(&rows);
    return good;
}

void change_count_names(const change *c, size_t out[STATE_CHANGED + 1], size_t *through)
{
    memset(out, 0, (STATE_CHANGED + 1) * sizeof *out);
    *through = 0;
    for (size_t i = 0; i < c->name_count; i++) {
        const change_name *n = &c->names[i];
        if (!n->touched || !change_is_asked(c, n))
            continue;
        out[n->state]++;
        *through += n->state == STATE_EQUAL;
    }
}

const ptl_diagnostic *change_finding_at(const change *c, size_t i)
{
    const import_issues *list = &c->findings.list;
    const ptl_diagnostic *d = &list->items[i % list->count].what;
    return (d->severity == PTL_ERROR) == (i < list->count) ? d : NULL;
}

size_t change_count_shown(const change *c, int part)
{
    size_t count = 0;
    for (size_t i = 0; i < report_rows(&c->tables[part]); i++)
        count += change_row_is_shown(part, &c->tables[part], i);
    return count;
}

void change_sentences(const change *c, void (*put)(void *payload, const char *text),
                      void *payload)
{
    char text[400];
    size_t counts[STATE_CHANGED + 1], through;
    change_count_names(c, counts, &through);
    snprintf(text, sizeof text,
             "%zu definition%s new, %zu gone, %zu changed; %zu more %s what differs.",
             counts[STATE_NEW], counts[STATE_NEW] == 1 ? " is" : "s are", counts[STATE_GONE],
             counts[STATE_CHANGED], through, through == 1 ? "uses" : "use");
    put(payload, text);
    if (c->cut > 0) {
        snprintf(text, sizeof text,
                 "What uses %zu of them was not looked for: there are too many.", c->cut);
        put(payload, text);
    }
    if (c->comparison) {
        const ptl_comparison_family *f = &c->comparison->specials;
        snprintf(text, sizeof text,
                 "%zu of %zu special%s changed significantly in %ju overmaps of each content "
                 "(Holm's correction, %g %% confidence).",
                 f->significant, f->tested, plural(f->tested), (uintmax_t)c->overmaps,
                 100 * c->rates.level);
        put(payload, text);
        change_power_sentence(c, text, sizeof text);
        put(payload, text);
    }
    if (!c->without[PART_COVERAGE]) {
        const size_t others = change_count_shown(c, PART_COVERAGE);
        snprintf(text, sizeof text,
                 "Coverage: %zu of %zu touched definitions %s another verdict.", others,
                 report_rows(&c->tables[PART_COVERAGE]), others == 1 ? "has" : "have");
        put(payload, text);
    }
    if (!c->without[PART_PICTURES]) {
        const size_t others = change_count_shown(c, PART_PICTURES);
        snprintf(text, sizeof text,
                 "Pictures: %zu of %zu touched local maps and specials %s another way%s.",
                 others, report_rows(&c->tables[PART_PICTURES]), others == 1 ? "looks" : "look",
                 c->pictures_left > 0 ? " (not all were drawn: see --pictures)" : "");
        put(payload, text);
    }
    if (!c->without[PART_SEAMS]) {
        snprintf(text, sizeof text,
                 "The check of seams finds %ju problems in %ju overmaps; before it found %ju.",
                 (uintmax_t)c->sides[AFTER].seam_problems,
                 (uintmax_t)c->sides[AFTER].seam_chunks,
                 (uintmax_t)c->sides[BEFORE].seam_problems);
        put(payload, text);
    }
}

void change_power_sentence(const change *c, char *out, size_t size)
{
    static const double FACTORS[] = {1.5, 2, 5};
    enum { FACTOR_COUNT = 3 };
    size_t seen[FACTOR_COUNT] = {0}, known = 0;
    for (size_t i = 0; i < c->comparison->count; i++) {
        const ptl_comparison_row *row = c->comparison->rows[i];
        known += row->a.sum + row->b.sum > 0;
        for (int k = 0; k < FACTOR_COUNT; k++)
            seen[k] += row->visible_more <= FACTORS[k] || row->visible_fewer <= FACTORS[k];
    }
    snprintf(
        out, size,
        "This sample shows a change by a factor of 1.5 (in 4 of 5 cases) for %zu of the %zu "
        "specials that came, by 2 for %zu, by 5 for %zu.",
        seen[0], known, seen[1], seen[2]);
}

static void say(void *payload, const char *text)
{
    (void)payload;
    out_say("%s\n", text);
}

static bool print_summary(const change *c)
{
    bool good = true;
    out_prose_begin(0);
    change_sentences(c, say, NULL);
    out_prose_end();
    for (int part = 0; part < PART_COUNT && good; part++)
        good = print_part(c, part);
    if (c->findings.list.count > 0) {
        const import_issues_view view = {.on_output = true, .verbose = true};
        out_text("\nFindings\n");
        good = import_issues_tell(&c->findings.list, &view) && good;
    }
    return good;
}

/* ---- JSON ---- */

static void json_side(const change *c, int number)
{
    const change_side *s = &c->sides[number];
    out_printf("\"%s\": {\"content\": ", number == BEFORE ? "before" : "after");
    out_json_text(s->content.report.digest);
    out_text(", \"packs\": [");
    for (size_t i = 0; i < s->content.pack_count; i++) {
        out_text(i ? ", " : "");
        out_json_text(s->content.packs[i].id);
    }
    out_printf("], \"seam_problems\": %ju},\n", (uintmax_t)s->seam_problems);
}

static bool print_json(const change *c)
{
    char number[32];
    bool good = true;
    out_text("{");
    json_side(c, BEFORE);
    json_side(c, AFTER);
    format_double(c->rates.level, number);
    out_printf("\"overmaps\": %ju, \"level\": %s, \"not_followed\": %zu, \"not_drawn\": %zu",
               (uintmax_t)c->overmaps, number, c->cut, c->pictures_left);
    if (c->rates.max_change > 1) {
        format_double(c->rates.max_change, number);
        out_printf(", \"max_change\": %s", number);
    }
    for (int part = 0; part < PART_COUNT && good; part++) {
        out_printf(",\n\"%s\": ", c->tables[part].name);
        if (c->without[part])
            out_text("null");
        else
            good = rows_print(&c->s->style, &c->tables[part], 0);
    }
    out_text(",\n\"findings\": ");
    good = good && import_issues_print(&c->findings.list, &c->s->style, NULL);
    out_text("}\n");
    return good;
}

/* ---- JUnit ---- */

/* Returns the finding that says that a special's rate changed too much; NULL: there is none. */
static const ptl_diagnostic *rate_finding(const change *c, const char *id)
{
    for (size_t i = 0; i < c->findings.list.count; i++) {
        const ptl_diagnostic *d = &c->findings.list.items[i].what;
        if (strcmp(d->code, change_kinds[FOUND_RATE].code) == 0 && strcmp(d->id, id) == 0)
            return d;
    }
    return NULL;
}

/* Writes why the statistical test of a special could not have found a change, with this number
 * of overmaps; "" if it could have. */
static void put_skip(const change *c, const ptl_comparison_row *row, char *out, size_t size)
{
    const double factor = c->rates.max_change > 1 ? c->rates.max_change : 1.5;
    out[0] = '\0';
    if (row->test.kind == PTL_TEST_NONE)
        snprintf(
            out, size,
            "not tested: it came in no overmap, or equally often in each, before and after");
    else if (row->visible_more > factor && row->visible_fewer > factor &&
             row->needed == UINT64_MAX)
        snprintf(
            out, size,
            "could not have failed: no number of overmaps shows a change by a factor of %g",
            factor);
    else if (row->visible_more > factor && row->visible_fewer > factor)
        snprintf(
            out, size,
            "could not have failed: %ju overmaps are too few to see a change by a factor of "
            "%g, %ju are needed",
            (uintmax_t)c->overmaps, factor, (uintmax_t)row->needed);
}

static void put_special(const change *c, const ptl_comparison_row *row)
{
    char skip[240];
    const ptl_diagnostic *d = rate_finding(c, row->id);
    put_skip(c, row, skip, sizeof skip);
    junit_case_begin("portolan.change.rates", row->id);
    if (d) {
        junit_failure_begin(d->code, d->message);
        out_xml_text(row->id);
        out_text(": ");
        out_xml_text(d->message);
        junit_failure_end();
    } else if (*skip) {
        junit_skipped(skip);
    } else {
        junit_output_begin();
        out_printf("%.4g an overmap before, %.4g after", row->a.each.mean, row->b.each.mean);
        if (!isinf(row->visible_more))
            out_printf("; more by a factor of %.3g would be seen", row->visible_more);
        if (!isinf(row->visible_fewer))
            out_printf("; fewer by a factor of %.3g would be seen", row->visible_fewer);
        junit_output_end();
    }
    junit_case_end();
}

static void put_finding(const ptl_diagnostic *d)
{
    char class[40];
    snprintf(class, sizeof class, "portolan.change.%.10s", d->code);
    junit_case_begin(class, *d->id ? d->id : d->message);
    if (d->severity == PTL_ERROR)
        junit_failure_begin(d->code, d->message);
    else
        junit_output_begin();
    if (*d->file)
        out_printf("%s:%d: ", d->file, d->line);
    out_xml_text(d->message);
    if (d->severity == PTL_ERROR)
        junit_failure_end();
    else
        junit_output_end();
    junit_case_end();
}

static void print_junit(const change *c)
{
    const import_issues *list = &c->findings.list;
    const size_t rows = c->comparison ? c->comparison->count : 0;
    size_t cases = 0, failures = c->findings.counts[PTL_ERROR], skipped = 0;
    char text[240];
    for (size_t i = 0; i < rows; i++) {
        const ptl_comparison_row *row = c->comparison->rows[i];
        put_skip(c, row, text, sizeof text);
        cases += change_rate_is_asked(c, row);
        skipped += change_rate_is_asked(c, row) && *text && !rate_finding(c, row->id);
    }
    for (size_t i = 0; i < list->count; i++)
        cases += strcmp(list->items[i].what.code, change_kinds[FOUND_RATE].code) != 0;
    junit_begin("portolan change", cases, failures, skipped);
    junit_properties_begin();
    junit_property("before", c->sides[BEFORE].content.report.digest);
    junit_property("after", c->sides[AFTER].content.report.digest);
    snprintf(text, sizeof text, "%ju", (uintmax_t)c->overmaps);
    junit_property("overmaps", text);
    junit_properties_end();
    for (size_t i = 0; i < rows && out_ok(); i++)
        if (change_rate_is_asked(c, c->comparison->rows[i]))
            put_special(c, c->comparison->rows[i]);
    for (size_t i = 0; i < list->count && out_ok(); i++)
        if (strcmp(list->items[i].what.code, change_kinds[FOUND_RATE].code) != 0)
            put_finding(&list->items[i].what);
    junit_end();
}

/* ---- all ---- */

int change_write(change *c, const char *path, const bytes *text)
{
    out_file o;
    if (text->failed)
        return session_no_memory(c->s);
    bool good = out_file_open(&o, path, NULL, 0);
    good = good && out_file_write(&o, text->data, text->size);
    good = out_file_close(&o, good) && good;
    if (!good && stop_wanted())
        return stop_tell();
    return good ? EXIT_DONE : out_file_failed(&o, c->s->args->command->name);
}

static ptl_status print(void *payload, ptl_error *err)
{
    change *c = payload;
    const rows_style *style = &c->s->style;
    bool good = true;
    if (style->format == ROWS_OTHER && style->other == OTHER_JUNIT)
        print_junit(c);
    else if (c->listed < PART_COUNT)
        good = rows_print(style, &c->tables[c->listed], 0);
    else if (style->format == ROWS_JSON)
        good = print_json(c);
    else
        good = print_summary(c);
    return good ? PTL_OK : error_nomem(err);
}

int change_print(change *c)
{
    const rows_style *style = &c->s->style;
    const bool junit = style->format == ROWS_OTHER && style->other == OTHER_JUNIT;
    for (int i = 0; i < PART_COUNT; i++)
        if (c->tables[i].failed)
            return session_no_memory(c->s);
    if (style->format == ROWS_OTHER && c->listed < PART_COUNT)
        return usage_error(c->s->args,
                           "--list has the formats table, csv, json, jsonl and raw");
    const bool rows = style->format == ROWS_TABLE || style->format == ROWS_JSON;
    if (!junit && !rows && c->listed == PART_COUNT)
        return findings_print(&c->findings);
    return out_file_print(c->s, NULL, 0, print, c);
}
