/*
 * Charts, drawn by gnuplot in a child process: scripts are written to its standard input and
 * the picture comes from its standard output, so that no shell, no file name and no text from
 * content is ever part of a command. Texts become string constants in which every character
 * that gnuplot could take for something else is an octal escape.
 */
#ifndef CLI_PICTURES_CHART_H
#define CLI_PICTURES_CHART_H

#include "core/bytes.h"
#include "os/new_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all charts of a run share. */
typedef struct chart_sheet {
    const char *command;   /* "stats": for messages */
    const char *directory; /* borrowed; exists */
    const char *subtitle;  /* the sample, below every title */
    file_id world;         /* the file that is read: no picture replaces it */
    bool has_world;
    bool png;    /* else SVG */
    bool failed; /* a chart could not be drawn: said already, no more are tried */
    size_t drawn;
} chart_sheet;

/* A chart in the making. */
typedef struct chart {
    chart_sheet *sheet;
    char *file; /* owned: name without its ending */
    bytes script;
} chart;

/* Colours that colour-blind people tell apart (Okabe and Ito), by number from 0. */
enum { CHART_COLOURS = 8 };
const char *chart_colour(size_t number);

/* Is gnuplot there? Prints that it is not, as the command of that name. */
bool chart_can_draw(const char *name);
/* Starts a chart of so many pixels. stem and part (may be NULL) make its file's name, title and
 * title_part its title; parts come from content. False when memory is out. */
bool chart_begin(chart *c, chart_sheet *sheet, const char *stem, const char *part, int width,
                 int height);
void chart_title(chart *c, const char *text, const char *part);
/* Puts pieces of script: only constant text and numbers; texts go through chart_quote. */
void chart_put(chart *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts the text as a string constant of gnuplot's; what is longer than `columns` is cut (0:
 * not). */
void chart_quote(chart *c, const char *text, size_t columns);
/* The same for the label of a tick, where gnuplot looks for formats of numbers. */
void chart_quote_tick(chart *c, const char *text, size_t columns);
/* Runs gnuplot and keeps the picture; disposes the chart. Prints what went wrong. */
void chart_end(chart *c);

/* Makes a part of a file's name: letters, digits, -, _ and . of the text; where anything else
 * was, a hash of the text follows, so that two texts never share a name. */
void chart_file_part(bytes *out, const char *text);

/* ---- shapes ---- */

/* A row of a dot chart: a value with its range, and what it is compared with. NAN: none. */
typedef struct chart_row {
    const char *label;
    double value, low, high;
    double mark, mark_low, mark_high;
} chart_row;

typedef struct chart_rows {
    const char *stem, *title, *axis, *value_name;
    const char *mark_name, *span_name; /* of marks, and of those with a range; NULL: none */
    const chart_row *rows;
    size_t count;
    bool log;     /* of x; what is 0 lies at its left end */
    double least; /* left end where log */
} chart_rows;
/* Draws as many pages as needed: STEM-1, STEM-2, or STEM alone. */
void chart_draw_rows(chart_sheet *sheet, const chart_rows *r);

/* Rows of shares that add up: stacked bars. */
typedef struct chart_stack {
    const char *stem, *title, *axis;
    const char *const *labels; /* of the rows */
    const double *values;      /* row by row, `parts` each */
    const char *const *part_names;
    size_t count, parts;
} chart_stack;
void chart_draw_stack(chart_sheet *sheet, const chart_stack *s);

/* Counts of things by a number, as bars; log_bins: x is of a logarithmic scale. */
typedef struct chart_bar {
    double from, to, height;
} chart_bar;
typedef struct chart_bars {
    const char *stem, *part, *title, *x_axis, *y_axis;
    const chart_bar *bars;
    size_t count;
    double mean; /* drawn as a line; NAN: not */
    bool log;
} chart_bars;
void chart_draw_bars(chart_sheet *sheet, const chart_bars *b);

/* Cumulative shares: y[i] of the things are at x = i or below. */
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

#endif
