/* Prints rows in each of the formats of rows.h, one cell at a time. Only tables for people are
 * held back: their cells wait in memory until the layout is decided by the rules of rows.h. */
#include "clients/cli/line/rows.h"

#include "clients/cli/line/output.h"
#include "clients/os/terminal.h"
#include "core/array.h"
#include "core/bytes.h"
#include "core/error.h"
#include "core/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    /* A table's first WINDOW rows decide its layout; later rows follow it. */
    WINDOW = 1000,
    GAP = 2,  /* blanks between columns */
    BAR = 40, /* width of the largest bar in characters */
    BAR_LEAST = 10,
    /* If lines have no limited width, a cell that is wider than this does not widen its column.
     */
    COLUMN_MAX = 100,
    TEXT_LEAST = 12, /* least width to which columns of text are shortened */
    TEXT_FAIR = 28,  /* least width of columns of text while other columns can be left out */
    WRAP_LEAST = 24, /* least width to which a wrapped column is narrowed */
    FEW_ROWS = 3
};

static const char ELLIPSIS[] = "\xe2\x80\xa6";

/* A cell of a table for people, or a column's heading. */
typedef struct item {
    size_t at, size; /* offset of the cell's text in row_printer.text, or of a heading's text in
                      * row_printer.heads; and its length in bytes */
    size_t columns;  /* the width of the cell on the terminal */
    double bar;      /* if `is_bar`: the share, 0 to 1, that is drawn as a bar */
    bool number, is_bar;
} item;

/* The layout of a column. */
typedef struct place {
    item head;
    unsigned rank;
    bool wrap;
    bool hidden;
    bool numeric;   /* all cells of the column so far are numbers or empty */
    bool bars;      /* some cell of the column is a bar */
    size_t natural; /* the width that the column needs to show each cell in full */
    size_t width;
} place;

struct row_printer {
    rows_style style;
    const report_column *columns;
    size_t column_count;
    bool once;
    size_t at;      /* number of the column to which the next cell belongs */
    size_t shown;   /* cells of this row printed so far */
    uint64_t count; /* number of rows that have got all of their cells */
    bool blob_only; /* in the raw format: this row has one blob and nothing else so far */
    bool failed;    /* memory is out */
    /* ---- only of tables for people ---- */
    size_t width; /* width of a line; 0: not limited */
    bool may_shorten;
    size_t place_count;
    place *places; /* owned; layouts of the columns that are shown to people */
    bytes heads;   /* texts of the columns' headings, in which special characters are escaped */
    item *cells;   /* owned; cells of the rows that wait to be printed */
    size_t cell_count;
    bytes text;    /* texts of the cells */
    bool laid_out; /* the layout was decided by the first WINDOW rows */
    bool blocks;   /* each row is a block of lines */
    bool shortened;
    size_t printed; /* how many rows were printed */
    double most;    /* the largest value of a bar; its bar is as wide as the column */
};

/* ---- the command line ---- */

static const char *const formats[ROWS_OTHER] = {"table", "csv", "json", "jsonl", "raw"};

const char *rows_format_name(rows_format format)
{
    return formats[format];
}

static int unknown_format(const args *a, const char *text, const char *const *other)
{
    char names[200] = "";
    for (size_t size = 0; other && *other && size < sizeof names; other++)
        size += (size_t)snprintf(names + size, sizeof names - size, ", %s", *other);
    return usage_error(a, "--format '%s' is none of table, csv, json, jsonl, raw%s", text,
                       names);
}

int rows_style_from_args(rows_style *out, const args *a, const char *const *other)
{
    const char *text = args_value(a, "format");
    int format = args_has(a, "json") ? ROWS_JSON : ROWS_TABLE;
    size_t own = 0;
    if (text)
        for (format = 0; format < ROWS_OTHER && strcmp(text, formats[format]) != 0;)
            format++;
    if (format == ROWS_OTHER) {
        while (other && other[own] && strcmp(text, other[own]) != 0)
            own++;
        if (!other || !other[own])
            return unknown_format(a, text, other);
    }
    if (args_has(a, "json") && format != ROWS_JSON)
        return usage_error(a, "--json and --format %s exclude each other", text);
    *out = (rows_style){.format = (rows_format)format,
                        .other = own,
                        .header = !args_has(a, "no-header"),
                        .wide = args_has(a, "wide")};
    return EXIT_DONE;
}

/* ---- texts of tables ---- */

/* Returns how many bytes of visible text fit into `columns`. *used becomes the number of
 * columns that these bytes take. */
