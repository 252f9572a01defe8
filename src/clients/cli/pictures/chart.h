/*
 * Charts, drawn by gnuplot in a child process. Scripts go to its standard input and the
 * picture comes from its standard output. So no shell, no file name and no text from content
 * is ever part of a command line. Texts become string constants, in which each character that
 * gnuplot could interpret is an octal escape.
 */
#pragma once

#include "core/bytes.h"
#include "os/new_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all charts share that one call of the command writes. */
typedef struct chart_sheet {
    const char *command;   /* e.g. "stats", for messages */
    const char *directory; /* folder for the pictures; borrowed; must exist */
    const char *subtitle;  /* says which sample the chart shows; printed below each title */
    file_id world;         /* the world file, which no picture may replace */
    bool has_world;
    bool png;    /* PNG instead of SVG */
    bool failed; /* a chart failed, and a message was printed; no further charts are drawn */
    size_t drawn;
} chart_sheet;

/* A chart whose script is being built. */
typedef struct chart {
    chart_sheet *sheet;
    char *file; /* owned; file name without its extension */
    bytes script;
} chart;

/* The number of colours in charts. Colour-blind people can tell these colours apart (Okabe and
 * Ito). */
enum { CHART_COLOURS = 8 };

/* Is gnuplot installed? If not, prints a message of the command `name`. */
bool chart_can_draw(const char *name);
/* Adds a text as a gnuplot string constant, cut to `columns` (0: not cut). */
void chart_quote(chart *c, const char *text, size_t columns);
/* Adds a text as a gnuplot string constant for the label of a tick, cut to `columns` (0: not
 * cut). In such a label gnuplot would interpret formats of numbers, so these are escaped, too.
 */
void chart_quote_tick(chart *c, const char *text, size_t columns);

/* Turns a text into a part of a file name. Letters, digits, -, _ and . stay. If anything else
 * was replaced, a hash of the text follows, so that two texts practically never share a
 * name. */
void chart_file_part(bytes *out, const char *text);

/* ---- shapes ---- */

/* A row of a dot chart: a value with its interval, and a mark to compare the value with. A
 * number that is NAN is not drawn. */
typedef struct chart_row {
    const char *label;
    double value, low, high;
    double mark, mark_low, mark_high;
} chart_row;

typedef struct chart_rows {
    const char *stem, *title, *axis, *value_name;
    /* What the chart's key calls a mark, and what it calls an interval; NULL: the key leaves it
     * out. */
    const char *mark_name, *span_name;
    const chart_row *rows;
    size_t count;
    bool log; /* the axis of the values is logarithmic; a value of 0 is drawn at its left end */
    double least; /* the value at the left end of a logarithmic axis */
} chart_rows;
/* Draws the rows on as many pages as needed: files STEM-1, STEM-2 and so on, or
 * STEM for one page. */
void chart_draw_rows(chart_sheet *sheet, const chart_rows *r);

/* Rows of values. Each row is drawn as a bar in which its values are stacked. */
typedef struct chart_stack {
    const char *stem, *title, *axis;
    const char *const *labels; /* one for each row */
    const double *values;      /* row by row, each with `parts` values */
    const char *const *part_names;
    size_t count, parts;
} chart_stack;
void chart_draw_stack(chart_sheet *sheet, const chart_stack *s);

/* Counts for ranges of a number, drawn as bars. `log` makes the x axis logarithmic. */
typedef struct chart_bar {
    double from, to, height;
} chart_bar;
typedef struct chart_bars {
    const char *stem, *part, *title, *x_axis, *y_axis;
    const chart_bar *bars;
    size_t count;
    double mean; /* drawn as a line; NAN: none */
    bool log;
} chart_bars;
void chart_draw_bars(chart_sheet *sheet, const chart_bars *b);

/* A cumulative distribution: y[i] is the share of values that are at most i. */
typedef struct chart_curve {
    const char *name;
    const double *y;
    size_t size;
    bool dashed;
} chart_curve;
typedef struct chart_curves {
    const char *stem, *part, *title, *x_axis, *y_axis;
    const chart_curve *curves;
    size_t count;
    bool log;
} chart_curves;
void chart_draw_curves(chart_sheet *sheet, const chart_curves *c);
