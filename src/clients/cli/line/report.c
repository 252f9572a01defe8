/* Reports: named tables of values, ready to be printed or drawn. */
#include "clients/cli/line/rows.h"

#include "core/array.h"
#include "core/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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
