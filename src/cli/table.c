/* Aligned tables: cells wait in a window until the columns' widths are known. */
#include "cli/table.h"

#include "cli/output.h"
#include "core/bytes.h"
#include "core/utf8.h"
#include "core/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_MAX = 100 }; /* wider cells are shown, but do not widen their column */

typedef struct cell {
    size_t at, size; /* in table.text */
    size_t columns;  /* on the terminal */
    bool number;
} cell;

struct table {
    size_t columns;
    bool head; /* the first row is one */
    bool widths_set;
    size_t *widths;
    bool *numeric; /* of the columns: all cells so far are numbers */
    cell *cells;   /* columns * (TABLE_WINDOW + 1) */
    size_t count;
    bytes text;
};

table *table_new(size_t columns, const char *const *names)
{
    table *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    bytes_init(&t->text);
    t->columns = columns;
    t->widths = calloc(columns + 1, sizeof *t->widths);
    t->numeric = calloc(columns + 1, sizeof *t->numeric);
    t->cells = calloc(columns + 1, sizeof *t->cells * (TABLE_WINDOW + 1));
    t->head = names != NULL;
    bool good = t->widths && t->numeric && t->cells;
    for (size_t i = 0; names && good && i < columns; i++)
        good = table_cell(t, names[i], strlen(names[i]), false);
    for (size_t i = 0; good && i < columns; i++)
        t->numeric[i] = true;
    if (good)
        return t;
    t->count = 0;
    table_finish(t);
    return NULL;
}

/* Columns of what is visible already. */
static size_t count_columns(const uint8_t *text, size_t size)
{
    size_t columns = 0;
    for (size_t at = 0; at < size;) {
        uint32_t c;
        at += utf8_decode((const char *)text + at, size - at, &c);
        columns += utf8_columns(c);
    }
    return columns;
}

static void print_row(const table *t, const cell *row)
{
    for (size_t i = 0; i < t->columns; i++) {
        size_t pad = t->widths[i] > row[i].columns ? t->widths[i] - row[i].columns : 0;
        bool right = row[i].number || (t->head && row == t->cells && t->numeric[i]);
        if (i > 0)
            out_text("  ");
        if (right)
            out_printf("%*s", (int)pad, "");
        out_raw(t->text.data + row[i].at, row[i].size);
        if (!right && i + 1 < t->columns)
            out_printf("%*s", (int)pad, "");
    }
    out_text("\n");
}

static void print_rule(const table *t)
{
    for (size_t i = 0; i < t->columns; i++) {
        if (i > 0)
            out_text("  ");
        for (size_t j = 0; j < t->widths[i]; j++)
            out_text("-");
    }
    out_text("\n");
}

/* Prints and forgets the complete rows of the window. */
static void flush_rows(table *t)
{
    for (size_t i = 0; !t->widths_set && i < t->count; i++) {
        size_t columns = t->cells[i].columns;
        if (columns > COLUMN_MAX)
            columns = COLUMN_MAX;
        if (columns > t->widths[i % t->columns])
            t->widths[i % t->columns] = columns;
    }
    for (size_t at = 0; at + t->columns <= t->count; at += t->columns) {
        print_row(t, t->cells + at);
        if (at == 0 && t->head && !t->widths_set)
            print_rule(t);
    }
    t->widths_set = true;
    t->head = false;
    t->count = 0;
    bytes_clear(&t->text);
}

bool table_cell(table *t, const char *text, size_t size, bool number)
{
    cell *c = &t->cells[t->count];
    c->at = t->text.size;
    visible_put(&t->text, text, size);
    if (t->text.failed)
        return false;
    c->size = t->text.size - c->at;
    c->columns = count_columns(t->text.data + c->at, c->size);
    c->number = number;
    t->numeric[t->count % t->columns] &= number;
    t->count++;
    if (t->count == t->columns * TABLE_WINDOW)
        flush_rows(t);
    return true;
}

bool table_text(table *t, const char *text)
{
    return table_cell(t, text, strlen(text), false);
}

bool table_int(table *t, long long value)
{
    char text[32];
    int size = snprintf(text, sizeof text, "%lld", value);
    return table_cell(t, text, (size_t)size, true);
}

void table_finish(table *t)
{
    if (!t)
        return;
    if (t->count > 0)
        flush_rows(t);
    bytes_dispose(&t->text);
    free(t->widths);
    free(t->numeric);
    free(t->cells);
    free(t);
}
