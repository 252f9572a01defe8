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
#include <stdio.h>
#include <stdlib.h>

enum { PART_COLUMNS = 50, SUBTITLE_COLUMNS = 100 }; /* most columns in a title */

const char *chart_colour(size_t number)
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

/* Adds a string constant to the script. Characters that are unsafe to print are shown as
 * escapes: they may not be in a picture, either. */
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

void chart_put(chart *c, const char *format, ...)
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

/* Sets the look that all charts share. */
bool chart_begin(chart *c, chart_sheet *sheet, const char *stem, const char *part, int width,
                 int height)
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

void chart_title(chart *c, const char *text, const char *part)
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

/* ---- the child ---- */

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
    if (!child_prepare(&gnuplot)) {
        tell("portolan stats: pipe: %s\n", strerror(errno));
        return false;
    }
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
    /* Print the beginning of gnuplot's own messages. */
    char text[400];
    rewind(said);
    const size_t size = fread(text, 1, sizeof text - 1, said);
    text[size] = '\0';
    tell("portolan %s: gnuplot could not draw %s:\n", c->sheet->command, c->file);
    tell_lines(text);
    return false;
}

/* Draws into a new file, which gets the picture's name only when it is complete. */
static bool make_picture(const chart *c, const char *path)
{
    const new_file_options options = {.rule = NEW_FILE_REPLACE,
                                      .inputs = &c->sheet->world,
                                      .input_count = c->sheet->has_world};
    new_file out;
    ptl_error err = {0};
    FILE *said = tmpfile();
    ptl_status status =
        said ? PTL_OK
             : error_system(&err, PTL_ERR_IO, errno, "a temporary file for what gnuplot says");
    THEN(status, new_file_open(&out, path, &options, &err));
    const bool opened = status == PTL_OK, drawn = opened && draw(c, out.fd, said);
    if (drawn)
        status = new_file_publish(&out, &err);
    if (opened)
        new_file_close(&out);
    if (status != PTL_OK)
        tell("portolan %s: %s\n", c->sheet->command, err.message);
    if (said)
        fclose(said);
    return drawn && status == PTL_OK;
}

void chart_end(chart *c)
{
    chart_sheet *sheet = c->sheet;
    bytes path = {.size = 0};
    if (!sheet->failed) {
        bytes_printf(&path, "%s/%s.%s", sheet->directory, c->file ? c->file : "",
                     sheet->png ? "png" : "svg");
        const char *whole = bytes_text(&path);
        const bool memory = c->file && whole && !c->script.failed;
        if (!memory)
            tell("portolan %s: memory is out\n", sheet->command);
        sheet->failed = !memory || !make_picture(c, whole);
        sheet->drawn += !sheet->failed;
    }
    bytes_dispose(&path);
    bytes_dispose(&c->script);
    free(c->file);
}
