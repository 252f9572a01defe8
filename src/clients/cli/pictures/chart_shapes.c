/* Writes the shapes of charts as scripts: dots with intervals, stacked bars,
 * histograms and curves. */
#include "clients/cli/pictures/chart.h"

#include <math.h>
#include <stdio.h>

enum { PAGE_ROWS = 40, LABEL_COLUMNS = 42, ROW_PIXELS = 18, HEAD_PIXELS = 170, WIDTH = 960 };

static void put_axis(chart *c, char axis, const char *text)
{
    chart_put(c, "set %clabel ", axis);
    chart_quote(c, text, 0);
    chart_put(c, "\n");
}

/* One page of a chart with many rows. The first row is at the top. */
typedef struct chart_page {
    size_t first, count; /* its rows among all rows */
    chart c;
} chart_page;

/* Begins the next page, in the file STEM-1, STEM-2 and so on, or STEM if there is
 * only one. Labels of the rows must follow, row i at y = count - 1 - i. Returns false
 * after the last page. */
static bool next_page(chart_page *p, chart_sheet *sheet, size_t rows, const char *stem,
                      const char *title, const char *axis)
{
    char name[80];
    p->first += p->count;
    if (p->first >= rows || sheet->failed)
        return false;
    p->count = rows - p->first < PAGE_ROWS ? rows - p->first : PAGE_ROWS;
    if (rows > PAGE_ROWS)
        snprintf(name, sizeof name, "%s-%zu", stem, p->first / PAGE_ROWS + 1);
    else
        snprintf(name, sizeof name, "%s", stem);
    (void)chart_begin(&p->c, sheet, name, NULL, WIDTH,
                      (int)p->count * ROW_PIXELS + HEAD_PIXELS);
    chart_title(&p->c, title, NULL);
    put_axis(&p->c, 'x', axis);
    chart_put(&p->c, "set yrange [-0.7:%zu - 0.3]\nset ytics (", p->count);
    return true;
}

static void put_label(chart_page *p, size_t i, const char *label)
{
    chart_put(&p->c, i ? ", " : "");
    chart_quote_tick(&p->c, label, LABEL_COLUMNS);
    chart_put(&p->c, " %zu", p->count - 1 - i);
}

/* ---- dots ---- */

/* Moves values that a logarithmic axis cannot show to its left end. */
static double shown(const chart_rows *r, double value)
{
    return r->log && value < r->least ? r->least : value;
}

static void put_dot_plot(chart *c, const chart_rows *r, const chart_row *rows, size_t count)
{
    /* gnuplot fails on an empty block of data, so plot only those with rows. */
    bool points = false, spans = false;
    for (size_t i = 0; i < count; i++) {
        points |= !isnan(rows[i].mark) && rows[i].mark_low == rows[i].mark_high;
        spans |= rows[i].mark_low < rows[i].mark_high;
    }
    chart_put(c, "plot ");
    if (spans) {
        chart_put(c, "$spans using 1:2:3:4:5:6 with boxxyerror lc rgb '#F0D9A8' title ");
        chart_quote(c, r->span_name, 0);
        chart_put(c, ", ");
    }
    chart_put(c, "$values using 1:2:3:4 with xerrorbars pt 7 ps 0.7 lw 1.5 lc rgb '%s' title ",
              chart_colour(0));
    chart_quote(c, r->value_name, 0);
    if (points) {
        chart_put(c, ", $marks using 1:2 with points pt 4 ps 0.9 lw 1.8 lc rgb '%s' title ",
                  chart_colour(1));
        chart_quote(c, r->mark_name, 0);
    }
    chart_put(c, "\n");
}

void chart_draw_rows(chart_sheet *sheet, const chart_rows *r)
{
    for (chart_page p = {0}; next_page(&p, sheet, r->count, r->stem, r->title, r->axis);) {
        const chart_row *rows = r->rows + p.first;
        for (size_t i = 0; i < p.count; i++)
            put_label(&p, i, rows[i].label);
        chart_put(&p.c, ")\nset grid ytics\n");
        if (r->log)
            chart_put(&p.c, "set logscale x\nset xrange [%.9g:*]\n", r->least);
        else
            chart_put(&p.c, "set xrange [0:*]\n");
        chart *c = &p.c;
        chart_put(c, "$values << EOD\n");
        for (size_t i = 0; i < p.count; i++)
            if (!isnan(rows[i].value))
                chart_put(c, "%.9g %zu %.9g %.9g\n", shown(r, rows[i].value), p.count - 1 - i,
                          shown(r, rows[i].low), shown(r, rows[i].high));
        chart_put(c, "EOD\n$marks << EOD\n");
        for (size_t i = 0; i < p.count; i++)
            if (!isnan(rows[i].mark) && rows[i].mark_low == rows[i].mark_high)
                chart_put(c, "%.9g %zu\n", shown(r, rows[i].mark), p.count - 1 - i);
        chart_put(c, "EOD\n$spans << EOD\n");
        for (size_t i = 0; i < p.count; i++) {
            const double low = shown(r, rows[i].mark_low), high = shown(r, rows[i].mark_high),
                         y = (double)(p.count - 1 - i);
            if (rows[i].mark_low < rows[i].mark_high)
                chart_put(c, "%.9g %zu %.9g %.9g %g %g\n", low, p.count - 1 - i, low, high,
                          y - 0.3, y + 0.3);
        }
        chart_put(c, "EOD\n");
        put_dot_plot(&p.c, r, rows, p.count);
        chart_end(&p.c);
    }
}

/* ---- stacked bars ---- */

