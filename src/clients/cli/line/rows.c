/* Prints rows in each of the formats of rows.h, one cell at a time. Only tables for people are
 * held back, to be laid out (table.h). */
#include "clients/cli/line/rows.h"

#include "clients/cli/line/output.h"
#include "clients/cli/line/table.h"
#include "core/array.h"
#include "core/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct row_printer {
    rows_style style;
    const report_column *columns;
    size_t column_count;
    bool once;
    size_t at;      /* column of the next cell */
    size_t shown;   /* cells of this row printed so far */
    uint64_t count; /* complete rows */
    bool blob_only; /* raw format: this row is one blob so far */
    bool failed;    /* memory is out */
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

/* Tables leave out the columns for machines; all other formats leave out those for people. */
static bool is_shown(const row_printer *r, const report_column *c)
{
    return !(c->flags & (r->style.format == ROWS_TABLE ? (unsigned)REPORT_DATA_ONLY
                                                       : REPORT_EYE_ONLY | REPORT_BAR));
}

/* CSV prints its heading at once, so that a result without rows has it, too. */
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
        r->table = table_new(columns, style->header, style->wide, style->blocks);
    if (style->format == ROWS_TABLE && !r->table) {
        free(r);
        return NULL;
    }
    if (style->format == ROWS_CSV && style->header) {
        bool first = true;
        for (size_t i = 0; i < r->column_count; i++) {
            if (!is_shown(r, &r->columns[i]))
                continue;
            out_raw(",", first ? 0 : 1);
            out_csv_text(r->columns[i].key);
            first = false;
        }
        out_raw("\r\n", 2);
    }
    return r;
}

/* ---- cells ---- */

static bool is_json(const row_printer *r)
{
    return r->style.format == ROWS_JSON || r->style.format == ROWS_JSONL;
}

static bool print_none(const row_printer *r)
{
    if (r->table)
        return table_cell(r->table, "", 0, true);
    if (is_json(r))
        out_text("null");
    else if (r->style.format == ROWS_CSV && r->column_count == 1)
        out_csv_text(""); /* a NULL alone would be an empty line, which readers skip */
    return true;
}

static bool print_text(const row_printer *r, const char *text, size_t size)
{
    if (r->table)
        return table_cell(r->table, text, size, false);
    if (is_json(r))
        out_json_string(text, size);
    else if (r->style.format == ROWS_CSV)
        out_csv_string(text, size);
    else
        out_raw(text, size);
    return true;
}

/* Prints a number. In tables reals have the column's decimals, if it sets them; else they have
 * as many as needed to read back. JSON has no infinities, and a report's column has no use for
 * them: there they are an empty cell. */
static bool print_number(row_printer *r, const report_cell *c)
{
    const report_column *column = &r->columns[r->at];
    char text[64];
    if (c->kind == REPORT_WHOLE)
        snprintf(text, sizeof text, "%" PRId64, c->whole);
    else if (c->kind == REPORT_COUNT)
        snprintf(text, sizeof text, "%" PRIu64, (uint64_t)c->whole);
    else if (!isfinite(c->real) && (is_json(r) || isnan(c->real) || column->decimals >= 0))
        return print_none(r);
    else if (r->table && column->flags & REPORT_BAR)
        return table_bar(r->table, c->real);
    else if (r->table && column->decimals >= 0)
        snprintf(text, sizeof text, "%.*f", column->decimals,
                 column->flags & REPORT_PERCENT ? 100 * c->real : c->real);
    else
        format_double(c->real, text);
    if (r->table)
        return table_cell(r->table, text, strlen(text), true);
    if (is_json(r) && c->kind == REPORT_WHOLE)
        out_json_int(c->whole);
    else if (is_json(r) && c->kind == REPORT_COUNT)
        out_json_uint((uint64_t)c->whole);
    else
        out_text(text);
    return true;
}

static bool print_cell(row_printer *r, const report_cell *c)
{
    /* The separator for the second and later cells of a row, by format. */
    static const char *const between[ROWS_OTHER] = {"", ",", ", ", ", ", "\t"};
    if (r->shown++ > 0)
        out_text(between[r->style.format]);
    if (is_json(r)) {
        out_json_text(r->columns[r->at].key);
        out_text(": ");
    }
    if (c->kind == REPORT_NONE)
        return print_none(r);
    if (c->kind == REPORT_TEXT)
        return print_text(r, c->text, c->size);
    if (c->kind != REPORT_BLOB)
        return print_number(r, c);
    static const char digits[] = "0123456789abcdef";
    char text[64];
    if (r->table) {
        const int size = snprintf(text, sizeof text, "(blob, %zu bytes)", c->size);
        return print_text(r, text, (size_t)size);
    }
    r->blob_only = r->style.format == ROWS_RAW && r->column_count == 1;
    if (r->blob_only)
        out_raw(c->text, c->size);
    out_text(is_json(r) ? "\"" : "");
    for (size_t i = 0; i < c->size && !r->blob_only; i++) {
        const unsigned char byte = (unsigned char)c->text[i];
        out_raw((const char[]){digits[byte >> 4], digits[byte & 15]}, 2);
    }
    out_text(is_json(r) ? "\"" : "");
    return true;
}

