/* Builds a chart's gnuplot script, and runs the child process that draws it. */
#include "clients/cli/pictures/chart.h"

#include "clients/cli/line/options.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/stop.h"
#include "clients/os/child.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/utf8.h"
#include "core/visible.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Most columns of a name in a title, and of the line below the title. */
enum { PART_COLUMNS = 50, SUBTITLE_COLUMNS = 100 };

static const char *chart_colour(size_t number)
{
    static const char *const colours[CHART_COLOURS] = {
        "#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#999999", "#000000"};
    return colours[number % CHART_COLOURS];
}

/* ---- the script ---- */

static void quote_part(bytes *out, const char *text, size_t size, bool tick)
{
    for (size_t i = 0; i < size; i++) {
        const uint8_t c = (uint8_t)text[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || (c != 0 && strchr(" _-.,:;()+/=%", c));
        if (tick && c == '%')
            bytes_put_text(out, "%%");
        else if (plain)
            bytes_put_u8(out, c);
        else
            bytes_printf(out, "\\%03o", (unsigned)c);
    }
}

/* The functions from here on write the shapes of charts as scripts: dots with intervals,
 * stacked bars, histograms and curves. */

/* Returns the value; one that a logarithmic axis cannot show is moved to the axis's left end.
 */
static double shown(const chart_rows *r, double value)
{
    return r->log && value < r->least ? r->least : value;
}

/* Adds a string constant to the script of gnuplot. Characters that are unsafe to print appear
 * in the picture as escapes. */
static void quote(chart *c, const char *text, size_t columns, bool tick)
{
    static const char more[] = "\xe2\x80\xa6";
    bytes shown = {.size = 0};
    size_t used = 0;
    visible_put(&shown, text, strlen(text));
    const char *visible = (const char *)shown.data;
    bytes_put_u8(&c->script, '"');
    for (size_t at = 0; at < shown.size;) {
        uint32_t code;
        const size_t length = utf8_decode(visible + at, shown.size - at, &code);
        if (columns > 0 && ++used >= columns && at + length < shown.size) {
            quote_part(&c->script, more, sizeof more - 1, tick);
            break;
        }
        quote_part(&c->script, visible + at, length, tick);
        at += length;
    }
    bytes_put_u8(&c->script, '"');
    c->script.failed |= shown.failed;
    bytes_dispose(&shown);
}

void chart_quote(chart *c, const char *text, size_t columns)
{
    quote(c, text, columns, false);
}

void chart_quote_tick(chart *c, const char *text, size_t columns)
{
    quote(c, text, columns, true);
}

/* Adds text to the script. Only constant text and numbers may be passed: texts from content
 * must go through chart_quote, which escapes them. */
static void chart_put(chart *c, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    bytes_vprintf(&c->script, format, list);
    va_end(list);
}

void chart_file_part(bytes *out, const char *text)
{
    enum { LONGEST = 60 };
    bool changed = false;
    size_t i = 0;
    for (; i < LONGEST && text[i]; i++) {
        const char c = text[i];
        const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_' || c == '-' || (c == '.' && i > 0);
        changed |= !kept;
        bytes_put_u8(out, kept ? (uint8_t)c : '_');
    }
    if (changed || text[i] || i == 0)
        bytes_printf(out, "-%08" PRIx32, (uint32_t)hash_string(text));
}

/* Begins a chart: makes its file name and the script, with the look that all charts share. */
static bool chart_begin(chart *c, chart_sheet *sheet, const char *stem, const char *part,
                        int width, int height)
{
    bytes name = {.size = 0};
    *c = (chart){.sheet = sheet};
    bytes_init(&c->script);
    bytes_put_text(&name, stem);
    if (part) {
        bytes_put_text(&name, "-");
        chart_file_part(&name, part);
    }
    const char *text = bytes_text(&name);
    c->file = text ? strdup(text) : NULL;
    bytes_dispose(&name);
    chart_put(
        c,
        "set terminal %s size %d,%d font 'DejaVu Sans,%s' background '#FFFFFF' noenhanced\n"
        "set encoding utf8\nset border 3 lc rgb '#444444'\nset tics nomirror out\n"
        "set grid lc rgb '#DDDDDD' lt 1 lw 1\nset key at screen 0.5, screen 0.01 center bottom "
        "horizontal samplen 2\nset bmargin 6\nset rmargin 4\n"
        "set style fill solid 0.85 noborder\nset errorbars small\n",
        sheet->png ? "pngcairo" : "svg", width, height, sheet->png ? "10" : "12");
    return c->file != NULL;
}

static void chart_title(chart *c, const char *text, const char *part)
{
    chart_put(c, "set title ");
    if (part) {
        chart_quote(c, part, PART_COLUMNS);
        chart_put(c, " . \": \" . ");
    }
    chart_quote(c, text, 0);
    chart_put(c, " . \"\\n\" . ");
    chart_quote(c, c->sheet->subtitle, SUBTITLE_COLUMNS);
    chart_put(c, " noenhanced font ',%s'\n", c->sheet->png ? "11" : "13");
}

/* ---- gnuplot as a child process ---- */

static void tell_not_installed(const char *name)
{
    tell("portolan %s: charts are drawn by gnuplot, which is not installed: install the "
         "package gnuplot-nox\n",
         name);
}

bool chart_can_draw(const char *name)
{
    const bool can = child_has_program(getenv("PATH"), "gnuplot");
    if (!can)
        tell_not_installed(name);
    return can;
}

/* Runs gnuplot, with its output into the file `out`. Returns true if the picture is
 * complete. */
static bool draw(const chart *c, int out, FILE *said)
{
    static const stop_hook stop = {.asked = stop_asked_for};
    char name[] = "gnuplot", defaults[] = "-d", from[] = "-";
    char *const arguments[] = {name, defaults, from, NULL};
    child gnuplot;
    const int code = child_start(&gnuplot, arguments, out, fileno(said));
    if (code != 0) {
        if (code == ENOENT)
            tell_not_installed(c->sheet->command);
        else
            tell("portolan %s: gnuplot does not start: %s\n", c->sheet->command,
                 strerror(code));
        return false;
    }
    child_feed(&gnuplot, c->script.data, c->script.size, &stop);
    const bool whole = child_wait(&gnuplot, &stop);
    if (stop_wanted()) {
        stop_tell();
        return false;
    }
    if (whole)
        return true;
    /* Prints the beginning of gnuplot's own messages. */
    char text[400];
    rewind(said);
    const size_t size = fread(text, 1, sizeof text - 1, said);
    text[size] = '\0';
    tell("portolan %s: gnuplot could not draw %s:\n", c->sheet->command, c->file);
    tell_lines(text);
    return false;
}

/* Draws into a new file, which gets the picture's name only when it is complete, and disposes
 * the chart. Prints what went wrong. */
static void chart_end(chart *c)
{
    chart_sheet *sheet = c->sheet;
    const new_file_options options = {
        .rule = NEW_FILE_REPLACE, .inputs = &sheet->world, .input_count = sheet->has_world};
    bytes path = {.size = 0};
    bytes_printf(&path, "%s/%s.%s", sheet->directory, c->file ? c->file : "",
                 sheet->png ? "png" : "svg");
    const char *whole = bytes_text(&path);
    if (!sheet->failed) {
        new_file out;
        ptl_error err = {0};
        FILE *said = tmpfile();
        ptl_status status = !c->file || !whole || c->script.failed ? error_nomem(&err)
                            : !said ? error_system(&err, PTL_ERR_IO, errno,
                                                   "a temporary file for what gnuplot says")
                                    : PTL_OK;
        THEN(status, new_file_open(&out, whole, &options, &err));
        const bool opened = status == PTL_OK, drawn = opened && draw(c, out.fd, said);
        if (drawn)
            status = new_file_publish(&out, &err);
        if (opened)
            new_file_close(&out);
        if (status != PTL_OK)
            tell("portolan %s: %s\n", sheet->command, err.message);
        if (said)
            fclose(said);
        sheet->failed = !drawn || status != PTL_OK;
        sheet->drawn += !sheet->failed;
    }
    bytes_dispose(&path);
    bytes_dispose(&c->script);
    free(c->file);
}

enum { PAGE_ROWS = 40, LABEL_COLUMNS = 42, ROW_PIXELS = 18, HEAD_PIXELS = 170, WIDTH = 960 };

static void put_axis(chart *c, char axis, const char *text)
{
    chart_put(c, "set %clabel ", axis);
    chart_quote(c, text, 0);
    chart_put(c, "\n");
}

/* One page of a chart with many rows. The first row is at the top. */
typedef struct chart_page {
    /* Index of the page's first row among all rows of the chart, and number of rows on the
     * page. */
    size_t first, count;
    chart c;
} chart_page;

/* Begins the next page of a chart. Its file is STEM-1, STEM-2 and so on, or STEM if there is
 * only one page. The caller must then add the labels of the rows; that of row i stands at y =
 * count - 1 - i. Returns false after the last page. */
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

static void put_dot_plot(chart *c, const chart_rows *r, const chart_row *rows, size_t count)
{
    /* Values to compare with are drawn as points or as spans. gnuplot fails on an empty block
     * of data, so each of the two blocks is only written if it has rows. */
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
            /* Each bar is a row of rectangles, one for each colour. Writes the rectangles of
             * one colour; each begins where the rectangle of the previous colour in its bar
             * ends. */
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
            /* gnuplot refuses a block of data without rows, and the legend must have this
             * colour even if no bar has it. So each block ends with a rectangle of no size. */
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

/* If there are at most FEW_BARS bars, the axis has a tick for each of them. The mean is drawn
 * as a dashed line, which the chart's key explains. */
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
    /* A curve has reached this share of all observations where the axis may end; the axis ends
     * where all curves have. */
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