static size_t fit_into(const uint8_t *text, size_t size, size_t columns, size_t *used)
{
    size_t at = 0;
    *used = 0;
    while (at < size) {
        uint32_t c;
        const size_t next = utf8_decode((const char *)text + at, size - at, &c);
        const size_t wide = utf8_columns(c);
        if (*used + wide > columns)
            break;
        *used += wide;
        at += next;
    }
    return at;
}

/* Appends the text, with special characters escaped. Returns its place in the buffer. */
static item put(bytes *out, const char *text, size_t size)
{
    item new = {.at = out->size};
    visible_put(out, text, size);
    new.size = out->size - new.at;
    if (!out->failed)
        (void)fit_into(out->data + new.at, new.size, SIZE_MAX, &new.columns);
    return new;
}

static void print_blanks(size_t count)
{
    out_printf("%*s", (int)count, "");
}

/* Prints the text in lines of at most `width` columns, broken at blanks if possible. Every
 * line but the first is indented. */
static void print_wrapped(const uint8_t *text, size_t size, size_t width, size_t indent)
{
    while (size > 0) {
        size_t used, fit = fit_into(text, size, width, &used), end = fit;
        while (fit < size && end > 0 && text[end - 1] != ' ' && text[end] != ' ')
            end--;
        if (fit < size && end == 0)
            end = fit > 0 ? fit : size;
        else if (fit == size)
            end = size;
        size_t shown = end;
        while (shown > 0 && end < size && text[shown - 1] == ' ')
            shown--;
        out_raw(text, shown);
        while (end < size && text[end] == ' ')
            end++;
        text += end;
        size -= end;
        if (size > 0) {
            out_text("\n");
            print_blanks(indent);
        }
    }
}

/* ---- rows of tables ---- */

/* Prints as much of the cell as fits its column. Returns the number of columns printed. */
static size_t print_shortened(row_printer *r, const uint8_t *text, const item *cell,
                              size_t width)
{
    size_t used;
    if (cell->columns <= width || !r->may_shorten || r->width == 0) {
        out_raw(text + cell->at, cell->size);
        return cell->columns;
    }
    out_raw(text + cell->at, fit_into(text + cell->at, cell->size, width - 1, &used));
    out_raw(ELLIPSIS, sizeof ELLIPSIS - 1);
    r->shortened = true;
    return used + 1;
}

/* Prints a bar, and returns how many columns it takes. */
static size_t print_bar(const row_printer *r, double bar, size_t width)
{
    const double share = r->most > 0 ? bar / r->most : 0;
    size_t length = (size_t)(share * (double)width + 0.5);
    length += length == 0 && bar > 0;
    for (size_t k = 0; k < length; k++)
        out_raw("#", 1);
    return length;
}

/* Prints a row of cells, or for NULL the row of headings. */
static void print_row(row_printer *r, const item *row)
{
    const uint8_t *text = row ? r->text.data : r->heads.data;
    size_t column = 0, owed = 0; /* `column`: where the next column begins; `owed`: number of
                                    blanks to print before the next text */
    for (size_t i = 0; i < r->place_count; i++) {
        const place *p = &r->places[i];
        const item *cell = row ? &row[i] : &p->head;
        if (p->hidden)
            continue;
        const bool right = cell->number || (!row && p->numeric && !p->bars);
        const size_t room = p->width > cell->columns ? p->width - cell->columns : 0;
        const size_t gap = column > 0 ? GAP : 0;
        size_t printed = 0;
        owed += gap + (right ? room : 0);
        column += gap;
        if (cell->size > 0 || cell->is_bar) {
            print_blanks(owed);
            owed = 0;
        }
        if (cell->is_bar)
            printed = print_bar(r, cell->bar, p->width);
        else if (p->wrap && cell->columns > p->width && r->width > 0)
            print_wrapped(text + cell->at, cell->size, p->width, column);
        else
            printed = print_shortened(r, text, cell, p->width);
        owed += right || printed > p->width ? 0 : p->width - printed;
        column += p->width;
    }
    out_text("\n");
}

/*
 * Prints a row as a block of lines, each with a column's name and value. If the names take
 * nearly the whole width, values stand below them.
 */
