/* Tables for people: cells wait in a window until the layout is decided, then are printed. */
#include "clients/cli/line/table.h"

#include "clients/cli/line/output.h"
#include "clients/os/terminal.h"
#include "core/utf8.h"

#include <stdio.h>
#include <stdlib.h>

static const char ELLIPSIS[] = "\xe2\x80\xa6";

/* ---- cells ---- */

/* Decides a table's layout if lines have a limited width: table.h has the rules. */

/* Returns how many bytes of visible text fit into `columns`. *used is their width. */
static size_t table_fit(const uint8_t *text, size_t size, size_t columns, size_t *used)
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

/* Appends the text, made visible, to the buffer and returns where it is. */
static table_item put(bytes *out, const char *text, size_t size)
{
    table_item item = {.at = out->size};
    visible_put(out, text, size);
    item.size = out->size - item.at;
    if (!out->failed)
        (void)table_fit(out->data + item.at, item.size, SIZE_MAX, &item.columns);
    return item;
}

table *table_new(const report_column *columns, bool header, bool wide, bool few_as_blocks)
{
    size_t most = 1;
    table *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    bytes_init(&t->text);
    bytes_init(&t->heads);
    bytes_put(&t->text, "", 1); /* so that data is not NULL if all cells are empty */
    bytes_put(&t->heads, "", 1);
    t->style = (table_style){.header = header,
                             .few_as_blocks = few_as_blocks,
                             .width = wide ? 0 : terminal_columns(STREAM_OUTPUT),
                             .may_shorten = terminal_is(STREAM_OUTPUT)};
    for (const report_column *c = columns; c->key; c++)
        most++;
    t->places = calloc(most, sizeof *t->places);
    t->cells = calloc(most, sizeof *t->cells * TABLE_WINDOW);
    for (const report_column *c = columns; c->key && t->places; c++)
        if (!(c->flags & REPORT_DATA_ONLY))
            t->places[t->columns++] =
                (table_place){.head = put(&t->heads, c->head, strlen(c->head)),
                              .rank = c->flags >> REPORT_RANKS,
                              .wrap = (c->flags & REPORT_WRAP) != 0,
                              .numeric = true};
    if (t->places && t->cells && !t->heads.failed)
        return t;
    t->columns = 0;
    table_finish(t);
    return NULL;
}

/* ---- printing ---- */

static void print_blanks(size_t count)
{
    out_printf("%*s", (int)count, "");
}

/* Prints as much of the item as fits its column. Returns the number of columns printed. */
static size_t print_shortened(table *t, const uint8_t *text, const table_item *item,
                              size_t width)
{
    size_t used;
    if (item->columns <= width || !t->style.may_shorten || t->style.width == 0) {
        out_raw(text + item->at, item->size);
        return item->columns;
    }
    const size_t fit = table_fit(text + item->at, item->size, width - 1, &used);
    out_raw(text + item->at, fit);
    out_raw(ELLIPSIS, sizeof ELLIPSIS - 1);
    t->shortened = true;
    return used + 1;
}

static size_t print_bar(const table *t, const table_item *item, size_t width)
{
    size_t size = t->most > 0 ? (size_t)(item->bar / t->most * (double)width + 0.5) : 0;
    if (size == 0 && item->bar > 0)
        size = 1;
    for (size_t i = 0; i < size; i++)
        out_raw("#", 1);
    return size;
}

/* Prints the text in lines of at most `width` columns, broken at blanks if possible. Every
 * line but the first is indented. */
