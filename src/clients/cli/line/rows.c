#include "clients/cli/line/rows.h"

#include "clients/cli/line/output.h"
#include "clients/cli/line/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row_printer {
    rows_style style;
    const report_column *columns;
    size_t column_count;
    bool once;
    size_t at;      /* the column of the next cell */
    size_t shown;   /* cells of this row that are printed */
    uint64_t count; /* rows that are complete */
    bool blob_only; /* raw: the row so far is a blob and nothing else */
    table *table;   /* owned */
};

/* ---- the command line ---- */

static const char *const formats[ROWS_OTHER] = {"table", "csv", "json", "jsonl", "raw"};

const char *rows_format_name(rows_format format)
{
    return formats[format];
}

int rows_style_from_args(rows_style *out, const args *a, const char *other)
{
    const char *text = args_value(a, "format");
    int format = args_has(a, "json") ? ROWS_JSON : ROWS_TABLE;
    if (text)
        for (format = 0; format < ROWS_OTHER && strcmp(text, formats[format]) != 0;)
            format++;
    if (format == ROWS_OTHER && !(other && strcmp(text, other) == 0)) {
        return usage_error(a, "--format '%s' is none of table, csv, json, jsonl, raw%s%s", text,
                           other ? ", " : "", other ? other : "");
    }
    if (args_has(a, "json") && format != ROWS_JSON)
        return usage_error(a, "--json and --format %s exclude each other", text);
    *out = (rows_style){.format = (rows_format)format,
                        .header = !args_has(a, "no-header"),
                        .wide = args_has(a, "wide")};
    return EXIT_DONE;
}

/* ---- columns ---- */

static bool is_shown(const row_printer *r, const report_column *c)
{
    if (r->style.format == ROWS_TABLE)
        return !(c->flags & REPORT_DATA_ONLY);
    return !(c->flags & (REPORT_EYE_ONLY | REPORT_BAR));
}

static table *new_table(const row_printer *r)
{
    table_column *columns = calloc(r->column_count + 1, sizeof *columns);
    size_t count = 0;
    for (size_t i = 0; columns && i < r->column_count; i++) {
        const report_column *c = &r->columns[i];
        if (is_shown(r, c))
            columns[count++] =
                (table_column){c->head, report_rank(c), (c->flags & REPORT_WRAP) != 0};
    }
    table_style style = table_style_of(r->style.header, r->style.wide);
    style.few_as_blocks = r->style.blocks;
    table *t = columns ? table_new(columns, count, &style) : NULL;
    free(columns);
    return t;
}

row_printer *rows_new(const rows_style *style, const report_column *columns, bool once)
{
    row_printer *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->style = *style;
    r->columns = columns;
    r->once = once;
    while (columns[r->column_count].key)
        r->column_count++;
    if (style->format == ROWS_TABLE)
        r->table = new_table(r);
    if (style->format == ROWS_TABLE && !r->table) {
        free(r);
        return NULL;
    }
    if (style->format == ROWS_CSV && style->header) {
        bool first = true;
        for (size_t i = 0; i < r->column_count; i++) {
            if (!is_shown(r, &r->columns[i]))
                continue;
            out_csv_comma(first);
            out_csv_text(r->columns[i].key);
            first = false;
        }
        out_csv_end();
    }
    return r;
}

/* ---- around cells and rows ---- */

/* Is the cell that comes one to print? Begins it then; what ends it is end_cell. */
static bool wanted(row_printer *r)
{
    if (r->at == 0) {
        if (r->style.format == ROWS_JSON && !r->once)
            out_text(r->count ? ",\n{" : "[\n{");
        else if (r->style.format == ROWS_JSON || r->style.format == ROWS_JSONL)
            out_text("{");
        else if (r->style.format == ROWS_RAW && r->count > 0 && r->blob_only)
            out_text("\n"); /* that the row before did without */
        r->shown = 0;
        r->blob_only = false;
    }
    if (!is_shown(r, &r->columns[r->at]))
        return false;
    switch (r->style.format) {
    case ROWS_CSV:
        out_csv_comma(r->shown == 0);
        break;
    case ROWS_JSON:
    case ROWS_JSONL:
        if (r->shown > 0)
            out_text(", ");
        out_json_text(r->columns[r->at].key);
        out_text(": ");
        break;
    case ROWS_RAW:
        if (r->shown > 0)
            out_text("\t");
        break;
    default:
        break;
    }
    return true;
}

static bool end_cell(row_printer *r, bool printed, bool good)
{
    r->shown += printed ? 1 : 0;
    if (++r->at == r->column_count) {
        r->at = 0;
        r->count++;
        switch (r->style.format) {
        case ROWS_CSV:
            out_csv_end();
            break;
        case ROWS_JSON:
            out_text("}");
            break;
        case ROWS_JSONL:
            out_text("}\n");
            break;
        case ROWS_RAW:
            if (!r->blob_only)
                out_text("\n");
            break;
        default:
            break;
        }
    }
    return good && out_ok();
}

/* ---- cells ---- */

static bool is_json(const row_printer *r)
{
    return r->style.format == ROWS_JSON || r->style.format == ROWS_JSONL;
}