static void print_block(const row_printer *r, const item *row)
{
    enum { VALUE_LEAST = 10, BELOW = 2 };
    size_t names = 0;
    for (size_t i = 0; i < r->place_count; i++)
        if (r->places[i].head.columns > names)
            names = r->places[i].head.columns;
    const bool beside = names + GAP + VALUE_LEAST <= r->width;
    const size_t indent = beside ? names + GAP : BELOW;
    for (size_t i = 0; i < r->place_count; i++) {
        const item *head = &r->places[i].head;
        if (row[i].is_bar)
            continue;
        print_wrapped(r->heads.data + head->at, head->size, r->width, 0);
        if (row[i].size > 0) {
            out_text(beside ? "" : "\n");
            print_blanks(beside ? indent - head->columns : indent);
            print_wrapped(r->text.data + row[i].at, row[i].size, r->width - indent, indent);
        }
        out_text("\n");
    }
}

/* ---- the layout ---- */

static size_t line_width(const row_printer *r)
{
    size_t width = 0;
    for (size_t i = 0; i < r->place_count; i++)
        if (!r->places[i].hidden)
            width += r->places[i].width + (width > 0 ? GAP : 0);
    return width;
}

static bool fits(const row_printer *r)
{
    return r->width == 0 || line_width(r) <= r->width;
}

/* Narrows a column of the table until its rows fit into a line, but not below `least`. */
static void narrow(const row_printer *r, place *p, size_t least)
{
    const size_t width = line_width(r);
    const size_t over = width > r->width ? width - r->width : 0;
    if (p->width > least)
        p->width = over < p->width - least ? p->width - over : least;
}

static bool is_text(const place *p)
{
    return !p->hidden && !p->numeric && !p->bars && !p->wrap;
}

/* Narrows the widest columns of text, step by step, until the table's rows fit into a line. No
 * column gets narrower than `least`. */
static void shorten_texts(row_printer *r, size_t least)
{
    for (place *widest = r->places; widest && !fits(r);) {
        widest = NULL;
        for (size_t i = 0; i < r->place_count; i++) {
            place *p = &r->places[i];
            if (is_text(p) && p->width > least && (!widest || p->width > widest->width))
                widest = p;
        }
        if (widest)
            widest->width--;
    }
}

/* Makes rows fit the line: shortens columns of text, but not below TEXT_FAIR; then leaves out
 * whole columns; then shortens text further, down to TEXT_LEAST. Returns false if the rows
 * still do not fit. */
static bool fit_rows(row_printer *r)
{
    if (r->may_shorten)
        shorten_texts(r, TEXT_FAIR);
    /* Leaves out columns one by one, those of the highest rank first. Of several columns with
     * the same rank the rightmost is left out first. */
    for (place *least = r->places; least && !fits(r);) {
        least = NULL;
        for (size_t i = 0; i < r->place_count; i++) {
            place *p = &r->places[i];
            if (!p->hidden && p->rank > 0 && (!least || p->rank >= least->rank))
                least = p;
        }
        if (least)
            least->hidden = true;
    }
    if (r->may_shorten)
        shorten_texts(r, TEXT_LEAST);
    /* If a column was left out, there may be room to spare. Columns of text that were shortened
     * get it. */
    for (size_t i = 0; r->may_shorten && i < r->place_count; i++) {
        place *p = &r->places[i];
        const size_t used = line_width(r);
        const size_t room = used < r->width ? r->width - used : 0;
        const size_t missing = p->natural > p->width ? p->natural - p->width : 0;
        if (is_text(p))
            p->width += missing < room ? missing : room;
    }
    return fits(r);
}

/* Gives each column the width that its widest cell needs. */
static void give_natural(row_printer *r)
{
    const size_t most = r->width == 0 ? COLUMN_MAX : SIZE_MAX;
    for (size_t i = 0; i < r->place_count; i++) {
        place *p = &r->places[i];
        p->width = r->style.header ? p->head.columns : 0;
        for (size_t k = i; k < r->cell_count; k += r->place_count) {
            const size_t columns = r->cells[k].is_bar ? BAR : r->cells[k].columns;
            if (columns > p->width)
                p->width = columns < most ? columns : most;
        }
        p->natural = p->width;
    }
}

/* Decides the layout by the cells of the rows that wait to be printed. `ended` is true if the
 * table has no rows after these. */
static void lay_out(row_printer *r, bool ended)
{
    place *last = &r->places[r->place_count - 1];
    const bool few = r->style.blocks && ended && r->cell_count <= FEW_ROWS * r->place_count;
    give_natural(r);
    for (size_t i = 0; i < r->place_count && !fits(r); i++)
        if (r->places[i].bars)
            narrow(r, &r->places[i], BAR_LEAST);
    if (!fits(r) && last->wrap)
        narrow(r, last, WRAP_LEAST);
    if (last->wrap && last->width < WRAP_LEAST)
        last->wrap = false;
    r->blocks = !fits(r) && (few || !fit_rows(r));
    for (size_t i = 0; i < r->place_count; i++)
        r->places[i].hidden = r->places[i].hidden && !r->blocks;
}