static void print_wrapped(const uint8_t *text, size_t size, size_t width, size_t indent)
{
    while (size > 0) {
        size_t used, fit = table_fit(text, size, width, &used), end = fit;
        while (fit < size && end > 0 && text[end - 1] != ' ' && text[end] != ' ')
            end--;
        if (fit < size && end == 0)
            end = fit > 0 ? fit : size; /* a word too long, or no room at all */
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

static void print_row(table *t, const uint8_t *text, const table_item *row, bool is_head)
{
    size_t column = 0, owed = 0; /* `column`: where the next column begins; `owed`: blanks to
                                    print before it */
    for (size_t i = 0; i < t->columns; i++) {
        const table_place *p = &t->places[i];
        const table_item *item = is_head ? &p->head : &row[i];
        if (p->hidden)
            continue;
        const bool right = item->number || (is_head && p->numeric && !p->bars);
        const size_t room = p->width > item->columns ? p->width - item->columns : 0;
        const size_t gap = column > 0 ? TABLE_GAP : 0;
        size_t printed = 0;
        owed += gap + (right ? room : 0);
        column += gap;
        if (item->size > 0 || item->is_bar) {
            print_blanks(owed);
            owed = 0;
        }
        if (item->is_bar)
            printed = print_bar(t, item, p->width);
        else if (p->wrap && item->columns > p->width && t->style.width > 0)
            print_wrapped(text + item->at, item->size, p->width, column);
        else
            printed = print_shortened(t, text, item, p->width);
        owed += right || printed > p->width ? 0 : p->width - printed;
        column += p->width;
    }
    out_text("\n");
}

/*
 * Prints a row as a block of lines, each with a column's name and value. If the names take
 * nearly the whole width, values stand below them.
 */
static void print_block(const table *t, const table_item *row)
{
    enum { VALUE_LEAST = 10, BELOW = 2 };
    size_t names = 0;
    for (size_t i = 0; i < t->columns; i++)
        if (t->places[i].head.columns > names)
            names = t->places[i].head.columns;
    const bool beside = names + TABLE_GAP + VALUE_LEAST <= t->style.width;
    const size_t indent = beside ? names + TABLE_GAP : BELOW;
    for (size_t i = 0; i < t->columns; i++) {
        const table_item *head = &t->places[i].head;
        if (row[i].is_bar)
            continue;
        print_wrapped(t->heads.data + head->at, head->size, t->style.width, 0);
        if (row[i].size > 0) {
            out_text(beside ? "" : "\n");
            print_blanks(beside ? indent - head->columns : indent);
            print_wrapped(t->text.data + row[i].at, row[i].size, t->style.width - indent,
                          indent);
        }
        out_text("\n");
    }
}

/* Prints the complete rows of the window and empties it. */
static void print_heads(table *t)
{
    bool first = true;
    print_row(t, t->heads.data, NULL, true);
    for (size_t i = 0; i < t->columns; i++) {
        if (t->places[i].hidden)
            continue;
        print_blanks(first ? 0 : TABLE_GAP);
        for (size_t j = 0; j < t->places[i].width; j++)
            out_raw("-", 1);
        first = false;
    }
    out_text("\n");
}

enum {
    COLUMN_MAX = 100, /* without a limit on lines: wider cells do not widen their column */
    TEXT_LEAST = 12,  /* columns of text are not shortened below this width */
    TEXT_FAIR = 28,   /* nor below this one while other columns can be left out */
    WRAP_LEAST = 24,  /* nor is a wrapped column made narrower than this */
    BAR_LEAST = 10,
    FEW_ROWS = 3
};

static size_t line_width(const table *t)
{
    size_t width = 0;
    for (size_t i = 0; i < t->columns; i++)
        if (!t->places[i].hidden)
            width += t->places[i].width + (width > 0 ? TABLE_GAP : 0);
    return width;
}

static bool fits(const table *t)
{
    return t->style.width == 0 || line_width(t) <= t->style.width;
}

/* Narrows the column until the line fits, but not below `least`. */
static void narrow(const table *t, table_place *p, size_t least)
{
    const size_t width = line_width(t);
    const size_t over = width > t->style.width ? width - t->style.width : 0;
    if (p->width > least)
        p->width = over < p->width - least ? p->width - over : least;
}

static bool is_text(const table_place *p)
{
    return !p->hidden && !p->numeric && !p->bars && !p->wrap;
}

/* Narrows the widest columns of text, one column of the terminal at a time, until the line
 * fits; none below `least`. */
static void shorten_texts(table *t, size_t least)
{
    for (table_place *widest = t->places; widest && !fits(t);) {
        widest = NULL;
        for (size_t i = 0; i < t->columns; i++) {
            table_place *p = &t->places[i];
            if (is_text(p) && p->width > least && (!widest || p->width > widest->width))
                widest = p;
        }
        if (widest)
            widest->width--;
    }
}

/* Returns the shown column with the highest rank, the last one if several have it; NULL if
 * none may be left out. */
static table_place *least_needed(const table *t)
{
    table_place *least = NULL;
    for (size_t i = 0; i < t->columns; i++) {
        table_place *p = &t->places[i];
        if (!p->hidden && p->rank > 0 && (!least || p->rank >= least->rank))
            least = p;
    }
    return least;
}

/* Makes rows fit the line: texts down to TEXT_FAIR, then fewer columns, then texts down to
 * TEXT_LEAST. Returns false if they still do not fit. */
static bool fit_rows(table *t)
{
    if (t->style.may_shorten)
        shorten_texts(t, TEXT_FAIR);
    table_place *least;
    while (!fits(t) && (least = least_needed(t)) != NULL)
        least->hidden = true;
    if (t->style.may_shorten)
        shorten_texts(t, TEXT_LEAST);
    /* Leaving out a column may have freed more than was needed. Shortened texts get the rest.
     */
    for (size_t i = 0; t->style.may_shorten && i < t->columns; i++) {
        table_place *p = &t->places[i];
        const size_t used = line_width(t);
        const size_t room = used < t->style.width ? t->style.width - used : 0;
        const size_t missing = p->natural > p->width ? p->natural - p->width : 0;
        if (is_text(p))
            p->width += missing < room ? missing : room;
    }
    return fits(t);
}

/* Gives each column the width that all of its cells ask for. */
static void measure(table *t)
{
    const size_t most = t->style.width == 0 ? COLUMN_MAX : SIZE_MAX;
    for (size_t i = 0; i < t->columns; i++) {
        table_place *p = &t->places[i];
        p->width = t->style.header ? p->head.columns : 0;
        for (size_t k = i; k < t->count; k += t->columns) {
            const table_item *c = &t->cells[k];
            const size_t columns = c->is_bar ? TABLE_BAR : c->columns;
            if (columns > p->width)
                p->width = columns < most ? columns : most;
        }
        p->natural = p->width;
    }
}

/* Decides the layout by the rows in the window. ended: these are all rows. */
static void table_lay_out(table *t, bool ended)
{
    table_place *last = &t->places[t->columns - 1];
    const bool few = t->style.few_as_blocks && ended && t->count <= FEW_ROWS * t->columns;
    measure(t);
    for (size_t i = 0; i < t->columns && !fits(t); i++)
        if (t->places[i].bars)
            narrow(t, &t->places[i], BAR_LEAST);
    if (!fits(t) && last->wrap)
        narrow(t, last, WRAP_LEAST);
    if (last->wrap && last->width < WRAP_LEAST)
        last->wrap = false;
    t->blocks = !fits(t) && (few || !fit_rows(t));
    for (size_t i = 0; i < t->columns; i++)
        t->places[i].hidden = t->places[i].hidden && !t->blocks;
}

static void flush_rows(table *t, bool ended)
{
    if (!t->laid_out) {
        table_lay_out(t, ended);
        if (!t->blocks && t->style.header)
            print_heads(t);
    }
    t->laid_out = true;
    for (size_t at = 0; at + t->columns <= t->count; at += t->columns) {
        if (t->blocks && t->rows > 0)
            out_text("\n");
        if (t->blocks)
            print_block(t, t->cells + at);
        else
            print_row(t, t->text.data, t->cells + at, false);
        t->rows++;
    }
    t->count = 0;
    bytes_clear(&t->text);
}

/* ---- adding ---- */

static bool add(table *t, table_item item)
{
    table_place *p = &t->places[t->count % t->columns];
    if (t->text.failed)
        return false;
    p->numeric = p->numeric && item.number;
    p->bars = p->bars || item.is_bar;
    t->cells[t->count++] = item;
    if (t->count == t->columns * TABLE_WINDOW)
        flush_rows(t, false);
    return true;
}

bool table_cell(table *t, const char *text, size_t size, bool number)
{
    table_item item = put(&t->text, text, size);
    item.number = number;
    return add(t, item);
}

bool table_bar(table *t, double share)
{
    if (!t->laid_out && share > t->most)
        t->most = share;
    return add(t, (table_item){.is_bar = true, .bar = share < t->most ? share : t->most});
}

void table_finish(table *t)
{
    if (!t)
        return;
    if (t->columns > 0 && (t->count > 0 || !t->laid_out))
        flush_rows(t, true);
    if (t->columns > 0) {
        /* A last line names what was left out or shortened to fit the width. */
        bytes text = {.size = 0};
        for (size_t i = 0; i < t->columns; i++)
            if (t->places[i].hidden) {
                bytes_put_text(&text, text.size ? ", " : "(not shown: ");
                bytes_put(&text, t->heads.data + t->places[i].head.at, t->places[i].head.size);
            }
        if (t->shortened)
            bytes_printf(&text, "%s%s marks what is shortened", text.size ? "; " : "(",
                         ELLIPSIS);
        if (text.size > 0)
            bytes_put_text(&text, "; --wide shows all)");
        if (text.size > 0 && !text.failed) {
            print_wrapped(text.data, text.size, t->style.width, 0);
            out_text("\n");
        }
        bytes_dispose(&text);
    }
    bytes_dispose(&t->text);
    bytes_dispose(&t->heads);
    free(t->places);
    free(t->cells);
    free(t);
}
