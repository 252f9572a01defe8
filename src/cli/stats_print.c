/*
 * Sections as tables, CSV (RFC 4180, as `query` writes it) and JSON. Which columns go where is
 * in analysis/report.h.
 */
#include "cli/output.h"
#include "cli/stats.h"
#include "cli/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BAR_WIDTH = 40 };

static bool for_eye(const report_column *c)
{
    return !(c->flags & REPORT_DATA_ONLY);
}

static bool for_data(const report_column *c)
{
    return !(c->flags & (REPORT_EYE_ONLY | REPORT_BAR));
}

/* ---- tables ---- */

static double largest(const report_table *t, size_t column)
{
    double most = 0;
    for (size_t row = 0; row < report_rows(t); row++) {
        const report_cell *c = report_at(t, row, column);
        most = c->kind == REPORT_REAL && c->real > most ? c->real : most;
    }
    return most;
}

static bool print_bar(table *out, double share, double most)
{
    char bar[BAR_WIDTH + 1];
    size_t width = most > 0 ? (size_t)(share / most * BAR_WIDTH + 0.5) : 0;
    if (width == 0 && share > 0)
        width = 1;
    memset(bar, '#', width);
    return table_cell(out, bar, width, false);
}

static bool print_cell(table *out, const report_column *column, const report_cell *c,
                       double most)
{
    char text[64];
    switch (c->kind) {
    case REPORT_TEXT:
        return table_text(out, c->text);
    case REPORT_WHOLE:
        return table_int(out, c->whole);
    case REPORT_REAL:
        if (column->flags & REPORT_BAR)
            return print_bar(out, c->real, most);
        snprintf(text, sizeof text, "%.*f", column->decimals,
                 column->flags & REPORT_PERCENT ? 100 * c->real : c->real);
        return table_cell(out, text, strlen(text), true);
    default:
        return table_cell(out, "", 0, true);
    }
}

bool stats_print_table(const report_table *t, size_t skip)
{
    enum { COLUMNS_MAX = 40 };
    size_t shown[COLUMNS_MAX], count = 0;
    const char *heads[COLUMNS_MAX];
    double most[COLUMNS_MAX];
    for (size_t i = skip; i < t->column_count && count < COLUMNS_MAX; i++) {
        if (!for_eye(&t->columns[i]))
            continue;
        heads[count] = t->columns[i].head;
        most[count] = t->columns[i].flags & REPORT_BAR ? largest(t, i) : 0;
        shown[count++] = i;
    }
    if (t->title)
        out_printf("\n%s\n", t->title);
    if (report_rows(t) == 0) {
        out_text("  none\n");
        return true;
    }
    table *out = table_new(count, heads);
    bool good = out != NULL;
    for (size_t row = 0; row < report_rows(t) && good && out_ok(); row++)
        for (size_t i = 0; i < count && good; i++)
            good = print_cell(out, &t->columns[shown[i]], report_at(t, row, shown[i]), most[i]);
    table_finish(out);
    return good;
}

/* ---- CSV and JSON ---- */

static void print_number(const report_cell *c)
{
    char text[32];
    if (c->kind == REPORT_WHOLE) {
        out_printf("%" PRId64, c->whole);
        return;
    }
    format_double(c->real, text);
    out_text(text);
}

void stats_print_csv(const report_table *t)
{
    bool first = true;
    for (size_t i = 0; i < t->column_count; i++)
        if (for_data(&t->columns[i])) {
            out_csv_comma(first);
            out_csv_text(t->columns[i].key);
            first = false;
        }
    out_csv_end();
    for (size_t row = 0; row < report_rows(t) && out_ok(); row++) {
        first = true;
        for (size_t i = 0; i < t->column_count; i++) {
            const report_cell *c = report_at(t, row, i);
            if (!for_data(&t->columns[i]))
                continue;
            out_csv_comma(first);
            first = false;
            if (c->kind == REPORT_TEXT)
                out_csv_text(c->text);
            else if (c->kind != REPORT_NONE)
                print_number(c);
        }
        out_csv_end();
    }
}

void stats_print_json(const report_table *t)
{
    out_text("[");
    for (size_t row = 0; row < report_rows(t) && out_ok(); row++) {
        bool first = true;
        out_text(row ? ",\n  {" : "\n  {");
        for (size_t i = 0; i < t->column_count; i++) {
            const report_cell *c = report_at(t, row, i);
            if (!for_data(&t->columns[i]))
                continue;
            out_printf("%s\"%s\": ", first ? "" : ", ", t->columns[i].key);
            first = false;
            if (c->kind == REPORT_TEXT)
                out_json_text(c->text);
            else if (c->kind == REPORT_NONE)
                out_text("null");
            else
                print_number(c);
        }
        out_text("}");
    }
    out_text("]");
}