/* Prints the complete rows that wait, and forgets them. ended: the table has no further rows.
 */
static void flush_rows(row_printer *r, bool ended)
{
    if (!r->laid_out) {
        lay_out(r, ended);
        if (!r->blocks && r->style.header) {
            print_row(r, NULL);
            for (size_t i = 0, column = 0; i < r->place_count; i++) {
                const place *p = &r->places[i];
                print_blanks(p->hidden || column == 0 ? 0 : GAP);
                for (size_t k = 0; k < p->width && !p->hidden; k++)
                    out_raw("-", 1);
                column += !p->hidden;
            }
            out_text("\n");
        }
    }
    r->laid_out = true;
    for (size_t at = 0; at + r->place_count <= r->cell_count; at += r->place_count) {
        if (r->blocks && r->printed > 0)
            out_text("\n");
        if (r->blocks)
            print_block(r, r->cells + at);
        else
            print_row(r, r->cells + at);
        r->printed++;
    }
    r->cell_count = 0;
    bytes_clear(&r->text);
}

/* ---- cells of tables ---- */

static bool add(row_printer *r, item cell)
{
    place *p = &r->places[r->cell_count % r->place_count];
    if (r->text.failed)
        return false;
    p->numeric = p->numeric && cell.number;
    p->bars = p->bars || cell.is_bar;
    r->cells[r->cell_count++] = cell;
    if (r->cell_count == r->place_count * WINDOW)
        flush_rows(r, false);
    return true;
}

/* Adds the next cell, row by row. Numbers are aligned to the right. The text is copied and made
 * safe to print. Returns false when memory is out. */
static bool add_text(row_printer *r, const char *text, size_t size, bool number)
{
    item cell = put(&r->text, text, size);
    cell.number = number;
    return add(r, cell);
}

/* ---- rows in every format ---- */

/* Returns whether the column is shown. Tables leave out columns that are for programs; all
 * other formats leave out columns that are for people. */
static bool is_shown(const row_printer *r, const report_column *c)
{
    return !(c->flags & (r->style.format == ROWS_TABLE ? (unsigned)REPORT_DATA_ONLY
                                                       : REPORT_EYE_ONLY | REPORT_BAR));
}

static void free_printer(row_printer *r)
{
    bytes_dispose(&r->text);
    bytes_dispose(&r->heads);
    free(r->places);
    free(r->cells);
    free(r);
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
    if (style->format == ROWS_TABLE) {
        r->width = style->wide ? 0 : terminal_columns(STREAM_OUTPUT);
        r->may_shorten = terminal_is(STREAM_OUTPUT);
        bytes_put(&r->text, "", 1); /* allocates r->text.data, which must not be NULL */
        bytes_put(&r->heads, "", 1);
        r->places = calloc(r->column_count + 1, sizeof *r->places);
        r->cells = calloc(r->column_count + 1, sizeof *r->cells * WINDOW);
        for (const report_column *c = columns; c->key && r->places; c++)
            if (is_shown(r, c))
                r->places[r->place_count++] =
                    (place){.head = put(&r->heads, c->head, strlen(c->head)),
                            .rank = c->flags >> REPORT_RANKS,
                            .wrap = (c->flags & REPORT_WRAP) != 0,
                            .numeric = true};
        if (!r->places || !r->cells || r->heads.failed) {
            free_printer(r);
            return NULL;
        }
    }
    if (style->format == ROWS_CSV && style->header) {
        size_t shown = 0;
        for (const report_column *c = columns; c->key; c++)
            if (is_shown(r, c)) {
                out_raw(",", shown++ > 0);
                out_csv_text(c->key);
            }
        out_raw("\r\n", 2);
    }
    return r;
}

static bool is_json(const row_printer *r)
{
    return r->style.format == ROWS_JSON || r->style.format == ROWS_JSONL;
}

static bool print_none(row_printer *r)
{
    if (r->style.format == ROWS_TABLE)
        return add_text(r, "", 0, true);
    if (is_json(r))
        out_text("null");
    else if (r->style.format == ROWS_CSV && r->column_count == 1)
        out_csv_text(""); /* without quotes it is an empty line, which readers of CSV skip */
    return true;
}