void chart_draw_stack(chart_sheet *sheet, const chart_stack *s)
{
    for (chart_page p = {0}; next_page(&p, sheet, s->count, s->stem, s->title, s->axis);) {
        for (size_t i = 0; i < p.count; i++)
            put_label(&p, i, s->labels[p.first + i]);
        chart_put(&p.c, ")\nset grid ytics\nset xrange [0:*]\n");
        for (size_t part = 0; part < s->parts; part++) {
            /* Draw one part of all rows: in each row its rectangle follows those of
             * the previous parts. */
            chart_put(&p.c, "$part%zu << EOD\n", part);
            for (size_t i = 0; i < p.count; i++) {
                const double *values = s->values + (p.first + i) * s->parts;
                const double y = (double)(p.count - 1 - i);
                double from = 0;
                for (size_t k = 0; k < part; k++)
                    from += values[k];
                if (values[part] > 0)
                    chart_put(&p.c, "%.9g %g %.9g %.9g %g %g\n", from, y, from,
                              from + values[part], y - 0.36, y + 0.36);
            }
            /* An empty rectangle keeps the part in the key, and the block from being empty. */
            chart_put(&p.c, "0 0 0 0 0 0\nEOD\n");
        }
        for (size_t part = 0; part < s->parts; part++) {
            chart_put(&p.c, "%s$part%zu using 1:2:3:4:5:6 with boxxyerror lc rgb '%s' title ",
                      part ? ", " : "plot ", part, chart_colour(part));
            chart_quote(&p.c, s->part_names[part], 0);
        }
        chart_put(&p.c, "\n");
        chart_end(&p.c);
    }
}

/* ---- histograms and curves ---- */

enum { CHART_WIDTH = 800, CHART_HEIGHT = 480, FEW_BARS = 25 };

/* A few bars get a tick each; the mean is a dashed line with an entry in the key. */
void chart_draw_bars(chart_sheet *sheet, const chart_bars *b)
{
    double most = 0;
    chart c;
    if (b->count == 0)
        return;
    (void)chart_begin(&c, sheet, b->stem, b->part, CHART_WIDTH, CHART_HEIGHT);
    chart_title(&c, b->title, b->part);
    put_axis(&c, 'x', b->x_axis);
    put_axis(&c, 'y', b->y_axis);
    for (size_t i = 0; i < b->count; i++)
        most = b->bars[i].height > most ? b->bars[i].height : most;
    chart_put(&c, "set yrange [0:%.9g]\nset xrange [%.9g:%.9g]\n", 1.06 * most, b->bars[0].from,
              b->bars[b->count - 1].to);
    if (b->log)
        chart_put(&c, "set logscale x\n");
    else if (b->count <= FEW_BARS)
        chart_put(&c, "set xtics 1\n");
    chart_put(&c, "$bars << EOD\n");
    for (size_t i = 0; i < b->count; i++)
        chart_put(&c, "%.9g %.9g %.9g %.9g 0 %.9g\n", b->bars[i].from, b->bars[i].height,
                  b->bars[i].from, b->bars[i].to, b->bars[i].height);
    chart_put(&c, "EOD\n");
    if (!isnan(b->mean))
        chart_put(&c,
                  "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead lw 2 dt 2 lc rgb '%s' "
                  "front\n",
                  b->mean, b->mean, chart_colour(1));
    chart_put(&c,
              "plot $bars using 1:2:3:4:5:6 with boxxyerror lc rgb '%s' fs solid 0.85 border "
              "lc rgb '#FFFFFF' notitle",
              chart_colour(0));
    if (!isnan(b->mean))
        chart_put(&c, ", NaN with lines lw 2 dt 2 lc rgb '%s' title \"mean: %.3g\"",
                  chart_colour(1), b->mean);
    chart_put(&c, "\n");
    chart_end(&c);
}

void chart_draw_curves(chart_sheet *sheet, const chart_curves *s)
{
    /* The axis ends where all curves have reached this share of their last value. */
    static const double NEARLY_ALL = 0.995;
    enum { LEAST_WIDTH = 5 };
    size_t end = LEAST_WIDTH;
    for (size_t i = 0; i < s->count; i++) {
        size_t x = 0;
        while (x + 1 < s->curves[i].size && s->curves[i].y[x] < NEARLY_ALL)
            x++;
        end = x > end ? x : end;
    }

    chart c;
    (void)chart_begin(&c, sheet, s->stem, s->part, CHART_WIDTH, CHART_HEIGHT);
    chart_title(&c, s->title, s->part);
    put_axis(&c, 'x', s->x_axis);
    put_axis(&c, 'y', s->y_axis);
    chart_put(&c, "set yrange [0:102]\n%sset xrange [%s:%zu]\n",
              s->log ? "set logscale x\n" : "", s->log ? "0.5" : "0", end);
    for (size_t i = 0; i < s->count; i++) {
        const chart_curve *curve = &s->curves[i];
        chart_put(&c, "$curve%zu << EOD\n", i);
        for (size_t x = 0; x <= end; x++)
            chart_put(&c, "%.9g %.9g\n", s->log && x == 0 ? 0.5 : (double)x,
                      x < curve->size ? 100 * curve->y[x] : 100);
        chart_put(&c, "EOD\n");
    }
    for (size_t i = 0; i < s->count; i++) {
        chart_put(&c, "%s$curve%zu using 1:2 with lines lw 2.2 dt %d lc rgb '%s' title ",
                  i ? ", " : "plot ", i, s->curves[i].dashed ? 2 : 1, chart_colour(i));
        chart_quote(&c, s->curves[i].name, 0);
    }
    chart_put(&c, "\n");
    chart_end(&c);
}