bool rows_put(row_printer *r, const report_cell *cells, size_t count)
{
    static const char *const ends[ROWS_OTHER] = {"", "\r\n", "}", "}\n", "\n"};
    for (size_t i = 0; i < count && r && !r->failed; i++) {
        if (r->at == 0) {
            if (r->style.format == ROWS_JSON && !r->once)
                out_text(r->count ? ",\n{" : "[\n{");
            else if (is_json(r))
                out_text("{");
            else if (r->style.format == ROWS_RAW && r->count > 0 && r->blob_only)
                out_text("\n"); /* the newline that the previous row, a lone blob, lacks */
            r->shown = 0;
            r->blob_only = false;
        }
        if (is_shown(r, &r->columns[r->at]))
            r->failed = !print_cell(r, &cells[i]);
        if (++r->at == r->column_count) {
            r->at = 0;
            r->count++;
            if (!r->blob_only)
                out_raw(ends[r->style.format], strlen(ends[r->style.format]));
        }
    }
    return r && !r->failed && out_ok();
}

bool rows_finish(row_printer *r)
{
    if (!r)
        return false;
    const bool good = !r->failed || !out_ok();
    table_finish(r->table);
    if (r->style.format == ROWS_JSON && r->once)
        out_text(r->count ? "\n" : "{}\n");
    else if (r->style.format == ROWS_JSON)
        out_text(r->count ? "\n]\n" : "[]\n");
    else if (r->style.format == ROWS_RAW && r->blob_only && r->count > 1)
        out_text("\n");
    free(r);
    return good;
}

/* ---- whole tables ---- */

bool rows_print_one(const rows_style *style, const report_column *columns,
                    const report_cell *cells, size_t count)
{
    row_printer *r = rows_new(style, columns, true);
    (void)rows_put(r, cells, count);
    return rows_finish(r);
}

bool rows_print(const rows_style *style, const report_table *t, size_t skip)
{
    row_printer *r = rows_new(style, t->columns + skip, false);
    for (size_t row = 0; row < report_rows(t); row++)
        if (!rows_put(r, &t->cells[row * t->column_count + skip], t->column_count - skip))
            break;
    return rows_finish(r);
}

/* Tables of values: their cells, and texts in the tables' own memory. */
/*
 * Reports: named tables of values from a tally, ready to be printed or drawn. A table holds
 * its values and knows its columns, among them which are only for machines or only for people.
 * A failed allocation is remembered in the table, so the maker checks once at the end.
 */

void report_init(report_table *t, const char *name, const char *title,
                 const report_column *columns)
{
    *t = (report_table){.name = name, .title = title, .columns = columns};
    while (columns[t->column_count].key)
        t->column_count++;
    t->memory = arena_new();
    t->failed = !t->memory;
}

void report_dispose(report_table *t)
{
    free(t->cells);
    arena_free(t->memory);
    memset(t, 0, sizeof *t);
}

void report_put(report_table *t, const report_cell *cells, size_t count)
{
    t->failed = t->failed || !ARRAY_ROOM(t->cells, t->capacity, t->cell_count + count);
    for (size_t i = 0; i < count && !t->failed; i++) {
        report_cell *c = &t->cells[t->cell_count++];
        *c = cells[i].kind == REPORT_REAL && !isfinite(cells[i].real) ? cell_none() : cells[i];
        if (c->kind == REPORT_TEXT)
            c->text = arena_strdup(t->memory, c->text);
        t->failed = c->kind == REPORT_TEXT && !c->text;
    }
}

report_cell report_format(report_table *t, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above. */
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *copy = t->memory ? arena_strdup(t->memory, text) : NULL;
    t->failed |= !copy;
    return cell_text(copy);
}

report_cell report_range(report_table *t, double low, double high, int decimals)
{
    return report_format(t, "%.*f..%.*f", decimals, low, decimals, high);
}

size_t report_rows(const report_table *t)
{
    return t->column_count ? t->cell_count / t->column_count : 0;
}

ptl_status report_status(const report_table *t, ptl_error *err)
{
    return t->failed ? error_nomem(err) : PTL_OK;
}

void report_p_text(double p, char out[24])
{
    if (p < 1e-6)
        snprintf(out, 24, "< 0.000001");
    else
        snprintf(out, 24, p < 0.001 ? "%.6f" : "%.4f", p);
}