static bool print_text(row_printer *r, const char *text, size_t size)
{
    if (r->style.format == ROWS_TABLE)
        return add_text(r, text, size, false);
    if (is_json(r))
        out_json_string(text, size);
    else if (r->style.format == ROWS_CSV)
        out_csv_string(text, size);
    else
        out_raw(text, size);
    return true;
}

/* Prints a number. In tables a real has the column's number of decimals, if the column sets
 * one; otherwise it has as many as are needed to read it back exactly. An infinity is printed
 * as an empty cell in JSON, which has no infinities, and in a column with a number of decimals.
 */
static bool print_number(row_printer *r, const report_cell *c)
{
    const report_column *column = &r->columns[r->at];
    const bool table = r->style.format == ROWS_TABLE;
    char text[64];
    if (is_json(r) && c->kind == REPORT_WHOLE) {
        out_json_int(c->whole);
        return true;
    }
    if (is_json(r) && c->kind == REPORT_COUNT) {
        out_json_uint((uint64_t)c->whole);
        return true;
    }
    if (c->kind == REPORT_WHOLE)
        snprintf(text, sizeof text, "%" PRId64, c->whole);
    else if (c->kind == REPORT_COUNT)
        snprintf(text, sizeof text, "%" PRIu64, (uint64_t)c->whole);
    else if (!isfinite(c->real) && (is_json(r) || isnan(c->real) || column->decimals >= 0))
        return print_none(r);
    else if (table && column->flags & REPORT_BAR) {
        /* The largest value of the first WINDOW rows is drawn as a bar of full width. */
        if (!r->laid_out && c->real > r->most)
            r->most = c->real;
        return add(r, (item){.is_bar = true, .bar = c->real < r->most ? c->real : r->most});
    } else if (table && column->decimals >= 0)
        snprintf(text, sizeof text, "%.*f", column->decimals,
                 column->flags & REPORT_PERCENT ? 100 * c->real : c->real);
    else
        format_double(c->real, text);
    if (table)
        return add_text(r, text, strlen(text), true);
    out_raw(text, strlen(text));
    return true;
}

static bool print_cell(row_printer *r, const report_cell *c)
{
    /* The separator for the second and later cells of a row, by format. */
    static const char *const between[ROWS_OTHER] = {"", ",", ", ", ", ", "\t"};
    if (r->shown++ > 0)
        out_raw(between[r->style.format], strlen(between[r->style.format]));
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
    if (r->style.format == ROWS_TABLE) {
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
                out_text("\n"); /* after the previous row, a single blob, it was left out */
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

bool rows_put_values(row_printer *r, const ptl_value *values, size_t count)
{
    static const report_kind kinds[] = {[PTL_VALUE_NULL] = REPORT_NONE,
                                        [PTL_VALUE_INTEGER] = REPORT_WHOLE,
                                        [PTL_VALUE_REAL] = REPORT_REAL,
                                        [PTL_VALUE_TEXT] = REPORT_TEXT,
                                        [PTL_VALUE_BLOB] = REPORT_BLOB};
    bool good = r != NULL;
    for (const ptl_value *v = values; good && v < values + count; v++) {
        const report_cell cell = {kinds[v->type], v->text, v->size, v->integer, v->real};
        good = rows_put(r, &cell, 1);
    }
    return good;
}

bool rows_finish(row_printer *r)
{
    if (!r)
        return false;
    const bool good = !r->failed || !out_ok();
    if (r->place_count > 0 && (r->cell_count > 0 || !r->laid_out))
        flush_rows(r, true);
    /* A last line says which columns were left out or shortened to fit the width. */
    bytes text = {.size = 0};
    for (size_t i = 0; i < r->place_count; i++) {
        const place *p = &r->places[i];
        if (!p->hidden)
            continue;
        bytes_put_text(&text, text.size ? ", " : "(not shown: ");
        bytes_put(&text, r->heads.data + p->head.at, p->head.size);
    }
    if (r->shortened)
        bytes_printf(&text, "%s%s marks what is shortened", text.size ? "; " : "(", ELLIPSIS);
    if (text.size > 0)
        bytes_put_text(&text, "; --wide shows all)");
    if (text.size > 0 && !text.failed) {
        print_wrapped(text.data, text.size, r->width, 0);
        out_text("\n");
    }
    bytes_dispose(&text);
    if (r->style.format == ROWS_JSON && r->once)
        out_text(r->count ? "\n" : "{}\n");
    else if (r->style.format == ROWS_JSON)
        out_text(r->count ? "\n]\n" : "[]\n");
    else if (r->style.format == ROWS_RAW && r->blob_only && r->count > 1)
        out_text("\n");
    free_printer(r);
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
