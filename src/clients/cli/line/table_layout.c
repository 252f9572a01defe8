/* Decides a table's layout if lines have a limited width: table.h has the rules. */
#include "clients/cli/line/table.h"

#include "core/utf8.h"

enum {
    COLUMN_MAX = 100, /* without a limit on lines: wider cells do not widen their column */
    TEXT_LEAST = 12,  /* columns of text are not shortened below this width */
    TEXT_FAIR = 28,   /* nor below this one while other columns can be left out */
    WRAP_LEAST = 24,  /* nor is a wrapped column made narrower than this */
    BAR_LEAST = 10,
    FEW_ROWS = 3
};

size_t table_fit(const uint8_t *text, size_t size, size_t columns, size_t *used)
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

void table_lay_out(table *t, bool ended)
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