bool rows_none(row_printer *r)
{
    bool good = true;
    const bool is_wanted = wanted(r);
    if (is_wanted && r->table)
        good = table_cell(r->table, "", 0, true);
    else if (is_wanted && is_json(r))
        out_text("null");
    else if (is_wanted && r->style.format == ROWS_CSV && r->column_count == 1)
        out_csv_text(""); /* a lone NULL would be an empty line, which readers pass over */
    return end_cell(r, is_wanted, good);
}

static bool add_text(row_printer *r, const char *text, size_t size)
{
    bool good = true;
    const bool is_wanted = wanted(r);
    if (is_wanted && r->table)
        good = table_cell(r->table, text, size, false);
    else if (is_wanted && is_json(r))
        out_json_string(text, size);
    else if (is_wanted && r->style.format == ROWS_CSV)
        out_csv_string(text, size);
    else if (is_wanted)
        out_raw(text, size);
    return end_cell(r, is_wanted, good);
}

bool rows_text(row_printer *r, const char *text)
{
    return text ? add_text(r, text, strlen(text)) : rows_none(r);
}

static bool add_number(row_printer *r, const char *text)
{
    bool good = true;
    const bool is_wanted = wanted(r);
    if (is_wanted && r->table)
        good = table_cell(r->table, text, strlen(text), true);
    else if (is_wanted)
        out_text(text);
    return end_cell(r, is_wanted, good);
}

bool rows_int(row_printer *r, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    if (!is_json(r))
        return add_number(r, text);
    const bool is_wanted = wanted(r);
    if (is_wanted)
        out_json_int(value);
    return end_cell(r, is_wanted, true);
}

bool rows_uint(row_printer *r, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    if (!is_json(r))
        return add_number(r, text);
    const bool is_wanted = wanted(r);
    if (is_wanted)
        out_json_uint(value);
    return end_cell(r, is_wanted, true);
}

/* For the eye with the column's decimals, where it has some; else so that it reads back. */
static void real_text(const row_printer *r, double value, char out[64])
{
    const report_column *c = &r->columns[r->at];
    if (r->table && c->decimals >= 0)
        snprintf(out, 64, "%.*f", c->decimals, c->flags & REPORT_PERCENT ? 100 * value : value);
    else
        format_double(value, out);
}

bool rows_real(row_printer *r, double value)
{
    char text[64];
    if (isfinite(value)) {
        if (r->table && r->columns[r->at].flags & REPORT_BAR)
            return end_cell(r, true, wanted(r) && table_bar(r->table, value));
        real_text(r, value, text);
        return add_number(r, text);
    }
    if (is_json(r) || isnan(value) || r->columns[r->at].decimals >= 0)
        return rows_none(r); /* JSON has no infinity, reports have no value then */
    format_double(value, text);
    return add_number(r, text);
}

static bool add_blob(row_printer *r, const ptl_value *v)
{
    static const char digits[] = "0123456789abcdef";
    char text[64];
    if (r->table) {
        snprintf(text, sizeof text, "(blob, %zu bytes)", v->size);
        return rows_text(r, text);
    }
    const bool is_wanted = wanted(r);
    r->blob_only = r->style.format == ROWS_RAW && r->column_count == 1;
    if (r->blob_only)
        out_raw(v->text, v->size);
    if (is_json(r))
        out_text("\"");
    for (size_t i = 0; i < v->size && is_wanted && !r->blob_only; i++) {
        const unsigned char byte = (unsigned char)v->text[i];
        const char pair[2] = {digits[byte >> 4], digits[byte & 15]};
        out_raw(pair, 2);
    }
    if (is_json(r))
        out_text("\"");
    return end_cell(r, is_wanted, true);
}

bool rows_value(row_printer *r, const ptl_value *value)
{
    switch (value->type) {
    case PTL_VALUE_INTEGER:
        return rows_int(r, value->integer);
    case PTL_VALUE_REAL:
        return rows_real(r, value->real);
    case PTL_VALUE_TEXT:
        return add_text(r, value->text, value->size);
    case PTL_VALUE_BLOB:
        return add_blob(r, value);
    default:
        return rows_none(r);
    }
}

void rows_finish(row_printer *r)
{
    if (!r)
        return;
    table_finish(r->table);
    if (r->style.format == ROWS_JSON && r->once)
        out_text(r->count ? "\n" : "{}\n");
    else if (r->style.format == ROWS_JSON)
        out_text(r->count ? "\n]\n" : "[]\n");
    else if (r->style.format == ROWS_RAW && r->blob_only && r->count > 1)
        out_text("\n");
    free(r);
}

/* ---- whole tables ---- */

static bool add_report_cell(row_printer *r, const report_cell *c)
{
    switch (c->kind) {
    case REPORT_TEXT:
        return rows_text(r, c->text);
    case REPORT_WHOLE:
        return rows_int(r, c->whole);
    case REPORT_REAL:
        return rows_real(r, c->real);
    default:
        return rows_none(r);
    }
}

bool rows_print(const rows_style *style, const report_table *t, size_t skip)
{
    row_printer *r = rows_new(style, t->columns + skip, false);
    bool good = r != NULL;
    for (size_t row = 0; row < report_rows(t) && good; row++)
        for (size_t i = skip; i < t->column_count && good; i++)
            good = add_report_cell(r, report_at(t, row, i));
    rows_finish(r);
    return good || !out_ok();
}
