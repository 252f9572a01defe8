/* Tables of values: adding cells and looking them up. */
#include "clients/cli/line/report.h"

#include "core/array.h"
#include "core/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* NULL when memory is out, now or before. */
static report_cell *next_cell(report_table *t)
{
    t->failed = t->failed || !ARRAY_ROOM(t->cells, t->capacity, t->cell_count + 1);
    if (t->failed)
        return NULL;
    report_cell *c = &t->cells[t->cell_count++];
    *c = (report_cell){.kind = REPORT_NONE};
    return c;
}

void report_none(report_table *t)
{
    (void)next_cell(t);
}

void report_text(report_table *t, const char *text)
{
    report_cell *c = next_cell(t);
    if (!c || !text)
        return;
    c->text = arena_strdup(t->memory, text);
    c->kind = REPORT_TEXT;
    t->failed = !c->text;
}

void report_textf(report_table *t, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above. */
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    report_text(t, text);
}

void report_signed(report_table *t, int64_t value)
{
    report_cell *c = next_cell(t);
    if (c)
        *c = (report_cell){.kind = REPORT_WHOLE, .whole = value};
}

void report_whole(report_table *t, uint64_t value)
{
    report_signed(t, value > INT64_MAX ? INT64_MAX : (int64_t)value);
}

void report_real(report_table *t, double value)
{
    report_cell *c = next_cell(t);
    if (c && isfinite(value))
        *c = (report_cell){.kind = REPORT_REAL, .real = value};
}

void report_range(report_table *t, double low, double high, int decimals)
{
    report_textf(t, "%.*f..%.*f", decimals, low, decimals, high);
}

void report_percents(report_table *t, double low, double high)
{
    report_range(t, 100 * low, 100 * high, 1);
}

size_t report_rows(const report_table *t)
{
    return t->column_count ? t->cell_count / t->column_count : 0;
}

const report_cell *report_at(const report_table *t, size_t row, size_t column)
{
    return &t->cells[row * t->column_count + column];
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
